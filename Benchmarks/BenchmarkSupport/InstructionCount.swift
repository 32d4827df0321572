/// The instructions of one operation.
package struct InstructionCount: Sendable, Equatable {
  /// All instructions.
  package var total: Double
  /// The instructions of the executable's own code, without libraries.
  package var own: Double

  package init(total: Double, own: Double) {
    self.total = total
    self.own = own
  }
}
