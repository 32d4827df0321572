public import DynamicInvocation

extension CalleeLibrary {
  #if arch(x86_64) || arch(arm64)
    /// Whether C can call closures on this platform.
    public static let hasClosures: Bool = true
  #else
    /// Whether C can call closures on this platform.
    public static let hasClosures: Bool = false
  #endif

  /// Calls a closure of a signature from C with random arguments, twice.
  ///
  /// Returns the failure, or nil.
  ///
  /// The library must have been compiled with callers, and the signature must not be variadic.
  ///
  /// - Throws: ``InvocationError`` for a signature that the engine rejects.
  public func callbackFailure(of index: Int, seed: UInt64) throws -> CallFailure? {
    let signature = signatures[index]
    let caller = try library.function("c\(index)", types: "v^v^v")
    let expected = ClosureExpectation()
    let closure = try Closure(MethodSignature(signature.types)) { call in expected.check(&call, signature.types) }
    var generator = SeededGenerator(seed: seed)
    for round in 0..<2 {
      let memory = SampleMemory(arguments: signature.types.arguments, result: signature.types.result, using: &generator)
      defer { memory.deallocate() }
      expected.expect(memory)
      announce(memory)
      guard let wrong = try call(caller, closure, memory) ?? expected.difference else { continue }
      return CallFailure(
        signature: signature, compiledBy: compiledBy, index: index, seed: seed, backend: .native, difference: "callback \(round): \(wrong)")
    }
    return nil
  }

  /// Calls a closure from C that forwards the call to the callee of a signature.
  ///
  /// Returns the error in the arguments or the result, or nil.
  public func passingFailure(of index: Int, through closure: Closure, seed: UInt64) throws -> String? {
    let types = signatures[index].types
    var generator = SeededGenerator(seed: seed)
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    announce(memory)
    let wrong = try call(library.function("c\(index)", types: "v^v^v"), closure, memory)
    return firstWrongArgument.map { "argument \($0) arrived wrong" } ?? wrong
  }

  private func call(_ caller: ForeignFunction, _ closure: Closure, _ memory: SampleMemory) throws -> String? {
    // Guard bytes after the result, which C copies from a variable of the type.
    let size = memory.resultSample.bytes.count
    var result = [UInt8](repeating: 0xA5, count: size + 16)
    try result.withUnsafeMutableBytes { try caller(closure.pointer, $0.baseAddress) as Void }
    return memory.resultSample.firstDifference(from: result).map { "the result is wrong at byte \($0)" }
  }
}

/// The arguments that a closure must receive, and its result.
final class ClosureExpectation: Sendable {
  private struct State {
    var arguments: [ValueSample] = []
    var result: [UInt8] = []
    var difference: String?
    var calls = 0
  }

  private let state: Locked<State> = Locked(State())

  func expect(_ memory: SampleMemory) {
    state.withLock { $0 = State(arguments: memory.arguments, result: memory.resultSample.bytes) }
  }

  /// The error of the call, or nil if it was correct.
  var difference: String? { state.withLock { $0.difference ?? ($0.calls == 1 ? nil : "the closure was called \($0.calls) times") } }

  func check(_ call: inout IncomingCall, _ types: MethodTypes) {
    let (arguments, result) = state.withLock { state in
      state.calls += 1
      return (state.arguments, state.result)
    }
    do {
      for (index, argument) in arguments.enumerated() {
        var bytes = [UInt8](repeating: 0xA5, count: argument.bytes.count + 16)
        // The address is deliberately odd.
        try bytes.withUnsafeMutableBytes { bytes in
          if let address = bytes.baseAddress { try call.getArgument(into: address + 1, at: index) }
        }
        let value = Array(bytes[1...].prefix(argument.bytes.count))
        if let byte = argument.firstDifference(from: value) {
          throw Wrong("argument \(index) (\(types.arguments[index])) arrived wrong at byte \(byte)")
        }
        if bytes[(argument.bytes.count + 1)...].contains(where: { $0 != 0xA5 }) { throw Wrong("argument \(index) is longer than its type") }
      }
    } catch {
      state.withLock { $0.difference = "\(error)" }
    }
    guard types.result.size != nil else { return }
    // One more byte, so that there is an address even if the type has no bytes.
    (result + [0]).withUnsafeBytes { if let address = $0.baseAddress { call.setReturnValue(from: address) } }
  }

  private struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
}
