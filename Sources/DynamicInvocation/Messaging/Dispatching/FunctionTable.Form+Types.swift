extension FunctionTable.Form {
  /// The types of the function for a method.
  func types(of method: MethodSignature) -> MethodTypes {
    let userData = unsafe UnsafeRawPointer.typeEncoding
    let arguments = Array(method.types.arguments.dropFirst(2))
    let all =
      switch self {
      case .message: method.types.arguments
      case .userDataFirst: [userData] + arguments
      case .userDataLast: arguments + [userData]
      case .plain: arguments
      }
    return MethodTypes(result: method.returnType, arguments: all)
  }

  /// The index among the function's arguments of the method's first one after the selector.
  var firstArgument: Int {
    switch self {
    case .message: 2
    case .userDataFirst: 1
    case .userDataLast, .plain: 0
    }
  }
}
