internal import CFFIShim
internal import SwiftSymbols

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A search for the functions that a name can mean among many symbols.
///
/// Few are read. A mangled name contains an identifier after its length, or at least each word of it, as the identifier
/// may refer to a word elsewhere in the name. So the search reads only names that contain the words of the function's
/// own name, or, for an initializer, a subscript and an operator, of its type.
@safe
struct SymbolSearch {
  /// What was found.
  struct Found {
    /// The first of ``entries``.
    let entry: SwiftSymbolIndex.Entry
    /// All that the name can mean.
    let entries: [SwiftSymbolIndex.Entry]
    /// All names that contain the texts.
    let names: Set<String>
  }

  private let query: SwiftNameQuery
  /// What names must contain, the most certain first: texts that each have a zero byte at their end, and an empty one.
  private let texts: [[CChar]]

  /// The most names that are read; a longer list is of words that say nothing.
  private static let mostNames = 400

  /// Nil for a name without words that can be searched for.
  init?(_ query: SwiftNameQuery) {
    self.query = query
    let isAccessor = query.accessor != nil && query.accessedPath.count < query.path.count
    let path = isAccessor ? query.accessedPath : query.path
    let own = path.last.flatMap { Self.isSearched($0) ? $0 : path.dropLast().last }
    guard let own, Self.isSearched(own) else { return nil }
    var words: [CChar] = []
    var previous = UInt8(ascii: "_")
    for byte in own.text.utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      let wasUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(previous)
      let isStart = byte == UInt8(ascii: "_") || isUpper && !wasUpper
      if isStart, let last = words.last, last != 0 { words.append(0) }
      if byte != UInt8(ascii: "_") { words.append(CChar(bitPattern: byte)) }
      previous = byte
    }
    guard !words.isEmpty else { return nil }
    let whole = "\(own.text.utf8.count)\(own.text)".utf8.map { CChar(bitPattern: $0) }
    // No identifier refers to a word of one letter.
    texts = [whole + [0, 0]] + (words.count > 1 ? [words + [0, 0]] : [])
  }

  /// Whether symbols contain the words of a name.
  private static func isSearched(_ name: SwiftIdentifier) -> Bool {
    let isKeyword = !name.isEscaped && (name.text == "init" || name.text == "subscript")
    return !isKeyword
      && name.text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (byte < 0x80 && Character(Unicode.Scalar(byte)).isLetter)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }

  /// Searches all symbols of a library, internal ones included.
  ///
  /// - Complexity: O(bytes of the symbol table), in compiled C: some milliseconds for a large program.
  func all(of file: ELFFile) -> Found? {
    let allSymbols: UInt32 = 2
    guard let section = file.sections.first(where: { $0.type == allSymbols }), Int(section.link) < file.sections.count else { return nil }
    let (symbols, names) = (file.bytes(of: section), file.bytes(of: file.sections[Int(section.link)]))
    return unsafe find { texts, visitor, context in
      unsafe symbols.withUnsafeBytes { symbols in
        unsafe names.withUnsafeBytes { names in
          guard let table = symbols.baseAddress, let start = names.baseAddress else { return }
          let first = unsafe start.assumingMemoryBound(to: CChar.self)
          unsafe cffi_visit_table_names(table, symbols.count, first, names.count, texts, visitor, context)
        }
      }
    }
  }

  /// Searches what all loaded libraries export.
  ///
  /// - Complexity: As for ``all(of:)``.
  func exported() -> Found? { unsafe find { unsafe cffi_visit_exported_names($0, $1, $2) } }

  private func find(_ visit: ([CChar], cffi_name_visitor, UnsafeMutableRawPointer) -> Void) -> Found? {
    for each in texts { if let found = unsafe find(each, visit) { return found } }
    return nil
  }

  private func find(_ texts: [CChar], _ visit: ([CChar], cffi_name_visitor, UnsafeMutableRawPointer) -> Void) -> Found? {
    var names: [String] = []
    unsafe withUnsafeMutablePointer(to: &names) { context in
      let visitor: cffi_name_visitor = { name, context in
        // The context is the array above, valid during the visit.
        unsafe context?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
      }
      unsafe visit(texts, visitor, context)
    }
    let isInitializer = query.path.last == SwiftIdentifier("init")
    let read = names.lazy.filter { SwiftSymbolIndex.isWanted(Array($0.utf8)[...]) && (!isInitializer || $0.hasSuffix("fC")) }
    let index = SwiftSymbolIndex(ELFSymbolTable(read.prefix(Self.mostNames).map { ($0, 0) }))
    let entries = index.find(query)
    return entries.first.map { Found(entry: $0, entries: entries, names: Set(names)) }
  }
}

