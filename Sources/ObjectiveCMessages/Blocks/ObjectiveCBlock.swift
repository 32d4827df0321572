import CallFrames
public import DynamicInvocation
import TypeEncodings

/// A block: of a Swift closure, to be passed to Objective-C, or one that Objective-C returned, to be called.
///
///     let done = try ObjectiveCBlock("v@?B") { call in print(try call.argument(at: 1, as: Bool.self)) }
///     try Invocation.send(application, "openURL:options:completionHandler:", url, options, done)
///
/// It is an argument wherever a method takes a block or an object. Whoever keeps the block copies it and releases it, and the
/// closure lives as long as the last copy.
///
/// On Linux the functions of blocks come from `libBlocksRuntime.so` of Swift's toolchain, or from the runtime.
///
/// Source: clang, "Block Implementation Specification".
@safe
public final class ObjectiveCBlock: EncodedObject, @unchecked Sendable {
  // Unchecked Sendable: it is immutable, and blocks are counted on any thread.

  /// The block as a word of the runtime, which this object owns a reference to.
  let word: UInt
  /// The types, with the block itself as argument 0; nil for a block whose compiler wrote none.
  public var methodSignature: MethodSignature? { types?.signature }
  private let types: RuntimeTypes?

  /// Makes a block of a closure.
  ///
  /// - Parameters:
  ///   - types: The types of the block, with the block itself as the first argument: `i@?@` for `int (^)(id)`.
  ///   - onError: Called with what the closure throws, and with a `typeMismatch` for a result that is no Objective-C object; the
  ///     result is then zero. The default traps.
  ///   - body: Reads the arguments, from index 1, and sets the result.
  /// - Throws: `InvocationError` `malformedEncoding` and `unsupportedType` for the types; `typeMismatch` if the first
  ///   argument is no block; `symbolNotFound` if there are no functions of blocks.
  public init(
    _ types: String, onError: @escaping @Sendable (any Error) -> Void = { fatalError("a block threw an error: \($0)") },
    _ body: @escaping @Sendable (inout IncomingCall) throws -> Void
  ) throws(InvocationError) {
    let functions = try BlockFunctions.found.get()
    let read = try RuntimeTypes(types)
    guard read.blocks.first == 0, read.signature.numberOfArguments > 0 else {
      throw InvocationError(.typeMismatch, "the first argument of a block is the block", encoding: types)
    }
    let words = IncomingWords(read)
    let closure = try Closure(words, onError: onError) { call in
      try body(&call)
      try call.checkResult()
    }
    self.types = read
    word = functions.make(closure, types)
  }

  /// Returns the block at an address, which it copies; nil for null.
  ///
  /// - Parameter pointer: The address of a block. Nothing can check that there is one.
  /// - Throws: `InvocationError` `symbolNotFound` if there are no functions of blocks.
  @unsafe
  public static func at(_ pointer: UnsafeRawPointer?) throws(InvocationError) -> ObjectiveCBlock? {
    guard let pointer = unsafe pointer else { return nil }
    return try ObjectiveCBlock(copying: UInt(bitPattern: pointer))
  }

  private init(copying word: UInt) throws(InvocationError) {
    self.word = try BlockFunctions.found.get().copy(word)
    types = unsafe BlockLayout.types(of: self.word).flatMap { try? RuntimeTypes($0) }
  }

  /// Returns the word of a frame for a block of the runtime, retained for the frame; 0 for null.
  static func adopt(_ word: UInt, isRetained: Bool) -> UInt64 {
    guard word != 0, let block = try? ObjectiveCBlock(copying: word) else { return 0 }
    if isRetained, case .success(let functions) = BlockFunctions.found { functions.release(word) }
    return UInt64(UInt(bitPattern: unsafe Unmanaged.passRetained(block).toOpaque()))
  }

  /// Adds a reference to a block, if it is on the heap, or releases one; others live as long as the call that they are in.
  static func count(_ word: UInt, isRetained: Bool) {
    guard word != 0, case .success(let functions) = BlockFunctions.found, functions.isOnHeap(word) else { return }
    if isRetained { _ = functions.copy(word) } else { functions.release(word) }
  }

  /// Returns a block with one more reference; 0 for null.
  static func copy(_ word: UInt) -> UInt {
    guard word != 0, case .success(let functions) = BlockFunctions.found else { return word }
    return functions.copy(word)
  }

  deinit { if case .success(let functions) = BlockFunctions.found { functions.release(word) } }

  /// The address of the block, which is valid while this object is alive.
  public var pointer: UnsafeMutableRawPointer {
    guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: word) else { preconditionFailure("a block has an address") }
    return unsafe pointer
  }
}

