public import DynamicInvocation
import Testing

// Expectations as plain functions. There are thousands: the compiler expands and checks a macro `#expect` in 90 milliseconds, and a
// call of one of these functions in one. A failure has the line, both values, and the row of a table if it is given as the comment.

/// Where an expectation is written.
private func place(_ file: (id: String, path: String, line: Int)) -> SourceLocation {
  SourceLocation(fileID: file.id, filePath: file.path, line: file.line, column: 1)
}

private func record(_ failure: String, _ comment: () -> String, _ file: (id: String, path: String, line: Int)) {
  let comment = comment()
  Issue.record("\(failure)\(comment.isEmpty ? "" : " in \(comment)")", sourceLocation: place(file))
}

/// Records an issue unless two values are equal.
public func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line
) {
  if value != expected { record("\(value) is not \(expected)", comment, (fileID, filePath, line)) }
}

/// Records an issue unless a condition holds.
public func expect(
  _ condition: Bool, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
) {
  if !condition { record("the condition does not hold", comment, (fileID, filePath, line)) }
}

/// Records an issue unless a value is nil.
public func expectNil<Value>(
  _ value: Value?, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
) {
  if let value { record("\(value) is not nil", comment, (fileID, filePath, line)) }
}

/// Records an issue unless a body throws an error of a type, and returns the error.
@discardableResult
public func expectThrows<Failure: Error, Result>(
  _ type: Failure.Type, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line,
  _ body: () throws -> Result
) -> Failure? {
  do {
    let result = try body()
    record("the result is \(result), and no error", comment, (fileID, filePath, line))
  } catch {
    if let error = error as? Failure { return error }
    record("the error is \(error)", comment, (fileID, filePath, line))
  }
  return nil
}

/// Records an issue unless a body throws a certain error.
public func expectThrows<Failure: Error & Equatable, Result>(
  _ expected: Failure, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  _ body: () throws -> Result
) {
  if let error = expectThrows(Failure.self, comment(), fileID: fileID, filePath: filePath, line: line, body), error != expected {
    record("\(error) is not \(expected)", comment, (fileID, filePath, line))
  }
}

/// Records an issue unless a body throws an ``InvocationError`` of a code, or no error if it is nil.
public func expectError<Result>(
  _ code: InvocationError.Code?, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, _ body: () throws -> Result
) {
  do {
    _ = try body()
    if code != nil { record("there is no error", comment, (fileID, filePath, line)) }
  } catch {
    if code == nil || (error as? InvocationError)?.code != code { record("the error is \(error)", comment, (fileID, filePath, line)) }
  }
}

/// Records an issue for each body that does not throw an ``InvocationError`` of a code.
public func expectErrors(
  _ code: InvocationError.Code, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, _ bodies: (() throws -> Void)...
) {
  for (number, body) in bodies.enumerated() { expectError(code, "body \(number)", fileID: fileID, filePath: filePath, line: line, body) }
}

/// Records an issue unless a body throws an error with a text.
public func expectMessage(
  _ text: String, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  _ body: () throws -> Void
) {
  expectEqual(InvocationFixtures.message(body), text, comment(), fileID: fileID, filePath: filePath, line: line)
}

/// An issue that ``require(_:_:fileID:filePath:line:)`` has recorded, which ends the test.
public struct RequirementFailure: Error {}

/// Returns a value that must not be nil; records an issue and throws if it is.
public func require<Value>(
  _ value: Value?, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
) throws -> Value {
  if let value { return value }
  record("the value is nil", comment, (fileID, filePath, line))
  throw RequirementFailure()
}

/// Records an issue and throws unless a condition holds.
public func require(
  _ condition: Bool, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
) throws {
  if condition { return }
  record("the condition does not hold", comment, (fileID, filePath, line))
  throw RequirementFailure()
}

/// Returns the error of a type that a body must throw; records an issue and throws if it does not.
public func requireThrows<Failure: Error, Result>(
  _ type: Failure.Type, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, _ body: () throws -> Result
) throws -> Failure {
  if let error = expectThrows(type, fileID: fileID, filePath: filePath, line: line, body) { return error }
  throw RequirementFailure()
}
