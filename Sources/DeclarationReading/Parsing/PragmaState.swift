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
  /// The compiler that preprocessed the source, or nil for another text.
  var compiler: Packing.Compiler?
  private(set) var gcc = Packing(compiler: .gcc)
  private(set) var clang = Packing(compiler: .clang)
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

  /// Applies `#pragma pack`, and returns the number that it states if the number is not a packing.
  mutating func applyPacking(_ gccWords: [String], _ clangWords: [String]) -> Int? {
    let invalid = gcc.apply(gccWords)
    return clang.apply(clangWords) ?? invalid
  }

  /// Returns the packing of a struct: in clang the packing at its beginning, in gcc the packing at its end.
  ///
  /// - Returns: Nil if they differ and the source does not tell the compiler.
  func packing(openedWith opened: Int) -> Int? {
    switch compiler {
    case .gcc: gcc.value
    case .clang: opened
    case nil: opened == gcc.value ? opened : nil
    }
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

/// The state of `#pragma pack`, as one compiler keeps it.
///
/// What gcc 12 and clang 21 do was measured; `PragmaTests` compares it.
struct Packing: Sendable {
  enum Compiler: Sendable {
    case gcc, clang
  }

  let compiler: Compiler
  /// The greatest alignment of a member, or 0.
  private(set) var value = 0
  private var pushed: [(label: String?, value: Int)] = []

  init(compiler: Compiler) { self.compiler = compiler }

  /// Applies a pragma, unless the compiler ignores it, and returns the number that it states if the number is not a packing.
  ///
  /// - Parameter words: What follows `pack`, with numbers in decimal digits.
  mutating func apply(_ words: [String]) -> Int? {
    // clang ignores it if more follows.
    guard words.first == "(", let end = words.firstIndex(of: ")"), compiler == .gcc || end == words.count - 1 else { return nil }
    let parts = words[1..<end].split(separator: ",", omittingEmptySubsequences: false)
    guard end == 1 || parts.allSatisfy({ $0.count == 1 }) else { return nil }
    let arguments = parts.compactMap(\.first)
    let number = arguments.lazy.compactMap { Int($0) }.first
    let label = arguments.dropFirst().first { Int($0) == nil }
    if let number, number > 16 || number & (number - 1) != 0 { return number }
    switch arguments.first {
    case nil: value = 0
    case "push", "pop":
      let isPush = arguments[0] == "push"
      guard arguments.count == 1 + (number == nil ? 0 : 1) + (label == nil ? 0 : 1) else { return nil }
      // gcc pops only without a number; clang takes a label only before a number.
      guard compiler == .gcc ? isPush || number == nil : label == nil || arguments[1] == label else { return nil }
      if isPush { pushed.append((label, value)) } else { pop(label) }
      value = number ?? value
    default: if let number, arguments.count == 1 { value = number }
    }
    return nil
  }

  /// Returns to the value before the last push, or before the last one with a label.
  ///
  /// Where no push has the label, gcc goes back by one and clang stays.
  private mutating func pop(_ label: String?) {
    var index = pushed.indices.last
    if let label { index = pushed.lastIndex { $0.label == label } ?? (compiler == .gcc ? index : nil) }
    guard let index else { return }
    value = pushed[index].value
    pushed.removeSubrange(index...)
  }
}
