import DynamicInvocation

/// Describes values of any type that has a size, with arbitrary bytes.
///
/// The description must not dereference made-up addresses, must have a bounded length, and must not change anything.
func descriptionsCase(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  let choice = reader.byte()
  let type: TypeEncoding
  if choice & 1 == 0 {
    let text = String(decoding: reader.bytes(reader.number(below: 400)), as: UTF8.self)
    guard let read = try? TypeEncoding(text, dialect: choice & 2 == 0 ? .next : .gnu, blankIsFloat16: true) else { return }
    type = read
  } else {
    guard let read = try? TypeEncoding(reader.typeText()) else { return }
    type = read
  }
  guard let size = type.size, size <= 1 << 16 else { return }
  let memory = reader.filled(size)
  guard let value = try? EncodedBytes(type, bytes: memory) else { return }
  describe(value, of: type)
  for index in 0..<min(value.count, 64) { describe(value[index], of: type) }
  describe(BoxedValue.value(value), of: type)
  describeInvocation(of: type, value)
}

/// Describes an invocation with the value as its arguments and its result.
private func describeInvocation(of type: TypeEncoding, _ value: EncodedBytes) {
  let types = MethodTypes(result: type, arguments: [type, "d", type])
  guard let signature = try? MethodSignature(types) else { return }
  let invocation = Invocation(signature)
  describe(invocation, of: type)
  // A type that contains a reference rejects bytes.
  for index in [0, 2] { _ = try? invocation.setArgument(boxed: .value(value), at: index) }
  _ = try? invocation.setReturnValue(boxed: .value(value))
  describe(invocation, of: type)
  for index in 0..<3 {
    guard let before = try? invocation.boxedArgument(at: index) else { continue }
    describe(before, of: type)
    guard case .value(let bytes) = before, case .value(let again)? = try? invocation.boxedArgument(at: index) else { continue }
    require(bytes.bytes == again.bytes, "describing a \(type) changes it")
  }
  // Values of other types are rejected with a description of them.
  for other in ["i", "*", "@", ":", "{Point=dd}"] as [TypeEncoding] where other != type {
    do {
      try BoxedValue.value(value).write(to: scratch, as: other)
    } catch {
      requireBounded("\(error)", type)
    }
  }
}

private nonisolated(unsafe) let scratch = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)

private func describe(_ value: some CustomStringConvertible, of type: TypeEncoding) {
  let text = value.description
  require(!text.isEmpty, "a value of type \(type) has no description")
  requireBounded(text, type)
  require("\(value)" == text && String(describing: value) == text, "a value of type \(type) has two descriptions")
  requireBounded(String(reflecting: value), type)
}

/// Checks the bound for a whole description, regardless of nesting.
///
/// The type itself may occur in the text a few times.
private func requireBounded(_ text: String, _ type: TypeEncoding) {
  let bound = 1 << 16 + 8 * type.description.utf8.count
  require(text.utf8.count <= bound, "\(text.utf8.count) bytes describe a value of type \(type)")
}
