/// The pragmas in effect that change layouts or calls in a way that is not computed.
struct PragmaEffects: OptionSet, Sendable {
  let rawValue: UInt8

  static let msStruct = PragmaEffects(rawValue: 1)
  static let storageOrder = PragmaEffects(rawValue: 2)
  static let alignment = PragmaEffects(rawValue: 4)
  static let attribute = PragmaEffects(rawValue: 8)
  /// The reason for which a type that is defined now has no known layout, or nil.
  var refusal: String? {
    if contains(.msStruct) { return "#pragma ms_struct changes the layout" }
    if contains(.storageOrder) { return "#pragma scalar_storage_order changes the layout" }
    if contains(.alignment) { return "#pragma options align changes the layout, and gcc ignores it" }
    return callRefusal
  }

  /// The reason for which a function that is declared now is not called as its types state, or nil.
  var callRefusal: String? { contains(.attribute) ? "#pragma clang attribute adds an attribute to it, and gcc ignores it" : nil }
}

/// The pragmas of a source and their state.
struct PragmaState: Sendable {
  private(set) var effects: PragmaEffects = []
  /// The alignment that `#pragma pack` states, or 0, and those that were pushed.
  private(set) var packing = 0
  private var pushedPackings: [Int] = []
  /// The states of `#pragma options align` that `reset` returns to.
  private var alignments: [Bool] = []
  /// The groups of `#pragma clang attribute`, and whether one of their attributes has an effect here.
  private var attributes: [(scope: String, hasEffect: Bool)] = []
  /// The symbols that `#pragma redefine_extname` states for names.
  var symbols: [Name: Name] = [:]

  private mutating func set(_ effect: PragmaEffects, _ isOn: Bool) {
    if isOn { effects.insert(effect) } else { effects.remove(effect) }
  }

  /// Applies a pragma of a layout.
  ///
  /// - Parameter isAssignment: Whether it contains `=`: another compiler's `#pragma align` lists variables.
  mutating func apply(_ words: [String], isAssignment: Bool) {
    switch words.first {
    case "ms_struct": set(.msStruct, words.count > 1 && words[1] == "on")
    case "scalar_storage_order": set(.storageOrder, words.count > 1 && words[1] == "big")
    case "options", "align":
      guard let index = words.firstIndex(of: "align"), index + 1 < words.count, isAssignment else { return }
      if words[index + 1] == "reset" { return set(.alignment, alignments.popLast() ?? false) }
      alignments.append(effects.contains(.alignment))
      set(.alignment, !["natural", "native", "power"].contains(words[index + 1]))
    default: break
    }
  }

  /// Applies `#pragma pack`, and returns the number that it states if that is no packing.
  mutating func applyPacking(_ words: ArraySlice<String>) -> Int? {
    var number: Int?
    for word in words {
      switch word {
      case "push": pushedPackings.append(packing)
      case "pop": packing = pushedPackings.popLast() ?? 0
      default: if let value = Int(word) { number = value }
      }
    }
    guard let number else {
      if words.isEmpty { packing = 0 }
      return nil
    }
    guard number >= 0, number <= 16, number & (number - 1) == 0 else { return number }
    packing = number
    return nil
  }

  /// Applies `#pragma clang attribute`: `push`, `scope.push`, `pop`, or attributes that are added to the last group.
  ///
  /// - Parameter hasEffect: Whether its attributes, if there are any, change a call or a layout.
  mutating func applyAttributes(_ words: ArraySlice<String>, hasEffect: Bool) {
    let words = Array(words)
    let hasScope = words.count > 1 && !["push", "pop"].contains(words[0]) && ["push", "pop"].contains(words[1])
    let scope = hasScope ? words[0] : ""
    switch words[hasScope ? 1 : 0] {
    case "pop": if let last = attributes.lastIndex(where: { $0.scope == scope }) { attributes.remove(at: last) }
    case "push": attributes.append((scope, hasEffect))
    default:
      guard let last = attributes.indices.last else { return }
      attributes[last].hasEffect = attributes[last].hasEffect || hasEffect
    }
    set(.attribute, attributes.contains(where: \.hasEffect))
  }
}
