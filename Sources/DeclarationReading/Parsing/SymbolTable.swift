import TypeEncodings

/// The ordinary identifiers that a source declares: functions, variables, typedefs and enumerators.
struct SymbolTable: Sendable {
  /// The symbols, in the order of the first declaration of each.
  private(set) var all: [Symbol] = []
  /// The index of the symbol that each name declares, or -1.
  private var indexOfName: [Int32] = []

  /// What a name declares, or nil.
  subscript(name: Name) -> Symbol? {
    guard Int(name.index) < indexOfName.count, indexOfName[Int(name.index)] >= 0 else { return nil }
    return all[Int(indexOfName[Int(name.index)])]
  }

  /// Stores what a name declares, in the place of what it declared before.
  mutating func set(_ symbol: Symbol) {
    let index = Int(symbol.name.index)
    if index >= indexOfName.count { indexOfName += repeatElement(-1, count: max(index + 1, 2 * indexOfName.count) - indexOfName.count) }
    if indexOfName[index] >= 0 {
      all[Int(indexOfName[index])] = symbol
    } else {
      indexOfName[index] = Int32(all.count)
      all.append(symbol)
    }
  }
}

/// What an ordinary identifier declares.
struct Symbol: Sendable {
  enum Kind: UInt8, Sendable {
    case typedefName, function, variable, enumerator
  }

  var kind: Kind
  var name: Name
  var type: QualifiedType
  /// The value of an enumerator.
  var value: Integer = Integer(0)
  /// The symbol that an asm label states, or none.
  var label: Name = .none
  /// Whether the identifier is not visible in other files.
  var isStatic = false
  /// Whether a declaration of the function is inline.
  var isInline = false
  /// Whether functions of several types have the name.
  var isOverloaded = false
  /// The first byte of the declarator, for messages.
  var start: Int32
  /// The index of the declaration.
  var declaration: Int32
}

/// A declaration that was not read, and the reason with its location.
struct SkippedRange: Sendable {
  var range: DeclarationRange
  var reason: String
  var code: InvocationError.Code
}

/// An external declaration in the source, without the body of a function.
struct DeclarationRange: Sendable {
  var start: Int32
  var end: Int32
  /// The alignment that `#pragma pack` states where it begins, or 0.
  var packing: Int
  /// The pragmas that are in effect where it begins.
  var pragmas: PragmaEffects = []
}
