/// One of the loops that are timed against each other.
package struct Lane {
  package var name: String
  /// Runs as many operations as it is told.
  package var run: (Int) throws -> Void

  package init(name: String, run: @escaping (Int) throws -> Void) {
    self.name = name
    self.run = run
  }
}
