/// One of several loops that are timed against each other.
package struct Lane {
  package var name: String
  /// Runs the given number of operations.
  package var run: (Int) throws -> Void

  package init(name: String, run: @escaping (Int) throws -> Void) {
    self.name = name
    self.run = run
  }
}
