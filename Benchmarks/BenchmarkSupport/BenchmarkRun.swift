/// One run of the benchmark and of the peers beside it: all that a report is written from.
package struct BenchmarkRun: Sendable, Equatable, Codable {
  package var machine: Machine
  /// The day of the run, as 2026-01-31.
  package var date: String
  /// The number of rounds of this program's rows.
  package var rounds: Int
  /// Whether the rounds were too few and too short to measure anything.
  package var isQuick: Bool
  /// The rows of this program.
  package var report: BenchmarkReport
  /// The peers that were measured, and those that were not.
  package var peers: [Peer]
  /// The reports of the peers that were measured.
  package var peerReports: [BenchmarkReport]
  /// How costs grow, or nil if that was not measured.
  package var growth: GrowthReport?

  package init(
    machine: Machine, date: String, rounds: Int, isQuick: Bool, report: BenchmarkReport, peers: [Peer] = [],
    peerReports: [BenchmarkReport] = [], growth: GrowthReport? = nil
  ) {
    self.machine = machine
    self.date = date
    self.rounds = rounds
    self.isQuick = isQuick
    self.report = report
    self.peers = peers
    self.peerReports = peerReports
    self.growth = growth
  }

  /// Reads a run that ``json()`` encoded.
  package init(path: String) throws { self = try Self(jsonPath: path) }

  /// Returns the run as JSON text.
  package func json() throws -> String { try jsonText() }

  /// The rows of this program and of the peers.
  var merged: BenchmarkReport { report.adding(peers: peerReports) }
}
