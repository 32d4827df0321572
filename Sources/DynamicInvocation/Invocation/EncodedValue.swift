/// A Swift type whose values are passed to and from C as a type encoding says.
///
/// The arithmetic types, pointers, strings, selectors and the geometry structs are encoded values. A struct of yours becomes one by declaring its
/// encoding, and by being bitwise copyable (write that conformance out when the struct is public):
///
///     struct Pair: EncodedValue {
///       var tag: Int32
///       var weight: Double
///       static let typeEncoding: TypeEncoding = "{Pair=id}"
///     }
///
/// Size and alignment of the declared encoding are compared with Swift's own; where they differ, every use throws. Swift may lay out a struct
/// inside a struct more tightly than C does: declare such members as types imported from C.
///
/// Bytes must be values, too. An encoding with objects, classes, selectors, blocks or C strings in it is refused, for references are never made of
/// bytes; so is a member that is an enum, or a `Bool` where the encoding has no `B`. An enum whose raw type is an encoded value is passed as
/// its raw value, and needs no more than the conformance; a raw value that is no case is an error.
///
/// A conformance that implements more than ``typeEncoding`` is a promise that nothing checks, that it reads and writes what the encoding says:
/// declare it `@unsafe`, as those of the pointers are.
///
/// A conformance is bound to no actor: values are stored and loaded on whatever thread a call is made.
public protocol EncodedValue: BoxConvertible, CallArgument {
  /// The type that the values have in C.
  static var typeEncoding: TypeEncoding { get }

  /// The number compared with that of an argument's type. The default is that of ``typeEncoding``, checked against Swift's layout.
  static var valueKind: ValueKind { get }

  /// Returns whether an argument of a kind can be written from, and read as, this type. The default compares with ``valueKind``.
  static func accepts(_ kind: ValueKind) -> Bool

  /// The type that the values of a typed pointer point to, compared with what an argument points to; nil, the default, for anything else.
  @_documentation(visibility: internal)
  static var pointeeType: Any.Type? { get }

  /// Whether a slot that this type is written to may own memory or an object. The default is false.
  @_documentation(visibility: internal)
  static var mayOwn: Bool { get }

  /// Whether values are references that Swift counts, so that C gets a result retained (+1). The default is false.
  @_documentation(visibility: internal)
  static var isCounted: Bool { get }

  /// The class of the objects that the values are references to; nil, the default, for anything else.
  ///
  /// A reference lies in its slot as it does in any other memory: a closure is lent it from there.
  @_documentation(visibility: internal)
  static var objectClass: AnyClass? { get }

  /// Whether an argument may have no value of the type, being a null or an object of another class. The default is false.
  ///
  /// A closure traps that is called with an argument which ``load(from:of:)`` refuses though this is false.
  @_documentation(visibility: internal)
  static var mayBeRefused: Bool { get }

  /// Returns whether what a slot holds is at first sight a value of this type, of which `mayBeRefused` is true. The default is false.
  ///
  /// - Parameters:
  ///   - word: The first word of the slot.
  ///   - objectClass: The address of the type's `objectClass`, or 0.
  /// - Returns: Whether a closure can do without a closer look: at an object, when it is an instance of exactly that class.
  @_documentation(visibility: internal)
  static func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool

  /// Writes the value to a slot of a frame. The default copies its bytes.
  ///
  /// - Parameters:
  ///   - slot: The slot, of a kind that the type accepts.
  ///   - frame: The frame.
  ///   - keeping: Whether the frame outlives the caller's hold on what the value points to.
  /// - Returns: Whether the frame now owns what the slot points to, and must release it.
  func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool

  /// Reads a value from a slot of a frame, or returns nil when the slot holds a null that the type cannot express. The default copies the bytes.
  static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Self?
}

extension EncodedValue {
  /// The kind of the declared encoding, or ``ValueKind/unknown`` when Swift lays the type out otherwise, or not all of its bytes are values.
  @inlinable
  public static var valueKind: ValueKind { typeEncoding.valueKind(of: Self.self) }

