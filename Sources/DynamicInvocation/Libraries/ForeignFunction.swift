/// A C function, for example of a shared library, with its signature.
///
/// It is called like a Swift function.
///
///     let pow = try DynamicLibrary("libm.so.6").function("pow", types: "ddd")
///     let y: Double = try pow(2.0, 10.0)
///
/// Copies of the function keep the library loaded. A function may be called from any thread.
public struct ForeignFunction: Sendable, CustomStringConvertible {
  /// The code; it keeps its library loaded.
  public let implementation: Implementation

  /// The types of the arguments and the result.
  public let methodSignature: MethodSignature

  /// The symbol, if the function comes from a ``DynamicLibrary``; nil otherwise.
  ///
  /// Errors contain it.
  public var name: String? { implementation.symbolName }

  /// Creates a function from its code and its types.
  ///
  /// - Parameters:
  ///   - implementation: The code. If it was created from an address without types, they must match the code.
  ///   - methodSignature: The types of a plain function, or of a method with its target and selector.
  /// - Throws: `InvocationError` `typeMismatch` when the implementation's types are known and differ.
  @inlinable
  public init(_ implementation: Implementation, _ methodSignature: MethodSignature) throws(InvocationError) {
    if !implementation.isOpaque && !implementation.isPlain(for: methodSignature.storage) {
      try implementation.requireTypes(of: methodSignature)
    }
    self.implementation = implementation
    self.methodSignature = methodSignature
  }

  /// Returns an invocation of the function with no argument set.
  ///
  /// It retains objects and copies C strings when they are set. To keep them alive yourself, make an invocation of the
  /// signature and set its implementation: ``Invocation/init(_:retainsArguments:)``.
  public func makeInvocation() -> Invocation {
    let invocation = Invocation(methodSignature)
    invocation.implementation = implementation
    return invocation
  }

  /// The symbol, if it is known, and the types: `function pow 'ddd'`, `function 'ddd'`.
  public var description: String {
    "function " + (name.map { $0.shortened(to: 120).escaped + " " } ?? "") + "'\(methodSignature.types.shortText.escaped)'"
  }
}

/// The result of a call that discards it.
@usableFromInline
struct NoResult: CallResult {
  @usableFromInline
  static func isResult(of signature: MethodSignature) -> Bool { true }

  @usableFromInline
  static func readResult(of signature: MethodSignature, from frame: UnsafeRawPointer) throws(InvocationError) -> NoResult { NoResult() }
}

extension ForeignFunction {
  /// Calls with arguments that a closure writes, in a frame on the stack, and returns the result.
  ///
  /// Not inlined: more than a hundred overloads call it, and each would contain a copy of the call.
  @inline(never) @usableFromInline
  func callWithPlaces<Result: CallResult>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    try requireResult(type)
    let plan = methodSignature.storage.plan
    guard plan.count == count else { throw countMismatch(count) }
    func call(in memory: UnsafeMutableRawBufferPointer, _ frameSize: Int) -> Swift.Result<Result, InvocationError> {
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var writer = unsafe FrameWriter(methodSignature, plan, frame, notes: frame + frameSize)
      write(&writer)
      defer { writer.release() }
      if writer.wrong != 0 || implementation.hasTargetType, let failure = unsafe failure(of: &writer) {
        return unsafe .failure(InvocationError(retainedBits: failure))
      }
      unsafe plan.prepare(frame)
      withExtendedLifetime(self) { unsafe plan.call(implementation.pointer, frame: frame) }
      // Read before the arguments are released: the result may point into one.
      return unsafe type.result(of: methodSignature, from: UnsafeRawPointer(frame))
    }
    // The size of a small frame is a compile-time constant, so the stack memory is reserved without a check at run time.
    let result =
      unsafe plan.hasSmallFrame
      ? withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame + 10 * MemoryLayout<FrameWriter.Note>.stride, alignment: 16) {
        unsafe call(in: $0, CallPlan.smallFrame)
      }
      : withUnsafeTemporaryAllocation(
        byteCount: plan.frameSize + count * MemoryLayout<FrameWriter.Note>.stride, alignment: plan.frameAlignment
      ) { unsafe call(in: $0, plan.frameSize) }
    return try self.result(result)
  }

  /// Checks the noted arguments and the target.
  ///
  /// Returns the error, or null when the call can proceed.
  private func failure(of writer: inout FrameWriter) -> UnsafeMutableRawPointer? {
    if implementation.hasTargetType { checkTarget(&writer) } else { writer.repair() }
    return unsafe writer.failureBits
  }

  /// Notes an error unless the target in the writer is an instance of the class that the function is a method of.
  func checkTarget(_ writer: inout FrameWriter) {
    writer.repair()
    guard !writer.hasFailed, methodSignature.isMethod else { return }
    do throws(InvocationError) {
      try implementation.requireTarget(at: unsafe writer.slots[0].word(of: writer.frame), nil)
    } catch {
      writer.fail(error, at: 0)
    }
  }
}

