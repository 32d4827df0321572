/// The types of a native Swift function, as its symbol and the runtime state them.
///
/// All types are resolved: each is the metadata of a type that is loaded. What the symbol does not state is not part of
/// this value: whether a method is mutating or consumes self, whether an accessor throws, the isolation, and whether a
/// type of a library that is built for evolution is frozen.
@safe
package struct SwiftFunctionTypes: @unchecked Sendable {
  /// What the function is to the language.
  package enum Kind: Sendable, Hashable {
    /// A function or a method.
    case function
    /// An initializer that returns the new value or object.
    case initializer
    /// The getter of a variable or property. It has no parameters.
    case getter
    /// The setter of a variable or property. Its only parameter is the new value.
    case setter
    /// The getter of a subscript.
    case subscriptGetter
    /// The setter of a subscript. The new value is the first parameter, the indices follow.
    case subscriptSetter
    /// A function that returns the address of a variable. The result type is the variable's type.
    case addressor
  }

  /// How the function receives an argument, after the rules of the kind have been applied.
  package enum Ownership: Sendable, Hashable {
    /// The caller keeps the value: the default of functions and getters.
    case borrowed
    /// The callee receives the value with its ownership: the default of initializers and setters.
    case owned
    /// The callee receives the address of the caller's value.
    case inOut
  }

  /// A parameter.
  package struct Parameter: Sendable {
    /// The type of the value, which is the array for a variadic parameter.
    package let type: Any.Type
    /// How the value is passed.
    package let ownership: Ownership
    /// The argument label, or nil for none.
    package let label: String?
    /// Whether the parameter is declared with an ellipsis.
    package let isVariadic: Bool

    /// Creates a parameter from its parts.
    package init(type: Any.Type, ownership: Ownership, label: String?, isVariadic: Bool = false) {
      self.type = type
      self.ownership = ownership
      self.label = label
      self.isVariadic = isVariadic
    }
  }

  /// What the function receives as self.
  package enum SelfKind: Sendable, Hashable {
    /// Nothing: a function that is not a member, a static member or an initializer of a struct or enum.
    case none
    /// A value of a struct or enum. The symbol does not state whether the function mutates it.
    case value
    /// An object.
    case object
    /// The metadata of a class: a static member or an initializer of a class.
    case classMetatype
  }

  /// The name for look-up, such as `Plugin.Rect.area(of:scale:)`.
  package let name: String
  /// The mangled name, beginning with `$s`.
  package let symbol: String
  /// The address of the code.
  package let address: UnsafeRawPointer
  /// The kind of the function.
  package let kind: Kind
  /// The parameters in order, without self.
  package let parameters: [Parameter]
  /// The result type; `Void` for none.
  package let result: Any.Type
  /// The type whose member the function is, or nil for a function that is not a member.
  package let selfType: Any.Type?
  /// What the function receives as self.
  package let selfKind: SelfKind
  /// Whether the function is declared with `throws`.
  ///
  /// An accessor that throws is not marked in the symbol, so this is always false for accessors.
  package let isThrowing: Bool
  /// The type of the error, if the function throws a stated one.
  package let typedError: Any.Type?
  /// Whether the function is declared with `async`.
  package let isAsync: Bool
  /// For an asynchronous function, the address of its async function pointer, if the library exports it.
  package let asyncFunctionPointer: UnsafeRawPointer?
  /// For an overridable method of a class, the address of the method descriptor, if the library exports it.
  package let methodDescriptor: UnsafeRawPointer?
  /// Whether `address` is a dispatch thunk, which calls the override of the object's class.
  package let isDispatchThunk: Bool
  /// The module that declares the function, or nil if the caller has stated the types.
  let module: String?
  /// A type in the declaration that is `@unsafe`, or nil.
  let unsafeType: String?

  /// Creates a value from its parts.
  package init(
    name: String, symbol: String, address: UnsafeRawPointer, kind: Kind, parameters: [Parameter], result: Any.Type,
    selfType: Any.Type? = nil, selfKind: SelfKind = .none, isThrowing: Bool = false, typedError: Any.Type? = nil,
    isAsync: Bool = false, asyncFunctionPointer: UnsafeRawPointer? = nil, methodDescriptor: UnsafeRawPointer? = nil,
    isDispatchThunk: Bool = false, module: String? = nil, unsafeType: String? = nil
  ) {
    self.name = name
    self.symbol = symbol
    unsafe self.address = unsafe address
    self.kind = kind
    self.parameters = parameters
    self.result = result
    self.selfType = selfType
    self.selfKind = selfKind
    self.isThrowing = isThrowing
    self.typedError = typedError
    self.isAsync = isAsync
    unsafe self.asyncFunctionPointer = unsafe asyncFunctionPointer
    unsafe self.methodDescriptor = unsafe methodDescriptor
    self.isDispatchThunk = isDispatchThunk
    self.module = module
    self.unsafeType = unsafeType
  }
}
