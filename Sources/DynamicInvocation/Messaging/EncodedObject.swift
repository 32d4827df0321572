/// A class whose instances, and optionals of them, are encoded values of the type `@`.
///
///     extension View: EncodedObject {}
///
/// Subclasses inherit the conformance. Reading an object as a class other than its own class or a superclass is an
/// error. A result that is returned to C is retained for the caller (+1).
public protocol EncodedObject: AnyObject, _NullableValue {}

extension EncodedObject {
  /// The encoding `@`.
  public static var typeEncoding: TypeEncoding { ObjectReference.encoding }
  /// The kind of an object.
  @inlinable public static var valueKind: ValueKind { .object }
  /// A frame may retain the object, which is an instance of the class.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { .reference(mayOwn: true, isCounted: true, objectClass: Self.self) }

  /// Writes the reference, and retains the object if `keeping` is true.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Unmanaged.passUnretained(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the reference.
  ///
  /// Returns nil for null and for an object of another class.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))) else { return nil }
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    if type(of: object) == Self.self { return unsafe unsafeDowncast(object, to: Self.self) }
    return object as? Self
  }
}

/// An object that wraps any Swift value: a dictionary, a closure, an array, a struct with references.
///
/// It passes a value that has no type encoding as an argument of the type `@`:
///
///     let done = SwiftValue { (count: Int) in print(count) }
///     try node.proxy.register("load") { (source: AnyObject?, done: SwiftValue<(Int) -> Void>) in done.value(3) }
///     cell.send("load", arguments: [.object(done)])
///
/// Only a parameter of exactly the same type accepts it: an object of this class is refused where another `Value` is
/// expected. `value(as:)` also converts an object that Foundation bridges to the value, such as an NSDictionary.
public final class SwiftValue<Value>: EncodedObject, CustomStringConvertible {
  /// The wrapped value.
  public let value: Value

  /// Wraps a value.
  public init(_ value: Value) { self.value = value }

  /// The Swift name of the type.
  ///
  /// The description never contains the value itself.
  public var description: String { "SwiftValue<\(Value.self)>" }
}

/// A class whose instances wrap a value of a type.
package protocol ValueWrapper: AnyObject {
  /// Wraps a value that is of the type, or converts to it; nil for any other value.
  static func wrapping(_ value: Any) -> AnyObject?
  /// The wrapped value.
  var wrapped: Any { get }
}

extension SwiftValue: ValueWrapper {
  package static func wrapping(_ value: Any) -> AnyObject? {
    DynamicConversion.convert(value, to: Value.self).map { SwiftValue($0) }
  }

  package var wrapped: Any { value }
}

extension BoxedValue {
  /// The wrapper of a class for the value that the box's object is bridged to; nil if there is none, or if the object is a wrapper.
  package func wrapped(for objectClass: AnyClass) -> AnyObject? {
    guard let wrapper = objectClass as? any ValueWrapper.Type, case .object(let object) = self, !(object is any ValueWrapper) else {
      return nil
    }
    return wrapper.wrapping(object)
  }
}
