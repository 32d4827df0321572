/// The descriptions of the curves of a ``GrowthReport``, by their names.
package struct GrowthLegend: Sendable {
  /// The description of a curve.
  package struct Curve: Sendable {
    /// The measured operation.
    package var caption: String
    /// The quantity on the horizontal axis.
    package var axis: String
    /// The description of each engine and whose it is, by its name.
    package var engines: [String: Legend.EngineEntry]

    package init(caption: String, axis: String, engines: [String: Legend.EngineEntry]) {
      self.caption = caption
      self.axis = axis
      self.engines = engines
    }
  }

  package var curves: [String: Curve]

  package init(curves: [String: Curve] = [:]) { self.curves = curves }

  /// Returns whose an engine is.
  func kind(_ curve: String, _ engine: String) -> EngineKind { curves[curve]?.engines[engine]?.kind ?? .other }
}
