/// Whose an engine is, which is also the CSS class of its bars.
package enum EngineKind: String, Sendable, CaseIterable {
  /// The call in C that the ratios refer to.
  case direct
  /// This package.
  case own
  /// Plain libffi.
  case libffi
  /// Any other mechanism.
  case other

  /// The name in the key of a chart, and in tables.
  var caption: String {
    switch self {
    case .direct: "direct call"
    case .own: "this package"
    case .libffi: "plain libffi"
    case .other: "other"
    }
  }
}
