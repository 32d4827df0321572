internal import SwiftSymbols
public import TypeEncodings

/// A library of Swift functions, which are found and called by their names.
///
///     let plugin = try unsafe SwiftLibrary("libPlugin.so").trusting(.declarations)
///     let area = try plugin.function("Plugin.area(of:scale:)")
///     let a: Double = try area(rect, 2.0)
///
/// The names and types come from the symbols that the library exports, so no declaration and no registration is needed.
/// If a safe call needs to know what the symbol does not state, the function is refused, unless ``trusting(_:)``
/// promises it. The library stays loaded until the process ends, since the Swift runtime refers to its types.
public final class SwiftLibrary: Sendable {
  /// The library.
  public let library: DynamicLibrary
  let symbols: SwiftLibrarySymbols
  /// What the caller has stated about the functions.
  public let promises: Promises

  /// The program itself and the libraries it was linked with.
  ///
  /// The program exports its functions if it is linked with `-Xlinker -export-dynamic`.
  public static let process: SwiftLibrary = SwiftLibrary(.process)

  /// Opens a library by name or path.
  ///
  /// - Parameter name: A file name such as `libFoundationEssentials.so`, or a path.
  /// - Throws: `InvocationError` `libraryNotFound`, as `DynamicLibrary.init(_:)`.
  /// - Complexity: As opening the library; the symbols are read at the first look-up.
  public convenience init(_ name: String) throws(InvocationError) {
    self.init(try DynamicLibrary(name))
  }

  /// Creates an object for a library that is open.
  public convenience init(_ library: DynamicLibrary) {
    self.init(library, SwiftLibrarySymbols(library), [])
  }

  private init(_ library: DynamicLibrary, _ symbols: SwiftLibrarySymbols, _ promises: Promises) {
    self.library = library
    self.symbols = symbols
    self.promises = promises
  }

  /// Returns the library with promises, so that it returns functions that it refuses without them.
  ///
  ///     let plugin = try unsafe SwiftLibrary("libPlugin.so").trusting(.declarations)
  ///     let increment = try unsafe plugin.trusting(.isolation).function("Plugin.Counter.increment()")
  ///
  /// - Parameter promises: What the caller states about each function that is looked up, besides the promises that were
  ///   made before. A wrong statement is undefined behavior.
  @unsafe
  public func trusting(_ promises: Promises) -> SwiftLibrary {
    SwiftLibrary(library, symbols, self.promises.union(promises))
  }

  /// Returns a function, method, initializer, getter or setter, ready to be called.
  ///
  /// - Parameters:
  ///   - name: The name with the labels: `Plugin.Rect.area(of:scale:)`. The module, the labels and the types that
  ///     contain the function may be left out while the rest means one function. Overloads are told apart by their
  ///     types: `area(of: Geometry.Rect, scale: Double)`. The name of a variable means its getter, also if
  ///     a function has the same name, and with `.setter` its setter. The name of an initializer is
  ///     `Plugin.Rect.init(width:)`. Raw identifiers have their backticks as in the source; an identifier that is a
  ///     keyword may have them. A member of an extension has the module of its type or of the extension, and `Foundation` stands for
  ///     its parts. Each line of ``functions()`` is a name, too.
  ///   - isVirtual: Whether an overridable method of a class is called as the class of the object implements it.
  ///     Otherwise the implementation of the named class is called.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, or with all candidates if the name is
  ///   ambiguous; `unsupportedType` with the reason if the function cannot be called, or if safe code could not call it
  ///   and the promise is missing (``trusting(_:)``).
  /// - Complexity: The first look-up reads the symbol table of the library, about 10 µs for each of its functions.
  public func function(_ name: String, isVirtual: Bool = true) throws(InvocationError) -> SwiftFunction {
    try SwiftFunction(symbols.function(name), isVirtual: isVirtual, trusting: promises, keeping: library)
  }

