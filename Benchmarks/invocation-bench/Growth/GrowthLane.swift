import BenchmarkSupport

/// One engine of a curve at one size, with everything that it needs set up.
struct GrowthLane {
  /// The name of the engine.
  var engine: String
  /// Runs the given number of operations, and returns the sum of their results.
  var run: (Int) throws -> Double
  /// The result of one operation.
  var expected: Double

  init(_ engine: String, expecting expected: Double, _ run: @escaping (Int) throws -> Double) {
    self.engine = engine
    self.expected = expected
    self.run = run
  }

  /// Returns whether operations have the expected results.
  func isRight() throws -> Bool { try run(3) == 3 * expected }
}
