/// The error of an engine that is not timed because it returned a wrong result.
struct WrongResult: Error, CustomStringConvertible {
  var row: String

  var description: String { "\(row): the result is not that of the direct call" }
}
