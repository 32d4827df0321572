/// One point of a curve: the cost of one operation of one engine at one size.
package struct GrowthPoint: Sendable, Equatable, Codable {
  package var curve: String
  package var engine: String
  package var size: Int
  /// Nanoseconds of processor time, the median of the rounds; nil if it was not timed.
  package var ns: Double?
  /// Executed instructions, including those of libraries; nil if they were not counted.
  package var instructions: Double?

  package init(curve: String, engine: String, size: Int, ns: Double? = nil, instructions: Double? = nil) {
    self.curve = curve
    self.engine = engine
    self.size = size
    self.ns = ns
    self.instructions = instructions
  }

  /// The name of the point in messages.
  package var name: String { "\(curve)/\(size)/\(engine)" }
}
