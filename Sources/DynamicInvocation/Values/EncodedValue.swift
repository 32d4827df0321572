public import Synchronization

/// A Swift type whose values are passed to and from C as its type encoding specifies.
///
/// The arithmetic types, pointers, strings, selectors and the geometry structs are encoded values. To make your own
/// struct an encoded value, declare its encoding and make it bitwise copyable (state that conformance explicitly when
/// the struct is public):
///
///     struct Pair: EncodedValue {
///       var tag: Int32
///       var weight: Double
///       static let typeEncoding: TypeEncoding = "{Pair=id}"
///     }
///
/// The declared encoding and the Swift type must have the same size and alignment; if they differ, every use
/// throws. Swift may lay out a struct inside a struct more tightly than C does: declare such members as types imported
/// from C.
///
/// All bytes of the struct must be plain values. An encoding that contains objects, classes, selectors, blocks or C
/// strings is rejected, because references are never created from bytes. A member that is an enum is also rejected, as
/// is a `Bool` where the encoding has no `B`. An enum whose raw type is an encoded value is passed as its raw value and
/// needs only the conformance; a raw value without a case is an error.
///
/// A conformance that implements more than ``typeEncoding`` must read and write what the encoding specifies, which is
/// not checked. Declare such a conformance `@unsafe`, as the pointers' conformances are.
///
/// A conformance is not isolated to an actor: values are stored and loaded on the thread that makes the call.
public protocol EncodedValue: _BoxConvertible, _CallArgument, CallResult {
  /// The C type of the values.
  static var typeEncoding: TypeEncoding { get }

  /// The kind that is compared with the kind of an argument's type.
  ///
  /// The default is the kind of ``typeEncoding``, checked against Swift's layout.
  static var valueKind: ValueKind { get }

  /// Returns whether an argument of a kind can be written from, and read as, this type.
  ///
  /// The default compares the kind with ``valueKind``.
  static func accepts(_ kind: ValueKind) -> Bool

  /// What a call has to know of the type besides its kind.
  ///
  /// The default is a type whose values are only their bytes.
  @_documentation(visibility: internal)
  static var valueTraits: _ValueTraits { get }

  /// Writes the value to a slot of a frame.
  ///
  /// The default copies the bytes of the value.
  ///
  /// - Parameters:
  ///   - slot: The slot, of a kind that the type accepts.
  ///   - frame: The frame.
  ///   - keeping: Whether the frame must retain or copy what the value points to, since it outlives the caller's
  ///     reference.
  /// - Returns: Whether the frame now owns what the slot points to, and must release it.
  func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool

  /// Reads a value from a slot of a frame, or returns nil when the slot holds a null that the type cannot represent.
  ///
  /// The default copies the bytes.
  static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self?
}

/// What a call has to know of the type of a value besides its kind.
///
/// All of it is constant for a type, so that specialized code has no trace of it.
@_documentation(visibility: internal)
@frozen
public struct _ValueTraits {
  /// Whether the type is looked up by its encoding, so that a call notes the type that matched an argument.
  ///
  /// False for numbers, pointers and objects, whose kinds are constants.
  @usableFromInline package let isLookedUp: Bool
  /// Whether the type is a pointer or an object, or an optional of one: a word with a null.
  @usableFromInline package let hasNull: Bool
  /// Whether null is a value of the type.
  @usableFromInline package var takesNull = false
  /// Whether a slot that a value is written to may own memory or an object.
  @usableFromInline package let mayOwn: Bool
  /// Whether values are references that Swift counts, so that C receives a result retained (+1).
  @usableFromInline package let isCounted: Bool
  /// Whether ``EncodedValue/load(from:of:)`` can fail for an argument: it may be null or an object of another class.
  ///
  /// A closure traps if it fails for one of its arguments although this is false.
  @usableFromInline package var mayBeRefused: Bool
  /// The type that a typed pointer points to, compared with the pointee type of an argument.
  @usableFromInline package let pointeeType: Any.Type?
  /// The class of the objects that the values refer to.
  ///
  /// A slot stores a reference as any other memory does, so a closure borrows the reference from the slot.
  @usableFromInline package let objectClass: AnyClass?

