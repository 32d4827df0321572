internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols

/// A function that can be replaced.
///
/// The code in its variable, or in the tables of the images that call it, is exchanged once, and stays: a call without a replacement
/// goes on to the function itself, as it was called. So no call is lost or entered half when replacements come and go on other threads.
final class ReplacedFunction: Sendable {
  /// Its types.
  ///
  /// For a generic function the first closure's.
  let types: SwiftFunctionSignature
  /// The library of the function, which stays loaded.
  private let library: DynamicLibrary

  @safe
  private struct Known {
    var symbols: [UnsafeMutableRawPointer: SwiftLibrarySymbols] = unsafe [:]
    var functions: [UnsafeRawPointer: ReplacedFunction] = unsafe [:]
  }

  private static let known = Locked(Known())

  private init(_ types: SwiftFunctionSignature, _ library: DynamicLibrary) {
    self.types = types
    self.library = library
  }

  /// Finds a function by the name that it has in its source.
  ///
  /// - Parameters:
  ///   - callers: Whose calls are answered, if the function is one of another library.
  ///   - closure: The types of the closure that replaces it. They fix the types of a generic function. A function of C has the same types.
  /// - Returns: The function, its types, and its generic parameters.
  /// - Throws: `InvocationError` `symbolNotFound`, `libraryNotFound` and `unsupportedType`, each with the reason.
  static func find(
    _ name: String, in library: DynamicLibrary, calledBy callers: Replacement.Callers, for closure: SwiftFunctionType? = nil
  ) throws(InvocationError) -> (ReplacedFunction, SwiftFunctionSignature, GenericTypes?) {
    let symbols = try symbols(of: library)
    var generic: GenericTypes?
    func bind(
      _ symbol: SwiftSymbol, _ tree: SymbolTree, _ owner: SwiftGenericOwner?
    ) throws(InvocationError) -> [Any.Type] {
      guard let closure, let types = try GenericTypes(symbol, in: tree, owner, closure) else { return [] }
      generic = types
      return types.all
    }
    if !symbols.hasFunction(named: name), let imported = try ImportedFunction(name, in: library, closure, binding: bind) {
      let function = Self.function(imported.types, imported.library)
      do throws(InvocationError) { try imported.exchange(for: function, callers) } catch {
        // For a library with the flag, this throws why the function has no variable.
        if unsafe imported.library.handle == library.handle, symbols.hasFunctions { _ = try symbols.function(name) }
        throw error
      }
      return (function, imported.types, generic)
    }
    let types = closure == nil ? try symbols.function(name) : try symbols.function(name, binding: bind)
    return (try find(types, in: library), types, generic)
  }

  /// Finds the functions of a type, or of a module without a type, with the name of each within it.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if no type or several have the name, and `libraryNotFound`.
  static func all(
    of context: String, in library: DynamicLibrary
  ) throws(InvocationError) -> [(name: String, function: Result<ReplacedFunction, InvocationError>)] {
    try symbols(of: library).functions(of: context).map { name, types in
      (name, types.flatMap { types in Result { () throws(InvocationError) in try find(types, in: library) } })
    }
  }

  private static func symbols(of library: DynamicLibrary) throws(InvocationError) -> SwiftLibrarySymbols {
    _ = try EntryPlan.convention()
    return known.withLock { known in
      if let symbols = unsafe known.symbols[library.handle] { return symbols }
      let symbols = SwiftLibrarySymbols(library, .replaceable)
      unsafe known.symbols[library.handle] = symbols
      return symbols
    }
  }

  /// The function at an address, which is made once.
  private static func function(_ types: SwiftFunctionSignature, _ library: DynamicLibrary) -> ReplacedFunction {
    known.withLock { known in
      if let function = unsafe known.functions[types.address] { return function }
      let function = ReplacedFunction(types, library)
      unsafe known.functions[types.address] = function
      return function
    }
  }

  /// The function with a variable, in which the code is exchanged.
  private static func find(_ types: SwiftFunctionSignature, in library: DynamicLibrary) throws(InvocationError) -> ReplacedFunction {
    if let function = known.withLock({ unsafe $0.functions[types.address] }) { return function }
    let function = ReplacedFunction(types, library)
    let entrance = try unsafe Entrance(of: function, variable: UnsafeMutableRawPointer(mutating: types.address))
    return known.withLock { known in
      // Another thread may have been faster; then the stub that was made here is never entered.
      if let function = unsafe known.functions[types.address] { return function }
      unsafe known.functions[types.address] = function
      entrance.open()
      return function
    }
  }
}