/// Calling a block.
extension ObjectiveCBlock {
  /// Returns an invocation of the block, whose arguments begin at index 1.
  ///
  /// - Throws: `InvocationError` `noImplementation` for a block without types, and `unsupportedType`.
  public func makeInvocation() throws(InvocationError) -> Invocation {
    guard let types else {
      throw InvocationError(.noImplementation, "the compiler of the block wrote no types")
    }
    let invocation = Invocation(types.signature)
    invocation.implementation = Implementation(try BlockCode.message(types))
    try invocation.setArgument(self, at: 0)
    return invocation
  }

  /// Calls the block and returns its result.
  ///
  ///     let sum: Int32 = try adder(Int32(4))
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the block.
  ///   - type: The type of the result, usually inferred.
  /// - Throws: `InvocationError` as ``makeInvocation()`` does, and as setting an argument does.
  public func callAsFunction<Result: EncodedValue>(
    _ arguments: any EncodedValue..., as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try invoked(arguments).returnValue()
  }

  /// Calls the block and returns its result as a boxed value, or null if it has none.
  ///
  /// - Throws: `InvocationError` as the form with a result of a known type.
  @discardableResult
  public func callAsFunction(_ arguments: any EncodedValue...) throws(InvocationError) -> BoxedValue {
    try invoked(arguments).boxedReturnValue()
  }

  private func invoked(_ arguments: [any EncodedValue]) throws(InvocationError) -> Invocation {
    let invocation = try makeInvocation()
    guard arguments.count == invocation.methodSignature.numberOfArguments - 1 else {
      throw InvocationError(
        .countMismatch, "\(arguments.count) arguments given, the block takes \(invocation.methodSignature.numberOfArguments - 1)")
    }
    for (offset, argument) in arguments.enumerated() { try Self.set(argument, at: offset + 1, of: invocation) }
    do { try invocation.invoke() } catch {
      throw error as? InvocationError ?? InvocationError(.noReturnValue, "\(error)")
    }
    return invocation
  }

  private static func set(_ value: some EncodedValue, at index: Int, of invocation: Invocation) throws(InvocationError) {
    try invocation.setArgument(value, at: index)
  }
}

extension ObjectiveCBlock: CustomStringConvertible {
  /// The types: `block 'i@i'`.
  public var description: String { "block" + (methodSignature.map { " '\($0.types.shortText)'" } ?? " of unknown types") }
}

/// The call of the blocks of a type; the block is argument 0 of the frame.
private final class BlockCode: ForeignCode {
  private static let messages: Locked<[RuntimeTypes: ForeignMessage]> = Locked([:])
  private let block: FrameSlot
  private let words: RuntimeCall

  private init(_ types: RuntimeTypes) {
    block = unsafe types.signature.storage.plan.slots[0]
    words = RuntimeCall(types, MethodOwnership())
  }

  static func message(_ types: RuntimeTypes) throws(InvocationError) -> ForeignMessage {
    try messages.value(types) { _ throws(InvocationError) in
      let code = BlockCode(types)
      return ForeignMessage(try Closure(rethrowing: types.signature) { call in try call.forward(to: code) }, code)
    }
  }

  func call(_ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?) throws(InvocationError) -> Bool {
    guard let block = FrameWords.object(unsafe block.word(of: frame)), block != 0 else { return false }
    let code = unsafe UnsafeRawPointer(bitPattern: RuntimeFunctions.load(block + UInt(BlockLayout.invoke))).unsafelyUnwrapped
    try unsafe words.call(code, frame, kernel, context)
    return true
  }
}

/// The memory of a block.
private enum BlockLayout {
  // struct { void *isa; int flags; int reserved; void *invoke; struct descriptor *descriptor; captured variables }
  static let flags = 8
  static let reserved = 12
  static let invoke = 16
  static let descriptor = 24
  static let closure = 32
  static let size = 40

  static let needsFree: Int32 = 1 << 24
  static let hasCopyDispose: Int32 = 1 << 25
  static let hasSignature: Int32 = 1 << 30

  /// The encoding that the compiler wrote, or nil.
  @unsafe
  static func types(of block: UInt) -> String? {
    guard let memory = unsafe UnsafeRawPointer(bitPattern: block) else { return nil }
    let bits = unsafe memory.load(fromByteOffset: flags, as: Int32.self)
    guard bits & hasSignature != 0 else { return nil }
    let descriptor = unsafe memory.load(fromByteOffset: descriptor, as: UnsafeRawPointer.self)
    // unsigned long reserved, size; then copy and dispose, if there are any; then the types.
    let text = unsafe descriptor.load(fromByteOffset: bits & hasCopyDispose != 0 ? 32 : 16, as: UnsafePointer<CChar>?.self)
    return unsafe text.map { unsafe String(cString: $0) }
  }
}

