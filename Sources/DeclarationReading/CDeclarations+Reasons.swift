import TypeEncodings

extension CDeclarations.Function {
  /// The reason for which a library may lack the function: the header defines it as static or inline; otherwise nil.
  public var reasonWithoutSymbol: String? {
    if isStatic { return "the header defines it as static\(isInline ? " inline" : ""): no library exports it" }
    return isInline ? "the header defines it as inline: a library need not export it" : nil
  }
}

extension CDeclarations {
  /// Returns the reason for which a name is not that of a function, or nil: it is a macro, a variable, a type or a constant.
  ///
  /// - Returns: What the name is, such as `it is a macro: (*__errno_location ())`.
  package func reasonWithoutFunction(_ name: String) -> String? {
    storage.read { reader in reader.reasonWithoutFunction(name) }
  }
}

extension DeclarationReader {
  mutating func reasonWithoutFunction(_ text: String) -> String? {
    let name = names.intern(text)
    if let macro = macro(name), let body = macro.body {
      // A preprocessor writes them without spaces.
      let parameters =
        macro.parameters.map { range in
          let text = Self.text(source[range]).split { $0 == " " || $0 == "\\" }.joined()
          return " with the parameters (\(text.replacing(",", with: ", ")))"
        } ?? ""
      let definition = Self.text(source[body]).split(separator: " ").filter { $0 != "\\" }.joined(separator: " ")
      return "it is a macro\(parameters)" + (definition.isEmpty ? " without a value" : ": \(definition.shortened(to: 200))")
    }
    guard let symbol = try? symbol(name) else {
      let isTag = tags[name] != nil || (try? readIndexed(tag: name)) == true
      return isTag ? "it is a type" : nil
    }
    switch symbol.kind {
    case .function: return nil
    case .variable: return "it is a variable"
    case .typedefName: return "it is a type"
    case .enumerator: return "it is an enumerator"
    }
  }
}
