/// A call that an undo stack stores: of a selector, or of a Swift function.
public protocol _UndoableCall: AnyObject {
  /// Returns the target, if it is an object, and a closure that performs a copy of the call, which retains its arguments and
  /// not the target.
  func _detached() -> (target: AnyObject?, perform: (AnyObject?) throws -> Void)
}

extension Invocation: _UndoableCall {
  /// The target of a message to an object, and a closure that sends a copy of the message.
  public func _detached() -> (target: AnyObject?, perform: (AnyObject?) throws -> Void) {
    let message = copy()
    guard let target = objectTarget else {
      message.retainArguments()
      return (nil, { _ in try message.invoke() })
    }
    message.target = nil
    message.retainArguments()
    return (
      target,
      { target in
        defer { message.target = nil }
        try message.invoke(with: target)
      }
    )
  }

  /// The target of a message to an object.
  private var objectTarget: AnyObject? {
    guard methodSignature.isMethod, case .object = methodSignature.types.arguments[0].kind else { return nil }
    return target
  }
}
