import TypeEncodings

/// Values by name, in the order in which each name was stored first.
package struct ListByName<Value: Sendable>: Sendable {
  package private(set) var all: [Value] = []
  /// The index of the value of each name, or -1.
  private var indexOfName: [Int32] = []

  /// The value of a name, or nil.
  subscript(name: Name) -> Value? {
    guard Int(name.index) < indexOfName.count, indexOfName[Int(name.index)] >= 0 else { return nil }
    return all[Int(indexOfName[Int(name.index)])]
  }

  /// Stores the value of a name in the place of its former one.
  mutating func set(_ value: Value, named name: Name) {
    let index = Int(name.index)
    if index >= indexOfName.count { indexOfName += repeatElement(-1, count: max(index + 1, 2 * indexOfName.count) - indexOfName.count) }
    if indexOfName[index] >= 0 {
      all[Int(indexOfName[index])] = value
    } else {
      indexOfName[index] = Int32(all.count)
      all.append(value)
    }
  }
}

/// What an ordinary identifier declares.
package struct Symbol: Sendable {
  package enum Kind: UInt8, Sendable {
    case typedefName, function, variable, enumerator
  }

  package var kind: Kind
  package var name: Name
  package var type: QualifiedType
  /// The value of an enumerator.
  var value: Integer = Integer(0)
  /// The symbol that an asm label states, or none.
  package var label: Name = .none
  /// Whether the identifier is not visible in other files.
  package var isStatic = false
  /// Whether a declaration of the function is inline.
  var isInline = false
  /// Whether functions of several types have the name.
  package var isOverloaded = false
  /// The first byte of the declarator, for messages.
  package var start: Int32
  /// The index of the declaration.
  package var declaration: Int32
}

/// A declaration that was not read, and the reason with its location.
struct SkippedRange: Sendable {
  var range: DeclarationRange
  var reason: String
  var code: InvocationError.Code
}

/// An external declaration in the source, without the body of a function.
package struct DeclarationRange: Sendable {
  package var start: Int32
  var end: Int32
}

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
