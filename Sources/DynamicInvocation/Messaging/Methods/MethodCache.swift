/// The method that an invocation called last, and the class for which it was found.
@safe
struct MethodCache {
  /// The method, retained manually: a strong reference would be retained and released in each call.
  private(set) var method: Unmanaged<Method>?
  private(set) var type: ObjectIdentifier?
  /// The epoch of the tables when it was looked up.
  private(set) var epoch = 0
  /// Whether the method may throw.
  private(set) var mayThrow = false
  /// The forwarder of a class without a method for the selector, and that class.
  ///
  /// `method` is then the method of the object to which the message was forwarded.
  private(set) var forwarder: Unmanaged<Forwarder>?
  private(set) var forwarderType: ObjectIdentifier?

  /// Caches a method, unless the previous one is being called.
  ///
  /// - Parameter isCalling: Whether calls are running that rely on the cache to keep the method alive.
  mutating func keep(_ method: Method, of type: AnyClass, _ epoch: Int, isCalling: Bool) {
    guard !isCalling else { return }
    let old = unsafe self.method
    unsafe self.method = .passRetained(method)
    self.type = ObjectIdentifier(type)
    self.epoch = epoch
    mayThrow = method.implementation.mayThrow
    // The cached forwarder belongs to the former epoch.
    unsafe forwarder = nil
    // Released last: objects that the old method owns may be deallocated with it, and send messages.
    unsafe old?.release()
  }

  /// Caches that a class has no method for the cached method's selector, and how it forwards.
  ///
  /// - Parameter epoch: The epoch of the tables at which the class was found to have no method.
  mutating func keep(_ forwarder: Unmanaged<Forwarder>, of type: AnyClass, _ selector: Selector, _ epoch: Int) {
    guard self.epoch == epoch, unsafe method?._withUnsafeGuaranteedRef({ $0.selector == selector }) == true else { return }
    unsafe self.forwarder = unsafe forwarder
    forwarderType = ObjectIdentifier(type)
  }

  /// Releases the cached method.
  mutating func clear() {
    unsafe method?.release()
    unsafe method = nil
  }
}
