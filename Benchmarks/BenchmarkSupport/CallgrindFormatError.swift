/// Why a file is not one that callgrind wrote.
package enum CallgrindFormatError: Error, Equatable, CustomStringConvertible {
  /// The line of this number, which is none of the format.
  case line(Int, String)
  /// The sum at the end is missing.
  case noEnd
  /// The costs add up to the first, and should to the second.
  case sum(Int, Int)

  package var description: String {
    switch self {
    case .line(let number, let text): "line \(number) of callgrind's file is none of its format: \(text)"
    case .noEnd: "callgrind's file breaks off"
    case .sum(let sum, let totals): "the costs in callgrind's file add up to \(sum), and it says \(totals)"
    }
  }
}