  @inlinable @inline(__always)
  package init(
    isLookedUp: Bool = true, hasNull: Bool = false, mayOwn: Bool = false, isCounted: Bool = false, mayBeRefused: Bool = false,
    pointeeType: Any.Type? = nil, objectClass: AnyClass? = nil
  ) {
    (self.isLookedUp, self.hasNull, self.mayOwn) = (isLookedUp, hasNull, mayOwn)
    (self.isCounted, self.mayBeRefused) = (isCounted, mayBeRefused)
    (self.pointeeType, self.objectClass) = (pointeeType, objectClass)
  }

  /// Returns the traits of a pointer or an object; null is not a value of the type.
  @inlinable @inline(__always)
  package static func reference(
    mayOwn: Bool, isCounted: Bool = false, pointeeType: Any.Type? = nil, objectClass: AnyClass? = nil
  ) -> _ValueTraits {
    _ValueTraits(
      isLookedUp: false, hasNull: true, mayOwn: mayOwn, isCounted: isCounted, mayBeRefused: true, pointeeType: pointeeType,
      objectClass: objectClass)
  }

  /// Returns whether a fast check finds a value in a slot, for types whose `mayBeRefused` is true.
  ///
  /// - Parameters:
  ///   - word: The first word of the slot.
  ///   - objectClass: The address of the type's `objectClass`, or 0.
  /// - Returns: Whether a closure needs no further check. For an object, whether it is an instance of exactly that
  ///   class.
  @inlinable @inline(__always)
  func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool {
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return takesNull }
    guard self.objectClass != nil else { return hasNull }
    return unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef {
      unsafe UInt64(UInt(bitPattern: unsafeBitCast(type(of: $0), to: UnsafeRawPointer.self))) == objectClass
    }
  }
}

extension EncodedValue {
  /// The kind of the declared encoding, or `ValueKind.unknown` if Swift lays the type out differently or if not all
  /// of its bytes are plain values.
  @inlinable
  public static var valueKind: ValueKind { typeEncoding.valueKind(of: Self.self) }

  /// Returns whether the declared encoding has the kind.
  @inlinable
  public static func accepts(_ kind: ValueKind) -> Bool { kind == valueKind && kind != .unknown }

  /// The traits of a type whose values are only their bytes, where all bytes are valid.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { _ValueTraits() }
}

extension EncodedValue where Self: BitwiseCopyable {
  /// Copies the bytes to the slot; the frame owns nothing.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(value: self, to: frame)
    return false
  }

  /// Copies the bytes from the slot.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    unsafe slot.withValue(in: frame) { unsafe $0.loadUnaligned(as: Self.self) }
  }
}

/// An encoded value whose C type has a null, represented as nil in the optional: a pointer or an object, one machine
/// word.
public protocol _NullableValue: _ThunkValue where CRepresentation == UInt {}

extension _NullableValue {
  /// The traits of a pointer that owns nothing.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { .reference(mayOwn: false) }
}

extension Optional: _CallArgument where Wrapped: _NullableValue {}

extension Optional: CallResult where Wrapped: _NullableValue {}

extension Optional: EncodedValue where Wrapped: _NullableValue {
  /// The encoding of the wrapped type.
  public static var typeEncoding: TypeEncoding { Wrapped.typeEncoding }
  /// The kind of the wrapped type.
  @inlinable public static var valueKind: ValueKind { Wrapped.valueKind }
  /// The traits of the wrapped type, with null as a value: only an object of another class is refused.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits {
    var traits = Wrapped.valueTraits
    traits.takesNull = true
    traits.mayBeRefused = traits.isCounted
    return traits
  }
}

/// Reads the value of a slot as a Swift value, with an error if that is not possible.
extension FrameSlot {
  /// Returns the value of a result's slot, whose kind the caller has checked.
  @inlinable @inline(__always)
  func value<Value: EncodedValue>(as type: Value.Type, of frame: UnsafeRawPointer) -> Result<Value, InvocationError> {
    guard let value = unsafe Value.load(from: self, of: frame) else { return .failure(unsafe unreadable(in: frame, .result, as: type)) }
    return .success(value)
  }

