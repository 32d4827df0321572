/// Traps with a message if a condition is false, in optimized builds too.
///
/// libFuzzer then writes the input to a file.
func require(
  _ condition: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) rethrows {
  guard try condition() else { fatalError(message(), file: file, line: line) }
}
