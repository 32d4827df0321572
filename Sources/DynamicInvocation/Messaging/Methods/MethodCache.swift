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

  /// Caches a method, unless the one before is being called.
  ///
  /// - Parameter isCalling: Whether calls are running, which rely on the cache to keep the method alive.
  mutating func keep(_ method: Method, of type: AnyClass, _ epoch: Int, isCalling: Bool) {
    guard !isCalling else { return }
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

  /// Releases what is held.
  mutating func clear() {
    unsafe method?.release()
    unsafe method = nil
  }
}
