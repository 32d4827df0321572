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
  /// Where a small frame lies: the first stored property, so that its address is known and aligned as any allocation is.
  private var inlineFrame = InlineFrame()

  /// The frame, and behind it a bit for each argument that is owned, and one for each from the 63rd on that is set.
  @safe @exclusivity(unchecked)
  @usableFromInline private(set) var frame: UnsafeMutableRawPointer
  // Copies of what the plan says, one or two indirections nearer.
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let count: Int
  @usableFromInline let targetOffset: Int
  @usableFromInline let kernel: CallPlan.Kernel
  @usableFromInline let context: UnsafeRawPointer?

  /// The types of the call.
  public let methodSignature: MethodSignature

  // The run-time check of exclusive access costs as much as a call. No state below is ever lent out, and an invocation belongs to one thread
  // at a time, so there is nothing for it to find.

  /// Whether the invocation keeps the objects and copies the C strings that it is given.
  @safe @exclusivity(unchecked)
  public internal(set) var argumentsRetained: Bool

  /// The code that ``invoke()`` calls whatever the target says, or nil to ask the target.
  ///
  /// An invocation of a plain function has no target to ask, so it needs one. Its types and its class are compared with the call when they
  /// are known, as by ``invoke(using:)``.
  @safe @exclusivity(unchecked)
  public var implementation: Implementation?

  /// Whether a call stores the callee's `errno` in ``capturedErrno``.
  ///
  /// The default is false.
  @safe @exclusivity(unchecked)
  public var capturesErrno: Bool = false {
    didSet { readyBits = capturesErrno ? 0 : plan.readyBits }
  }

  /// The callee's `errno` of the last call that captured it; it was cleared before the call.
  @safe @exclusivity(unchecked)
  public internal(set) var capturedErrno: CInt = 0

  /// A bit for each of the first 63 arguments that is set, and the 64th, which is always set.
  @safe @exclusivity(unchecked)
  @usableFromInline var firstSet: UInt64

  /// What ``firstSet`` is when a call has nothing to do but to call, or 0, which it never is.
  @safe @exclusivity(unchecked)
  @usableFromInline var readyBits: UInt64

  /// Whether the frame was ever given something to own.
  @safe @exclusivity(unchecked)
  @usableFromInline var mayOwn: Bool = false

  @safe @exclusivity(unchecked)
  @usableFromInline var hasResult: Bool = false
  /// What ``invoke()`` found the last time.
  @safe @exclusivity(unchecked)
  var methodCache = MethodCache()

  /// The object that the result refers to; beside the frame, since a call from within the call overwrites the result.
  var resultOwner: AnyObject?

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
    // Read one by one: a plan held in a variable would be retained and released.
    unsafe slots = methodSignature.storage.plan.slots
    count = methodSignature.storage.plan.count
    targetOffset = methodSignature.storage.plan.targetOffset
    unsafe kernel = methodSignature.storage.plan.kernel
    unsafe context = methodSignature.storage.plan.context
    readyBits = methodSignature.storage.plan.readyBits
    argumentsRetained = retainsArguments
    // A target is nil until it is set.
    firstSet = targetOffset < 0 ? CallPlan.noneSet : CallPlan.noneSet | 1
    let isInline = methodSignature.storage.fitsInline
    unsafe frame = isInline ? Self.noFrame : Self.allocateFrame(for: methodSignature)
    self.methodSignature = methodSignature
    if isInline { unsafe frame = inlineAddress }
    unsafe methodSignature.storage.plan.prepare(frame)
  }

  deinit {
    if mayOwn { unsafe plan.releaseOwned(in: frame) }
    methodCache.clear()
    if unsafe frame != inlineAddress { unsafe cffi_free(frame) }
  }

  /// The address of a frame for the moment in which there is none: that of the object is known only when all else is.
  private static var noFrame: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped }

  private static func allocateFrame(for methodSignature: MethodSignature) -> UnsafeMutableRawPointer {
    let plan = methodSignature.storage.plan
    guard let memory = unsafe cffi_allocate_zeroed(plan.blockSize, plan.frameAlignment) else { preconditionFailure("out of memory") }
    return unsafe memory
  }

  /// The address of ``inlineFrame``.
  private var inlineAddress: UnsafeMutableRawPointer { unsafe _getUnsafePointerToStoredProperties(self) }

  /// The slot of the result.
  @inlinable var resultSlot: Slot { unsafe slots[count] }

  /// The plan of the call; what the way of a call needs of it is at hand in the invocation itself.
  @usableFromInline var plan: CallPlan { methodSignature.storage.plan }
}

extension Invocation {
  /// Keeps the invocation alive up to here: the frame is a part of it, and a use of the frame's address alone does not hold it.
  @inlinable @inline(__always)
  func keepAlive() { withExtendedLifetime(self) {} }

  /// Whether an argument is set; the index is in range.
  @inlinable @inline(__always)
  func isSet(_ index: Int) -> Bool {
    index < CallPlan.firstCount ? firstSet >> UInt64(truncatingIfNeeded: index) & 1 != 0 : isFarSet(index)
  }

  /// Marks an argument as set; the index is in range.
  @inlinable @inline(__always)
  func markSet(_ index: Int) {
    guard index < CallPlan.firstCount else { return markFarSet(index) }
    // Read before written: eight stores in a row to one word would each wait for the one before.
    let mask: UInt64 = 1 << UInt64(truncatingIfNeeded: index)
    if firstSet & mask == 0 { firstSet |= mask }
  }

  @usableFromInline
  func isFarSet(_ index: Int) -> Bool { unsafe plan.isSet(index, in: frame) }

  @usableFromInline
  func markFarSet(_ index: Int) { unsafe plan.markSet(index, in: frame) }

  /// Whether the frame owns what an argument refers to; the index is in range.
  func isOwned(_ index: Int) -> Bool { unsafe plan.isOwned(index, in: frame) }

  /// Marks an argument as owned or not; the index is in range.
  func markOwned(_ index: Int, _ isOwned: Bool) {
    if isOwned { mayOwn = true }
    unsafe plan.markOwned(index, isOwned, in: frame)
  }

  /// Throws for the first argument that was never set.
  @inline(__always)
  func requireArguments() throws(InvocationError) {
    if count <= CallPlan.firstCount, firstSet == plan.firstBits { return }
    try requireEachArgument()
  }

  private func requireEachArgument() throws(InvocationError) {
    guard let index = (0..<count).first(where: { !isSet($0) }) else { return }
    throw notSet(index)
  }
}
