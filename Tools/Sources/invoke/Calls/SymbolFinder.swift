import DynamicInvocation
import Foundation

/// Finds functions and variables by the names in requests, and keeps their libraries loaded.
final class SymbolFinder {
  /// The maximum number of cached functions.
  ///
  /// A full cache is emptied, so that a batch of ever new names needs bounded memory.
  private static let mostEntries = 4096

  /// The number of missing symbols whose errors suggest similar names.
  private static let mostSuggestions = 64

  private struct Key: Hashable {
    var library: String
    var symbol: String
  }

  private var libraries: [String: DynamicLibrary] = [:]
  private var functions: [Key: Implementation] = [:]
  private var missingSymbols = 0

  /// Whether a library is open already, so that finding a symbol in it runs none of its code.
  func isOpen(_ library: String) -> Bool { library == "-" || libraries[library] != nil }

  /// Returns the function with a name, or at an address `0x...`.
  func function(_ name: String, library: String) throws(InvocationError) -> Implementation {
    let key = Key(library: library, symbol: name)
    if let known = functions[key] { return known }
    let owner = try self.library(library)
    let pointer =
      if let address = try address(name) { address } else {
        // The request specifies the types: another line may call the same function with different ones.
        try suggesting(name, owner) { () throws(InvocationError) in try owner.function(name, types: "v").implementation.pointer }
      }
    if functions.count >= Self.mostEntries { functions = [:] }
    let function = Implementation(pointer, keeping: owner)
    functions[key] = function
    return function
  }

  /// Returns the address of a function to be passed as an argument: `symbol` of the given library, or `library:symbol`
  /// of another.
  func callback(_ name: String, library: String) throws(InvocationError) -> UnsafeRawPointer {
    guard let colon = name.lastIndex(of: ":") else { return try function(name, library: library).pointer }
    return try function(String(name[name.index(after: colon)...]), library: String(name[..<colon])).pointer
  }

  /// Returns the address of a variable with a name, or of memory at an address `0x...`.
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

  /// Returns the size of a variable that was found, if its library states it.
  func size(ofVariable name: String, library: String) throws(InvocationError) -> Int? {
    try address(name) == nil ? self.library(library).size(ofVariable: name) : nil
  }

  /// Returns the address that a text spells, or nil if the text is a name.
  private func address(_ name: String) throws(InvocationError) -> UnsafeRawPointer? {
    guard name.hasPrefix("0x") || name.hasPrefix("0X") else { return nil }
    guard let number = WrittenNumber(hexadecimal: name), let bits = number.integer(UInt.self),
      let address = UnsafeRawPointer(bitPattern: bits)
    else { throw InvocationError(.symbolNotFound, "'\(name)' is no address of anything") }
    return address
  }

  /// Looks up a symbol.
  ///
  /// Finding similar names for a missing symbol searches all names of a library, so only the first few errors suggest
  /// them. Only the versions of one symbol are searched for a version.
  private func suggesting<Found>(
    _ name: String, _ library: DynamicLibrary, _ find: () throws(InvocationError) -> Found
  ) throws(InvocationError) -> Found {
    guard missingSymbols < Self.mostSuggestions || name.contains("@") || Self.defines(name, library) else {
      throw InvocationError(.symbolNotFound, "\(library) has no symbol '\(name)'")
    }
    do {
      return try find()
    } catch {
      if error.code == .symbolNotFound { missingSymbols += 1 }
      throw error
    }
  }

  /// Returns whether a loaded library defines a symbol.
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
    // Libraries stay loaded: a later line may use an address that an earlier line returned.
    libraries[name] = library
    return library
  }
}
