import DynamicInvocation

/// Parses arbitrary text as a type encoding and as a signature, writes it again, and explains its calls.
///
/// The first byte, usually a printable character, selects how it is parsed: bit 0 the GNU dialect, bit 1 that a space
/// is a number, bit 2 that the signature is variadic. The higher bits, relative to the digit 0, are the number
/// of fixed arguments.
func encodingCase(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  let choice = reader.byte()
  let text = String(decoding: reader.remainder(), as: UTF8.self)
  let reading = EncodingReading(dialect: choice & 1 == 0 ? .next : .gnu, blankIsFloat16: choice & 2 != 0)
  reading.checkType(text)
  let fixedCount = choice & 4 == 0 ? nil : Int(choice >> 3) - 6
  if let types = reading.checkTypes(text) { checkExplanations(of: types, fixedCount: fixedCount) }
  reading.checkSignature(text, fixedCount: fixedCount)
}