// MARK: - Calling

// The overloads of `callAsFunction`, from the fastest to the most general. The compiler takes the first that matches:
//
// - by value, up to ten arguments, in Generated/ForeignFunction+Arity.swift: all types are known, nothing is boxed;
// - with `&variable`, up to three of three arguments, two of four and one of five, in Generated/ForeignFunction+Places.swift;
// - with `nil`, arrays and boxes, any number of arguments, here.
//
// There is no overload with a parameter pack: Swift 6.3 accepts `&variable` for a pack, but passes a copy of the value
// without a diagnostic. So the overloads by value are generated up to ten arguments. The fault is gone when `f(&x)` is
// an error for `func f<each A>(_: repeat each A)`.

extension ForeignFunction {
  /// Calls the function and returns its result.
  ///
  ///     let y: Double = try pow(2, 10)
  ///     let status: Int32 = try open(":memory:", &db)
  ///     let number: Int = try strtol("12abc", nil, 10)
  ///     let division: EncodedBytes = try div(17, 5)
  ///
  /// An argument is a value of the parameter's type. A literal adapts: an `Int` becomes any integer or floating-point
  /// type, a `Double` any floating-point type, when the value fits. `nil` is null. An array is passed as the address of
  /// a copy of its elements. `&variable` and `&array` pass the address of the variable or of the elements, for the
  /// callee to write to: all of up to three arguments, two of four, or one of five. A string is copied for the duration
  /// of the call. An object is passed and returned without a change to its reference count. See <doc:CallingC>.
  ///
  /// - Parameters:
  ///   - arguments: One value for each argument, nil for null.
  ///   - type: The type of the result, usually inferred: a ``CallResult``. A number may be wider than C's: an `Int` takes
  ///     each integer that fits. A `String` is copied from the C string, which the callee still owns.
  /// - Throws: `InvocationError` with the name of the function: `countMismatch`, `typeMismatch`, `outOfRange` and
  ///   `inexact` for a literal that does not fit, `outOfRange` for a result that does not fit an `Int`, and
  ///   `nullNotAllowed` when the result is null and its type is not an optional.
  /// - Complexity: The call. Up to ten arguments without nil, arrays and boxes allocate nothing, except strings and
  ///   frames larger than one kilobyte. This overload allocates the list of the arguments.
  @_disfavoredOverload
  public func callAsFunction<Result: CallResult>(
    _ arguments: (any _CallArgument)?..., as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try unsafe perform(arguments, returning: type, errno: nil)
  }

  /// What a call without a result type returns: nothing, since its result is discarded.
  ///
  /// The compiler names it in the warning about `let y = try pow(2.0, 10.0)`: write `let y: Double`.
  public typealias DiscardedResult = Void

  /// Calls the function and discards any result.
  ///
  /// - Throws: `InvocationError` `countMismatch`, `typeMismatch`, `outOfRange` and `inexact`.
  /// - Complexity: As the overload with a result.
  @_disfavoredOverload
  public func callAsFunction(_ arguments: (any _CallArgument)?...) throws(InvocationError) -> DiscardedResult {
    _ = try unsafe perform(arguments, returning: NoResult.self, errno: nil)
  }

