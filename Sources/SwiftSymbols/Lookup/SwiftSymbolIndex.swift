/// The functions and types of a library, by name.
///
/// The index holds a name and addresses for each function; types are read from the symbol when a function is looked
/// up. Symbols that stand for no function of the source, such as thunks and witness tables, are not in it.
package struct SwiftSymbolIndex: Sendable {
  /// A function of the library, with the addresses of its symbols relative to the base of the library.
  package struct Entry: Sendable {
    /// The mangled name of the declaration, which ends before the marks of a thunk or descriptor.
    package let mangledName: [UInt8]
    package let kind: SwiftSymbol.Kind
    package let isStatic: Bool
    package let module: String
    /// The types that contain the declaration and its base name, joined by periods.
    package let base: String
    /// The labels with parentheses; empty for a variable.
    package let labels: String
    /// The address of the code.
    package fileprivate(set) var definition: UInt64?
    package fileprivate(set) var dispatchThunk: UInt64?
    package fileprivate(set) var methodDescriptor: UInt64?
    package fileprivate(set) var asyncPointer: UInt64?
    package fileprivate(set) var asyncThunkPointer: UInt64?

    /// The name for look-up.
    package var name: String { "\(module).\(base)\(labels)" }

    /// Whether no type contains the declaration.
    var isGlobal: Bool { path.count == 1 }
  }

  /// A nominal type of the library.
  package struct NominalType: Sendable {
    /// The address of the type's descriptor.
    package let descriptor: UInt64
    /// The address of the function that returns the type's metadata, if it is exported.
    package let accessor: UInt64?
  }

  package private(set) var entries: [Entry] = []
  /// The nominal types that the library exports, by full name.
  package private(set) var types: [String: NominalType] = [:]
  /// The files that the library was compiled of, as far as its symbols state them.
  package let files: Set<String>
  /// The numbers of entries by ``Entry/base``, without backticks.
  private(set) var numbers: [String: [Int32]] = [:]

  /// The modules whose functions and types the library exports.
  package var modules: Set<String> { Set(entries.map(\.module)).union(types.keys.compactMap { SwiftIdentifier.path($0).first?.source }) }

  /// Reads the symbols of a table.
  ///
  /// - Complexity: O(bytes of all names); about 10 µs for each symbol.
  package init(_ table: ELFSymbolTable) {
    files = table.files
    var parser = SymbolParser()
    var known: [[UInt8]: Int32] = [:]
    var addressed: Set<[UInt8]> = []
    var descriptors: [(name: ArraySlice<UInt8>, address: UInt64)] = []
    var accessors: [ArraySlice<UInt8>: UInt64] = [:]
    for symbol in table.symbols {
      let name = table.name(of: symbol)
      switch SymbolSuffix(name) {
      case .function(let role, let end):
        let key = Array(name[..<end])
        if let number = known[key] {
          entries[Int(number)].set(role, symbol.value)
        } else if let entry = readEntry(key, &parser) {
          known[key] = Int32(entries.count)
          entries.append(entry)
          entries[entries.count - 1].set(role, symbol.value)
        }
      case .addressorOfValue: addressed.insert(Array(name.dropLast(3)))
      case .descriptor: descriptors.append((name.dropLast(2), symbol.value))
      case .metadataAccessor: if symbol.isFunction { accessors[name.dropLast(2)] = symbol.value }
      case .other: break
      }
    }
    // The addressor of a static variable and the addressor of a value's variable have the same name. A value's variable
    // has another accessor, too.
    let all = entries
    entries = all.filter { entry in
      guard entry.kind == .addressor else { return true }
      let variable = Array(entry.mangledName.dropLast(3))
      let getter = known[variable + Array("vg".utf8)].map { all[Int($0)] }
      return !addressed.contains(variable) && getter?.isGlobal ?? true
    }
    for (number, entry) in entries.enumerated() {
      numbers[SwiftIdentifier.bare(entry.base), default: []].append(Int32(number))
    }
    for (name, address) in descriptors {
      guard let tree = try? parser.parse(type: name.dropFirst(2)), tree.kind(tree.root).isNominal else { continue }
      types[SymbolPrinter.text(of: tree)] = NominalType(descriptor: address, accessor: accessors[name])
    }
  }

  /// Whether a symbol's name can be of use, so that others need not be kept.
  package static func isWanted(_ name: ArraySlice<UInt8>) -> Bool {
    if case .other = SymbolSuffix(name) { false } else { true }
  }

  private func readEntry(_ name: [UInt8], _ parser: inout SymbolParser) -> Entry? {
    guard let tree = try? parser.parse(symbol: name) else { return nil }
    let symbol = SwiftSymbol(tree, namesOnly: true)
    guard symbol.kind != .other, !symbol.isLocal, !symbol.baseName.isEmpty else { return nil }
    return Entry(mangledName: name, of: symbol)
  }
}