/// The functions of blocks.
@safe
private struct BlockFunctions: @unchecked Sendable {
  // Unchecked Sendable: it is immutable.

  private let library: DynamicLibrary
  private let mallocBlock: UInt
  let copy: @convention(c) (UInt) -> UInt
  let release: @convention(c) (UInt) -> Void

  static let found: Result<BlockFunctions, InvocationError> = Result { () throws(InvocationError) -> BlockFunctions in
    // Runtimes count blocks in different ways. Compiled code of any library gets the process's functions, if it has them.
    if let functions = try? BlockFunctions(.process) { return functions }
    if let runtime = RuntimeFunctions.known, let functions = try? BlockFunctions(runtime.library) { return functions }
    if let library = try? DynamicLibrary("libBlocksRuntime.so"), let functions = try? BlockFunctions(library) { return functions }
    throw InvocationError(.symbolNotFound, "no library has the functions of blocks", candidates: ["libBlocksRuntime.so"])
  }

  private init(_ library: DynamicLibrary) throws(InvocationError) {
    self.library = library
    mallocBlock = UInt(bitPattern: try unsafe library.symbol("_NSConcreteMallocBlock"))
    unsafe copy = unsafeBitCast(try library.symbol("_Block_copy"), to: (@convention(c) (UInt) -> UInt).self)
    unsafe release = unsafeBitCast(try library.symbol("_Block_release"), to: (@convention(c) (UInt) -> Void).self)
  }

  func isOnHeap(_ block: UInt) -> Bool { RuntimeFunctions.load(block) == mallocBlock }

  /// Makes a block on the heap, with one reference, that owns a closure.
  func make(_ closure: Closure, _ types: String) -> UInt {
    let memory = unsafe CMemory.allocateZeroed(BlockLayout.size)
    let flags = BlockLayout.needsFree | BlockLayout.hasCopyDispose | BlockLayout.hasSignature | 2
    unsafe memory.storeBytes(of: mallocBlock, as: UInt.self)
    unsafe memory.storeBytes(of: flags, toByteOffset: BlockLayout.flags, as: Int32.self)
    // libobjc2 counts here, others in the flags.
    unsafe memory.storeBytes(of: 1, toByteOffset: BlockLayout.reserved, as: Int32.self)
    unsafe memory.storeBytes(of: closure.pointer, toByteOffset: BlockLayout.invoke, as: UnsafeRawPointer.self)
    unsafe memory.storeBytes(of: BlockDescriptors.descriptor(types), toByteOffset: BlockLayout.descriptor, as: UInt.self)
    unsafe memory.storeBytes(
      of: Unmanaged.passRetained(closure).toOpaque(), toByteOffset: BlockLayout.closure, as: UnsafeMutableRawPointer.self)
    return UInt(bitPattern: memory)
  }
}

/// The descriptors of blocks, one for each type; they are never freed.
private enum BlockDescriptors {
  private static let made: Locked<[String: UInt]> = Locked([:])

  static func descriptor(_ types: String) -> UInt {
    made.withLock { made in
      if let known = made[types] { return known }
      // A heap block is never copied: its count goes up.
      let copy: @convention(c) (UInt, UInt) -> Void = { _, _ in }
      let dispose: @convention(c) (UInt) -> Void = { block in
        let closure = unsafe UnsafeRawPointer(bitPattern: RuntimeFunctions.load(block + UInt(BlockLayout.closure)))
        if let closure = unsafe closure { unsafe Unmanaged<Closure>.fromOpaque(closure).release() }
      }
      let memory = unsafe CMemory.allocateZeroed(40)
      unsafe memory.storeBytes(of: UInt(BlockLayout.size), toByteOffset: 8, as: UInt.self)
      unsafe memory.storeBytes(of: unsafeBitCast(copy, to: UInt.self), toByteOffset: 16, as: UInt.self)
      unsafe memory.storeBytes(of: unsafeBitCast(dispose, to: UInt.self), toByteOffset: 24, as: UInt.self)
      unsafe types.withCString { text in
        unsafe memory.storeBytes(of: UInt(bitPattern: CMemory.copy(text)), toByteOffset: 32, as: UInt.self)
      }
      let address = UInt(bitPattern: memory)
      made[types] = address
      return address
    }
  }
}
