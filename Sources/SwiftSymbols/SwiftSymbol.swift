/// What a symbol of a Swift library stands for: a declaration with its context, labels and types.
///
/// Types stay mangled; the runtime resolves them. A symbol whose types depend on generic parameters is described, too,
/// but has no mangled names for them.
package struct SwiftSymbol: Sendable {
  /// What the address of the symbol is.
  package enum Role: UInt8, Sendable {
    /// The code of the declaration, or the data of a descriptor.
    case definition
    /// Code that calls the override of the object's class.
    case dispatchThunk
    /// The descriptor by which an override is found.
    case methodDescriptor
    /// The record of an asynchronous function: its code and the size of its context.
    case asyncFunctionPointer
    /// The record of a dispatch thunk of an asynchronous function.
    case asyncDispatchThunkPointer
    /// A thunk, specialization, witness, or another symbol that is no declaration of its own.
    case derived
  }

  /// The kind of the declaration.
  package enum Kind: UInt8, Sendable {
    case function
    /// An initializer that returns the new value or object.
    case initializer
    /// An initializer of a class that initializes an allocated object.
    case objectInitializer
    case getter
    case setter
    case subscriptGetter
    case subscriptSetter
    /// A coroutine that gives access to a value: read, modify.
    case coroutine
    /// A function that returns the address of a variable.
    case addressor
    case deinitializer
    /// The variable or subscript itself, as in a property descriptor.
    case storage
    case nominalType
    case typeMetadata
    case metadataAccessor
    case protocolDescriptor
    case conformanceDescriptor
    case witnessTable
    case enumCase
    case other
  }

  /// How a parameter is declared to be passed.
  package enum Ownership: UInt8, Sendable {
    /// As usual for the kind of declaration.
    case standard
    case inOut
    case owned
    case shared
    case sending
  }

  /// A type in the symbol.
  package struct TypeName: Sendable {
    /// The type as text, with the names of modules.
    package let text: String
    /// The mangled name without prefix and without substitutions, or nil if no type can be found by it.
    package let mangled: [UInt8]?
    /// What the type contains that prevents its look-up.
    package let contents: SymbolTree.Contents
    /// The names of the nominal types in it.
    package let nominals: Set<String>
  }

  /// A parameter of a function, initializer or subscript.
  package struct Parameter: Sendable {
    package let label: String?
    /// The type; for a variadic parameter that of an element.
    package let type: TypeName
    package let ownership: Ownership
    package let isVariadic: Bool
    package let isIsolated: Bool
    /// Whether it is a closure that the function does not keep, and so does not own either.
    package let isNonEscaping: Bool
  }

  /// A type or module that contains the declaration.
  package struct ContextPart: Sendable, Hashable {
    package let name: String
    package let kind: SymbolNodeKind
  }

  package let role: Role
  package let kind: Kind
  /// The module and the types that contain the declaration, outermost first.
  package let path: [ContextPart]
  /// The module of the extension that declares it, if it is one of a type of another module.
  package let extensionModule: String?
  package let baseName: String
  package let parameters: [Parameter]
  /// The result, or for an accessor the type of the value.
  package let result: TypeName?
  /// The innermost type whose member the declaration is.
  package let selfType: TypeName?
  package let isStatic: Bool
  package let isThrowing: Bool
  package let typedError: TypeName?
  package let isAsync: Bool
  /// The generic signature as text, with requirements, or nil.
  package let genericSignature: String?
  /// Whether the declaration is in a function, so that no name reaches it.
  package let isLocal: Bool
  /// The text of the declaration, as the Swift tools print it.
  package let text: String

  /// The module of the outermost context.
  package var module: String { path.first?.name ?? "" }

  /// The name for look-up: context, base name and labels.
  package var name: String {
    let name = path.map(\.name).joined(separator: ".") + "." + baseName
    return kind.hasLabels ? name + "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")" : name
  }
}

extension SwiftSymbol.Kind {
  /// Whether argument labels are part of the name.
  package var hasLabels: Bool {
    switch self {
    case .function, .initializer, .objectInitializer, .subscriptGetter, .subscriptSetter: true
    default: false
    }
  }
}
