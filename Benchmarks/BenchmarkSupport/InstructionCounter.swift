import Foundation

/// Counts instructions by running an executable under valgrind.
package final class InstructionCounter {
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
    let copy = folder.appendingPathComponent("stripped").path
    self.executable = Self.strip(executable, into: copy) ? copy : executable
    // The copy lies elsewhere, so a library beside the original has to be named; hashing is fixed to make runs alike.
    let beside = URL(fileURLWithPath: executable).deletingLastPathComponent().path
    let libraries = [beside, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]].compactMap { $0 }
    environment = ["LD_LIBRARY_PATH": libraries.joined(separator: ":"), "SWIFT_DETERMINISTIC_HASHING": "1", "DEBUGINFOD_URLS": ""]
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the instructions of one operation; `arguments` makes those that let the executable run so many operations.
  ///
  /// Two runs, of which the difference counts: what starting and ending take cancels out.
  package func instructionsPerOperation(_ arguments: (Int) -> [String]) throws -> Double {
    let few = 1_000
    let many = 11_000
    return Double(try count(arguments(many)) - count(arguments(few))) / Double(many - few)
  }

  private func count(_ arguments: [String]) throws -> Int {
    let output = try valgrind.run(
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", executable] + arguments, adding: environment)
    guard output.status == 0, let count = Self.collected(in: output.errors) else {
      throw InstructionCounterError.noCount(output.errors)
    }
    return count
  }

  /// The number in callgrind's summary.
  static func collected(in output: String) -> Int? {
    for line in output.split(separator: "\n") {
      guard let range = line.firstRange(of: "Collected :") else { continue }
      return Int(line[range.upperBound...].split(separator: " ").first ?? "")
    }
    return nil
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
