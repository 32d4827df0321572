/// What an implementation made from a Swift closure keeps alive, and the class of the targets that it takes.
final class MethodClosure: MethodOwner, @unchecked Sendable {
  let closure: Closure

  init(_ closure: Closure, targetType: AnyClass) {
    self.closure = closure
    super.init(targetType: targetType)
  }
}

extension Implementation {
  /// The class of the targets that it takes, where it is known: it was made from a Swift closure.
  package var targetType: AnyClass? { (owner as? MethodOwner)?.targetType }

  /// Creates an implementation from what runs with the frame of each call.
  ///
  /// - Parameters:
  ///   - targetType: The class of the target.
  ///   - parameters: The types of the parameters after the selector.
  ///   - returnType: The type of the result, or nil for none.
  ///   - isThrowing: Whether the Swift closure throws.
  ///   - makeRun: Given whether a call may end with an error, returns what runs; what that captures must be Sendable.
  @usableFromInline
  init(
    _ targetType: AnyClass, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?, isThrowing: Bool,
    _ makeRun: (_ mayThrow: Bool) -> ClosureBody.Run
  ) throws(InvocationError) {
    // A null where the parameter is no optional, or an object of another class, is an error of the call.
    let mayThrow = isThrowing || parameters.contains { $0.isCounted || $0 is any NullableValue.Type }
    let all: [any EncodedValue.Type] = unsafe [Unmanaged<AnyObject>.self, Selector.self] + parameters
    let types = MethodTypes(result: returnType?.typeEncoding ?? TypeEncoding(.void), arguments: all.map { $0.typeEncoding })
    let closure = try Closure(MethodSignature(types), all, returning: returnType, makeRun(mayThrow))
    unsafe self.init(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: mayThrow,
      keeping: MethodClosure(closure, targetType: targetType))
  }
}
