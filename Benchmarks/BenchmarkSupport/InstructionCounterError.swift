/// Why instructions cannot be counted.
package enum InstructionCounterError: Error, CustomStringConvertible {
  case valgrindIsMissing
  /// Valgrind failed, or printed no count; what it wrote.
  case noCount(String)

  package var description: String {
    switch self {
    case .valgrindIsMissing:
      "--instructions needs valgrind, which is not on the PATH (on Debian and Ubuntu: apt-get install valgrind)"
    case .noCount(let output):
      "valgrind gave no count; it wrote:\n\(output.split(separator: "\n").suffix(20).joined(separator: "\n"))"
    }
  }
}
