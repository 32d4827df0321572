/// What an implementation made from a Swift closure keeps alive, and the class of the targets that it takes.
final class MethodClosure: MethodOwner, @unchecked Sendable {
  let closure: Closure

  init(_ closure: Closure, targetType: AnyClass) {
    self.closure = closure
    super.init(targetType: targetType)
  }
}

extension Implementation {
  /// Creates an implementation from what runs with the frame of each call.
  ///
  /// - Parameters:
  ///   - targetType: The class of the target.
  ///   - parameters: The types of the parameters after the selector.
  ///   - returnType: The type of the result, or nil for none.
  ///   - mayThrow: Whether a call may end with an error: of the Swift closure, or because a parameter has no value for an argument.
  ///   - run: What runs; what it captures must be Sendable.
  @usableFromInline
  init(
    _ targetType: AnyClass, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?, mayThrow: Bool,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    let all: [any EncodedValue.Type] = unsafe [Unmanaged<AnyObject>.self, Selector?.self] + parameters
    let types = MethodTypes(result: returnType?.typeEncoding ?? TypeEncoding(.void), arguments: all.map { $0.typeEncoding })
    let closure = try Closure(MethodSignature(types), all, returning: returnType, run)
    unsafe self.init(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: mayThrow,
      isMethod: true, keeping: MethodClosure(closure, targetType: targetType))
  }
}
