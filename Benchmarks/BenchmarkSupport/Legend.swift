/// The descriptions of the suites, phases and engines of a report, by their names.
package struct Legend: Sendable {
  /// The description of a suite.
  package struct SuiteEntry: Sendable {
    package var caption: String
    /// The type encoding of the suite's callee.
    package var types: String

    package init(caption: String, types: String) {
      self.caption = caption
      self.types = types
    }
  }

  /// The description of an engine.
  package struct EngineEntry: Sendable {
    package var caption: String
    package var kind: EngineKind

    package init(caption: String, kind: EngineKind) {
      self.caption = caption
      self.kind = kind
    }
  }

  package var suites: [String: SuiteEntry]
  /// The descriptions of phases; by "suite/phase" where a phase is another in one suite.
  package var phases: [String: String]
  package var engines: [String: EngineEntry]
  /// The descriptions of the curves of a ``GrowthReport``.
  package var growth: GrowthLegend

  package init(
    suites: [String: SuiteEntry] = [:], phases: [String: String] = [:], engines: [String: EngineEntry] = [:],
    growth: GrowthLegend = GrowthLegend()
  ) {
    self.suites = suites
    self.phases = phases
    self.engines = engines
    self.growth = growth
  }

  /// Returns the heading of a suite.
  func heading(_ suite: String) -> String { suites[suite].map { "\(suite): \($0.caption)" } ?? suite }

  /// Returns the heading of the rows of a suite and phase.
  func heading(_ suite: String, _ phase: String) -> String {
    guard let caption = suites[suite]?.caption, let phaseCaption = phases["\(suite)/\(phase)"] ?? phases[phase] else {
      return "\(suite) \(phase)"
    }
    return "\(caption): \(phaseCaption) (\(suite)/\(phase))"
  }

  /// Returns whose an engine is.
  func kind(_ engine: String) -> EngineKind { engines[engine]?.kind ?? (engine == "direct" ? .direct : .other) }
}
