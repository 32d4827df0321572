/// A call as an object: a target, a selector, arguments and a result.
///
/// It can be stored, changed, and invoked any number of times.
///
/// It is NSInvocation for Swift. The arguments are stored in one block of memory, a frame, whose layout is computed
/// with the signature's plan. Each value is checked against the signature: a wrong index, a wrong type or an unset
/// argument is an error, in release builds as in debug builds.
///
/// An invocation retains the objects that are set and copies the C strings, unless it is created with
/// `retainsArguments: false`, which is the default of NSInvocation. It is used by one thread at a time: it is not
/// `Sendable`.
///
/// - Complexity: Creating an invocation allocates the object, which contains its frame unless that is large (more than
///   about ten words of stack arguments and result memory). Setting, invoking and reading scalars and structs allocate
///   nothing.
@safe
public final class Invocation {
  // The first stored properties, so that their addresses are known.
  private var state: FrameCore.State
  /// The memory of a small frame.
  private var inlineFrame = FrameCore.InlineFrame()

  // The run-time check of exclusive access costs as much as a call. It would never find a violation: the property is
  // never passed inout, and an invocation is used by one thread at a time.
  @safe @exclusivity(unchecked)
  @usableFromInline private(set) var frame: UnsafeMutableRawPointer
  @usableFromInline let slots: UnsafePointer<FrameSlot>
  @usableFromInline let count: Int

  /// The types of the call.
  public let methodSignature: MethodSignature

  /// Whether the invocation retains objects and copies C strings when they are set.
  public var argumentsRetained: Bool { core.state.retainsObjects }

  /// The code that ``invoke()`` calls without a method lookup; nil to look the method up.
  ///
  /// An invocation of a plain function has no target and needs an implementation. The types and the class of the
  /// implementation are compared with the call when they are known, as by ``invoke(using:)``.
  @safe @exclusivity(unchecked)
  public var implementation: Implementation?

  /// Whether a call stores the callee's `errno` in ``capturedErrno``.
  ///
  /// The default is false.
  public var capturesErrno: Bool {
    get { core.state.capturesErrno }
    set {
      core.state.capturesErrno = newValue
      core.state.fastPathMask = newValue ? 0 : core.plan.fastPathMask
    }
  }

  /// The callee's `errno` of the last call that captured it; it was cleared before the call.
  public internal(set) var capturedErrno: CInt {
    get { core.state.capturedErrno }
    set { core.state.capturedErrno = newValue }
  }

  /// What ``invoke()`` found last.
  @safe @exclusivity(unchecked)
  var methodCache = MethodCache()

  /// Creates an invocation with no argument set and a nil target.
  ///
  /// It retains objects and copies C strings when they are set.
  ///
  /// - Parameter methodSignature: The types of the call.
  @inlinable
  public convenience init(_ methodSignature: MethodSignature) { unsafe self.init(methodSignature, retainsArguments: true) }

  /// Creates an invocation with no argument set and a nil target.
  ///
  /// - Parameters:
  ///   - methodSignature: The types of the call.
  ///   - retainsArguments: Whether to retain objects and copy C strings when they are set. If false, the caller must
  ///     keep them alive until the last call, including calls by an object that the invocation is forwarded to.
  @unsafe
  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  public init(_ methodSignature: MethodSignature, retainsArguments: Bool) {
    // The signature is moved into the object, because of the attribute: the optimizer would rather borrow it, then retain
    // it and have it released.
    let signature = unsafe Unmanaged.passUnretained(methodSignature.storage)
    let newState = unsafe signature._withUnsafeGuaranteedRef { unsafe $0.newState }
    state = unsafe newState.pointee
    unsafe slots = newState.pointee.slots
    count = unsafe newState.pointee.count
    self.methodSignature = consume methodSignature
    // The address is only available when all properties are initialized.
    unsafe frame = UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
    if unsafe signature._withUnsafeGuaranteedRef({ $0.fitsInline }) {
      unsafe frame = _getUnsafePointerToStoredProperties(self) + FrameCore.State.size
      unsafe signature._withUnsafeGuaranteedRef { unsafe $0.plan.prepare(frame) }
    } else {
      unsafe frame = signature._withUnsafeGuaranteedRef { unsafe FrameCore($0).frame }
    }
    core.state.retainsObjects = retainsArguments
    core.state.copiesStrings = retainsArguments
    unsafe core.state.owner = self
  }

