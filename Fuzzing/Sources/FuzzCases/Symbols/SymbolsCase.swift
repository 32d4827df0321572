@testable import SwiftSymbols

/// Reads a mangled name, a mangled type, an ELF file or a name for look-up; the first byte tells which.
///
/// Reading must end with a result. A type that is written without substitutions must be read as the same type.
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
  _ = SwiftSymbol(tree)
}

private func readType(_ name: [UInt8]) {
  var parser = SymbolParser()
  guard let tree = try? parser.parse(type: name) else { return }
  guard let written = TypeMangling.mangledName(of: tree.root, in: tree) else { return }
  guard let again = try? parser.parse(type: written) else {
    return require(false, "a type that was written is not read: \(String(decoding: written, as: UTF8.self))")
  }
  require(TypeMangling.mangledName(of: again.root, in: again) == written, "a type is not the same when it is written again")
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
