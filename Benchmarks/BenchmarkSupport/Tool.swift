import Foundation

/// A program on the PATH, run for what it prints.
struct Tool {
  let path: String

  /// Finds a program by its name, or gives nil.
  init?(_ name: String, searching folders: String = ProcessInfo.processInfo.environment["PATH"] ?? "") {
    let paths = folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.path = path
  }

  /// Runs the program to its end in the environment given, or in that of this process with something added; returns its status and
  /// what it wrote to standard error.
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