extension SwiftSymbolIndex.Entry {
  init(mangledName: [UInt8], of symbol: SwiftSymbol) {
    self.init(
      mangledName: mangledName, kind: symbol.kind, isStatic: symbol.isStatic, module: symbol.module, base: symbol.base,
      labels: symbol.labels)
  }

  fileprivate mutating func set(_ role: SymbolSuffix.Role, _ value: UInt64) {
    switch role {
    case .definition: definition = value
    case .dispatchThunk: dispatchThunk = value
    case .methodDescriptor: methodDescriptor = value
    case .asyncFunctionPointer: asyncPointer = value
    case .asyncDispatchThunkPointer: asyncThunkPointer = value
    }
  }
}

/// What the end of a mangled name says about it, without reading it all.
package enum SymbolSuffix {
  /// What the address of a symbol is.
  package enum Role {
    /// The code of the declaration.
    case definition
    /// Code that calls the override of the object's class.
    case dispatchThunk
    /// The descriptor by which an override is found.
    case methodDescriptor
    /// The record of an asynchronous function: its code and the size of its context.
    case asyncFunctionPointer
    /// The record of a dispatch thunk of an asynchronous function.
    case asyncDispatchThunkPointer
  }

  /// A function, with what the symbol is to it and the end of the function's own name.
  case function(role: Role, end: Int)
  /// The addressor of a variable of a value.
  case addressorOfValue
  /// A nominal type descriptor.
  case descriptor
  /// The function that returns the metadata of a type.
  case metadataAccessor
  case other

  package init(_ name: ArraySlice<UInt8>) {
    let start = name.startIndex
    var end = name.endIndex
    /// The byte at a distance before the end, or 0.
    func byte(_ distance: Int) -> UInt8 { end - distance >= start ? name[end - distance] : 0 }
    /// Returns whether the name has these bytes before the end, and moves the end before them.
    func drop(_ previous: UInt8, _ last: UInt8) -> Bool {
      guard byte(1) == last, byte(2) == previous else { return false }
      end -= 2
      return true
    }
    let (small, large, thunk) = (UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "T"))
    guard end - start > 2, name[start] == UInt8(ascii: "$"), name[start + 1] == small || name[start + 1] == large else {
      self = .other
      return
    }
    var role = Role.definition
    if drop(thunk, UInt8(ascii: "u")) { role = .asyncFunctionPointer }
    if drop(thunk, UInt8(ascii: "j")) {
      role = role == .asyncFunctionPointer ? .asyncDispatchThunkPointer : .dispatchThunk
    } else if drop(thunk, UInt8(ascii: "q")) {
      role = .methodDescriptor
    }
    let endOfFunction = end
    if byte(1) == UInt8(ascii: "Z") { end -= 1 }
    switch (Unicode.Scalar(byte(2)), Unicode.Scalar(byte(1))) {
    // `HF`, `MF` and `TF` may be a record or thunk, or the end of a function whose last type is a substitution such as
    // `AH`: only reading the name tells.
    case (_, "F"), ("f", "C"), ("v", "g"), ("v", "s"), ("i", "g"), ("i", "s"): self = .function(role: role, end: endOfFunction)
    case ("a", "u") where byte(3) == UInt8(ascii: "v"): self = .function(role: role, end: endOfFunction)
    case ("l", "u") where byte(3) == UInt8(ascii: "v") && end == name.endIndex: self = .addressorOfValue
    case ("M", "n"): self = .descriptor
    case ("M", "a"): self = .metadataAccessor
    default: self = .other
    }
  }
}
