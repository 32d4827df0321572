@testable import SwiftSymbols

/// Reads a mangled name, a mangled type, an ELF file or a name for look-up; the first byte tells which.
///
/// Reading must end with a result. A type that is written without substitutions must be read as the same type. The name and
/// the declaration of a function must be read as names of that function.
func symbolsCase(_ bytes: UnsafeRawBufferPointer) {
  guard let choice = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  switch choice & 3 {
  case 0: readSymbol(Array("$s".utf8) + rest)
  case 1: readType(rest)
  case 2: readFile(rest)
  default:
    let query = SwiftNameQuery(String(decoding: rest, as: UTF8.self))
    _ = SwiftNameQuery.matches(query.base, query.result ?? query.base)
  }
}

private func readSymbol(_ name: [UInt8]) {
  var parser = SymbolParser()
  guard let tree = try? parser.parse(symbol: name) else { return }
  _ = SymbolPrinter.text(of: tree)
  let symbol = SwiftSymbol(tree)
  guard !symbol.isLocal, symbol.kind != .addressor, symbol.kind != .other, hasSourceNames(tree, tree.root) else { return }
  let entry = SwiftSymbolIndex.Entry(mangledName: name, of: symbol)
  let query = SwiftNameQuery(symbol.name)
  let path = symbol.path.map(\.name) + [symbol.baseName]
  require(query.path == path.map { SwiftIdentifier($0) }, "the name '\(symbol.name)' is another path: \(query.path)")
  require(entry.path == Array(query.path.dropFirst()), "the path of '\(symbol.name)' is read as \(entry.path)")
  require(query.accepts(entry), "the name '\(symbol.name)' does not find its function")
  require(SwiftNameQuery(entry.declaration).accepts(entry), "the declaration '\(entry.declaration)' does not find its function")
}

/// Whether all names in a tree can be written in a source.
private func hasSourceNames(_ tree: SymbolTree, _ node: SymbolTree.Node) -> Bool {
  let text = tree.text(node)
  switch tree.kind(node) {
  case .identifier, .module:
    let isRaw = text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`") && text.filter { $0 == "`" }.count == 2
    guard isRaw || (!text.isEmpty && text.allSatisfy(NameScanner.isWordPart) && text.utf8.allSatisfy { $0 < 0x80 }) else { return false }
    guard text != "__allocating_init", text != "_" else { return false }
  case .infixOperator, .prefixOperator, .postfixOperator:
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
  case .privateName: return false
  default: break
  }
  return tree.children(node).allSatisfy { hasSourceNames(tree, $0) }
}

private func readType(_ name: [UInt8]) {
  var parser = SymbolParser()
  guard let tree = try? parser.parse(type: name) else { return }
  guard let written = TypeSpelling.mangledName(of: tree.root, in: tree) else { return }
  guard let again = try? parser.parse(type: written) else {
    return require(false, "a type that was written is not read: \(String(decoding: written, as: UTF8.self))")
  }
  require(TypeSpelling.mangledName(of: again.root, in: again) == written, "a type is not the same when it is written again")
}

private func readFile(_ bytes: [UInt8]) {
  let source: ELFFile.Source = { offset, count in
    guard offset < bytes.count else { return [] }
    return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
  }
  guard let file = try? ELFFile(source) else { return }
  _ = file.notes
  _ = ELFSymbolTable.all(file)
  guard let table = try? ELFSymbolTable.exported(file) else { return }
  _ = SwiftSymbolIndex(table)
}
