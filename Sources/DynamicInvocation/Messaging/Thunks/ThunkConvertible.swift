/// A value that is no pointer and no object, and is converted from and to the form that a thunk has of it.
///
/// Numbers, `Bool` and the geometry are their own forms. A struct written in Swift takes one from C:
///
///     extension Interval: ThunkConvertible {   // struct Interval { var start, length: UInt }
///       typealias CRepresentation = IndexRange
///       init(cRepresentation range: IndexRange) { self.init(start: range.location, length: range.length) }
///       var cRepresentation: IndexRange { IndexRange(location: start, length: length) }
///     }
///
/// The form may be any struct imported from C, and is passed as the encoding of the type says: the same members at the same places. A form that
/// is an ``EncodedValue`` of another encoding, or of another size, is refused when the class's methods are first looked at.
public protocol ThunkConvertible: ThunkValue {
  /// Creates the value from what the thunk was given.
  init(cRepresentation: CRepresentation)

  /// What the thunk returns.
  var cRepresentation: CRepresentation { get }
}

extension ThunkConvertible where CRepresentation == Self {
  /// Copies the value.
  @inlinable @inline(__always)
  public init(cRepresentation: Self) { self = cRepresentation }

  /// The value itself.
  @inlinable @inline(__always)
  public var cRepresentation: Self { self }
}

extension ThunkConvertible {
  /// The name of the form.
  static var formName: String { "\(CRepresentation.self)" }

  /// Whether the form is passed as a type encoding of a kind says.
  static func isForm(of kind: ValueKind) -> Bool {
    if let form = CRepresentation.self as? any EncodedValue.Type { return form.accepts(kind) }
    // A struct imported from C, whose members nothing tells of.
    return MemoryLayout<CRepresentation>.stride == MemoryLayout<Self>.stride
      && MemoryLayout<CRepresentation>.alignment == MemoryLayout<Self>.alignment
  }
}

/// A Swift type whose values a thunk can take and return: it has a form that functions of C's calling convention have.
///
/// A thunk is a Swift function of the type `@convention(c)`, made when the program is compiled, such as the macro of the module InvocationMacros
/// makes for each method. The compiler knows how C passes numbers, `Bool` and structs that are imported from C; it does not for a struct
/// written in Swift. One that has a twin in C can be made a ``ThunkConvertible``.
public protocol ThunkValue: EncodedValue {
  /// The type of a parameter or a result of the thunk: passed by C just as the type's encoding says.
  associatedtype CRepresentation
}

extension Optional: ThunkValue where Wrapped: NullableValue {
  /// The word that holds the value, zero for nil.
  public typealias CRepresentation = UInt
}
