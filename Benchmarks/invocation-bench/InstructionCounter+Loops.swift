import ArgumentParser
import BenchmarkSupport
import Foundation

extension InstructionCounter {
  /// A counter of this program's instructions.
  static func ofThisExecutable() throws -> InstructionCounter {
    guard let path = Bundle.main.executablePath else { throw ValidationError("this executable cannot be found") }
    return try InstructionCounter(executable: path)
  }

  /// Returns the instructions of one operation of each loop by its name.
  func count(_ loops: [Loop]) throws -> [String: InstructionCount] {
    let names = loops.map(\.name)
    return try count(names, arguments: ["--count"] + names)
  }
}
