internal import SwiftSymbols
package import TypeEncodings

/// A function that a library exports, before its types are resolved.
package struct SwiftDeclaration: Sendable {
  let entry: SwiftSymbolIndex.Entry

  /// The name for look-up: `Plugin.area(of:scale:)`.
  package var name: String { entry.name }

  /// The mangled name.
  package var symbol: String { String(decoding: entry.mangledName, as: UTF8.self) }

  /// The declaration with its types, as the Swift tools print it, which is a name for look-up, too.
  ///
  /// - Complexity: O(*n*) in the length of the symbol.
  package var text: String { SwiftLibrarySymbols.text(entry) }

  /// Whether it is asynchronous.
  package var isAsync: Bool { entry.asyncPointer != nil || entry.asyncThunkPointer != nil }

  /// What is declared: `function`, `initializer`, `getter`, `setter`, `subscriptGetter`, `subscriptSetter`, or
  /// `addressor` for a global or static variable without a getter.
  package var kind: String { "\(entry.kind)" }
}

extension SwiftLibrarySymbols {
  /// The functions that the library exports, in the order of its symbol table.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if there are none.
  package func declarations() throws(InvocationError) -> [SwiftDeclaration] {
    let index = try contents().index
    guard !index.entries.isEmpty else { throw notFound("", SwiftNameQuery(""), index) }
    return index.entries.map { SwiftDeclaration(entry: $0) }
  }

  /// The functions that a name can mean, of which there is at least one.
  ///
  /// Of the accessors of a variable, it is the getter, unless the name ends with `.setter`.
  ///
  /// - Parameter name: As for ``function(_:kind:)``.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names if there are none.
  package func declarations(named name: String) throws(InvocationError) -> [SwiftDeclaration] {
    let index = try contents().index
    let query = SwiftNameQuery(name)
    let found = Self.withoutAccessors(index.find(query))
    guard !found.isEmpty else { throw noSetter(query, [], index) ?? notFound(name, query, index) }
    return found.map { SwiftDeclaration(entry: $0) }
  }

  /// Returns a function, ready to be called.
  ///
  /// - Parameters:
  ///   - declaration: One of this library.
  ///   - promises: What the caller states of the function; by default all but that of its layouts.
  /// - Throws: `InvocationError` `unsupportedType` with the reason if it cannot be called.
  package func function(
    _ declaration: SwiftDeclaration, trusting promises: SwiftLibrary.Promises = [.declarations, .isolation, .pointers]
  ) throws(InvocationError) -> SwiftFunction {
    try SwiftFunction(resolve(declaration.entry), trusting: promises, keeping: library)
  }

  /// Returns an asynchronous function, ready to be awaited.
  ///
  /// - Parameters:
  ///   - declaration: One of this library.
  ///   - isNonsending: Whether it is `nonisolated(nonsending)`; nil if that is not known.
  ///   - promises: What the caller states of the function; by default all but that of its layouts.
  /// - Throws: `InvocationError` `unsupportedType` with the reason if it cannot be called.
  @unsafe
  package func asyncFunction(
    _ declaration: SwiftDeclaration, isNonsending: Bool?,
    trusting promises: SwiftLibrary.Promises = [.declarations, .isolation, .pointers]
  ) throws(InvocationError) -> AsyncSwiftFunction {
    try AsyncSwiftFunction(resolve(declaration.entry), takesIsolation: isNonsending, trusting: promises, keeping: library)
  }
}

extension SwiftFunction {
  /// The error for a number of arguments that is not the function's.
  package func countMismatch(_ given: Int) -> InvocationError { plan.countMismatch(given) }

  /// The argument for self of a struct or enum, which the function may change, or nil if there is none.
  package var valueSelf: Int? { (0..<plan.count).first { unsafe plan.slots[$0].isValueSelf } }

  /// The arguments for `inout` parameters.
  package var variables: [Int] { (0..<plan.count).filter { unsafe plan.slots[$0].isInOut } }
}

extension AsyncSwiftFunction {
  /// The error for a number of arguments that is not the function's.
  package func countMismatch(_ given: Int) -> InvocationError { plan.countMismatch(given) }
}
