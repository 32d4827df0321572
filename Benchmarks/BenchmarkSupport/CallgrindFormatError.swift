/// The reason why a file is not a callgrind file.
package enum CallgrindFormatError: Error, Equatable, CustomStringConvertible {
  /// The line with this number does not match the format.
  case line(Int, String)
  /// The sum at the end is missing.
  case noEnd
  /// The costs add up to the first number, and the file states the second.
  case sum(Int, Int)

  package var description: String {
    switch self {
    case .line(let number, let text): "line \(number) of callgrind's file is none of its format: \(text)"
    case .noEnd: "callgrind's file breaks off"
    case .sum(let sum, let totals): "the costs in callgrind's file add up to \(sum), and it says \(totals)"
    }
  }
}
