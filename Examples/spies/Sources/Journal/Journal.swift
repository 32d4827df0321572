import Foundation

/// A journal with a file for each day, which uses the clock, the files and the environment as they are.
public struct Journal: Sendable {
  /// Creates a journal.
  public init() {}

  /// The folder: what the variable JOURNAL states, or one in the home folder.
  public var folder: String {
    if let path = getenv("JOURNAL") { return String(cString: path) }
    return (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/journal"
  }

  /// The file of today, with the number of the day since 1970.
  public var file: String { "\(folder)/\(Int(Date().timeIntervalSince1970 / 86_400)).txt" }

  /// Whether nothing was written today.
  public var isEmpty: Bool { !FileManager.default.fileExists(atPath: file) }
}
