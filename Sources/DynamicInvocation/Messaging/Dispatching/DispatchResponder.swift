/// An implementer that responds, or may respond, to one method of a protocol.
@safe
struct DispatchResponder {
  /// How the implementer answers.
  enum Kind {
    /// Its class has the method.
    case method
    /// Its class has the method with other types than the protocol.
    case otherTypes
    /// It is asked at each call, being ``Invocable``.
    case asked
    /// It is a dispatcher itself.
    case dispatcher
  }

  let kind: Kind
  /// The implementer; its list's snapshot keeps the reference.
  let reference: Unmanaged<ImplementerReference>
  /// The method of the class, which the row keeps; null when it has none.
  let method: Unmanaged<Method>?
  /// The code of the method; of another kind nothing to call.
  let code: UnsafeRawPointer
  let mayThrow: Bool
  let returnsRetained: Bool
}
