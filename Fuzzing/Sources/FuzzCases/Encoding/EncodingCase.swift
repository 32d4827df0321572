import DynamicInvocation

/// Reads arbitrary text as a type encoding and as a signature, writes it again, and has its calls explained.
///
/// The first byte chooses how it is read, as a printable character does it: bit 0 the GNU dialect, bit 1 that a blank is a number, bit 2 that the signature is
/// variadic with as many fixed arguments as the bits above say, counted from that of the digit 0.
func encodingCase(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  let choice = reader.byte()
  let text = String(decoding: reader.remainder(), as: UTF8.self)
  let reading = EncodingReading(dialect: choice & 1 == 0 ? .next : .gnu, blankIsFloat16: choice & 2 != 0)
  reading.checkType(text)
  if let types = reading.checkTypes(text) {
    checkExplanations(of: types, fixedCount: choice & 4 == 0 ? nil : Int(choice >> 3) - 6)
  }
  let fixedCount = choice & 4 == 0 ? nil : Int(choice >> 3) - 6
  reading.checkSignature(text, fixedCount: fixedCount)
}
