/// An engine that is not to be timed, since what it returned is wrong.
struct WrongResult: Error, CustomStringConvertible {
  var row: String

  var description: String { "\(row): the result is not that of the direct call" }
}
