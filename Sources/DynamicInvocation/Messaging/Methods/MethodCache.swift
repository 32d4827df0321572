/// What an invocation found last: the method and the class for which it was found, how a class forwards the message, and
/// the implementers that a dispatcher calls.
@safe
struct MethodCache {
  /// The method, retained manually: a strong reference would be retained and released in each call.
  private(set) var method: Unmanaged<Method>?
  private(set) var type: ObjectIdentifier?
  /// The epoch of the tables when it was looked up.
  private(set) var epoch = 0
  /// Whether the method may throw.
  private(set) var mayThrow = false
  /// How a class without a method for the selector forwards the message.
  ///
  /// If it forwards to another object, `method` is the method of that object.
  private(set) var forwarding: Unmanaged<ForwardingCache>?
  /// The implementers that a dispatcher calls, or a message of another runtime.
  private(set) var receiver: Unmanaged<CachedReceiver>?

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
    // Released last: objects that the old method owns may be deallocated with it, and send messages.
    unsafe old?.release()
  }

  /// Caches that a class has no method for a selector, and how it forwards.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the tables at which the class was found to have no method.
  ///   - isCalling: Whether calls are running, which may use what is cached.
  mutating func keep(_ forwarder: Unmanaged<Forwarder>, of type: AnyClass, _ selector: MethodSelector, _ epoch: Int, isCalling: Bool) {
    if let known = unsafe forwarding,
      unsafe known._withUnsafeGuaranteedRef({ $0.describes(ObjectIdentifier(type), selector.word) && $0.epoch == epoch })
    {
      return
    }
    guard !isCalling else { return }
    let old = unsafe forwarding
    unsafe forwarding = .passRetained(ForwardingCache(forwarder, type, selector, epoch))
    unsafe old?.release()
  }

  /// Caches the implementers that a dispatcher calls for a message.
  ///
  /// - Parameter isCalling: Whether calls are running, which may use what is cached.
  mutating func keep(_ entry: Unmanaged<MethodDispatchEntry>, isCalling: Bool) {
    guard !isCalling else { return }
    let old = unsafe receiver
    unsafe receiver = .fromOpaque(entry.retain().toOpaque())
    unsafe old?.release()
  }

  /// Caches a message of another runtime.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the tables at which the class of the target was found to have no method for it.
  ///   - isCalling: Whether calls are running, which may use what is cached.
  mutating func keep(_ message: ForeignMessage, _ epoch: Int, isCalling: Bool) {
    guard !isCalling else { return }
    let old = unsafe receiver
    unsafe receiver = .passRetained(CachedForeignMessage(message, epoch))
    unsafe old?.release()
  }

  /// Whether anything is cached.
  @inline(__always)
  var isUsed: Bool { unsafe method != nil || forwarding != nil || receiver != nil }

  /// Releases what is cached.
  @inline(never)
  mutating func clear() {
    unsafe method?.release()
    unsafe method = nil
    unsafe forwarding?.release()
    unsafe forwarding = nil
    unsafe receiver?.release()
    unsafe receiver = nil
  }
}

/// What an invocation caches of a target that is no object with a method: the entry of a dispatcher, or a message of another
/// runtime.
class CachedReceiver: @unchecked Sendable {
  // Unchecked Sendable: it is immutable, and a subclass states it for its own.

  /// Whether it is a ``CachedForeignMessage``; otherwise it is a ``MethodDispatchEntry``.
  final let isForeign: Bool

  init(isForeign: Bool) { self.isForeign = isForeign }
}

/// A message of another runtime, and the epoch of the tables at which the class of the target was found to have no method
/// for it.
final class CachedForeignMessage: CachedReceiver, @unchecked Sendable {
  // Unchecked Sendable: it is immutable.

  let message: ForeignMessage
  let epoch: Int

  init(_ message: ForeignMessage, _ epoch: Int) {
    self.message = message
    self.epoch = epoch
    super.init(isForeign: true)
  }
}
