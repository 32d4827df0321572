import Foundation

/// A program on the PATH, which is run for its output.
struct Tool {
  let path: String

  /// Finds a program by its name, or returns nil.
  init?(_ name: String, searching folders: String = ProcessInfo.processInfo.environment["PATH"] ?? "") {
    let paths = folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.path = path
  }

  /// Runs the program until it exits, and returns its status and its output on standard error.
  ///
  /// The environment is the given one, or that of this process with additions.
  func run(
    _ arguments: [String], environment: [String: String]? = nil, adding: [String: String] = [:]
  ) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = (environment ?? ProcessInfo.processInfo.environment).merging(adding) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let errors = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, errors)
  }
}
