public import DynamicInvocation

/// The callees of a list of signatures, compiled and loaded.
public struct CalleeLibrary {
  /// The signatures; the callee of each is `f<index>`.
  public let signatures: [CallSignature]
  /// The types of the signatures without duplicates.
  public let types: [TypeEncoding]
  /// The library.
  public let library: DynamicLibrary
  /// The compiler and its flags, for messages.
  public let compiledBy: String

  /// Changes the bytes that an argument is set from, to plant a fault for a test to find; nil changes nothing.
  public var corruption: ((_ type: TypeEncoding, _ bytes: inout [UInt8]) -> Void)?

  private typealias Table = UnsafePointer<UnsafePointer<UInt8>?>
  private typealias SetExpected = @convention(c) (Table, Table, UnsafeRawPointer) -> Void
  private typealias FirstWrong = @convention(c) () -> CInt
  private typealias CallCount = @convention(c) () -> UInt64
  private let setExpected: SetExpected
  private let firstWrong: FirstWrong
  private let counted: CallCount

  /// Compiles and loads callees.
  ///
  /// The library is cached for later tests that request the same.
  public init(
    _ signatures: [CallSignature], compiler: CCompiler, flags: [String], probing: Bool = false, calling: Bool = false, name: String
  ) throws {
    let source = CalleeSource(signatures, probing: probing, calling: calling)
    let path = try compiler.sharedLibrary(source: source.text, flags: flags, name: name)
    try self.init(signatures, source, path: path, compilation: Compilation(compiler: compiler, flags: flags))
  }

  /// Compiles and loads callees without caching: no files stay on the disk.
  public init(once source: CalleeSource, of signatures: [CallSignature], _ compilation: Compilation) throws {
    self = try compilation.compiler.withTemporaryLibrary(source: source.text, flags: compilation.flags) {
      try CalleeLibrary(signatures, source, path: $0, compilation: compilation)
    }
  }

  /// Loads the library of a source, to which other code may have been added.
  public init(_ signatures: [CallSignature], _ source: CalleeSource, path: String, compilation: Compilation) throws {
    self.signatures = signatures
    types = source.types
    library = try DynamicLibrary(path)
    compiledBy = compilation.description
    setExpected = unsafeBitCast(try library.symbol("set_expected"), to: SetExpected.self)
    firstWrong = unsafeBitCast(try library.symbol("first_wrong"), to: FirstWrong.self)
    counted = unsafeBitCast(try library.symbol("call_count"), to: CallCount.self)
  }

  /// Passes the expected arguments and the result to the callees of this thread.
  public func announce(_ memory: SampleMemory) { setExpected(memory.values, memory.masks, memory.result) }

  /// The number of calls of the library's callees on this thread.
  public var callCount: Int { Int(counted()) }

  /// The index of the first wrong argument of the last call on this thread, or nil.
  public var firstWrongArgument: Int? {
    let index = Int(firstWrong())
    return index < 0 ? nil : index
  }
}

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
    /// The backend calls libffi, which cannot pass some types that a native kernel can.
    ///
    /// RefusalTests lists them.
    case notOnBackend
    /// A byte was wrong.
    case wrong(CallFailure)
  }

  /// Calls one callee on one backend with random values, twice with the same invocation.
  ///
  /// - Parameter isShadowed: Whether libffi repeats each call of the native backend; see ``ShadowBackend``.
  /// - Throws: ``InvocationError`` for a signature that the engine rejects.
  public func outcome(of index: Int, seed: UInt64, backend: CallBackend = .native, isShadowed: Bool = false) throws -> Outcome {
    let signature = signatures[index]
    guard let methodSignature = try Self.methodSignature(of: signature, backend, isShadowed) else { return .notOnBackend }
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

  private static func methodSignature(
    of signature: CallSignature, _ backend: CallBackend, _ isShadowed: Bool
  ) throws -> MethodSignature? {
    do {
      if isShadowed { return try MethodSignature(shadowing: signature.types, fixedArgumentCount: signature.fixedCount) }
      return try MethodSignature(signature.types, fixedArgumentCount: signature.fixedCount, backend: backend)
    } catch {
      guard backend == .libffi || isShadowed, error.reason.hasPrefix("libffi") else { throw error }
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
    return try memory.difference(from: invocation)
  }

  private func set(_ index: Int, of invocation: Invocation, _ types: MethodTypes, _ memory: SampleMemory) throws {
    guard let value = memory.values[index] else { return }
    guard let corruption else { return try invocation.setArgument(from: value, at: index) }
    var bytes = memory.arguments[index].bytes
    corruption(types.arguments[index], &bytes)
    try bytes.withUnsafeBytes { try invocation.setArgument(from: $0.baseAddress ?? UnsafeRawPointer(value), at: index) }
  }
}

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

/// Records an issue for each callee of some signatures that is called wrong, on any backend, or for each closure that a caller calls wrong.
public func expectRight(
  _ signatures: [CallSignature], _ compilation: Compilation, calling: Bool = false, name: String, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line
) throws {
  let library = try CalleeLibrary(signatures, compiler: compilation.compiler, flags: compilation.flags, calling: calling, name: name)
  for index in signatures.indices {
    let failure =
      calling ? try library.callbackFailure(of: index, seed: UInt64(index)) : try library.failure(of: index, seed: UInt64(index))
    expectNil(failure, name, fileID: fileID, filePath: filePath, line: line)
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

/// The failure of a call of a callee.
public struct CallFailure: Sendable, CustomStringConvertible {
  /// The types of the callee.
  public let signature: CallSignature
  /// The compiler and its flags.
  public let compiledBy: String
  /// The index of the callee in its library.
  public let index: Int
  /// The seed of the values.
  public let seed: UInt64
  /// The backend that executed the call.
  public let backend: CallBackend
  /// The difference between the expected and the actual values.
  public let difference: String

  /// The failure in one line.
  public var description: String { "\(signature) by \(compiledBy), f\(index), seed \(seed), backend \(backend), \(difference)" }
}
