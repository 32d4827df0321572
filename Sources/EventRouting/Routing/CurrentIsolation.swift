internal import DynamicInvocation

/// The isolation domain of the code that is running, to compare it with that of a pass.
@safe
struct CurrentIsolation {
  /// The address that identifies the executor; nil without an actor.
  private let executor: UnsafeRawPointer?

  init() { unsafe executor = ThreadState.currentExecutor }

  /// Whether this is the isolation of an actor that is alive; nil is code without an actor.
  func isThat(of actor: UnsafeRawPointer?) -> Bool {
    guard let actor = unsafe actor else { return unsafe executor == nil }
    guard let actor = unsafe Unmanaged<AnyObject>.fromOpaque(actor).takeUnretainedValue() as? any Actor else { return false }
    // Actors that share a serial executor exclude each other, too.
    return unsafe Self.firstWord(of: actor.unownedExecutor) == executor
  }

  /// The address that identifies the executor of the main actor.
  static var mainExecutor: UnsafeRawPointer? { unsafe firstWord(of: MainActor.sharedUnownedExecutor) }

  /// The address of an actor.
  @inline(__always)
  static func address(of actor: (any Actor)?) -> UnsafeRawPointer? {
    // A reference is one word; converting it otherwise would retain it.
    unsafe unsafeBitCast(actor, to: (UnsafeRawPointer?, UnsafeRawPointer?).self).0
  }

  /// The identity of an executor is the first of its two words.
  private static func firstWord(of executor: UnownedSerialExecutor) -> UnsafeRawPointer? {
    unsafe unsafeBitCast(executor, to: (UnsafeRawPointer?, UnsafeRawPointer?).self).0
  }
}
