/// The method that an invocation called last, and for which class it was found.
@safe
struct MethodCache {
  /// The method, retained by hand: a strong reference would be counted up and down in each call.
  private(set) var method: Unmanaged<Method>?
  private(set) var type: ObjectIdentifier?
  /// The age of the tables when it was looked up.
  private(set) var epoch = 0
  /// Whether the method may throw.
  private(set) var mayThrow = false
  /// How a class forwards that has no method for the selector, and the class; the method is then the one that the message came to.
  private(set) var forwarder: Unmanaged<Forwarder>?
  private(set) var forwarderType: ObjectIdentifier?
  /// The running calls: they rely on the cache to keep the method alive, and on the frame to keep the arguments.
  private(set) var running: UInt32 = 0
  /// What arguments owned that were replaced while a call was running.
  private var replaced: Unmanaged<ReplacedArguments>?

  /// Caches a method, unless the one before is just being called.
  mutating func keep(_ method: Method, of type: AnyClass, _ epoch: Int) {
    guard running == 0 else { return }
    let old = unsafe self.method
    unsafe self.method = .passRetained(method)
    self.type = ObjectIdentifier(type)
    self.epoch = epoch
    mayThrow = method.implementation.mayThrow
    // What was found of another class belongs to the old age.
    unsafe forwarder = nil
    // Last: what the old method owns may end with it, and send messages.
    unsafe old?.release()
  }

  /// Caches that a class has no method for the cached one's selector, and how it forwards.
  ///
  /// - Parameter epoch: The age of the tables when the class was found to have none.
  mutating func keep(_ forwarder: Unmanaged<Forwarder>, of type: AnyClass, _ selector: Selector, _ epoch: Int) {
    guard self.epoch == epoch, unsafe method?._withUnsafeGuaranteedRef({ $0.selector == selector }) == true else { return }
    unsafe self.forwarder = unsafe forwarder
    forwarderType = ObjectIdentifier(type)
  }

  /// Begins a call.
  @inline(__always)
  mutating func beginCall() { running &+= 1 }

  /// Ends a call.
  @inline(__always)
  mutating func endCall() {
    running &-= 1
    if unsafe replaced != nil { releaseReplaced() }
  }

  /// Keeps what an argument owned that was replaced, until no call is running.
  mutating func keepReplaced(_ slot: Slot, _ word: UInt64) {
    let all = unsafe replaced ?? .passRetained(ReplacedArguments())
    unsafe replaced = unsafe all
    unsafe all._withUnsafeGuaranteedRef { $0.values.append((slot, word)) }
  }

  private mutating func releaseReplaced() {
    guard running == 0, let all = unsafe replaced else { return }
    unsafe replaced = nil
    // Last: what ends here may use the invocation.
    unsafe all.release()
  }

  /// Releases what is held.
  mutating func clear() {
    unsafe method?.release()
    unsafe method = nil
    // A call that an exception of C++ left never ended.
    unsafe replaced?.release()
    unsafe replaced = nil
  }
}

/// What arguments owned that were replaced while a call was running.
private final class ReplacedArguments {
  var values: [(slot: Slot, word: UInt64)] = []

  deinit {
    for (slot, word) in values { slot.releaseOwned(word: word) }
  }
}
