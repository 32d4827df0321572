import Foundation

/// Counts instructions by running an executable under valgrind.
package final class InstructionCounter {
  /// How many operations a row's two counted runs make; the difference counts, so that what begins and ends a run cancels out.
  package static let operations = (few: 1_000, many: 3_000)

  private let valgrind: Tool
  private let executable: String
  private let folder: URL
  private let environment: [String: String]

  /// Prepares to count those of an executable.
  ///
  /// - Throws: ``InstructionCounterError`` when valgrind is missing.
  package init(executable: String) throws {
    guard let valgrind = Tool("valgrind") else { throw InstructionCounterError.valgrindIsMissing }
    self.valgrind = valgrind
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("invocation-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("counted-executable").path
    self.executable = Self.strip(executable, into: copy) ? copy : executable
    // The copy lies elsewhere, so a library beside the original has to be named. Nothing else of the environment goes in, and hashing is
    // fixed, to make runs alike.
    let beside = URL(fileURLWithPath: executable).deletingLastPathComponent().path
    let libraries = [beside, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]].compactMap { $0 }
    environment = [
      "LD_LIBRARY_PATH": libraries.joined(separator: ":"), "SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The name of the dump that tells of one run of a row.
  package static func dumpName(_ row: String, operations: Int) -> String { "\(operations) \(row)" }

  /// Returns the instructions of one operation of each row.
  ///
  /// The executable is run once, with `arguments`. It is to start counting, and then for each row to run both numbers of
  /// ``operations``, forgetting the counts before each run and writing them after it, by ``dumpName(_:operations:)``.
  package func count(_ rows: [String], arguments: [String]) throws -> [String: InstructionCount] {
    let profiles = try profiles(arguments)
    let object = URL(fileURLWithPath: executable).lastPathComponent
    var counts: [String: InstructionCount] = [:]
    for row in rows {
      guard let few = profiles[Self.dumpName(row, operations: Self.operations.few)],
        let many = profiles[Self.dumpName(row, operations: Self.operations.many)]
      else { throw InstructionCounterError.noDump(row) }
      func each(_ count: (CallgrindProfile) -> Int) -> Double {
        Double(count(many) - count(few)) / Double(Self.operations.many - Self.operations.few)
      }
      counts[row] = InstructionCount(total: each(\.total), own: each { $0.instructions(ofObjectNamed: object) })
    }
    return counts
  }

  /// Runs the executable and returns its dumps by their names.
  private func profiles(_ arguments: [String]) throws -> [String: CallgrindProfile] {
    let dumps = folder.appendingPathComponent("dumps")
    try FileManager.default.createDirectory(at: dumps, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: dumps) }
    let output = try valgrind.run(
      [
        "--tool=callgrind", "--command-line-only=yes", "--vgdb=no", "--instr-atstart=no",
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

  /// Writes a copy without debug information, which valgrind 3.19 cannot read when Swift wrote it; false without a tool for it.
  private static func strip(_ executable: String, into copy: String) -> Bool {
    for name in ["strip", "objcopy", "llvm-strip", "llvm-objcopy"] {
      let arguments = name.hasSuffix("strip") ? ["-g", "-o", copy, executable] : ["-g", executable, copy]
      if let tool = Tool(name), let output = try? tool.run(arguments), output.status == 0 { return true }
    }
    return false
  }
}
