internal import CFFIShim

/// A call as an object: a target, a selector, arguments and a result, which can be stored, changed, and invoked any number of times.
///
/// It is NSInvocation for Swift. The arguments lie in one block of memory, a frame, laid out for the call when the signature was planned. What is
/// set is checked against the signature: a wrong index, a wrong type, an argument never set are errors, in release as in debug.
///
/// An invocation keeps the objects it is given and copies the C strings, unless it is made with `retainsArguments: false`, which is the default
/// of NSInvocation. It belongs to one thread at a time: it is not `Sendable`.
///
/// - Complexity: Making one allocates the object and its frame; setting, invoking and reading scalars and structs allocates nothing.
@safe
public final class Invocation {
  /// The types of the call.
  public let methodSignature: MethodSignature

  @usableFromInline let plan: CallPlan
  /// The frame, and behind it a bit for each argument that is set and one for each that is owned.
  @usableFromInline let frame: UnsafeMutableRawPointer
  // Copies of what the plan says, one indirection nearer.
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let count: Int
  @usableFromInline let setBits: UnsafeMutablePointer<UInt64>

  // The run-time check of exclusive access costs as much as a call. No state below is ever lent out, and an invocation belongs to one thread
  // at a time, so there is nothing for it to find.

  /// Whether the invocation keeps the objects and copies the C strings that it is given.
  @safe @exclusivity(unchecked)
  public internal(set) var argumentsRetained: Bool

  /// The code that ``invoke()`` calls whatever the target says, or nil to ask the target.
  ///
  /// An invocation of a plain function has no target to ask, so it needs one.
  @safe @exclusivity(unchecked)
  public var implementation: Implementation?

  /// Whether a call stores the callee's `errno` in ``capturedErrno``.
  ///
  /// The default is false.
  @safe @exclusivity(unchecked)
  public var capturesErrno: Bool = false

  /// The callee's `errno` of the last call that captured it; it was cleared before the call.
  @safe @exclusivity(unchecked)
  public internal(set) var capturedErrno: CInt = 0

  @safe @exclusivity(unchecked)
  @usableFromInline var hasResult: Bool = false
  /// The object that the result refers to; beside the frame, since a call from within the call overwrites the result.
  var resultOwner: AnyObject?

  /// Creates an invocation whose arguments are not set and whose target is nil.
  ///
  /// - Parameters:
  ///   - methodSignature: The types of the call.
  ///   - retainsArguments: Whether to keep objects and copy C strings as they are set. Without it the caller keeps them alive until the last call.
  public init(_ methodSignature: MethodSignature, retainsArguments: Bool = true) {
    let plan = methodSignature.storage.plan
    self.methodSignature = methodSignature
    self.plan = plan
    unsafe slots = plan.slots
    count = plan.count
    argumentsRetained = retainsArguments
    guard let memory = unsafe cffi_allocate_zeroed(plan.blockSize, plan.frameAlignment) else { preconditionFailure("out of memory") }
    unsafe frame = memory
    unsafe setBits = (frame + plan.setBitsOffset).assumingMemoryBound(to: UInt64.self)
    unsafe plan.prepare(frame)
    if methodSignature.isMethod { markSet(0) }
  }

  deinit {
    unsafe plan.releaseOwned(in: frame)
    unsafe cffi_free(frame)
  }
}

extension Invocation {
  /// Whether an argument is set; the index is in range.
  @inlinable
  func isSet(_ index: Int) -> Bool { unsafe setBits[index >> 6] >> UInt64(truncatingIfNeeded: index & 63) & 1 != 0 }

  /// Marks an argument as set; the index is in range.
  @inlinable @inline(__always)
  func markSet(_ index: Int) {
    // Read before written: eight stores in a row to one word would each wait for the one before.
    let mask: UInt64 = 1 << UInt64(truncatingIfNeeded: index & 63)
    if unsafe setBits[index >> 6] & mask == 0 { unsafe setBits[index >> 6] |= mask }
  }

  /// Whether the frame owns what an argument refers to; the index is in range.
  func isOwned(_ index: Int) -> Bool { unsafe plan.isOwned(index, in: frame) }

  /// Marks an argument as owned or not; the index is in range.
  func markOwned(_ index: Int, _ isOwned: Bool) { unsafe plan.markOwned(index, isOwned, in: frame) }

  /// Throws for the first argument that was never set.
  @inline(__always)
  func requireArguments() throws(InvocationError) {
    if count <= 64, unsafe setBits[0] == plan.firstBits { return }
    try requireEachArgument()
  }

  private func requireEachArgument() throws(InvocationError) {
    guard let index = unsafe plan.firstUnset(in: frame) else { return }
    let reason = index == 1 && methodSignature.isMethod ? "the selector was never set" : "it was never set"
    throw InvocationError(
      .argumentNotSet, reason, argument: .index(index), encoding: methodSignature.types.arguments[index].description)
  }
}
