internal import DynamicInvocation

/// Which objects a handler accepts as the source of an event.
@usableFromInline
struct SourceRule {
  /// The class; nil for any object.
  @usableFromInline let type: ObjectIdentifier?
  /// Whether the handler does not accept null.
  @usableFromInline let isRequired: Bool

  /// Any object, or null.
  static var any: SourceRule { SourceRule(AnyObject.self, isRequired: false) }

  /// Creates the rule for the class of a first parameter.
  @inlinable
  init<Source: AnyObject>(_ source: Source.Type, isRequired: Bool) {
    type = source == AnyObject.self ? nil : ObjectIdentifier(source)
    self.isRequired = isRequired
  }

  /// Whether an object may be passed to the handler.
  @inlinable @inline(__always)
  func accepts(_ source: AnyObject?) -> Bool {
    guard let source else { return !isRequired }
    guard let type else { return true }
    return ObjectIdentifier(Swift.type(of: source)) == type || isSubclass(Swift.type(of: source))
  }

  @usableFromInline
  func isSubclass(_ subclass: AnyClass) -> Bool {
    var ancestor: AnyClass? = _getSuperclass(subclass)
    while let next = ancestor {
      if ObjectIdentifier(next) == type { return true }
      ancestor = _getSuperclass(next)
    }
    return false
  }

  /// The source that was accepted, as its class, or nil; not retained again, as a cast would.
  @inlinable @inline(__always)
  static func optional<Source: AnyObject>(_ source: AnyObject?, as type: Source.Type) -> Source? {
    unsafe unsafeBitCast(source, to: Source?.self)
  }

  /// The source that was accepted, as its class; it must not be nil.
  @inlinable @inline(__always)
  static func required<Source: AnyObject>(_ source: AnyObject?, as type: Source.Type) -> Source {
    unsafe unsafeBitCast(source, to: Source.self)
  }

  /// The error for an object that the handler does not accept.
  func failure(_ source: AnyObject?) -> InvocationError {
    guard let source else { return InvocationError(.nullNotAllowed, "the event has no source", argument: .index(0), encoding: "@") }
    let wanted = type.map { "\(unsafe unsafeBitCast($0, to: AnyClass.self))" } ?? "an object"
    return InvocationError(
      .typeMismatch, "the source is of the class \(Swift.type(of: source)), not \(wanted)", argument: .index(0), encoding: "@")
  }
}

/// The address of an object that its owner keeps alive, or null; passed without reference counting.
@usableFromInline
@safe
struct ObjectAddress {
  @usableFromInline let address: UnsafeRawPointer?

  /// No object.
  static var none: ObjectAddress { ObjectAddress(nil) }

  @inlinable @inline(__always)
  init(_ object: AnyObject?) { unsafe address = object.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }

  /// The object.
  var object: AnyObject? { unsafe address.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() } }

  /// The object as its class; the address must not be null.
  @inlinable @inline(__always)
  func object<Target: AnyObject>(as type: Target.Type) -> Target {
    unsafe Unmanaged<Target>.fromOpaque(address.unsafelyUnwrapped).takeUnretainedValue()
  }

  /// Borrows the object as its class; the address must not be null.
  @inlinable @inline(__always)
  func withObject<Target: AnyObject, Result>(_ run: (Target) throws -> Result) rethrows -> Result {
    try unsafe Unmanaged<Target>.fromOpaque(address.unsafelyUnwrapped)._withUnsafeGuaranteedRef { try run($0) }
  }

  /// Borrows the object as its class, or nil.
  @inlinable @inline(__always)
  func withOptional<Object: AnyObject, Result>(_ run: (Object?) throws -> Result) rethrows -> Result {
    guard let address = unsafe address else { return try run(nil) }
    return try unsafe Unmanaged<Object>.fromOpaque(address)._withUnsafeGuaranteedRef { try run($0) }
  }
}
