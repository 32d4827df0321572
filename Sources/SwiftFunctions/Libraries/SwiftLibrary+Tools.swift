internal import SwiftSymbols
public import TypeEncodings

// What the programs in Tools/ need of a library besides its public API.

extension SwiftLibrary {
  /// A function that the library exports, before its types are resolved.
  @_spi(Tools) public struct ListedFunction: Sendable {
    fileprivate let entry: SwiftSymbolIndex.Entry

    /// The name for look-up: `Plugin.area(of:scale:)`.
    public var name: String { entry.name }
    /// The mangled name.
    public var symbol: String { String(decoding: entry.mangledName, as: UTF8.self) }
    /// The declaration with its types, as the Swift tools print it.
    public var text: String { entry.declaration }
    /// What is declared: `function`, `initializer`, `getter`, `setter` and the like.
    public var kind: String { "\(entry.kind)" }
    /// Whether it is asynchronous.
    public var isAsync: Bool { entry.asyncPointer != nil || entry.asyncThunkPointer != nil }
  }

  /// Returns the functions that the library exports, in the order of its symbol table, or those that a name can mean.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if there are none, with the nearest names.
  @_spi(Tools) public func listedFunctions(named name: String? = nil) throws(InvocationError) -> [ListedFunction] {
    let found = if let name { try symbols.entries(named: name) } else { try symbols.entries() }
    return found.map { ListedFunction(entry: $0) }
  }

  /// Returns a listed function of this library, ready to be called.
  ///
  /// - Throws: As ``function(_:isVirtual:)``.
  @_spi(Tools) public func function(_ listed: ListedFunction) throws(InvocationError) -> SwiftFunction {
    try SwiftFunction(symbols.resolve(listed.entry), trusting: promises, keeping: library)
  }

  /// Returns a listed asynchronous function of this library, ready to be awaited.
  ///
  /// - Parameter isNonsending: Whether it is `nonisolated(nonsending)`; nil if that is not known.
  /// - Throws: As ``asyncFunction(_:)``.
  @_spi(Tools) @unsafe
  public func asyncFunction(_ listed: ListedFunction, isNonsending: Bool?) throws(InvocationError) -> AsyncSwiftFunction {
    try AsyncSwiftFunction(symbols.resolve(listed.entry), takesIsolation: isNonsending, trusting: promises, keeping: library)
  }

  /// Returns the types of a listed function.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason if they cannot be resolved.
  package func signature(of listed: ListedFunction) throws(InvocationError) -> SwiftFunctionSignature {
    try symbols.resolve(listed.entry)
  }
}

extension SwiftFunction {
  /// The error for a number of arguments that is not the function's.
  @_spi(Tools) public func countMismatch(_ given: Int) -> InvocationError { plan.countMismatch(given) }

  /// The argument for self of a struct or enum, which the function may change, or nil if there is none.
  @_spi(Tools) public var valueSelf: Int? { (0..<plan.count).first { unsafe plan.slots[$0].isValueSelf } }

  /// The arguments for `inout` parameters.
  @_spi(Tools) public var variables: [Int] { (0..<plan.count).filter { unsafe plan.slots[$0].isInOut } }
}

extension AsyncSwiftFunction {
  /// The error for a number of arguments that is not the function's.
  @_spi(Tools) public func countMismatch(_ given: Int) -> InvocationError { plan.countMismatch(given) }
}
