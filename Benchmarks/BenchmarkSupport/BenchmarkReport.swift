import Foundation

/// The rows of one run, as `--json` prints and `--compare` reads them.
package struct BenchmarkReport: Codable, Sendable, Equatable {
  package var results: [BenchmarkRow]

  package init(results: [BenchmarkRow]) { self.results = results }

  /// Reads a report that `--json` printed.
  package init(path: String) throws {
    self = try JSONDecoder().decode(BenchmarkReport.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The report as JSON text, its keys in order so that two reports can be compared line by line.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
