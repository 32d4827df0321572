import DynamicInvocation

/// Reads arbitrary text as a type encoding.
func encodingCase(_ bytes: UnsafeRawBufferPointer) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = try? TypeEncoding(text)
}
