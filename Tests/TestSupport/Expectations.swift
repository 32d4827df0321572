public import Testing

/// Records an issue if a condition is false: `#expect(condition)` as a function.
///
/// The compiler expands the macro at each place, which takes 90 ms there. A module with thousands of them uses functions.
public func expect(
  _ condition: Bool, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  guard !condition else { return }
  record("the condition is false", comment(), SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Records an issue with both values if they are not equal: `#expect(value == expected)` as a function.
public func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> String = "", fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  guard value != expected else { return }
  record("\(value) is not \(expected)", comment(), SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

private func record(_ text: String, _ comment: String, _ location: SourceLocation) {
  Issue.record(Comment(rawValue: comment.isEmpty ? text : "\(text): \(comment)"), sourceLocation: location)
}
