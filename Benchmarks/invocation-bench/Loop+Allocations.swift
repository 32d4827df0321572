import AllocationCounter

extension Loop {
  /// Returns the heap allocations of one operation, or nil where they cannot be counted.
  ///
  /// It is computed from the difference of a long and a short loop, so that allocations of the loop itself are not
  /// counted.
  func allocations() throws -> Double? {
    guard allocation_count() > 0 else { return nil }
    func count(_ operations: Int) throws -> UInt64 {
      let before = allocation_count()
      _ = try run(count: operations)
      return allocation_count() - before
    }
    let short = try count(100)
    let long = try count(1_100)
    return (Double(long) - Double(short)) / 1_000
  }
}