extension SwiftLibrarySymbols {
  /// The functions that a loaded library, which is not the program, exports under a name; nil if none does.
  ///
  /// Few of its symbols are read.
  /// - Parameter library: The library that exports them; for the process any one that is loaded.
  /// - Throws: `InvocationError` `libraryNotFound` if its file cannot be read.
  package static func exporting(_ name: String, in library: DynamicLibrary) throws(InvocationError) -> SwiftLibrarySymbols? {
    guard let found = SymbolSearch(SwiftNameQuery(name))?.exported(), !found.isReplaceable else { return nil }
    let own = String(decoding: found.entry.mangledName, as: UTF8.self)
    guard let address = unsafe library.address(of: own) ?? library.address(of: own + "Tj"),
      let owner = try unsafe DynamicLibrary.containing(address), !owner.isProcess
    else { return nil }
    let (loaded, _) = try LoadedLibrary.open(owner)
    var symbols: [(name: String, value: UInt64)] = []
    for entry in found.entries {
      // The code, the async function pointer, the thunk that dispatches, and the descriptor of a method.
      for role in ["", "Tu", "Tj", "TjTu", "Tq"] {
        let name = String(decoding: entry.mangledName, as: UTF8.self) + role
        guard let address = unsafe owner.address(of: name) else { continue }
        let value = UInt64(UInt(bitPattern: address) &- loaded.base)
        if unsafe loaded.pointer(value) != nil { symbols.append((name, value)) }
      }
    }
    return SwiftLibrarySymbols(owner, Contents(loaded, SwiftSymbolIndex(ELFSymbolTable(symbols))))
  }
}

extension SymbolSearch.Found {
  /// The file of the library that exports the function, or nil.
  var library: String? {
    let name = String(decoding: entry.mangledName, as: UTF8.self)
    return SymbolSearch.library(of: name) ?? SymbolSearch.library(of: name + "Tu")
  }

  /// Whether the function can be replaced in its library.
  var isReplaceable: Bool { names.contains(String(decoding: entry.mangledName, as: UTF8.self) + "TX") }

  /// Why a function has no variable by which it can be replaced, in a module whose other functions have one.
  var reason: String {
    guard entry.kind != .function, entry.kind != .initializer else { return "callers inline it (@inlinable, @_transparent)" }
    if entry.base.split(separator: ".").last?.hasPrefix("$") == true {
      return "it is the projected value of a property wrapper, for which the compiler makes no variable: replace the property "
        + "'projectedValue' of the wrapper"
    }
    // The marks of the accessor are the end of its name, before one for a static variable.
    let name = String(decoding: entry.mangledName, as: UTF8.self)
    let variable = String(name.dropLast(entry.kind == .addressor ? 3 : entry.isStatic ? 3 : 2))
    if !names.isDisjoint(with: ["vr", "vrZ", "ir", "irZ"].map({ variable + $0 })) { return "it is yielded (_read, _modify)" }
    guard isStored || !names.isDisjoint(with: ["vau", "vpZ", "vp", "vpWvd", "vpfi"].map({ variable + $0 })) else {
      return "callers inline it (@inlinable, @_transparent)"
    }
    return "it is stored, and has no function: replace the functions that use it, or methods of the object in it"
  }

  /// Whether the type of the function has a field of its name.
  private var isStored: Bool {
    guard let tree = entry.tree, let owner = SwiftSymbol(tree).selfType?.mangled, let type = SwiftTypeLookup.type(mangled: owner) else {
      return false
    }
    return SwiftReflection.hasField(entry.ownName, in: type)
  }
}

extension SymbolSearch {
  /// The file of the loaded library that exports a symbol, or nil.
  static func library(of symbol: String) -> String? {
    guard let address = unsafe dlsym(DynamicLibrary.process.handle, symbol) else { return nil }
    var start: UnsafeRawPointer?
    var path: UnsafePointer<CChar>?
    guard unsafe cffi_find_object(address, &start, &path) != 0, let path = unsafe path else { return nil }
    return unsafe String(cString: path).split(separator: "/").last.map { String($0) }
  }
}