  /// The error for a slot that has no value of the Swift type: a null, an object of another class, a number without an
  /// enum case.
  ///
  /// - Parameter type: The type, or its class; nil if it is not known.
  @usableFromInline
  package func unreadable(in frame: UnsafeRawPointer, _ place: InvocationError.Argument, as type: Any.Type?) -> InvocationError {
    let wanted = type.map { "\(($0 as? any EncodedValue.Type)?.valueTraits.objectClass ?? $0)" }
    if kind == .object, let object = unsafe ObjectReference.object(in: self, of: frame) {
      return InvocationError(
        .typeMismatch, "an object of the class \(Swift.type(of: object)) is no \(wanted ?? "object of the class asked for")",
        argument: place)
    }
    guard kind.hasNull, unsafe word(of: frame) == 0 else {
      return InvocationError(.typeMismatch, "its bytes are no \(wanted ?? "value of the type asked for")", argument: place)
    }
    return InvocationError(.nullNotAllowed, "it is null; ask for an optional", argument: place)
  }
}

// MARK: - Matching

extension EncodedValue {
  /// Returns whether an argument, or the result if the index is the number of arguments, is of the type.
  ///
  /// - Parameters:
  ///   - slots: The slots of a plan.
  ///   - index: The index, which must be in range.
  ///   - pointsRight: Whether the pointee type matches, for a type that has one.
  @inlinable @inline(__always)
  static func matches(_ slots: UnsafePointer<FrameSlot>, at index: Int, _ pointsRight: @autoclosure () -> Bool) -> Bool {
    let traits = valueTraits
    if traits.isLookedUp, traits.pointeeType == nil {
      // Most calls pass the type that the calls before have passed.
      let address = unsafe UInt(bitPattern: unsafeBitCast(Self.self as Any.Type, to: UnsafeRawPointer.self))
      return unsafe slots.knownType(at: index).pointee.load(ordering: .relaxed) == address || isFound(in: slots, at: index, address)
    }
    return accepts(unsafe slots[index].kind) && (traits.pointeeType == nil || pointsRight())
  }

  /// Looks the type up, and notes it for the calls to come if it is the first that matches.
  @inlinable @inline(never)
  static func isFound(in slots: UnsafePointer<FrameSlot>, at index: Int, _ address: UInt) -> Bool {
    guard accepts(unsafe slots[index].kind) else { return false }
    // Only the first type: two types that take turns would write all the time.
    _ = unsafe slots.knownType(at: index).pointee.compareExchange(expected: 0, desired: address, ordering: .relaxed)
    return true
  }
}

// MARK: - Objects

extension Unmanaged: @unsafe _NullableValue {
  /// `@`.
  public static var typeEncoding: TypeEncoding { ObjectReference.encoding }
  /// The kind of an object.
  @inlinable public static var valueKind: ValueKind { .object }
  /// The frame may retain the object, which is otherwise passed unchanged, whatever its class is.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { .reference(mayOwn: true) }

  /// Writes the reference, and retains the object if `keeping` is true.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: toOpaque())), to: frame)
    if keeping { _ = unsafe retain() }
    return keeping
  }

  /// Reads the reference without retaining the object; nil for null.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Unmanaged<Instance>? {
    unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))).map { unsafe Unmanaged<Instance>.fromOpaque($0) }
  }
}

extension ObjectReference {
  /// A static stored property cannot be in a generic type.
  @usableFromInline static let encoding: TypeEncoding = TypeEncoding(.object(annotation: nil))
}

/// Writes and reads references to classes in frames.
enum ClassReference {
  /// The word that refers to a class.
  static func word(_ type: AnyClass) -> UInt64 {
    UInt64(UInt(bitPattern: unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)))
  }

  /// The class that a word refers to, or nil for null.
  static func type(_ word: UInt64) -> AnyClass? {
    unsafe UnsafeRawPointer(bitPattern: UInt(word)).map { unsafe unsafeBitCast($0, to: AnyClass.self) }
  }
}
