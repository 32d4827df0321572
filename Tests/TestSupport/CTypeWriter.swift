package import DeclarationReading

extension CDeclarations {
  /// Returns the types of a function in C, with the result first, and the type of the function itself.
  package func texts(ofFunction name: String) -> (function: String, parts: [String])? {
    storage.read { store in
      guard let symbol = store.symbol(name), symbol.kind == .function, case .function(let index) = store.parser.types.node(symbol.type)
      else { return nil }
      let writer = CTypeWriter(parser: store.parser)
      let function = store.parser.types.functions[Int(index)]
      return (writer.text(of: symbol.type), ([function.result] + function.parameters).map { writer.text(of: $0) })
    }
  }
}

/// Writes types as C text; tests have compilers read it.
private struct CTypeWriter {
  let parser: Parser
  private var types: TypeTable { parser.types }

  /// Returns a type in C.
  ///
  /// A struct without a tag is named by its typedef. So is a pointer that the source names by a typedef, since the typedef decides
  /// its encoding. The text of a type without any name is empty braces, and the text of a type with too many parts is a comment.
  func text(of type: QualifiedType) -> String {
    var parts = 0
    return text(of: type, "", &parts)
  }

  private func text(of type: QualifiedType, _ declarator: String, _ parts: inout Int) -> String {
    parts += 1
    guard parts <= TypeTable.mostParts else { return "/* more than \(TypeTable.mostParts) parts */" }
    var qualifiers = type.flags.contains(.const) ? "const " : ""
    if type.flags.contains(.volatile) { qualifiers += "volatile " }
    if type.flags.contains(.atomic) { qualifiers += "_Atomic " }
    func base(_ name: String) -> String { qualifiers + name + (declarator.isEmpty ? "" : " " + declarator) }
    if types.isArgumentListPointer(type) { return base("__builtin_va_list") }
    if case .pointer = types.node(type), type.flags.contains(.typedefName), let name = typedefName(ofPointer: type) { return base(name) }
    switch types.node(type) {
    case .basic(let basic): return base(basic.name)
    case .complex(let part): return base("_Complex " + part.name)
    case .vector(let element, let size): return base("__attribute__((vector_size(\(size)))) \(element.name)")
    case .pointer(let target) where types.isArgumentList(target): return base("__builtin_va_list")
    case .pointer(let target), .block(let target):
      var mark = "*"
      if case .block = types.node(type) { mark = "^" }
      if type.flags.contains(.restrict) { qualifiers += "restrict " }
      let pointer = mark + (declarator.isEmpty ? String(qualifiers.dropLast()) : qualifiers + declarator)
      switch types.node(target) {
      case .array, .function: return text(of: target, "(" + pointer + ")", &parts)
      default: return text(of: target, pointer, &parts)
      }
    case .array(let element, _) where types.isArgumentList(element): return base("__builtin_va_list")
    case .array(let element, let count): return text(of: element, declarator + "[" + (count.map(String.init) ?? "") + "]", &parts)
    case .function(let index):
      let function = types.functions[Int(index)]
      var parameters: [String] = []
      for parameter in function.parameters where parts <= TypeTable.mostParts { parameters.append(text(of: parameter, "", &parts)) }
      if function.isVariadic { parameters.append("...") }
      if parameters.isEmpty, function.hasPrototype { parameters = ["void"] }
      return text(of: function.result, declarator + "(" + parameters.joined(separator: ", ") + ")", &parts)
    case .record(let index):
      let record = types.records[Int(index)]
      if !record.name.isNone { return base((record.isUnion ? "union " : "struct ") + types.names.text(record.name)) }
      return base(typedefName(of: { if case .record(index) = $0 { true } else { false } }) ?? (record.isUnion ? "union {}" : "struct {}"))
    case .enumeration(let index):
      let enumeration = types.enumerations[Int(index)]
      if !enumeration.name.isNone { return base("enum " + types.names.text(enumeration.name)) }
      return base(typedefName(of: { if case .enumeration(index) = $0 { true } else { false } }) ?? "enum {}")
    case .unsupported(let reason, _): return base("/* \(reason) */")
    }
  }

  /// The name of the typedef that a pointer was declared with; nil if that is a built-in name.
  private func typedefName(ofPointer type: QualifiedType) -> String? {
    parser.symbols.all.first { $0.kind == .typedefName && $0.type.id == type.id }.map { types.names.text($0.name) }
  }

  /// The name of a typedef of exactly a type.
  private func typedefName(of isType: (TypeNode) -> Bool) -> String? {
    parser.symbols.all.first { $0.kind == .typedefName && isType(types.node($0.type)) }.map { types.names.text($0.name) }
  }
}