  deinit {
    if methodCache.isUsed { methodCache.clear() }
    core.end()
  }
}

extension Invocation: FrameOwner {
  @usableFromInline var functionName: String? { implementation?.symbolName }
}

// Access to the frame, for the engine.
extension Invocation {
  /// The frame and its state.
  @inlinable @inline(__always)
  var core: FrameCore { unsafe FrameCore(frame) }

  var plan: CallPlan { methodSignature.storage.plan }

  /// Keeps the invocation alive up to this point.
  ///
  /// The frame is a part of it, and using the frame's address does not retain it.
  @inlinable @inline(__always)
  func keepAlive() { withExtendedLifetime(self) {} }
}

// MARK: - Arguments

extension Invocation {
  /// Sets an argument from a value of its type.
  ///
  /// - Parameters:
  ///   - value: The value. Its Swift type must match the encoding: `Int32` for `i`, `Double` for `d`, a struct of the
  ///     same layout for a struct. A literal adapts: an `Int` becomes any integer or floating-point type, a `Double`
  ///     any floating-point type, when the value fits.
  ///   - index: The index. For a method, 0 is the target and 1 is the selector.
  /// - Throws: `InvocationError` `indexOutOfRange`, `typeMismatch`, and `outOfRange` and `inexact` for a literal that
  ///   does not fit.
  /// - Complexity: O(bytes of the value). A string allocates its copy; nothing else allocates.
  @inlinable @inline(__always)
  public func setArgument<Value: EncodedValue>(_ value: Value, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    try unsafe core.set(value, at: index, slots, count)
  }

  /// Sets an argument to an object, a class, or null.
  ///
  /// - Parameters:
  ///   - object: The object; a class for an argument of type `#`. Nil sets any pointer to null.
  ///   - index: The index. For a method, 0 is the target.
  /// - Throws: `InvocationError` `indexOutOfRange`, `typeMismatch`.
  /// - Complexity: O(1).
  public func setArgument(_ object: AnyObject?, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    try core.set(object: object, at: index)
  }

  /// Returns an argument as a value of its type, or of a wider number: an `Int` takes each integer that fits.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, `typeMismatch`, `argumentNotSet`, `outOfRange` for a number that does not
  ///   fit an `Int`, and `nullNotAllowed` when the argument is null and the type is not an optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable
  public func argument<Value: EncodedValue>(at index: Int, as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    defer { keepAlive() }
    return try core.argument(type, at: index)
  }

  /// Returns an object argument, or nil for null.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`, and `typeMismatch` when the argument is not an
  ///   object.
  /// - Complexity: O(1).
  public func objectArgument(at index: Int) throws(InvocationError) -> AnyObject? {
    defer { keepAlive() }
    guard index >= 0, index < count else { throw core.indexOutOfRange(index) }
    guard unsafe slots[index].kind == .object else { throw core.mismatch(AnyObject.self, .index(index)) }
    return unsafe ObjectReference.object(in: try core.slotOfArgument(at: index), of: frame)
  }

  // MARK: Values by address

  /// Sets an argument from the bytes at an address, as NSInvocation's `setArgument:atIndex:` does.
  ///
  /// Reads as many bytes as the argument's type has. Objects are retained and C strings copied as with any other
  /// setter.
  ///
  /// - Parameters:
  ///   - bytes: The address of the value; it need not be aligned.
  ///   - index: The index.
  /// - Throws: `InvocationError` `indexOutOfRange`.
  public func setArgument(from bytes: UnsafeRawPointer, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    try unsafe core.set(bytes: bytes, at: index)
  }

