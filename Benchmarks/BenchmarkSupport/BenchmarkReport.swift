/// The rows of one run, as `--json` prints and `--compare` reads them.
package struct BenchmarkReport: Sendable, Equatable {
  package var results: [BenchmarkRow]
  /// The names of rows that were not timed because their calls return wrong results.
  package var wrong: [String]

  package init(results: [BenchmarkRow], wrong: [String] = []) {
    self.results = results
    self.wrong = wrong
  }

  /// Reads a report that `--json` printed.
  package init(path: String) throws { self = try Self(jsonPath: path) }

  /// Returns the report as JSON text with sorted keys, so that two reports can be compared line by line.
  package func json() throws -> String { try jsonText() }
}
