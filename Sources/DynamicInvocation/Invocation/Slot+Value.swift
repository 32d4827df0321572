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
