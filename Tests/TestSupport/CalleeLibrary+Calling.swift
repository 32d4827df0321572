public import DynamicInvocation

extension CalleeLibrary {
  /// The backends of this build.
  public static let backends: [CallBackend] = [.native, .libffi].filter(\.isAvailable)

  /// Calls one callee with random values on each backend, twice with the same invocation.
  ///
  /// Returns the failure, or nil.
  ///
  /// - Throws: ``InvocationError`` for a signature that the engine rejects.
  public func failure(of index: Int, seed: UInt64) throws -> CallFailure? {
    for backend in Self.backends {
      if case .wrong(let failure) = try outcome(of: index, seed: seed, backend: backend) { return failure }
    }
    return nil
  }

  /// The outcome of a call on one backend.
  public enum Outcome: Sendable {
    /// Every byte was right.
    case right
    /// The backend is libffi and cannot pass some types that a native kernel can.
    ///
    /// RefusalTests lists them.
    case notOnBackend
    /// A byte was wrong.
    case wrong(CallFailure)
  }

  /// Calls one callee on one backend with random values, twice with the same invocation.
  ///
  /// - Throws: ``InvocationError`` for a signature that the engine rejects.
  public func outcome(of index: Int, seed: UInt64, backend: CallBackend) throws -> Outcome {
    let signature = signatures[index]
    guard let methodSignature = try Self.methodSignature(of: signature, backend: backend) else { return .notOnBackend }
    let implementation = Implementation(try library.symbol("f\(index)"), keeping: library)
    // The same values on each backend.
    var generator = SeededGenerator(seed: seed)
    let invocation = Invocation(methodSignature, retainsArguments: false)
    for round in 0..<2 {
      guard let wrong = try call(invocation, implementation, signature.types, &generator) else { continue }
      return .wrong(
        CallFailure(
          signature: signature, compiledBy: compiledBy, index: index, seed: seed, backend: backend, difference: "call \(round): \(wrong)"))
    }
    return .right
  }

  private static func methodSignature(of signature: CallSignature, backend: CallBackend) throws -> MethodSignature? {
    do {
      return try MethodSignature(signature.types, fixedArgumentCount: signature.fixedCount, backend: backend)
    } catch {
      guard backend == .libffi, error.reason.hasPrefix("libffi") else { throw error }
      return nil
    }
  }

  private func call(
    _ invocation: Invocation, _ implementation: Implementation, _ types: MethodTypes, _ generator: inout SeededGenerator
  ) throws -> String? {
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    for index in types.arguments.indices { try set(index, of: invocation, types, memory) }
    announce(memory)
    try invocation.invoke(using: implementation)
    if let wrong = firstWrongArgument { return "argument \(wrong) (\(types.arguments[wrong])) arrived wrong" }
    for index in types.arguments.indices {
      var back = [UInt8](repeating: 0, count: memory.arguments[index].bytes.count)
      try back.withUnsafeMutableBytes { bytes in
        // An array without bytes has no address.
        if let address = bytes.baseAddress, bytes.count > 0 { try invocation.getArgument(into: address, at: index) }
      }
      if let byte = memory.arguments[index].firstDifference(from: back) { return "argument \(index) reads back wrong at byte \(byte)" }
    }
    guard types.result.size ?? 0 > 0 else { return nil }
    // Guard bytes after the result: no more bytes than those of the type may be written.
    let size = memory.resultSample.bytes.count
    var result = [UInt8](repeating: 0xA5, count: size + 16)
    try result.withUnsafeMutableBytes { bytes in
      if let address = bytes.baseAddress { try invocation.getReturnValue(into: address) }
    }
    if let byte = memory.resultSample.firstDifference(from: result) { return "the result is wrong at byte \(byte)" }
    if result[size...].contains(where: { $0 != 0xA5 }) { return "the result is longer than its type" }
    return nil
  }

  private func set(_ index: Int, of invocation: Invocation, _ types: MethodTypes, _ memory: SampleMemory) throws {
    guard let value = memory.values[index] else { return }
    guard let corruption else { return try invocation.setArgument(from: value, at: index) }
    var bytes = memory.arguments[index].bytes
    corruption(types.arguments[index], &bytes)
    try bytes.withUnsafeBytes { try invocation.setArgument(from: $0.baseAddress ?? UnsafeRawPointer(value), at: index) }
  }
}
