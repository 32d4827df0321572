public import DynamicInvocation

#if canImport(ObjectiveC)
  public import ObjectiveC
#endif

/// The Objective-C names of Swift's methods, by the rule of swiftc.
///
/// Source: swift, `AbstractFunctionDecl::getObjCSelector`, `lib/Basic/StringExtras.cpp` and `PartsOfSpeech.def`.
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
    guard !label.isEmpty else { return "" }
    let needsWith = !prepositions.contains(firstWord(label)) && !prepositions.contains(lastWord(base))
    return (needsWith ? "With" : "") + capitalized(label)
  }

  /// Returns a name with a capital letter first; letters of other alphabets stay as they are.
  static func capitalized(_ name: some StringProtocol) -> String {
    name.prefix(1).map { isLowercase($0) ? $0.uppercased() : String($0) }.joined() + name.dropFirst()
  }

  private static func isUppercase(_ letter: Character) -> Bool { ("A"..."Z").contains(letter) }
  private static func isLowercase(_ letter: Character) -> Bool { ("a"..."z").contains(letter) }
  private static func isWithinWord(_ letter: Character) -> Bool { !isUppercase(letter) && letter != "_" }
  private static func isPlural(_ ending: some StringProtocol) -> Bool { ending == "s" || ending == "es" || ending == "ies" }

  /// The first word, in lowercase.
  private static func firstWord(_ name: String) -> String {
    let capitals = name.prefix(while: isUppercase)
    let rest = name.dropFirst(capitals.count)
    guard capitals.count > 1 else { return (capitals + rest.prefix(while: isWithinWord)).lowercased() }
    let ending = rest.prefix(while: isLowercase)
    if ending.isEmpty { return capitals.lowercased() }
    // The ending of a plural belongs to a word of capitals; other letters are of the next word, which begins with the last capital.
    if isPlural(ending), capitals.last != "I" || ending != "s" { return (capitals + ending).lowercased() }
    return capitals.dropLast().lowercased()
  }

  /// The last word, in lowercase.
  private static func lastWord(_ name: String) -> String {
    let ending = String(name.reversed().prefix(while: isWithinWord).reversed())
    let before = name.dropLast(ending.count)
    let capitals = String(before.reversed().prefix(while: isUppercase).reversed())
    if ending.isEmpty || isPlural(ending) { return (capitals + ending).lowercased() }
    let beginsWithCapital = ending.first.map(isLowercase) ?? false
    return ((beginsWithCapital ? String(capitals.suffix(1)) : "") + ending).lowercased()
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
  /// A message to an Objective-C object accepts the Swift name itself, unless the method throws: then the method has one more
  /// argument, for the error, than its name says. Here the error is the last argument. But swiftc puts it before closures that are
  /// the last parameters: write Objective-C's name of such a method.
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
  public init(setterOf property: String) { self.init("set" + SwiftNames.capitalized(property) + ":") }
}

#if canImport(ObjectiveC)
  extension MethodSelector {
    /// Creates the selector of Objective-C's: `MethodSelector(objectiveC: #selector(ListController.tapped(_:)))`.
    public init(objectiveC selector: Selector) { self.init("\(selector)") }
  }
#endif

extension MethodSelector {
  /// Returns the error for a selector that a class does not have, with the nearest names of its methods.
  func unrecognized(_ reason: String, among names: [String]) -> InvocationError {
    InvocationError(
      .unrecognizedSelector, "\(reason) '\(self)'",
      candidates: NearestNames.nearest(to: SwiftNames.selector(name), among: Set(names), limit: 3))
  }
}
