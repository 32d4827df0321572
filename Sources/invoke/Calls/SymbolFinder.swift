import DynamicInvocation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Finds functions and variables by the names that requests give them, and keeps their libraries loaded.
final class SymbolFinder {
  /// Past this many entries the cache starts anew, so that a batch of ever new names needs no more memory than another.
  private static let mostEntries = 4096

  /// The number of missing symbols that are answered with names near to them.
  private static let mostSuggestions = 64

  private struct Key: Hashable {
    var library: String
    var symbol: String
  }

  private var libraries: [String: DynamicLibrary] = [:]
  private var functions: [Key: Implementation] = [:]
  private var missingSymbols = 0

  /// The function of a name, or at an address `0x...`.
  func function(_ name: String, library: String) throws(InvocationError) -> Implementation {
    let key = Key(library: library, symbol: name)
    if let known = functions[key] { return known }
    let owner = try self.library(library)
    let function: Implementation
    if let address = try address(name) {
      function = Implementation(address, keeping: owner)
    } else {
      // Its types are the request's matter: the same function may be called by others in another line.
      let types = try MethodSignature(types: "v")
      let found = try suggesting(name, owner) { () throws(InvocationError) in try owner.function(name, types) }
      function = Implementation(found.implementation.pointer, keeping: owner)
    }
    if functions.count >= Self.mostEntries { functions = [:] }
    functions[key] = function
    return function
  }

  /// The address of a function to be passed: `symbol` of a library, or `library:symbol` of another.
  func callback(_ name: String, library: String) throws(InvocationError) -> UnsafeRawPointer {
    guard let colon = name.lastIndex(of: ":") else { return try function(name, library: library).pointer }
    return try function(String(name[name.index(after: colon)...]), library: String(name[..<colon])).pointer
  }

  /// The address of a variable of a name, or memory at an address `0x...`.
  func variable(_ name: String, library: String, type: TypeEncoding) throws(InvocationError) -> UnsafeRawPointer {
    let owner = try self.library(library)
    if let address = try address(name) {
      guard type.size != nil else {
        throw InvocationError(.unsupportedType, "memory has no value of a type without a size", encoding: type.description)
      }
      return address
    }
    return try suggesting(name, owner) { () throws(InvocationError) in try owner.variable(name, type: type) }
  }

  /// The address that a name spells; nil when it is a name.
  private func address(_ name: String) throws(InvocationError) -> UnsafeRawPointer? {
    guard name.hasPrefix("0x") || name.hasPrefix("0X") else { return nil }
    guard let number = HexadecimalNumber(name), case .integer(let magnitude) = number.whole, let bits = UInt(exactly: magnitude),
      let address = UnsafeRawPointer(bitPattern: bits)
    else { throw InvocationError(.symbolNotFound, "'\(name)' is no address of anything") }
    return address
  }

  /// Looks a symbol up.
  ///
  /// Near names for one that is missing take a walk over all names of a library, so only the first few come with them.
  private func suggesting<Found>(
    _ name: String, _ library: DynamicLibrary, _ find: () throws(InvocationError) -> Found
  ) throws(InvocationError) -> Found {
    guard missingSymbols < Self.mostSuggestions || Self.defines(name, library) else {
      throw InvocationError(.symbolNotFound, "\(library) has no symbol '\(name)'")
    }
    do {
      return try find()
    } catch {
      if error.code == .symbolNotFound { missingSymbols += 1 }
      throw error
    }
  }

  /// Whether a library that is loaded defines a symbol.
  private static func defines(_ symbol: String, _ library: DynamicLibrary) -> Bool {
    let isProcess = library === DynamicLibrary.process
    guard let handle = isProcess ? dlopen(nil, RTLD_NOW) : dlopen(library.name, RTLD_NOW | RTLD_LOCAL) else { return false }
    defer { dlclose(handle) }
    return dlsym(handle, symbol) != nil
  }

  private func library(_ name: String) throws(InvocationError) -> DynamicLibrary {
    if name == "-" { return .process }
    if let known = libraries[name] { return known }
    let library = try DynamicLibrary(name)
    // Libraries stay loaded: a later line may use an address that an earlier one got.
    libraries[name] = library
    return library
  }
}
