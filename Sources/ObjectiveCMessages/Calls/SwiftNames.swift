public import DynamicInvocation

/// The Objective-C names of Swift's methods, by the rule of swiftc.
///
/// Source: swift, `AbstractFunctionDecl::getObjCSelector`, and `lib/Basic/PartsOfSpeech.def`.
enum SwiftNames {
  /// Returns Objective-C's name of a method; a name without parentheses is one already.
  ///
  /// - Parameter isThrowing: Whether the method throws, so that it takes the address of an error last.
  static func selector(_ name: String, isThrowing: Bool = false) -> String {
    guard name.hasSuffix(")"), let open = name.firstIndex(of: "(") else { return name }
    let base = String(name[..<open])
    let labels = name[name.index(after: open)...].dropLast().split(separator: ":", omittingEmptySubsequences: true).map {
      $0 == "_" ? "" : String($0)
    }
    guard let first = labels.first else { return isThrowing ? base + "AndReturnError:" : base }
    var pieces = [base + joined(base, first)] + labels.dropFirst()
    if isThrowing { pieces.append("error") }
    return pieces.map { $0 + ":" }.joined()
  }

  /// The first label after the base name, with the word between them.
  private static func joined(_ base: String, _ label: String) -> String {
    guard let letter = label.first else { return "" }
    let needsWith = !prepositions.contains(firstWord(label)) && !prepositions.contains(lastWord(base))
    return (needsWith ? "With" : "") + letter.uppercased() + label.dropFirst()
  }

  private static func firstWord(_ name: String) -> String {
    let first = name.prefix { $0.isUppercase }
    // A word of capitals ends before the capital of the next word.
    guard first.count < 2 else {
      let isWhole = first.count == name.count
      return (isWhole ? String(first) : String(first.dropLast())).lowercased()
    }
    return (first + name.dropFirst(first.count).prefix { $0.isLowercase }).lowercased()
  }

  private static func lastWord(_ name: String) -> String {
    let lowercase = name.reversed().prefix { $0.isLowercase }
    guard lowercase.count < name.count, !lowercase.isEmpty else { return name.lowercased() }
    let capital = name.dropLast(lowercase.count).last.map { $0.isUppercase ? String($0) : "" } ?? ""
    return (capital + String(lowercase.reversed())).lowercased()
  }

  private static let prepositions: Set<String> = [
    "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from", "given", "in", "including",
    "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until", "using", "via", "when", "with", "within",
  ]
}

extension MethodSelector {
  /// Creates the selector that Objective-C has for a Swift method.
  ///
  ///     MethodSelector(objectiveC: "load(from:)", throws: true)      // loadFrom:error:
  ///
  /// A message to an Objective-C object accepts the Swift name itself, unless the method throws: then it has an argument more
  /// than its name says.
  ///
  /// - Parameters:
  ///   - name: The Swift name, such as `area(of:scale:)` or `init(title:)`.
  ///   - isThrowing: Whether the method throws.
  public init(objectiveC name: String, throws isThrowing: Bool = false) {
    self.init(SwiftNames.selector(name, isThrowing: isThrowing))
  }

  /// Creates the selector that Objective-C has for the setter of a Swift property.
  ///
  /// - Parameter property: The name of the property: `title` has the setter `setTitle:`.
  public init(setterOf property: String) { self.init("set" + property.prefix(1).uppercased() + property.dropFirst() + ":") }
}

extension MethodSelector {
  /// Returns the error for a selector that a class does not have, with the nearest names of its methods.
  func unrecognized(_ reason: String, among names: [String]) -> InvocationError {
    InvocationError(
      .unrecognizedSelector, "\(reason) '\(self)'",
      candidates: NearestNames.nearest(to: SwiftNames.selector(name), among: Set(names), limit: 3))
  }
}
