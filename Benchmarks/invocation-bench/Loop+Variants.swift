extension Loop {
  /// The loops of which the least count is this one's.
  ///
  /// It depends on where in memory a key lies how many others a search among 100,000 looks at first: none for most, which one of several
  /// keys is sure to be. Nothing else that is counted depends on addresses.
  var variants: [Loop] {
    guard engine == .eventMany else { return [self] }
    return (0..<16).map { Loop(suite: suite, phase: phase, engine: engine, variant: $0) }
  }

  /// The name of a variant, unlike those of the others.
  var variantName: String { variant == 0 ? name : "\(name)#\(variant)" }

  /// Finds a loop by its ``variantName``.
  init?(variantName: String) {
    guard let loop = Self.all.lazy.flatMap(\.variants).first(where: { $0.variantName == variantName }) else { return nil }
    self = loop
  }
}
