internal import SwiftSymbols
public import TypeEncodings

extension MethodTable {
  /// Makes the methods that the library of the class exports answer to selectors, without a registration of each.
  ///
  ///     let methods = try unsafe MethodTable.of(Page.self).addExported(trusting: .declarations)
  ///     for method in methods.added { print(method) }
  ///
  /// A method has the selector of its name and labels, `area(_:in:)`; a property has `title` and, if it can be set,
  /// `setTitle(_:)`. Types that are `EncodedValue` are passed as such. Any other is passed as `@`: an object as it is,
  /// and a value, such as an array or a returned string, as a `SwiftValue`. An overridable method is called as the
  /// class of the target implements it. What a method throws is thrown.
  ///
  /// The exported methods of superclasses are added to their tables. Methods that a table has already are kept. Only the
  /// public members of a class are exported; those of a program only if it is linked with `-Xlinker -export-dynamic`.
  ///
  /// The same is refused as by ``SwiftLibrary/function(_:isVirtual:)``. Messages reach the methods on any thread, and a
  /// symbol states neither that a method is of the main actor nor that it consumes its target.
  ///
  /// - Parameter promises: What the caller states of all methods, such as `.declarations`: they are called on the actor
  ///   that they are isolated to, and none of them is declared `consuming`.
  /// - Returns: The methods that were added, and the members that were not, with the reasons: initializers, static
  ///   members, subscripts, overloads of one selector, `inout` parameters, members of actors, and all functions that
  ///   ``SwiftLibrary/function(_:isVirtual:)`` refuses.
  /// - Throws: `InvocationError` `unsupportedType` for a generic class; `libraryNotFound` if the file of the library
  ///   cannot be read, and on platforms whose libraries are not ELF files.
  /// - Complexity: Reads the symbols of the library, about 10 µs for each of its functions, and creates a closure for
  ///   each method.
  @unsafe @discardableResult
  public func addExported(trusting promises: SwiftLibrary.Promises) throws(InvocationError) -> ExportedMethods {
    try LoadedLibrary.requirePlatform("\(type)")
    guard let descriptor = SwiftMetadata(type).descriptor, !descriptor.isGeneric else {
      throw InvocationError(.unsupportedType, "the class \(type) is generic, and the symbols of its methods do not state its types")
    }
    var methods = ExportedMethods()
    var inherited: Set<String> = []
    var libraries: [ExportedMembers] = []
    var table: MethodTable? = self
    while let next = table {
      if let members = try ExportedMembers(of: next.type) { libraries.append(members) }
      table = next.superclassTable
    }
    for members in libraries.reversed() {
      try MethodTable.of(members.type).add(members, trusting: promises, inherited: &inherited, to: &methods)
    }
    return methods
  }

  private func add(
    _ members: ExportedMembers, trusting promises: SwiftLibrary.Promises, inherited: inout Set<String>, to methods: inout ExportedMethods
  ) throws(InvocationError) {
    let counts = Dictionary(grouping: members.entries.compactMap { members.selector(of: $0) }, by: { $0 }).mapValues(\.count)
    for entry in members.entries {
      let declaration = SwiftLibrarySymbols.text(entry)
      do throws(InvocationError) {
        let name = try members.requireSelector(of: entry)
        // An override is called by the method that it overrides.
        guard !inherited.contains(name) else { continue }
        guard counts[name] == 1 else {
          throw InvocationError(
            .duplicateMethod, "\(type) has several methods with the selector '\(name)', which differ in their types only")
        }
        let selector = MethodSelector(name)
        guard ownMethod(for: selector) == nil else { continue }
        let implementation = try Implementation(exported: members.function(entry, trusting: promises), of: type)
        try add(selector, implementation)
        guard let signature = implementation.methodSignature else { continue }
        methods.added.append(ExportedMethods.Method(selector: selector, methodSignature: signature, declaration: declaration))
      } catch {
        methods.refused.append(ExportedMethods.Refusal(declaration: declaration, error: error))
      }
    }
    inherited.formUnion(counts.keys)
  }
}

/// The members of a class that a library exports.
private struct ExportedMembers {
  let type: AnyClass
  let entries: [SwiftSymbolIndex.Entry]
  private let symbols: SwiftLibrarySymbols

  /// Finds the library of a class; nil for a generic class, and for one whose library exports no Swift functions.
  init?(of type: AnyClass) throws(InvocationError) {
    guard let descriptor = SwiftMetadata(type).descriptor, !descriptor.isGeneric,
      let library = try unsafe DynamicLibrary.containing(descriptor.address)
    else { return nil }
    self.type = type
    symbols = SwiftLibrarySymbols(library)
    let owner = SwiftIdentifier.path(_typeName(type, qualified: true))
    guard let module = owner.first?.source else { return nil }
    entries = try symbols.contents().index.entries.filter { $0.module == module && $0.path.dropLast().elementsEqual(owner.dropFirst()) }
  }

  /// The selector of a member, or nil if it has none.
  func selector(of entry: SwiftSymbolIndex.Entry) -> String? { try? requireSelector(of: entry) }

  func requireSelector(of entry: SwiftSymbolIndex.Entry) throws(InvocationError) -> String {
    func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason) }
    if entry.kind == .initializer { throw refused("an initializer has no object as its target") }
    if entry.isStatic { throw refused("a static member has no object as its target") }
    guard let own = entry.path.last else { throw refused("it has no name") }
    let name = own.isEscaped ? own.text : own.source
    switch entry.kind {
    case .function: return name + entry.labels
    case .getter: return name
    case .setter: return "set" + name.prefix(1).uppercased() + name.dropFirst() + "(_:)"
    default: throw refused("a subscript has no selector")
    }
  }

  func function(_ entry: SwiftSymbolIndex.Entry, trusting promises: SwiftLibrary.Promises) throws(InvocationError) -> SwiftFunction {
    try SwiftFunction(symbols.resolve(entry), trusting: promises, keeping: symbols.library)
  }
}
