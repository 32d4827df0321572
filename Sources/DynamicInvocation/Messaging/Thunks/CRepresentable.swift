/// A value that is not a pointer and not an object, and is converted from and to its C representation in a thunk.
///
/// Numbers, `Bool` and the geometry types are their own representations. A struct written in Swift uses one that is
/// imported from C:
///
///     extension Interval: _CRepresentable {   // struct Interval { var start, length: UInt }
///       typealias CRepresentation = Geometry.IndexRange
///       init(cRepresentation range: Geometry.IndexRange) { self.init(start: range.location, length: range.length) }
///       var cRepresentation: Geometry.IndexRange { Geometry.IndexRange(location: start, length: length) }
///     }
///
/// The representation may be any struct imported from C. It is passed as the encoding of the type specifies, so it must
/// have the same members at the same offsets. A representation that is an ``EncodedValue`` of another encoding, or of
/// another size, is refused when the class's methods are first read.
public protocol _CRepresentable: _ThunkValue {
  /// The type of a parameter or a result of the thunk; the type itself if it does not say another.
  associatedtype CRepresentation = Self

  /// Creates the value from the C representation that was passed to the thunk.
  init(cRepresentation: CRepresentation)

  /// The C representation, which the thunk returns.
  var cRepresentation: CRepresentation { get }
}

extension _CRepresentable where CRepresentation == Self {
  /// Copies the value.
  @inlinable @inline(__always)
  public init(cRepresentation: Self) { self = cRepresentation }

  /// The value itself.
  @inlinable @inline(__always)
  public var cRepresentation: Self { self }
}

extension _CRepresentable {
  /// The name of the C representation.
  static var formName: String { "\(CRepresentation.self)" }

  /// Returns whether the C representation is passed as a type encoding of a kind specifies.
  static func isForm(of kind: ValueKind) -> Bool {
    if let form = CRepresentation.self as? any EncodedValue.Type { return form.accepts(kind) }
    // A struct imported from C: its members are not known here.
    return MemoryLayout<CRepresentation>.stride == MemoryLayout<Self>.stride
      && MemoryLayout<CRepresentation>.alignment == MemoryLayout<Self>.alignment
  }
}

/// A Swift type whose values a thunk can take and return, because it has a representation in the C calling convention.
///
/// A thunk is a Swift function of the type `@convention(c)`, created at compile time, such as the one that the macro of
/// the module InvocationMacros generates for each method. The compiler knows how C passes numbers, `Bool` and structs
/// that are imported from C, but not how it passes a struct written in Swift. A struct with an equivalent in C can
/// conform to ``_CRepresentable``.
public protocol _ThunkValue: EncodedValue {
  /// The type of a parameter or a result of the thunk. C passes it exactly as the type's encoding specifies.
  associatedtype CRepresentation
}

extension Optional: _ThunkValue where Wrapped: _NullableValue {
  /// The word that holds the value, zero for nil.
  public typealias CRepresentation = UInt
}
