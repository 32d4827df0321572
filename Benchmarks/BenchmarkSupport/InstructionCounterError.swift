/// The reason why instructions cannot be counted.
package enum InstructionCounterError: Error, CustomStringConvertible {
  case valgrindIsMissing
  /// The path of this executable is unknown.
  case noExecutable
  /// Valgrind failed with the given output.
  case failed(String)
  /// There is no count of the given row.
  case noDump(String)

  package var description: String {
    switch self {
    case .valgrindIsMissing:
      "counting instructions needs valgrind, which is not on the PATH (on Debian and Ubuntu: apt-get install valgrind)"
    case .noExecutable: "this executable cannot be found"
    case .failed(let output):
      "valgrind failed; it wrote:\n\(output.split(separator: "\n").suffix(20).joined(separator: "\n"))"
    case .noDump(let row):
      "valgrind wrote no count of \(row)"
    }
  }
}
