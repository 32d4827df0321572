import TypeEncodings

extension DeclarationReader {
  mutating func excerpt(_ files: HeaderParts) -> CDeclarations.Excerpt {
    let unusable = Set(skipped.map(\.range.start))
    // What the header defines itself is in no library, but constants are of use.
    let hidden = Set(symbols.filter { $0.isStatic && constantVariables[$0.name] == nil }.map(\.declaration))
    let roots = declarations.indices.filter { index in
      files.contains(Int(declarations[index].start)) && !hidden.contains(Int32(index)) && !unusable.contains(declarations[index].start)
    }
    var lines: [String] = []
    var packing = 0
    var pragmas: PragmaEffects = []
    for index in used(by: roots).sorted() where !unusable.contains(declarations[index].start) {
      let range = declarations[index]
      if range.packing != packing { lines.append(range.packing > 0 ? "#pragma pack(\(range.packing))" : "#pragma pack()") }
      packing = range.packing
      for (effect, begin, end) in PragmaEffects.directives where range.pragmas.symmetricDifference(pragmas).contains(effect) {
        lines.append("#pragma " + (range.pragmas.contains(effect) ? begin : end))
      }
      pragmas = range.pragmas
      let text = text(of: range)
      lines.append(text.hasSuffix(";") ? text : text + ";")
    }
    if packing > 0 { lines.append("#pragma pack()") }
    for (effect, _, end) in PragmaEffects.directives where pragmas.contains(effect) { lines.append("#pragma " + end) }
    var excerpt = CDeclarations.Excerpt(text: "")
    let included = Set(roots.map(Int32.init))
    excerpt.functions = symbols.filter { $0.kind == .function && included.contains($0.declaration) }.map { names.text($0.name) }
    for symbol in symbols where included.contains(symbol.declaration) && pragmaState.symbols[symbol.name]?.symbol == symbol.label {
      lines.append("#pragma redefine_extname \(names.text(symbol.name)) \(names.text(symbol.label))")
    }
    let wanted = macros.filter { macro in macro.parameters == nil && files.contains(macro.body?.lowerBound ?? 0) }
    for macro in wanted.sorted(by: { ($0.body?.lowerBound ?? 0) < ($1.body?.lowerBound ?? 0) }) {
      let name = names.text(macro.name)
      guard var value = constant(named: name)?.cText else { continue }
      if case .operand(.floatingPoint(_, let type))? = constant(ofMacro: macro.name), type != .double { value = "((\(type.name))\(value))" }
      lines.append("#define \(name) \(value)")
      excerpt.constants.append(name)
    }
    excerpt.text = lines.joined(separator: "\n")
    return excerpt
  }

  /// Returns declarations with those of the typedefs, structs, unions, enums and enumerators that they use.
  private mutating func used(by roots: [Int]) -> Set<Int> {
    var found = Set(roots)
    var waiting = roots
    while let index = waiting.popLast() {
      let range = declarations[index]
      guard (try? split(Int(range.start)..<Int(range.end))) != nil else { continue }
      let hasTypeOf = tokens.contains { $0.kind == .keyword && $0.keyword == .typeof }
      for token in tokens where token.kind == .name {
        for declaration in declarations(ofName: token.name, hasTypeOf: hasTypeOf) where declaration >= 0 {
          if found.insert(Int(declaration)).inserted { waiting.append(Int(declaration)) }
        }
      }
    }
    return found
  }

  /// The declarations of what a name in a declaration may refer to.
  private mutating func declarations(ofName name: Name, hasTypeOf: Bool) -> [Int32] {
    var result: [Int32] = []
    switch tags[name] {
    case .record(let index): result.append(records[Int(index)].declaration)
    case .enumeration(let index): result.append(enumerations[Int(index)].declaration)
    case nil: break
    }
    // The type of a variable or a function is used by typeof only.
    if let symbol = try? symbol(name), hasTypeOf || symbol.kind == .typedefName || symbol.kind == .enumerator {
      result.append(symbol.declaration)
    }
    return result
  }
}

extension CDeclarations.Constant {
  /// The value as an expression in C of the same type; nil for a number that C cannot state.
  fileprivate var cText: String? {
    switch self {
    case .integer(.min): "(-\(Int64.max)LL - 1)"
    case .integer(let value): value < 0 ? "(\(value)LL)" : Int32(exactly: value) == nil ? "\(value)LL" : "\(value)"
    case .unsigned(let value): UInt32(exactly: value) == nil ? "\(value)ULL" : "\(value)U"
    case .floatingPoint(let value): value.isFinite ? (value < 0 ? "(\(value))" : "\(value)") : nil
    case .string(let text): "\"" + text.utf8.map(Self.cText).joined() + "\""
    case .address(let value): "((void *)0x\(String(value, radix: 16)))"
    }
  }

  /// A byte of a string literal: an octal escape has three digits, so that a digit may follow it.
  private static func cText(of byte: UInt8) -> String {
    if (0x20..<0x7F).contains(byte), byte != SourceByte.quote, byte != SourceByte.backslash, byte != 0x3F {
      return String(UnicodeScalar(byte))
    }
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
