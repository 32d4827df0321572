/// Ends the process with a message when a condition does not hold; in optimized builds too.
///
/// libFuzzer then writes the input to a file.
func require(
  _ condition: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) rethrows {
  guard try condition() else { fatalError(message(), file: file, line: line) }
}
