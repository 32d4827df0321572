import Synchronization

extension MethodTable {
  /// The forwarder of the class's instances, or nil if they do not forward.
  ///
  /// It lives as long as the table, that is, for the life of the process.
  var forwarder: Unmanaged<Forwarder>? {
    let address = forwarderAddress.load(ordering: .acquiring)
    if address > Self.noForwarder, let known = unsafe UnsafeRawPointer(bitPattern: address) { return unsafe .fromOpaque(known) }
    return address == Self.noForwarder ? nil : unsafe findForwarder()
  }

  /// The address that represents a class that does not forward.
  private static let noForwarder: UInt = 1

  private func findForwarder() -> Unmanaged<Forwarder>? {
    let made = unsafe Forwarder.make(type).map { unsafe Unmanaged.passRetained($0) }
    let address = unsafe made.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? Self.noForwarder
    let (isFirst, _) = forwarderAddress.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if isFirst { return unsafe made }
    // Another thread has stored a forwarder meanwhile.
    unsafe made?.release()
    return unsafe forwarder
  }

  /// Asks the class to add a method.
  ///
  /// Returns whether it may have added one.
  private func resolves(_ selector: MethodSelector) throws -> Bool {
    guard let forwarder = unsafe forwarder else { return false }
    return try unsafe forwarder._withUnsafeGuaranteedRef { try $0.resolves(selector) }
  }

  /// Returns the implementation that an object has itself: that of its class, one resolved now, or the one that it
  /// returns as an ``Invocable``.
  ///
  /// - Throws: What resolving throws, and `InvocationError` `typeMismatch` and `countMismatch` if an ``Invocable``
  ///   returns a method of another class, or of another number of arguments than the selector specifies.
  static func implementation(of object: AnyObject, for selector: MethodSelector) throws -> Implementation? {
    let table = of(Swift.type(of: object))
    if let implementation = table.implementation(for: selector) { return implementation }
    if try table.resolves(selector), let implementation = table.implementation(for: selector) { return implementation }
    let answer = (object as? any Invocable)?.implementation(for: selector)
    try answer?.requireTarget(table.type, selector)
    try answer?.methodSignature?.requireArgumentCount(of: selector)
    return answer
  }

  /// Returns the implementation for a message to an object: its own, or code that forwards the message.
  ///
  /// - Throws: `InvocationError` `unrecognizedSelector` if the object has neither a method nor types for it.
  package static func implementation(answering selector: MethodSelector, of object: AnyObject) throws(InvocationError) -> Implementation {
    let table = of(Swift.type(of: object))
    do {
      if let own = try implementation(of: object, for: selector) { return own }
    } catch {
      throw error as? InvocationError
        ?? InvocationError(.unrecognizedSelector, "\(table.type) could not resolve '\(selector)': \(error)")
    }
    guard let signature = MethodSignature(of: selector, to: object) else { throw unrecognized(selector, by: object) }
    return try .forwarding(signature)
  }

  /// Returns code for a selector in any case: the method's, or code that forwards.
  ///
  /// This is for C code that stores function pointers. It calls the pointer as it would call the method. An object
  /// without the method forwards the message, as ``Implementation/forwarding(_:)`` specifies.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - methodSignature: The types of the code.
  /// - Throws: `InvocationError` `typeMismatch` if the method has other types, and what
  ///   ``Implementation/forwarding(_:)`` throws.
  public func implementation(
    for selector: MethodSelector, orForwarding methodSignature: MethodSignature
  ) throws(InvocationError) -> Implementation {
    guard let method = method(for: selector) else { return try .forwarding(methodSignature) }
    try methodSignature.require(method.methodSignature, of: type, selector)
    return method.implementation
  }
}

/// The forwarding methods of one class: its conformance to ``Forwarding``, looked up once.
///
/// It exists because casting an object to a protocol takes longer than a call.
class Forwarder: @unchecked Sendable {
  // Unchecked Sendable: it has no mutable state, and its subclass has no state at all.

  /// Whether the objects may have implementations of their own, as an ``Invocable`` does.
  final let isInvocable: Bool

  /// Creates the forwarder of a class, or returns nil if the class does not conform.
  static func make(_ type: AnyClass) -> Forwarder? {
    (type as? any Forwarding.Type).map { make(conforming: $0) }
  }

  private static func make<Object: Forwarding>(conforming type: Object.Type) -> Forwarder { ConformingForwarder<Object>() }

  fileprivate init(isInvocable: Bool) { self.isInvocable = isInvocable }

  /// Calls ``Forwarding/resolveMethod(for:)``.
  func resolves(_ selector: MethodSelector) throws -> Bool { false }

  // The objects passed to the functions below are instances of the class.

  /// Calls ``Forwarding/forwardingTarget(for:)``.
  func target(of object: AnyObject, for selector: MethodSelector) -> AnyObject? { nil }

  /// Calls ``Forwarding/methodSignature(for:)``.
  func methodSignature(of object: AnyObject, for selector: MethodSelector) -> MethodSignature? { nil }

  /// Calls ``Forwarding/forwardInvocation(_:)``.
  func forward(_ invocation: Invocation, by object: AnyObject) throws {}
}

private final class ConformingForwarder<Object: Forwarding>: Forwarder, @unchecked Sendable {
  init() { super.init(isInvocable: Object.self is any Invocable.Type) }

  override func resolves(_ selector: MethodSelector) throws -> Bool { try Object.resolveMethod(for: selector) }

  override func target(of object: AnyObject, for selector: MethodSelector) -> AnyObject? {
    unsafe unsafeDowncast(object, to: Object.self).forwardingTarget(for: selector)
  }

  override func methodSignature(of object: AnyObject, for selector: MethodSelector) -> MethodSignature? {
    unsafe unsafeDowncast(object, to: Object.self).methodSignature(for: selector)
  }

  override func forward(_ invocation: Invocation, by object: AnyObject) throws {
    try unsafe unsafeDowncast(object, to: Object.self).forwardInvocation(invocation)
  }
}
