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
