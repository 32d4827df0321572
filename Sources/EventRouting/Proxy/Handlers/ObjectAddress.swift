/// The address of an object that somebody else keeps alive, or null: handed on without counting a reference.
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

  /// Lends the object as its class; there is one.
  @inlinable @inline(__always)
  func withObject<Target: AnyObject, Result>(_ run: (Target) throws -> Result) rethrows -> Result {
    try unsafe Unmanaged<Target>.fromOpaque(address.unsafelyUnwrapped)._withUnsafeGuaranteedRef { try run($0) }
  }

  /// Lends the object as its class, or nil.
  @inlinable @inline(__always)
  func withOptional<Object: AnyObject, Result>(_ run: (Object?) throws -> Result) rethrows -> Result {
    guard let address = unsafe address else { return try run(nil) }
    return try unsafe Unmanaged<Object>.fromOpaque(address)._withUnsafeGuaranteedRef { try run($0) }
  }
}