  /// Refuses a result or an argument of a type that a call cannot pass.
  ///
  /// The compiler chooses it when no other overload accepts the types, and reports the reason.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      an argument is an EncodedValue, an array of them, a BoxedValue, EncodedBytes, a Closure, a constant of CDeclarations or nil, \
      and a result is an EncodedValue, a BoxedValue or EncodedBytes; take a struct of C as EncodedBytes, or conform its Swift type to \
      EncodedValue with the encoding of its declaration; in a long call pass the address of withUnsafeMutablePointer(to:_:), \
      or of withUnsafeMutableBytes(_:) of EncodedBytes, instead of &variable
      """
  )
  public func callAsFunction<each Argument, Result>(
    _ arguments: repeat each Argument, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    preconditionFailure("unavailable")
  }

  /// Calls the function and returns its result together with `errno`.
  ///
  ///     let (number, code) = try strtol.capturingErrno("99999999999999999999", nil, 10, as: Int.self)
  ///
  /// `errno` is cleared before the call and read immediately after it, before anything else can change it.
  ///
  /// - Throws: `InvocationError` as a call does.
  /// - Complexity: The call; allocates the list of the arguments.
  public func capturingErrno<Result: CallResult>(
    _ arguments: (any _CallArgument)?..., as type: Result.Type = Result.self
  ) throws(InvocationError) -> (result: Result, errno: CInt) {
    var code: CInt = 0
    let result = try unsafe perform(arguments, returning: type, errno: &code)
    return (result, code)
  }

  /// Builds a frame on the stack, calls, and reads the result.
  private func perform<Result: CallResult>(
    _ arguments: [(any _CallArgument)?], returning type: Result.Type, errno: UnsafeMutablePointer<CInt>?
  ) throws(InvocationError) -> Result {
    try requireResult(type)
    let plan = methodSignature.storage.plan
    guard arguments.count == plan.count else { throw countMismatch(arguments.count) }
    let result: Swift.Result<Result, InvocationError> = unsafe withUnsafeTemporaryAllocation(
      byteCount: plan.blockSize + MemoryLayout<FrameWriter.Note>.stride, alignment: plan.frameAlignment
    ) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe plan.clearBits(in: frame)
      defer { unsafe plan.releaseOwned(in: frame) }
      for (index, argument) in arguments.enumerated() {
        var writer = unsafe FrameWriter(methodSignature, plan, frame, notes: frame + plan.blockSize, index: index)
        writer.writeAny(argument)
        if index == 0, implementation.hasTargetType { checkTarget(&writer) }
        if let failure = writer.takeFailure() { return .failure(failure) }
        if writer.owned != 0 { unsafe plan.markOwned(index, in: frame) }
      }
      unsafe plan.prepare(frame)
      withExtendedLifetime((self, arguments)) {
        if let errno = unsafe errno {
          unsafe errno.pointee = plan.callCapturingErrno(implementation.pointer, frame: frame)
        } else {
          unsafe plan.call(implementation.pointer, frame: frame)
        }
      }
      // Read before the arguments are released: the result may point into one.
      return unsafe type.result(of: methodSignature, from: UnsafeRawPointer(frame))
    }
    return try self.result(result)
  }
}

extension ForeignFunction {
  /// Throws unless the result can be read as a type.
  @inlinable @inline(__always)
  package func requireResult<Result: CallResult>(_ type: Result.Type) throws(InvocationError) {
    guard type.isResult(of: methodSignature) else { throw named(methodSignature.resultMismatch(type)) }
  }

  /// Returns the result of a call, or throws its error with the name of the function.
  @inlinable @inline(__always)
  func result<Value>(_ result: Swift.Result<Value, InvocationError>) throws(InvocationError) -> Value {
    switch result {
    case .success(let value): return value
    case .failure(let error): throw named(error)
    }
  }

  /// Returns the error with the name of the function.
  @usableFromInline
  package func named(_ error: InvocationError) -> InvocationError { name.map(error.about) ?? error }

  @usableFromInline
  package func countMismatch(_ given: Int) -> InvocationError {
    named(methodSignature.countMismatch(given, of: methodSignature.numberOfArguments))
  }
}

// MARK: - Pointer

extension ForeignFunction {
  /// Returns the code as a C function pointer, which is called at the cost of a call in C.
  ///
  ///     typealias Pow = @convention(c) (Double, Double) -> Double
  ///     let pow = try libm.function("pow", types: "ddd").pointer(as: Pow.self)
  ///     pow(2, 10)
  ///
  /// The types of the function pointer are compared with the signature once, here: each parameter and the result must
  /// be the type that a typed call accepts for the argument. Calls through the pointer check nothing: null is passed
  /// as null, and errors of a Swift implementation cannot be thrown.
  ///
  /// The pointer is valid as long as the code is loaded: keep a copy of the function, which keeps its library or closure
  /// alive, while the pointer is in use.
  ///
  /// - Parameter type: A type of the form `(@convention(c) (A, B) -> Result).self`.
  /// - Returns: The code.
  /// - Throws: `InvocationError` `typeMismatch` for a type that is not a C function type, and for a parameter or a
  ///   result of another type, with its index; `countMismatch` for another number of parameters; `unsupportedType` for a
  ///   variadic function, whose calls Swift cannot express, and for a method that may throw.
  /// - Complexity: O(*n*), where *n* is the number of parameters. Allocates a list of their types.
  @unsafe
  public func pointer<Function>(as type: Function.Type) throws(InvocationError) -> Function {
    guard let wanted = CFunctionType(type) else {
      throw named(InvocationError(.typeMismatch, "\(type) is not a C function type: write @convention(c)"))
    }
    if let fixed = methodSignature.fixedArgumentCount {
      throw named(InvocationError(.unsupportedType, "Swift has no type for a variadic C function; \(fixed) arguments are fixed"))
    }
    if implementation.mayThrow { throw named(InvocationError(.unsupportedType, "a C function pointer cannot throw the method's errors")) }
    guard wanted.parameters.count == methodSignature.numberOfArguments else { throw countMismatch(wanted.parameters.count) }
    for (index, type) in (wanted.parameters + [wanted.result]).enumerated() where !hasType(type, at: index) {
      throw named(methodSignature.mismatch(type, index < wanted.parameters.count ? .index(index) : .result))
    }
    return unsafe unsafeBitCast(implementation.pointer, to: type)
  }

  /// Returns whether an argument, or the result if the index is the number of arguments, has a Swift type.
  private func hasType(_ type: Any.Type, at index: Int) -> Bool {
    let encoding = index < methodSignature.numberOfArguments ? methodSignature.types.arguments[index] : methodSignature.returnType
    // A typed call makes a Bool of any byte of a `c`; through the pointer, only C's own bool is one.
    if type == Bool.self { return encoding.valueKind == Bool.valueKind }
    if let value = type as? any EncodedValue.Type {
      return TypeEncoding.isPassedAsBytes(value) && methodSignature.takes(value, at: index)
    }
    if case .void = encoding.kind { return type == Void.self }
    // `^?`, a pointer to a function.
    if case .pointer(let pointee) = encoding.kind, case .unknown = pointee.kind { return CFunctionType(pointer: type) != nil }
    return false
  }
}

/// The parameters and the result of a C function type, read from its metadata.
///
/// The layout of the metadata is part of Swift's ABI.
private struct CFunctionType {
  let parameters: [Any.Type]
  let result: Any.Type

  /// Returns nil if the type is neither a C function type nor an optional one.
  init?(pointer type: Any.Type) { self.init((type as? any OptionalType.Type)?.wrappedType ?? type) }

  /// Returns nil if the type is no C function type.
  init?(_ type: Any.Type) {
    // A metatype is the address of the metadata: the kind, the flags, the result, the parameters.
    guard let words = unsafe UnsafePointer<UInt>(bitPattern: unsafeBitCast(type, to: UInt.self)), unsafe words[0] == 0x302 else {
      return nil
    }
    let flags = unsafe words[1]
    // The number of parameters is in bits 0 to 15, the convention in bits 16 to 23: 3 for C.
    guard flags >> 16 & 0xFF == 3 else { return nil }
    result = unsafe unsafeBitCast(words[2], to: Any.Type.self)
    parameters = (0..<Int(flags & 0xFFFF)).map { unsafe unsafeBitCast(words[3 + $0], to: Any.Type.self) }
  }
}

// MARK: - Quick

// The fast path of a typed call: all types are compared first, so that the arguments are stored from registers, and no
// closure for the slow path takes their addresses.
extension ForeignFunction {
  /// Whether a call with a number of arguments needs to check only the types of the arguments.
  @inlinable @inline(__always)
  func isQuick(_ count: Int) -> Bool { methodSignature.storage.plan.smallFrameCount == count && !implementation.hasTargetType }

  /// Returns whether an argument is of a type.
  ///
  /// The index must be in range.
  @inlinable @inline(__always)
  func takes<Value: EncodedValue>(_ type: Value.Type, at index: Int) -> Bool {
    methodSignature.storage.accepts(type, at: index)
  }

  /// Calls with arguments that a closure writes, and returns the result.
  ///
  /// The signature has these types.
  @inlinable @inline(__always)
  func callQuickly<Result: EncodedValue>(
    returning type: Result.Type, _ write: (inout StackArguments) -> Void
  ) throws(InvocationError) -> Result {
    let result = unsafe withQuickFrame(write) { frame in
      unsafe methodSignature.storage.plan.result.value(as: type, of: UnsafeRawPointer(frame))
    }
    return try self.result(result)
  }

  /// Builds a small frame on the stack, calls, and reads the result.
  @inlinable @inline(__always)
  func withQuickFrame<Value>(_ write: (inout StackArguments) -> Void, _ read: (UnsafeMutableRawPointer) -> Value) -> Value {
    // The size is a compile-time constant, so the stack memory is reserved without a check at run time.
    unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var arguments = unsafe StackArguments(frame, methodSignature.storage.plan.slots)
      write(&arguments)
      unsafe methodSignature.storage.plan.prepare(frame)
      withExtendedLifetime(self) { unsafe methodSignature.storage.plan.call(implementation.pointer, frame: frame) }
      // Read first: the result may point into an argument.
      let value = unsafe read(frame)
      arguments.release()
      return value
    }
  }
}

/// Stores arguments whose types were compared in a frame on the stack.
@usableFromInline
@safe
struct StackArguments {
  @usableFromInline let frame: UnsafeMutableRawPointer
  @usableFromInline let slots: UnsafePointer<FrameSlot>
  /// A bit for each argument that the frame owns.
  @usableFromInline var owned: UInt64 = 0

  @inlinable @inline(__always)
  init(_ frame: UnsafeMutableRawPointer, _ slots: UnsafePointer<FrameSlot>) {
    unsafe self.frame = frame
    unsafe self.slots = slots
  }

  /// Stores an argument of the slot's type.
  @inlinable @inline(__always)
  mutating func write<Value: EncodedValue>(_ value: Value, at index: Int) {
    if unsafe value.store(in: slots[index], of: frame, keeping: false) { owned |= 1 &<< UInt64(truncatingIfNeeded: index) }
  }

  /// Releases what the frame owns.
  @inlinable @inline(__always)
  func release() {
    if owned != 0 { unsafe Self.release(frame, slots, owned) }
  }

  // The members are passed, so that the value itself need not be in memory.
  @inline(never) @usableFromInline
  static func release(_ frame: UnsafeRawPointer, _ slots: UnsafePointer<FrameSlot>, _ owned: UInt64) {
    var rest = owned
    while rest != 0 {
      unsafe slots[rest.trailingZeroBitCount].releaseOwned(of: frame)
      rest &= rest - 1
    }
  }
}

// MARK: - Registers

// A typed call without a frame, where all arguments and the result are words, or floating-point numbers, in registers.
extension ForeignFunction {
  /// Whether all arguments and the result are words in general registers.
  @inlinable @inline(__always)
  var isCalledWithWords: Bool { methodSignature.storage.plan.registerCall == .words }

  /// Whether all arguments and the result are numbers in vector registers.
  @inlinable @inline(__always)
  var isCalledWithFloats: Bool { methodSignature.storage.plan.registerCall == .floats }

  /// Returns the result that a register contains.
  ///
  /// The signature has this type.
  @inlinable @inline(__always)
  func result<Value: EncodedValue>(_ word: UInt64, as type: Value.Type) throws(InvocationError) -> Value {
    let slot = FrameSlot(wordOf: methodSignature.storage.plan.result.kind)
    let value = unsafe withUnsafePointer(to: word) { unsafe slot.value(as: type, of: UnsafeRawPointer($0)) }
    return try self.result(value)
  }
}

// Constants of each type, so that a call site contains only the calls that its types allow. The plan decides.
extension EncodedValue {
  /// Whether the value may be one word in a general register.
  ///
  /// An enum whose raw values are texts owns the copy of the text, which only a frame can free. Not `copiesText`, which
  /// compares types: that takes 27 instructions more in a call.
  @inlinable @inline(__always)
  static var mayBeWord: Bool { MemoryLayout<Self>.size <= 8 && !mayBeFloat && !(valueTraits.mayOwn && valueTraits.isLookedUp) }

  /// Whether the value is a number in a vector register.
  @inlinable @inline(__always)
  static var mayBeFloat: Bool { self == Double.self || self == Float.self }

  /// The word of a value in a register: an extended integer, a pointer, or the bits of a floating-point number.
  @inlinable @inline(__always)
  var registerWord: UInt64 {
    var word: UInt64 = 0
    unsafe withUnsafeMutablePointer(to: &word) {
      let isOwned = unsafe store(in: FrameSlot(wordOf: Self.valueKind), of: UnsafeMutableRawPointer($0), keeping: false)
      precondition(!isOwned, "a value of one word owns nothing that is not kept")
    }
    return word
  }
}