  /// Copies an argument's bytes to an address, as NSInvocation's `getArgument:atIndex:` does.
  ///
  /// - Parameters:
  ///   - bytes: The address of as many bytes as the argument's type has. An object is not retained for the caller.
  ///   - index: The index.
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`.
  public func getArgument(into bytes: UnsafeMutableRawPointer, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    unsafe try core.slotOfArgument(at: index).read(from: frame, to: bytes)
  }

  // MARK: Ownership

  /// Retains every object and copies every C string set so far, and those set from now on.
  ///
  /// Does nothing if the invocation already retains its arguments. On platforms without Objective-C, blocks are plain
  /// pointers and are not copied.
  public func retainArguments() {
    defer { keepAlive() }
    core.retainArguments()
  }
}

// MARK: - Result

extension Invocation {
  /// Whether there is a result: the invocation was invoked, or a result was set.
  public var hasReturnValue: Bool { core.state.hasResult }

  /// Returns the result as a value of its type.
  ///
  /// - Parameter type: The return type, or a wider number type: an `Int` takes each integer that fits.
  /// - Throws: `InvocationError` `noReturnValue` before there is a result, `typeMismatch`, `outOfRange` for a number that
  ///   does not fit an `Int`, and `nullNotAllowed` when the result is null and the type is not an optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable @inline(__always)
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    defer { keepAlive() }
    return try unsafe core.result(type, slots, count)
  }

  /// Returns an object result, or nil for null.
  ///
  /// - Throws: `InvocationError` `noReturnValue` before there is a result, and `typeMismatch` when the result is not
  ///   an object.
  /// - Complexity: O(1).
  public func objectReturnValue() throws(InvocationError) -> AnyObject? {
    defer { keepAlive() }
    return try core.objectResult()
  }

  /// Sets the result, for example in code that intercepts a call.
  ///
  /// - Parameter value: The value, of the return type. A literal adapts as for an argument.
  /// - Throws: `InvocationError` `typeMismatch`, and `outOfRange` and `inexact` for a literal that does not fit. A string
  ///   is rejected: a result does not own the memory of its C string.
  @inlinable
  public func setReturnValue<Value: EncodedValue>(_ value: Value) throws(InvocationError) {
    defer { keepAlive() }
    let slot = core.resultSlot
    guard Value.accepts(slot.kind), core.pointsRight(Value.self, core.count), !Value.copiesText else {
      guard let literal = Literal(value) else { throw core.mismatch(Value.self, .result) }
      return try core.setResult(literal)
    }
    _ = unsafe value.store(in: slot, of: core.frame, keeping: false)
    core.keepResult()
  }

  /// Sets an object result, and retains the object.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the return type is not an object.
  public func setReturnValue(_ object: AnyObject?) throws(InvocationError) {
    guard core.resultSlot.kind == .object else { throw core.mismatch(AnyObject.self, .result) }
    _ = unsafe ObjectReference.store(object, in: core.resultSlot, of: frame, keeping: false)
    core.keepResult()
  }

  /// Sets the result from the bytes at an address, as NSInvocation's `setReturnValue:` does.
  ///
  /// - Parameter bytes: The address of as many bytes as the return type has. An object is retained.
  public func setReturnValue(from bytes: UnsafeRawPointer) {
    unsafe core.resultSlot.write(from: bytes, to: frame)
    core.keepResult()
  }

  /// Copies the result's bytes to an address, as NSInvocation's `getReturnValue:` does.
  ///
  /// - Parameter bytes: The address of as many bytes as the return type has. An object is not retained for the caller.
  /// - Throws: `InvocationError` `noReturnValue`.
  public func getReturnValue(into bytes: UnsafeMutableRawPointer) throws(InvocationError) {
    defer { keepAlive() }
    guard hasReturnValue else { throw core.noResult() }
    unsafe core.resultSlot.read(from: frame, to: bytes)
  }
}

extension Invocation {
  /// Returns an independent invocation with the same arguments, the same result, and the same settings.
  ///
  /// Both invocations retain the objects that this one retains. C strings and arrays are copied again.
  ///
  /// - Complexity: O(bytes of the frame); allocates as a new invocation does.
  public func copy() -> Invocation {
    let copy = unsafe Invocation(methodSignature, retainsArguments: argumentsRetained)
    copy.implementation = implementation
    defer { withExtendedLifetime(self) { copy.keepAlive() } }
    core.copy(to: copy.core)
    return copy
  }
}

extension FrameCore {
  /// Copies the arguments and the result to another frame of the same plan.
  ///
  /// The other frame retains the objects and copies the C strings and arrays that this one owns.
  func copy(to other: FrameCore) {
    unsafe other.frame.copyMemory(from: frame, byteCount: plan.blockSize)
    unsafe plan.prepare(other.frame)
    for index in 0..<count where isOwned(index) {
      other.markOwned(index, unsafe slots[index].retainOwned(in: other.frame))
    }
    other.state.setMask = state.setMask
    other.state.fastPathMask = state.fastPathMask
    other.state.capturesErrno = state.capturesErrno
    other.state.capturedErrno = state.capturedErrno
    guard state.hasResult else { return }
    other.keepResult()
    other.takeText(of: self)
  }
}

// MARK: - Undo

/// A call that an undo stack stores: of a selector, or of a Swift function.
public protocol _UndoableCall: AnyObject {
  /// Returns the target, if it is an object, and a closure that performs a copy of the call; nil if an argument is
  /// being deallocated, which nothing may retain.
  ///
  /// The copy retains its arguments, but not the target.
  func _detached() -> (target: AnyObject?, perform: (AnyObject?) throws -> Void)?
}

extension Invocation: _UndoableCall {
  /// The target of a message to an object, and a closure that sends a copy of the message.
  public func _detached() -> (target: AnyObject?, perform: (AnyObject?) throws -> Void)? {
    guard indexOfEnding == nil else { return nil }
    let message = copy()
    guard let target = objectTarget else {
      message.retainArguments()
      return (nil, { _ in try message.invoke() })
    }
    message.target = nil
    message.retainArguments()
    return (
      target,
      { target in
        defer { message.target = nil }
        try message.invoke(with: target)
      }
    )
  }

  /// The index of an argument besides the target that is an object being deallocated, which nothing may keep.
  package var indexOfEnding: Int? {
    defer { keepAlive() }
    return (0..<count).first { index in
      guard index != 0 || !methodSignature.isMethod, unsafe slots[index].kind == .object, core.isSet(index) else { return false }
      return unsafe ObjectReference.object(in: slots[index], of: frame).map { isDeallocating($0) } ?? false
    }
  }

  /// The target of a message to an object.
  private var objectTarget: AnyObject? {
    guard methodSignature.isMethod, case .object = methodSignature.types.arguments[0].kind else { return nil }
    return target
  }
}

// MARK: - Description

extension Invocation: CustomStringConvertible {
  /// The call with its values: `-[Controller area(_:in:)](7, (1.0, 2.0, 3.0, 4.0)) -> 19.0`.
  ///
  /// Arguments that are not set are shown as `unset`. If the invocation retains its objects and copies its C strings,
  /// objects are shown by their type and C strings by their text. Otherwise they may have been deallocated, so they are
  /// shown as addresses, as any pointer is.
  ///
  /// - Complexity: O(bytes of the text), at most about 4,000.
  public var description: String {
    defer { keepAlive() }
    let isMethod = methodSignature.isMethod
    var text = ValueText()
    if isMethod {
      text.append("-[")
      unsafe text.write(target: slots[0], of: frame, isOwned: core.isOwned(0))
      text.append(" ")
      if core.isSet(1) {
        unsafe text.write(slots[1], of: frame, as: methodSignature.types.arguments[1], isOwned: false)
      } else {
        text.append("unset")
      }
      text.append("]")
    } else {
      text.append(methodSignature.types.shortText)
    }
    text.append("(")
    let first = isMethod ? 2 : 0
    for index in first..<max(first, count) where !text.isFull {
      if index > first { text.append(", ") }
      if core.isSet(index) {
        unsafe text.write(slots[index], of: frame, as: methodSignature.types.arguments[index], isOwned: core.isOwned(index))
      } else {
        text.append("unset")
      }
    }
    text.append(")")
    if hasReturnValue, plan.result.kind != .void {
      text.append(" -> ")
      // The callee owns a C string that it returned, unless it is a part of an argument.
      let isOwned = unsafe core.state.resultObject != nil || core.argumentOfResult != nil
      unsafe text.write(plan.result, of: frame, as: methodSignature.returnType, isOwned: isOwned)
    }
    return text.text
  }
}

extension ValueText {
  /// Writes the class of a message's target.
  fileprivate mutating func write(target slot: FrameSlot, of frame: UnsafeRawPointer, isOwned: Bool) {
    let word = unsafe slot.word(of: frame)
    if word == 0 {
      append("nil")
    } else if slot.kind == .classObject, let type = ClassReference.type(word) {
      append("\(type)")
    } else if slot.kind == .object, isOwned, let object = unsafe ObjectReference.object(in: slot, of: frame) {
      append((object as? any ForeignTarget)?.foreignClassName ?? "\((object as? AnyClass) ?? type(of: object))")
    } else {
      append("0x" + String(word, radix: 16))
    }
  }
}
