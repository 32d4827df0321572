import Foundation

/// Counts instructions by running an executable under valgrind.
package final class InstructionCounter: Sendable {
  /// The numbers of operations of the two counted runs of a row.
  ///
  /// The count is computed from their difference, so that the beginning and the end of a run cancel out.
  package static let operations = (few: 1_000, many: 3_000)

  private let valgrind: Tool
  private let executable: String
  private let folder: URL
  private let environment: [String: String]

  /// Creates a counter of the instructions of an executable.
  ///
  /// - Throws: ``InstructionCounterError`` if valgrind is missing.
  package init(executable: String) throws {
    guard let valgrind = Tool("valgrind") else { throw InstructionCounterError.valgrindIsMissing }
    self.valgrind = valgrind
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("invocation-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("counted-executable").path
    self.executable = Self.strip(executable, into: copy) ? copy : executable
    // The copy is in a different folder, so the folder of the original is added to the library path. The rest of the
    // environment is dropped, and hashing is deterministic, so that all runs are alike.
    let beside = URL(fileURLWithPath: executable).deletingLastPathComponent().path
    let libraries = [beside, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]].compactMap { $0 }
    environment = [
      "LD_LIBRARY_PATH": libraries.joined(separator: ":"), "SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the name of the dump of one run of a row.
  package static func dumpName(_ row: String, operations: Int) -> String { "\(operations) \(row)" }

  /// Returns the instructions of one operation of each row.
  ///
  /// The executable is run once, with `arguments`. It must start counting, and then run both numbers of operations for
  /// each row. Before each run it resets the counts, and after each run it writes them to a dump named by
  /// ``dumpName(_:operations:)``. Several threads may count at once.
  ///
  /// - Parameter operations: Returns the numbers of operations of a row, by default ``operations`` for each.
  package func count(
    _ rows: [String], arguments: [String], operations: (String) -> (few: Int, many: Int) = { _ in InstructionCounter.operations }
  ) throws -> [String: InstructionCount] {
    let profiles = try profiles(arguments)
    let object = URL(fileURLWithPath: executable).lastPathComponent
    var counts: [String: InstructionCount] = [:]
    for row in rows {
      let operations = operations(row)
      guard let few = profiles[Self.dumpName(row, operations: operations.few)],
        let many = profiles[Self.dumpName(row, operations: operations.many)]
      else { throw InstructionCounterError.noDump(row) }
      func each(_ count: (CallgrindProfile) -> Int) -> Double {
        Double(count(many) - count(few)) / Double(operations.many - operations.few)
      }
      counts[row] = InstructionCount(total: each(\.total), own: each { $0.instructions(ofObjectNamed: object) })
    }
    return counts
  }

  /// Runs the executable and returns its dumps by name.
  private func profiles(_ arguments: [String]) throws -> [String: CallgrindProfile] {
    let dumps = folder.appendingPathComponent("dumps-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: dumps, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: dumps) }
    let output = try valgrind.run(
      [
        "--tool=callgrind", "--command-line-only=yes", "--vgdb=no", "--instr-atstart=no", "--compress-strings=no", "--compress-pos=no",
        "--callgrind-out-file=\(dumps.path)/dump", executable,
      ] + arguments, environment: environment)
    guard output.status == 0 else { throw InstructionCounterError.failed(output.errors) }
    var profiles: [String: CallgrindProfile] = [:]
    for file in try FileManager.default.contentsOfDirectory(at: dumps, includingPropertiesForKeys: nil) {
      let profile = try CallgrindProfile(String(contentsOf: file, encoding: .utf8))
      if let name = profile.name { profiles[name] = profile }
    }
    return profiles
  }

  /// Writes a copy without debug information, because valgrind 3.19 cannot read Swift's.
  ///
  /// Returns false if there is no tool for that.
  private static func strip(_ executable: String, into copy: String) -> Bool {
    ["strip", "llvm-strip"].contains { (try? Tool($0)?.run(["-g", "-o", copy, executable]).status) == 0 }
  }
}

/// The instructions of one operation.
package struct InstructionCount: Sendable, Equatable {
  /// All instructions.
  package var total: Double
  /// The instructions of the executable's own code, without libraries.
  package var own: Double

  package init(total: Double, own: Double) {
    self.total = total
    self.own = own
  }
}

/// The reason why instructions cannot be counted.
package enum InstructionCounterError: Error, CustomStringConvertible {
  case valgrindIsMissing
  /// The path of this executable is unknown.
  case noExecutable
  /// Valgrind failed with the given output.
  case failed(String)
  /// There is no count of the given row.
  case noDump(String)

  package var description: String {
    switch self {
    case .valgrindIsMissing:
      "counting instructions needs valgrind, which is not on the PATH (on Debian and Ubuntu: apt-get install valgrind)"
    case .noExecutable: "this executable cannot be found"
    case .failed(let output):
      "valgrind failed; it wrote:\n\(output.split(separator: "\n").suffix(20).joined(separator: "\n"))"
    case .noDump(let row):
      "valgrind wrote no count of \(row)"
    }
  }
}

/// A program that is run for its output.
package struct Tool: Sendable {
  package let path: String

  /// Finds a program by its path, or by its name on the PATH, or returns nil.
  package init?(_ name: String, searching folders: String = ProcessInfo.processInfo.environment["PATH"] ?? "") {
    let paths = name.contains("/") ? [name] : folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.path = path
  }

  /// Runs the program until it exits, and returns its status and its output on standard error.
  ///
  /// The environment is the given one, or the one of this process.
  package func run(_ arguments: [String], environment: [String: String]? = nil) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
