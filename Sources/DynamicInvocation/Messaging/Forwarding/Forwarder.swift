/// How the instances of one class forward: a conformance to ``Forwarding`` that was looked up once.
///
/// A cast of an object to a protocol takes longer than a call.
class Forwarder: @unchecked Sendable {
  // Sendable by hand: it has no state that changes, and its subclass none at all.

  /// Whether the objects may answer messages by themselves, as an ``Invocable`` does.
  final let isInvocable: Bool

  /// Makes the forwarder of a class, or returns nil when the class does not conform.
  static func make(_ type: AnyClass) -> Forwarder? {
    (type as? any Forwarding.Type).map { make(conforming: $0) }
  }

  private static func make<Object: Forwarding>(conforming type: Object.Type) -> Forwarder { ConformingForwarder<Object>() }

  fileprivate init(isInvocable: Bool) { self.isInvocable = isInvocable }

  /// As ``Forwarding/resolveMethod(for:)``.
  func resolves(_ selector: Selector) throws -> Bool { false }

  // The objects below are instances of the class.

  /// As ``Forwarding/forwardingTarget(for:)``.
  func target(of object: AnyObject, for selector: Selector) -> AnyObject? { nil }

  /// As ``Forwarding/methodSignature(for:)``.
  func methodSignature(of object: AnyObject, for selector: Selector) -> MethodSignature? { nil }

  /// As ``Forwarding/forwardInvocation(_:)``.
  func forward(_ invocation: Invocation, by object: AnyObject) throws {}
}

private final class ConformingForwarder<Object: Forwarding>: Forwarder, @unchecked Sendable {
  init() { super.init(isInvocable: Object.self is any Invocable.Type) }

  override func resolves(_ selector: Selector) throws -> Bool { try Object.resolveMethod(for: selector) }

  override func target(of object: AnyObject, for selector: Selector) -> AnyObject? {
    unsafe unsafeDowncast(object, to: Object.self).forwardingTarget(for: selector)
  }

  override func methodSignature(of object: AnyObject, for selector: Selector) -> MethodSignature? {
    unsafe unsafeDowncast(object, to: Object.self).methodSignature(for: selector)
  }

  override func forward(_ invocation: Invocation, by object: AnyObject) throws {
    try unsafe unsafeDowncast(object, to: Object.self).forwardInvocation(invocation)
  }
}
