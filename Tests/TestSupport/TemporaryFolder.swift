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
}
