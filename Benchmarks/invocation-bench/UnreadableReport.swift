import Foundation

/// A file named as the report of an earlier run, or of a peer, that is not there or not a report.
struct UnreadableReport: Error, CustomStringConvertible {
  var path: String
  var reason: any Error

  var description: String {
    switch reason {
    case is DecodingError: "\(path) is not a report as --json prints it: \(reason)"
    default: "\(path) cannot be read: \(reason.localizedDescription)"
    }
  }
}
