extension Loop {
  /// The loops whose minimum count is the count of this one.
  ///
  /// The number of other keys that a lookup among 100,000 compares first depends on the address of the key. It is zero
  /// for most keys, and therefore certain to be zero for one of several. No other count depends on addresses.
  var variants: [Loop] {
    guard engine == .eventMany else { return [self] }
    return (0..<16).map { Loop(suite: suite, phase: phase, engine: engine, variant: $0) }
  }

  /// The name of a variant, which is unique.
  var variantName: String { variant == 0 ? name : "\(name)#\(variant)" }

  /// Creates the loop with a ``variantName``, or nil if there is no such loop.
  init?(variantName: String) {
    guard let loop = Self.all.lazy.flatMap(\.variants).first(where: { $0.variantName == variantName }) else { return nil }
    self = loop
  }
}
