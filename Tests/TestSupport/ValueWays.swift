public import DynamicInvocation

/// The ways of a value into a call and back: as an argument and as a result of an invocation, in a frame, and through a closure.
///
/// ``expectPassed(_:as:_:fileID:filePath:line:)`` and ``expectRefused(_:as:_:fileID:filePath:line:)`` test a conformance to
/// `EncodedValue` in a line.
public enum ValueWays {
  /// Passes a value as a type by each way, and returns what came back, or the error.
  public static func pass<Value: EncodedValue>(
    _ value: Value, as type: TypeEncoding
  ) throws -> [(way: String, outcome: Result<Value, any Error>)] {
    let signature = try MethodSignature(MethodTypes(result: type, arguments: [type]))
    var outcomes: [(String, Result<Value, any Error>)] = []
    let invocation = Invocation(signature)
    outcomes.append(
      (
        "argument",
        Result {
          try invocation.setArgument(value, at: 0)
          return try invocation.argument(at: 0)
        }
      ))
    outcomes.append(
      (
        "result",
        Result {
          try invocation.setReturnValue(value)
          return try invocation.returnValue()
        }
      ))
    #if arch(x86_64) || arch(arm64)
      let echo = try Closure(signature, onError: { _ in }) { call in try call.setReturnValue(call.argument(at: 0, as: Value.self)) }
      outcomes.append(
        (
          "frame",
          Result {
            try signature.withFrame { frame in
              try frame.setArgument(value, at: 0)
              try frame.invoke(using: echo.implementation)
              return try frame.returnValue(as: Value.self)
            }
          }
        ))
      outcomes.append(("call", Result { try ForeignFunction(echo.implementation, signature)(value, as: Value.self) }))
    #endif
    return outcomes
  }
}

/// Records an issue for each way by which a value does not come back as it went in.
public func expectPassed<Value: EncodedValue & Equatable>(
  _ value: Value, as type: TypeEncoding = Value.typeEncoding, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
) throws {
  for (way, outcome) in try ValueWays.pass(value, as: type) {
    try expectEqual(outcome.get(), value, "\(Value.self) as \(type), by \(way)", fileID: fileID, filePath: filePath, line: line)
  }
}

/// Records an issue for each way by which a value is not refused as a type.
public func expectRefused<Value: EncodedValue>(
  _ value: Value, as type: TypeEncoding = Value.typeEncoding, _ reason: String = "", fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line
) throws {
  for (way, outcome) in try ValueWays.pass(value, as: type) {
    let comment = "\(Value.self) as \(type), by \(way)"
    expectError(.typeMismatch, comment, fileID: fileID, filePath: filePath, line: line) { _ = try outcome.get() }
    let message = InvocationFixtures.message { _ = try outcome.get() }
    expect(message.contains(reason), "\(comment): \(message)", fileID: fileID, filePath: filePath, line: line)
  }
}
