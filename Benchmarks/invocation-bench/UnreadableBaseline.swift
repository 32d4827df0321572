import Foundation

/// A baseline that is not there, or not a report.
struct UnreadableBaseline: Error, CustomStringConvertible {
  var path: String
  var reason: any Error

  var description: String {
    switch reason {
    case is DecodingError: "\(path) is not a report of --json: \(reason)"
    default: "\(path) cannot be read: \(reason.localizedDescription)"
    }
  }
}
