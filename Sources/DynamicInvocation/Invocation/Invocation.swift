internal import CFFIShim

/// A call as an object: a target, a selector, arguments and a result, which can be stored, changed, and invoked any number of times.
///
/// It is NSInvocation for Swift. The arguments lie in one block of memory, a frame, laid out for the call when the signature was planned. What is
/// set is checked against the signature: a wrong index, a wrong type, an argument never set are errors, in release as in debug.
///
/// An invocation keeps the objects it is given and copies the C strings, unless it is made with `retainsArguments: false`, which is the default
/// of NSInvocation. It belongs to one thread at a time: it is not `Sendable`.
///
/// - Complexity: Making one allocates the object, which holds its frame unless that is large (more than about ten words of stack arguments and result
///   memory); setting, invoking and reading scalars and structs allocates nothing.
@safe
public final class Invocation {
  // The first stored properties, so that their addresses are known.
  private var state: FrameCore.State
  /// The memory of a small frame.
  private var inlineFrame = InlineFrame()

  // The run-time check of exclusive access costs as much as a call. The property is never lent out for a change, and an invocation belongs to
  // one thread at a time, so there is nothing for the check to find.
  @safe @exclusivity(unchecked)
  @usableFromInline private(set) var frame: UnsafeMutableRawPointer
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let count: Int

  /// The types of the call.
  public let methodSignature: MethodSignature

  /// Whether the invocation keeps the objects and copies the C strings that it is given.
  public var argumentsRetained: Bool { core.state.retainsObjects }

  /// The code that ``invoke()`` calls whatever the target says, or nil to ask the target.
  ///
  /// An invocation of a plain function has no target to ask, so it needs one. Its types and its class are compared with the call when they
  /// are known, as by ``invoke(using:)``.
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

  /// What ``invoke()`` found the last time.
  @safe @exclusivity(unchecked)
  var methodCache = MethodCache()

  /// Creates an invocation whose arguments are not set and whose target is nil, and which keeps them as they are set.
  ///
  /// - Parameter methodSignature: The types of the call.
  @inlinable
  public convenience init(_ methodSignature: MethodSignature) { unsafe self.init(methodSignature, retainsArguments: true) }

  /// Creates an invocation whose arguments are not set and whose target is nil.
  ///
  /// - Parameters:
  ///   - methodSignature: The types of the call.
  ///   - retainsArguments: Whether to keep objects and copy C strings as they are set. Without it the caller promises to keep them alive until
  ///     the last call, also that of one to whom the invocation is forwarded.
  @unsafe
  public init(_ methodSignature: MethodSignature, retainsArguments: Bool) {
    state = FrameCore.State(methodSignature.storage, retainsObjects: retainsArguments, copiesStrings: retainsArguments)
    unsafe slots = methodSignature.storage.plan.slots
    count = methodSignature.storage.plan.count
    self.methodSignature = methodSignature
    // The address is known when all is initialized.
    unsafe frame = UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
    if methodSignature.storage.fitsInline {
      unsafe frame = _getUnsafePointerToStoredProperties(self) + FrameCore.State.size
      unsafe methodSignature.storage.plan.prepare(frame)
    } else {
      unsafe frame =
        FrameCore(allocating: methodSignature.storage, retainsObjects: retainsArguments, copiesStrings: retainsArguments).frame
    }
    unsafe core.state.owner = self
  }

  deinit {
    methodCache.clear()
    core.end()
  }
}

extension Invocation: FrameOwner {
  @usableFromInline var functionName: String? { implementation?.symbolName }
}

// What the engine uses of the frame.
extension Invocation {
  /// The frame and its state.
  @inlinable @inline(__always)
  var core: FrameCore { unsafe FrameCore(frame) }

  var plan: CallPlan { methodSignature.storage.plan }

  /// Keeps the invocation alive up to here: the frame is a part of it, and a use of the frame's address alone does not hold it.
  @inlinable @inline(__always)
  func keepAlive() { withExtendedLifetime(self) {} }
}

/// The memory of a small frame, a part of the invocation's object, so that making one is one allocation.
///
/// It holds a register image, about ten words of stack arguments and result memory, and the bits of ownership. It is declared with
/// the alignment of words: Swift allocates an object with a member of 16 bytes' alignment by the slow way of the C library.
struct InlineFrame {
  private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  private var words: (Words, Words, Words, Words, Words) = (
    (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)
  )

  /// Whether a frame of a plan fits, with the bits after it.
  static func hasRoom(for plan: CallPlan) -> Bool {
    // The frame begins where the state with its padding ends, in an invocation's object as in any block.
    let padding = FrameCore.State.size - MemoryLayout<FrameCore.State>.stride
    return plan.blockSize <= MemoryLayout<InlineFrame>.size - padding && plan.frameAlignment <= MemoryLayout<InlineFrame>.alignment
  }
}
