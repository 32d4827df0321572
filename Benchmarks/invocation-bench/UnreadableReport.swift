import Foundation

/// A file named as the report of an earlier run, of a peer, or as a baseline that is not there or not one.
struct UnreadableReport: Error, CustomStringConvertible {
  var path: String
  /// What the file should be.
  var kind = "a report as --json prints it"
  var reason: any Error

  var description: String {
    switch reason {
    case is DecodingError: "\(path) is not \(kind): \(reason)"
    default: "\(path) cannot be read: \(reason.localizedDescription)"
    }
  }
}
