import DynamicInvocation

/// Sets arguments of a generated signature from generated boxes and reads them back, and compares them with a second
/// implementation of the conversion rule.
///
/// After each one, all other arguments must be unchanged, and so must an argument whose value was rejected.
func boxingCase(_ bytes: UnsafeRawBufferPointer) {
  let living = Probe.living
  exercise(bytes)
  require(Probe.living == living, "\(Probe.living - living) objects outlive their frames")
}

private func exercise(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  var text = reader.flag() ? "v@:" : "v"
  for _ in 0..<reader.number(below: 12) { text += reader.typeText() }
  let backend: CallBackend = reader.number(below: 4) == 0 ? .libffi : .automatic
  guard let signature = try? MethodSignature(types: text, backend: backend) else { return }
  let invocation = Invocation(signature, retainsArguments: reader.flag())
  var kept: [BoxedSample?] = Array(repeating: nil, count: signature.numberOfArguments)
  if signature.isMethod {
    kept[0] = BoxedSample(box: .null, meaning: .null)
    if (try? invocation.boxedArgument(at: 1)) != nil { require(false, "a selector that was never set") }
  }
  guard !kept.isEmpty else { return }
  for round in 0..<24 where !reader.isEmpty {
    let index = reader.number(below: kept.count)
    let type = signature.types.arguments[index]
    let sample = reader.box(for: type)
    let isSet = expect(sample, type, "argument \(index) of \(text)") { () throws(InvocationError) in
      try invocation.setArgument(boxed: sample.box, at: index)
    }
    if isSet { kept[index] = sample }
    for (index, sample) in kept.enumerated() {
      let type = signature.types.arguments[index]
      guard let sample else {
        // Once is sufficient: creating the error takes longer than everything else.
        guard round == 0 else { continue }
        require((try? invocation.boxedArgument(at: index)) == nil, "argument \(index) of \(text) has a value, and was never set")
        continue
      }
      let value = try? invocation.boxedArgument(at: index)
      require(
        value.map { sample.agrees(with: $0, as: type) } ?? false,
        "argument \(index) of \(text) is \(value.map { "\($0)" } ?? "gone"), was set to \(sample.box)")
    }
    checkWriting(sample, as: type)
  }
}

/// Performs an action that must succeed or fail as the rule specifies.
///
/// Returns whether it succeeded.
private func expect(
  _ sample: BoxedSample, _ type: TypeEncoding, _ place: @autoclosure () -> String, _ act: () throws(InvocationError) -> Void
) -> Bool {
  let expectation = BoxedExpectation(sample, as: type)
  do {
    try act()
  } catch {
    switch expectation {
    case .accepted: require(false, "\(place()) refuses \(sample.box): \(error)")
    case .refused(let codes): require(codes.contains(error.code), "\(place()) refuses \(sample.box) as \(error.code): \(error)")
    case .either: break
    }
    require(!error.description.isEmpty, "an error without words")
    return false
  }
  if case .refused = expectation { require(false, "\(place()) takes \(sample.box)") }
  return true
}

/// Writes a box to memory between guard bytes, which must not change.
private func checkWriting(_ sample: BoxedSample, as type: TypeEncoding) {
  guard let size = type.size, size <= 4096 else { return }
  switch (type.kind, sample.meaning) {
  // A text in memory has no owner, and an array in memory consists of its elements.
  case (.cString, .text), (.atom, .text), (.array, _): return
  default: break
  }
  let margin = 17
  var memory: [UInt8] = Array(repeating: 0xA5, count: size + 2 * margin)
  let isWritten = memory.withUnsafeMutableBytes { memory in
    expect(sample, type, "memory of \(type)") { () throws(InvocationError) in
      try sample.box.write(to: memory.baseAddress.unsafelyUnwrapped + margin, as: type)
    }
  }
  let around = memory.prefix(margin) + memory.suffix(margin)
  require(around.allSatisfy { $0 == 0xA5 }, "writing \(sample.box) as \(type) changes bytes beside it")
  guard isWritten else { return require(memory.allSatisfy { $0 == 0xA5 }, "a refused \(sample.box) is written as \(type)") }
  let value = memory.withUnsafeBytes { BoxedValue(reading: $0.baseAddress.unsafelyUnwrapped + margin, as: type) }
  require(sample.agrees(with: value, as: type), "\(sample.box) is \(value) in memory of \(type)")
}
