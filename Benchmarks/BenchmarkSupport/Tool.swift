import Foundation

/// A program that is run for its output.
struct Tool {
  let path: String

  /// Finds a program by its path, or by its name on the PATH, or returns nil.
  init?(_ name: String, searching folders: String = ProcessInfo.processInfo.environment["PATH"] ?? "") {
    let paths = name.contains("/") ? [name] : folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.path = path
  }

  /// Runs the program until it exits, and returns its status and its output on standard error.
  ///
  /// The environment is the given one, or that of this process with additions.
  func run(
    _ arguments: [String], environment: [String: String]? = nil, adding: [String: String] = [:]
  ) throws -> (status: Int32, errors: String) {
    let (status, text) = try capture(\.standardError, arguments, environment: environment, adding: adding)
    return (status, text)
  }

  /// Runs the program until it exits, and returns its standard output without surrounding whitespace.
  ///
  /// Returns nil if the program cannot be run or fails. The output is in English.
  func output(_ arguments: [String]) -> String? {
    guard let (status, text) = try? capture(\.standardOutput, arguments, adding: ["LC_ALL": "C"]), status == 0 else { return nil }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs the program until it exits, and returns its status and what it writes to one of its streams.
  private func capture(
    _ stream: ReferenceWritableKeyPath<Process, Any?>, _ arguments: [String], environment: [String: String]? = nil,
    adding: [String: String]
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = (environment ?? ProcessInfo.processInfo.environment).merging(adding) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process[keyPath: stream] = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
