import EventRouting
import EventRoutingModel
import TestSupport
import Testing

extension ProcessWideTests {
  /// Random trees, handlers, sends and changes on the way, against the reference model.
  ///
  /// The router logs what nobody handles, and an observer elsewhere would make reports of all sends.
  @Suite(.measured) struct EventScriptTests {
    @MainActor @Test(arguments: [0, 1], [false, true]) func theEngineDoesWhatTheModelDoes(block: UInt64, isDense: Bool) {
      let logger = EventLog.logger
      EventLog.logger = nil
      defer { EventLog.logger = logger }
      var differences: [String] = []
      for seed in 1_000 * block..<1_000 * (block + 1) {
        var generator = SeededGenerator(seed: seed)
        let script = isDense ? EventScript(denseUsing: &generator) : EventScript(using: &generator)
        if let difference = script.difference(checking: { $0.checkInvariants() }) { differences.append("seed \(seed): \(difference)") }
      }
      expect(differences.isEmpty, "\(differences.count) scripts differ; \(differences.prefix(2).joined(separator: "\n"))")
    }
  }
}
