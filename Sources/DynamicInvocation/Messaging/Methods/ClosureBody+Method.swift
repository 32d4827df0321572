/// The call of a Swift closure as a method.
extension ClosureBody {
  /// Runs a method with its target.
  ///
  /// - Parameter mayThrow: Whether an error may come, and the caller offers a place for it.
  @inlinable @inline(__always)
  func runMethod<Target: AnyObject>(
    _ frame: IncomingFrame, _ mayThrow: Bool, _ body: (Target) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    do {
      guard let target = unsafe Unmanaged<Target>.load(from: slots[0], of: UnsafeRawPointer(frame.memory)) else { refuseNull(0) }
      // Whoever sends the message keeps the target.
      try unsafe target._withUnsafeGuaranteedRef { try body($0) }
    } catch {
      fail(error, place, frame)
    }
  }

  /// Reads an argument, whose kind was checked.
  ///
  /// - Throws: ``InvocationError`` `nullNotAllowed`, and `typeMismatch` for an object of another class.
  @inlinable @inline(__always)
  func methodArgument<Value: EncodedValue>(_ index: Int, of frame: IncomingFrame) throws(InvocationError) -> Value {
    guard let value = unsafe Value.load(from: slots[index], of: UnsafeRawPointer(frame.memory)) else {
      throw unreadable(index, of: frame)
    }
    return value
  }

  @usableFromInline
  func unreadable(_ index: Int, of frame: IncomingFrame) -> InvocationError {
    unsafe slots[index].unreadable(in: frame.memory, .index(index))
  }

  /// Makes the result zero, and hands the error to the invocation.
  @usableFromInline
  func fail(_ error: any Error, _ place: ErrorPlace, _ frame: IncomingFrame) {
    unsafe result.clear(in: frame.memory)
    if !place.give(error) {
      fatalError("a method of the types '\(methodSignature)' was called as a C function and threw an error: \(error)")
    }
  }
}
