import Foundation

/// The error of a file that is missing or malformed, although it was named as an earlier report, a peer's report or a
/// baseline.
struct UnreadableReport: Error, CustomStringConvertible {
  var path: String
  /// What the file should contain.
  var kind = "a report as --json prints it"
  var reason: any Error

  var description: String {
    switch reason {
    case is DecodingError: "\(path) is not \(kind): \(reason)"
    default: "\(path) cannot be read: \(reason.localizedDescription)"
    }
  }
}
