public import Foundation

/// A folder for the files of one test process, removed when the process exits.
public final class TemporaryFolder: Sendable {
  /// The folder of this process.
  public static let shared: TemporaryFolder = TemporaryFolder()

  /// The location of the folder.
  public let url: URL

  private init() {
    let name = "swift-invocation-tests-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
    url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("no temporary folder: \(error)")
    }
    // Libraries that are still loaded stay usable without their files.
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.shared.url) }
  }

  /// Runs a body with a new folder in it, which is removed when the body returns.
  public func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = url.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
