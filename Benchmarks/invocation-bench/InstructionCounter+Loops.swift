import BenchmarkSupport
import Foundation

extension InstructionCounter {
  /// Returns a counter of this program's instructions.
  static func ofThisExecutable() throws -> InstructionCounter {
    guard let path = Bundle.main.executablePath else { throw InstructionCounterError.noExecutable }
    return try InstructionCounter(executable: path)
  }

  /// Returns the instructions of one operation of each loop by its name: the minimum of its ``Loop/variants``.
  func count(_ loops: [Loop]) throws -> [String: InstructionCount] {
    let variants = loops.flatMap(\.variants)
    let names = variants.map(\.variantName)
    let counts = try count(names, arguments: ["measure", "--count"] + names)
    let pairs = variants.compactMap { loop in counts[loop.variantName].map { (loop.name, $0) } }
    return Dictionary(pairs) { $0.own <= $1.own ? $0 : $1 }
  }
}