  /// Returns whether the kind is that of the declared encoding.
  @inlinable
  public static func accepts(_ kind: ValueKind) -> Bool { kind == valueKind && kind != .unknown }

  /// None: the values are no typed pointers.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { nil }

  /// False: the bytes are all there is.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { false }

  /// False: Swift counts nothing.
  @inlinable @_documentation(visibility: internal)
  public static var isCounted: Bool { false }

  /// False: all bytes are a value.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { false }

  /// None: the values are no references to objects.
  @inlinable @_documentation(visibility: internal)
  public static var objectClass: AnyClass? { nil }

  /// False: ``EncodedValue/load(from:of:)`` decides.
  @inlinable @_documentation(visibility: internal)
  public static func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool { false }
}

extension EncodedValue where Self: BitwiseCopyable {
  /// Copies the bytes to the slot; nothing is owned.
  @inlinable
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(value: self, to: frame)
    return false
  }

  /// Copies the bytes from the slot.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Self? {
    unsafe slot.withValue(in: frame) { unsafe $0.loadUnaligned(as: Self.self) }
  }
}

/// An encoded value whose C type has a null, which its optional expresses: a pointer or an object, one machine word.
public protocol NullableValue: ThunkValue where CRepresentation == UInt {}

extension NullableValue {
  /// True: the argument may be null, or an object of another class.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { true }

  /// Returns whether the word is not null.
  @inlinable @inline(__always)
  @_documentation(visibility: internal)
  public static func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool { word != 0 }
}

extension Optional: CallArgument where Wrapped: NullableValue {}

extension Optional: EncodedValue where Wrapped: NullableValue {
  /// The encoding of the wrapped type.
  public static var typeEncoding: TypeEncoding { Wrapped.typeEncoding }
  /// The kind of the wrapped type.
  @inlinable public static var valueKind: ValueKind { Wrapped.valueKind }
  /// What values of the wrapped type point to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Wrapped.pointeeType }
  /// Whether the wrapped type may own memory.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { Wrapped.mayOwn }

  /// Whether the wrapped type is a counted reference.
  @inlinable @_documentation(visibility: internal)
  public static var isCounted: Bool { Wrapped.isCounted }

  /// Whether the argument may be an object of another class.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { Wrapped.isCounted }

  /// The class of the wrapped type.
  @inlinable @_documentation(visibility: internal)
  public static var objectClass: AnyClass? { Wrapped.objectClass }

  /// Returns whether the word is null, or at first sight a value of the wrapped type.
  @inlinable @inline(__always)
  @_documentation(visibility: internal)
  public static func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool { word == 0 || Wrapped.isValue(word, of: objectClass) }
}

/// The value of a slot as one of Swift, and the error where there is none.
extension Slot {
  /// Returns the value that a result's slot holds; its kind was checked.
  @inlinable @inline(__always)
  func value<Value: EncodedValue>(as type: Value.Type, of frame: UnsafeRawPointer) -> Result<Value, InvocationError> {
    guard let value = unsafe Value.load(from: self, of: frame) else { return .failure(unsafe unreadable(in: frame, .result)) }
    return .success(value)
  }

  /// The error of a value that has no Swift value of a type: a null, an object of another class, a number that is no case of an enum.
  @usableFromInline
  func unreadable(in frame: UnsafeRawPointer, _ place: InvocationError.Argument) -> InvocationError {
    if kind == .object, let object = unsafe ObjectReference.object(in: self, of: frame) {
      return InvocationError(
        .typeMismatch, "an object of the class \(Swift.type(of: object)) is none of the class asked for", argument: place)
    }
    guard kind.isAddress || kind == .object else {
      return InvocationError(.typeMismatch, "its bytes are no value of the type asked for", argument: place)
    }
    return InvocationError(.nullNotAllowed, "it is null; ask for an optional", argument: place)
  }
}
