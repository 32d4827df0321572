import CallExplanations
import DynamicInvocation

/// Calls a closure of generated types with generated values, directly or through another closure that forwards.
///
/// The received arguments and the result must be the bytes that were passed. A wrong location would be the same on both
/// sides, so the locations are compared with a second implementation of the convention. Some of the calls use libffi.
func callsCase(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  let choice = reader.byte()
  var text = reader.flag() ? reader.typeText() : "v"
  for _ in 0..<reader.number(below: 13) { text += reader.typeText() }
  guard let types = try? MethodTypes(text, hints: InputReader.layoutHints(of: text)) else { return }
  checkPlaces(of: types)
  guard let outgoing = try? MethodSignature(types, backend: choice & 1 == 0 ? .automatic : .libffi), outgoing.frameLength <= 1 << 16,
    let call = RecordedCall(types, &reader)
  else { return }
  do {
    try call.run(outgoing, Way(rawValue: choice >> 1 & 3) ?? .straight)
  } catch let error as InvocationError where error.code == .unsupportedType {
    // There are no closures for these types, or on this machine.
  } catch {
    require(false, "a call of '\(text)' fails: \(error)")
  }
}

/// Compares the locations of all values with the model.
private func checkPlaces(of types: MethodTypes) {
  let explanation = CallExplanation(types, abi: .sysv)
  guard explanation.refusal == nil, let model = SystemVModel(result: types.result, arguments: types.arguments) else { return }
  func compare(_ value: CallExplanation.Value, _ expected: [SystemVModel.Part], _ name: String) {
    let parts = value.parts.map { SystemVModel.Part(place: $0.place, offset: $0.offset, size: $0.size) }
    require(parts == expected, "\(name) of \(types.text()), a \(value.type), is passed in \(parts), not in \(expected)")
  }
  compare(explanation.result, model.result, "the result")
  for (index, value) in explanation.arguments.enumerated() { compare(value, model.arguments[index], "argument \(index)") }
}

/// The route by which a call reaches the closure that records it.
private enum Way: UInt8 {
  case straight, forwarded, asInvocation, asCopy
}

/// A call and the values that its callee received.
private final class RecordedCall: @unchecked Sendable {
  // Unchecked Sendable: one thread makes the call, and the callee runs on the same thread.

  private let types: MethodTypes
  private let values: [[UInt8]]
  private let result: [UInt8]
  private var calls = 0

  /// Generates the values.
  init?(_ types: MethodTypes, _ reader: inout InputReader) {
    self.types = types
    values = types.arguments.map { type in
      if case .array = type.kind { return Array(repeating: 0, count: 8) }
      return reader.value(of: type)
    }
    result = reader.value(of: types.result)
  }

  func run(_ outgoing: MethodSignature, _ way: Way) throws {
    let signature = try MethodSignature(types)
    let callee = try Closure(signature) { [unowned self] call in try record(&call) }
    let entered: Closure =
      switch way {
      case .straight: callee
      case .forwarded: try Closure(signature) { call in try call.forward(to: callee.implementation) }
      case .asInvocation, .asCopy:
        try Closure(signature) { call in
          let invocation = call.makeInvocation(retainsArguments: way == .asCopy)
          let sent = way == .asCopy ? invocation.copy() : invocation
          try sent.call(callee.implementation)
          if signature.returnLength > 0 || signature.returnType.size != nil { try call.setReturnValue(of: sent) }
        }
      }
    let invocation = Invocation(outgoing, retainsArguments: false)
    for (index, value) in values.enumerated() {
      try withAddress(of: value) { try invocation.setArgument(from: $0, at: index) }
    }
    for round in 1...2 {
      try invocation.call(entered.implementation)
      require(calls == round, "the callee of '\(types.text())' was called \(calls) times, not \(round)")
      for (index, value) in values.enumerated() {
        let kept = try bytes(value.count) { try invocation.getArgument(into: $0, at: index) }
        compare(kept, value, types.arguments[index], "argument \(index) after the call")
      }
      guard !result.isEmpty else { continue }
      compare(try bytes(result.count) { try invocation.getReturnValue(into: $0) }, result, types.result, "the result")
    }
  }

  private func record(_ call: inout IncomingCall) throws {
    calls += 1
    for (index, value) in values.enumerated() {
      let incoming = try withUnsafeTemporaryAllocation(byteCount: value.count + 1, alignment: 16) { memory -> [UInt8] in
        memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
        if let address = memory.baseAddress { try call.getArgument(into: address, at: index) }
        return Array(memory)
      }
      check(incoming, value.count, "argument \(index)")
      compare(Array(incoming.dropLast()), value, types.arguments[index], "argument \(index)")
    }
    if types.result.size != nil { withAddress(of: result) { call.setReturnValue(from: $0) } }
  }

  /// Reads a value into memory between guard bytes, which must not change.
  private func bytes(_ count: Int, _ read: (UnsafeMutableRawPointer) throws -> Void) rethrows -> [UInt8] {
    var memory: [UInt8] = Array(repeating: 0xA5, count: count + 1)
    try memory.withUnsafeMutableBytes { if let address = $0.baseAddress { try read(address) } }
    check(memory, count, "a value")
    return Array(memory.dropLast())
  }

  private func check(_ memory: [UInt8], _ count: Int, _ name: String) {
    require(memory[count] == 0xA5, "\(name) of '\(types.text())' has more than \(count) bytes")
  }

  private func compare(_ bytes: [UInt8], _ expected: [UInt8], _ type: TypeEncoding, _ name: String) {
    var isCompared = type.plainBytes
    if case .array = type.kind { isCompared = Array(repeating: true, count: 8) }
    for (offset, isPlain) in isCompared.enumerated() where isPlain {
      require(bytes[offset] == expected[offset], "\(name) of '\(types.text())' is \(bytes), not \(expected): byte \(offset)")
    }
  }

  /// Calls the body with the address of the bytes, which exists even if there are no bytes.
  private func withAddress<Result>(of bytes: [UInt8], _ body: (UnsafeRawPointer) throws -> Result) rethrows -> Result {
    try (bytes + [0xA5]).withUnsafeBytes { try body($0.baseAddress.unsafelyUnwrapped) }
  }
}
