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
  private typealias SetCapture = @convention(c) (Int) -> Void
  private typealias Captured = @convention(c) () -> UnsafePointer<UInt8>
  /// Nil in a library without callers.
  private let capture: (set: SetCapture, captured: Captured)?

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

  private init(_ signatures: [CallSignature], _ source: CalleeSource, path: String, compilation: Compilation) throws {
    self.signatures = signatures
    types = source.types
    library = try DynamicLibrary(path)
    compiledBy = compilation.description
    setExpected = unsafeBitCast(try library.symbol("set_expected"), to: SetExpected.self)
    firstWrong = unsafeBitCast(try library.symbol("first_wrong"), to: FirstWrong.self)
    counted = unsafeBitCast(try library.symbol("call_count"), to: CallCount.self)
    capture = try? (
      unsafeBitCast(library.symbol("set_capture"), to: SetCapture.self), unsafeBitCast(library.symbol("captured"), to: Captured.self)
    )
  }

  /// Passes the expected arguments and the result to the callees of this thread.
  public func announce(_ memory: SampleMemory) { setExpected(memory.values, memory.masks, memory.result) }

  /// Calls `body`, which calls the assembly callee `capture`, and returns the registers and stack words that it stored.
  ///
  /// - Parameters:
  ///   - size: The number of bytes to return.
  ///   - stack: How many of these are stack words.
  func capturing(_ size: Int, stack: Int, _ body: () throws -> Void) rethrows -> [UInt8] {
    guard let capture else { preconditionFailure("the library was compiled without callers") }
    capture.set(stack)
    try body()
    return Array(UnsafeBufferPointer(start: capture.captured(), count: size))
  }

  /// The number of calls of the library's callees on this thread.
  public var callCount: Int { Int(counted()) }

  /// The index of the first wrong argument of the last call on this thread, or nil.
  public var firstWrongArgument: Int? {
    let index = Int(firstWrong())
    return index < 0 ? nil : index
  }
}
