public import DynamicInvocation

/// What the tests of calls share.
public enum InvocationFixtures {
  /// The code of the ``InvocationError`` that a closure throws; nil if it throws none, or another error.
  ///
  /// To compare it, ``expectError(_:_:fileID:filePath:line:_:)`` is shorter.
  public static func code(_ body: () throws -> Void) -> InvocationError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? InvocationError)?.code
    }
  }

  /// The text of the error that a closure throws.
  public static func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  /// An invocation of a signature.
  public static func invocation(_ types: String, retainsArguments: Bool = true) throws -> Invocation {
    Invocation(try MethodSignature(types: types), retainsArguments: retainsArguments)
  }

  /// Whether the machine has a C compiler.
  public static var hasCompiler: Bool { CCompiler.all.contains { $0.available } }

  /// A function that a C compiler of the machine makes.
  public static func function(_ name: String, _ types: String, _ source: String) throws -> ForeignFunction {
    let compiler = CCompiler.all.first { $0.available } ?? .clang
    return try DynamicLibrary(compiler.sharedLibrary(source: source)).function(name, types: types)
  }
}

extension Invocation {
  /// A message with its target, its selector and its first arguments, which are set as by `setArguments`.
  public static func message(
    _ types: String, to target: AnyObject?, _ selector: MethodSelector?, _ arguments: Any?...
  ) throws -> Invocation { try message(MethodSignature(types: types), to: target, selector, arguments) }

  /// A message of a signature.
  public static func message(
    _ signature: MethodSignature, to target: AnyObject?, _ selector: MethodSelector?, _ arguments: Any?...
  ) throws -> Invocation { try message(signature, to: target, selector, arguments) }

  private static func message(
    _ signature: MethodSignature, to target: AnyObject?, _ selector: MethodSelector?, _ arguments: [Any?]
  ) throws -> Invocation {
    let invocation = Invocation(signature)
    invocation.target = target
    if let selector { invocation.selector = selector }
    try invocation.setArguments(arguments)
    return invocation
  }

  /// Sets the first arguments after target and selector from values, objects, boxes and nil.
  public func setArguments(_ arguments: [Any?]) throws {
    for (index, argument) in zip((methodSignature.isMethod ? 2 : 0)..., arguments) {
      switch argument {
      case let box as BoxedValue: try setArgument(boxed: box, at: index)
      case let value as any EncodedValue: try set(value, at: index)
      default: try setArgument(argument.map { $0 as AnyObject }, at: index)
      }
    }
  }

  private func set(_ value: some EncodedValue, at index: Int) throws { try setArgument(value, at: index) }

  /// Sets the first arguments, invokes, and returns the result.
  public func result<Result: EncodedValue>(_ arguments: Any?..., as type: Result.Type = Result.self) throws -> Result {
    try setArguments(arguments)
    try invoke()
    return try returnValue()
  }
}