  /// Returns the setter of a variable or subscript, ready to be called with the target, the new value and the indices.
  ///
  /// - Parameter name: The name of the variable, or of the subscript with its labels: `Plugin.Row.subscript(_:)`.
  /// - Throws: As ``function(_:isVirtual:)``; `unsupportedType` also for a variable that can only be read, and for a
  ///   variable outside of types, whose library exports its address only.
  public func setter(_ name: String) throws(InvocationError) -> SwiftFunction {
    try SwiftFunction(symbols.setter(name), trusting: promises, keeping: library)
  }

  /// The functions, methods, initializers and accessors that the library exports, as declarations with their types.
  ///
  /// Each is a name for ``function(_:isVirtual:)``, which states the reason for those that cannot be called.
  ///
  /// - Throws: `InvocationError` `libraryNotFound` if the file of the library cannot be read.
  /// - Complexity: O(*n*) in the number of functions.
  public func functions() throws(InvocationError) -> [String] { try symbols.contents().index.entries.map(\.declaration) }

  /// The structs, enums, classes and actors of the library that are neither generic nor nested in a generic type.
  ///
  /// - Throws: `InvocationError` `libraryNotFound` if the file of the library cannot be read.
  public func types() throws(InvocationError) -> [Any.Type] { try symbols.types() }

  /// The types of the library that conform to a protocol or to each protocol of a composition.
  ///
  ///     let plugins = try library.conformers(of: (any Plugin).self)
  ///
  /// - Throws: `InvocationError` `libraryNotFound` if the file of the library cannot be read.
  public func conformers(of existential: Any.Type) throws(InvocationError) -> [Any.Type] {
    try symbols.conformers(of: existential)
  }

  /// The types of the library that conform to a protocol, for a program that is not compiled with its module.
  ///
  ///     let plugins = try library.conformers(ofProtocol: "Plugin.Describable")
  ///
  /// - Parameter name: The name of a protocol that no type contains. The module may be left out if it is one of the library.
  /// - Throws: `InvocationError` `symbolNotFound` if there is no such protocol, or several modules of the library have one;
  ///   `libraryNotFound` if the file of the library cannot be read.
  public func conformers(ofProtocol name: String) throws(InvocationError) -> [Any.Type] {
    try symbols.conformers(ofProtocol: name)
  }
}

extension SwiftLibrary: CustomStringConvertible {
  /// The library, as its own description.
  public var description: String { "Swift functions of \(library)" }
}

extension SwiftLibrary {
  /// What a caller states about functions, because their symbols do not.
  ///
  /// A wrong statement is undefined behavior. Functions of the modules of the toolchain need ``pointers`` at most: what
  /// their symbols do not state is known.
  public struct Promises: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each function is called as its declaration demands, which its symbol does not state.
    ///
    /// A synchronous function of a global actor is called on that actor, and an `@unsafe` function as its documentation
    /// states. No method or accessor that is called is declared `consuming`.
    public static let declarations: Promises = Promises(rawValue: 1)

    /// Each synchronous member of an actor is called on that actor, or is nonisolated.
    public static let isolation: Promises = Promises(rawValue: 2)

    /// Functions with unsafe types, such as `UnsafeMutablePointer` and `Unmanaged`, are called with addresses that are
    /// valid for what the functions do, and are used so.
    public static let pointers: Promises = Promises(rawValue: 4)

    /// If nothing states how a struct or enum is passed, it is frozen, or its module was not built for
    /// library evolution.
    public static let fixedLayouts: Promises = Promises(rawValue: 8)

    /// All promises.
    public static let all: Promises = [.declarations, .isolation, .pointers, .fixedLayouts]
  }
}

extension SwiftLibrary.Promises: CustomStringConvertible {
  /// The names of the promises: `[declarations, pointers]`.
  public var description: String {
    let names: [(SwiftLibrary.Promises, String)] = [
      (.declarations, "declarations"), (.isolation, "isolation"), (.pointers, "pointers"), (.fixedLayouts, "fixedLayouts"),
    ]
    return "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
  }
}
