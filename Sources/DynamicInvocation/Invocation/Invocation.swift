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
      unsafe frame = signature._withUnsafeGuaranteedRef {
        unsafe FrameCore(allocating: $0, retainsObjects: retainsArguments, copiesStrings: retainsArguments).frame
      }
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
