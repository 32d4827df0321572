/// A program of `Benchmarks/Peers` in a run: its version, or why it is absent.
package struct Peer: Sendable, Equatable, Codable {
  package var name: String
  /// The version of a program that was measured.
  package var version: String?
  /// Why a program was not measured, as a predicate: "is not installed".
  package var absence: String?

  /// Creates a peer that was measured.
  package init(_ name: String, version: String) {
    self.name = name
    self.version = version
  }

  /// Creates a peer that was not measured.
  package init(_ name: String, absence: String) {
    self.name = name
    self.absence = absence
  }
}
