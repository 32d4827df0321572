import DynamicInvocation
import TestSupport

/// The callees of a list of signatures, compiled and loaded.
struct CalleeLibrary {
  let signatures: [CallSignature]
  let types: [TypeEncoding]
  let library: DynamicLibrary
  /// The compiler and its flags, for messages.
  let compiledBy: String

  private typealias Table = UnsafePointer<UnsafePointer<UInt8>?>
  private typealias SetExpected = @convention(c) (Table, Table, UnsafeRawPointer) -> Void
  private typealias FirstWrong = @convention(c) () -> CInt
  private let setExpected: SetExpected
  private let firstWrong: FirstWrong

  init(_ signatures: [CallSignature], compiler: CCompiler, flags: [String], probing: Bool = false, name: String) throws {
    let source = CalleeSource(signatures, probing: probing)
    let path = try compiler.sharedLibrary(source: source.text, flags: flags, name: name)
    self.signatures = signatures
    types = source.types
    library = try DynamicLibrary(path)
    compiledBy = "\(compiler) \(flags.joined(separator: " "))"
    setExpected = unsafeBitCast(try library.symbol("set_expected"), to: SetExpected.self)
    firstWrong = unsafeBitCast(try library.symbol("first_wrong"), to: FirstWrong.self)
  }

  /// Tells the callees of this thread what to expect and what to return.
  func announce(_ memory: SampleMemory) { setExpected(memory.values, memory.masks, memory.result) }

  /// The first argument that the last call on this thread got wrong.
  var firstWrongArgument: Int? {
    let index = Int(firstWrong())
    return index < 0 ? nil : index
  }

  /// The lanes of this platform.
  #if arch(x86_64)
    static let lanes: [CallLane] = [.native, .libffi]
  #else
    static let lanes: [CallLane] = [.libffi]
  #endif

  /// Calls one callee with random values on each lane, twice with the same invocation; says what went wrong, or returns nil.
  func failure(of index: Int, seed: UInt64) throws -> String? {
    let signature = signatures[index]
    let implementation = Implementation(try library.symbol("f\(index)"), keeping: library)
    for lane in Self.lanes {
      // The same values on each lane.
      var generator = SeededGenerator(seed: seed)
      guard let methodSignature = try Self.methodSignature(of: signature, lane: lane) else { continue }
      let invocation = Invocation(methodSignature, retainsArguments: false)
      for round in 0..<2 {
        if let wrong = try call(invocation, implementation, signature.types, &generator) {
          return "\(signature) by \(compiledBy), f\(index), seed \(seed), lane \(lane), call \(round): \(wrong)"
        }
      }
    }
    return nil
  }

  /// The signature on a lane, or nil when libffi cannot pass what a native kernel can; RefusalTests say what that is.
  private static func methodSignature(of signature: CallSignature, lane: CallLane) throws -> MethodSignature? {
    do {
      return try MethodSignature(signature.types, fixedArgumentCount: signature.fixedCount, lane: lane)
    } catch {
      guard lane == .libffi, lanes.contains(.native), error.reason.hasPrefix("libffi") else { throw error }
      return nil
    }
  }

  private func call(
    _ invocation: Invocation, _ implementation: Implementation, _ types: MethodTypes, _ generator: inout SeededGenerator
  ) throws -> String? {
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    for index in types.arguments.indices {
      guard let value = memory.values[index] else { continue }
      try invocation.setArgument(from: value, at: index)
    }
    announce(memory)
    try invocation.invoke(using: implementation)
    if let wrong = firstWrongArgument { return "argument \(wrong) (\(types.arguments[wrong])) arrived wrong" }
    for index in types.arguments.indices {
      var back = [UInt8](repeating: 0, count: memory.arguments[index].bytes.count)
      try back.withUnsafeMutableBytes { bytes in
        // An array without bytes has no address to copy to.
        if let address = bytes.baseAddress, bytes.count > 0 { try invocation.getArgument(into: address, at: index) }
      }
      if let byte = memory.arguments[index].firstDifference(from: back) { return "argument \(index) reads back wrong at byte \(byte)" }
    }
    guard types.result.size ?? 0 > 0 else { return nil }
    // A guard behind the result: what is read must not be longer than the type.
    let size = memory.resultSample.bytes.count
    var result = [UInt8](repeating: 0xA5, count: size + 16)
    try result.withUnsafeMutableBytes { bytes in
      if let address = bytes.baseAddress { try invocation.getReturnValue(into: address) }
    }
    if let byte = memory.resultSample.firstDifference(from: result) { return "the result is wrong at byte \(byte)" }
    if result[size...].contains(where: { $0 != 0xA5 }) { return "the result is longer than its type" }
    return nil
  }
}
