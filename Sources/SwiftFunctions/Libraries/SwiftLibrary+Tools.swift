public import TypeEncodings

// What the programs in Tools/ need of a library besides its public API.

extension SwiftLibrary {
  /// A function that the library exports, before its types are resolved.
  @_spi(Tools) public struct ListedFunction: Sendable {
    fileprivate let declaration: SwiftDeclaration

    /// The name for look-up: `Plugin.area(of:scale:)`.
    public var name: String { declaration.name }
    /// The mangled name.
    public var symbol: String { declaration.symbol }
    /// The declaration with its types, as the Swift tools print it.
    public var text: String { declaration.text }
    /// What is declared: `function`, `initializer`, `getter`, `setter` and the like.
    public var kind: String { declaration.kind }
    /// Whether it is asynchronous.
    public var isAsync: Bool { declaration.isAsync }
  }

  /// Returns the functions that the library exports, in the order of its symbol table, or those that a name can mean.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if there are none, with the nearest names.
  @_spi(Tools) public func listedFunctions(named name: String? = nil) throws(InvocationError) -> [ListedFunction] {
    let found = if let name { try symbols.declarations(named: name) } else { try symbols.declarations() }
    return found.map { ListedFunction(declaration: $0) }
  }

  /// Returns a listed function of this library, ready to be called.
  ///
  /// - Throws: As ``function(_:isVirtual:)``.
  @_spi(Tools) public func function(_ listed: ListedFunction) throws(InvocationError) -> SwiftFunction {
    try symbols.function(listed.declaration, trusting: promises)
  }

  /// Returns a listed asynchronous function of this library, ready to be awaited.
  ///
  /// - Parameter isNonsending: Whether it is `nonisolated(nonsending)`; nil if that is not known.
  /// - Throws: As ``asyncFunction(_:)``.
  @_spi(Tools) @unsafe
  public func asyncFunction(_ listed: ListedFunction, isNonsending: Bool?) throws(InvocationError) -> AsyncSwiftFunction {
    try unsafe symbols.asyncFunction(listed.declaration, isNonsending: isNonsending, trusting: promises)
  }
}
