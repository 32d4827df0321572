package import SwiftSymbols
internal import TypeEncodings

/// The types of a native Swift function, as its symbol and the runtime state them, and its addresses.
///
/// All types are resolved: each is the metadata of a type that is loaded. What the symbol does not state is not part of
/// this value: whether a method is mutating or consumes self, whether an accessor throws, the isolation, and whether a
/// type of a library that is built for evolution is frozen.
@safe
package struct SwiftFunctionSignature: @unchecked Sendable {
  // Unchecked Sendable: code and constant data are at the addresses.

  /// How the function receives an argument, after the rules of the kind have been applied.
  package enum Ownership: Sendable, Hashable {
    /// The caller keeps the value: the default of functions and getters.
    case borrowed
    /// The callee receives the value with its ownership: the default of initializers and setters.
    case owned
    /// The callee receives the address of the caller's value.
    case inOut
  }

  package struct Parameter: Sendable {
    /// The type of the value, which is the array for a variadic parameter.
    package var type: Any.Type
    package var ownership: Ownership
    package var label: String?
    package var isVariadic = false
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
  package var name: String
  /// The mangled name, beginning with `$s`.
  package var symbol: String
  /// The address of the code.
  package var address: UnsafeRawPointer
  /// The kind, which is not ``SwiftSymbol/Kind/other``.
  package var kind: SwiftSymbol.Kind
  /// The parameters in order, without self; of a setter the new value, then the indices.
  package var parameters: [Parameter]
  /// The result type, `Void` for none; for an addressor the type of the variable.
  package var result: Any.Type
  /// The type whose member the function is, or nil for a function that is not a member.
  package var selfType: Any.Type?
  package var selfKind = SelfKind.none
  /// Whether the function is declared with `throws`.
  ///
  /// An accessor that throws is not marked in the symbol, so this is always false for accessors.
  package var isThrowing = false
  /// The type of the error, if the function throws a stated one.
  package var typedError: Any.Type?
  package var isAsync = false
  /// For an asynchronous function, the address of its async function pointer, if the library exports it.
  package var asyncFunctionPointer: UnsafeRawPointer?
  /// For an overridable method of a class, the address of the method descriptor, if the library exports it.
  package var methodDescriptor: UnsafeRawPointer?
  /// Whether `address` is a dispatch thunk, which calls the override of the object's class.
  package var isDispatchThunk = false
  /// The module that declares the function, or nil if the caller has stated the types.
  var module: String?
  /// A type in the declaration that is `@unsafe`, or nil.
  var unsafeType: String?

  /// Whether the caller passes self, as the first argument.
  package var passesSelf: Bool { selfKind == .value || selfKind == .object }

  /// The argument of a call that is passed for a parameter.
  func argument(_ parameter: Int) -> InvocationError.Argument { .index(parameter + (passesSelf ? 1 : 0)) }

  /// The error for a function that cannot be called.
  func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason).about(name) }

  /// Whether it is a function of C.
  package var isOfC: Bool { !symbol.hasPrefix("$") }

  /// Why a function cannot be replaced, if it is known to consume its target; otherwise nil.
  package var consumes: String? { SwiftToolchain.consuming.contains(symbol) ? "it consumes its target" : nil }

  /// Whether the function is the getter of a `lazy` property of a struct, which is mutating: its type has a field for it.
  package var isLazyGetter: Bool {
    guard kind == .getter, selfKind == .value, let type = selfType, let own = SwiftIdentifier.path(name).last else { return false }
    return SwiftReflection.hasField("$__lazy_storage_$_\(own.text)", in: type)
  }

  /// Whether the function is a member of an object of an actor.
  var isActorMember: Bool {
    guard selfKind == .object, let type = selfType else { return false }
    return SwiftMetadata(type).descriptor?.isActor ?? false
  }

  /// Throws `InvocationError` `unsupportedType` if safe code could not call the function, and no promise allows it.
  func require(_ promises: SwiftLibrary.Promises) throws(InvocationError) {
    if SwiftToolchain.consuming.contains(symbol) { throw refused("it consumes its target, which is not supported") }
    if !promises.contains(.isolation), !isAsync, isActorMember, let type = selfType {
      throw refused(
        "it is a member of the actor \(_typeName(type, qualified: true)), and its symbol does not state its isolation; "
          + "call it on the actor, and state it with 'unsafe library.trusting(.isolation)'")
    }
    if !promises.contains(.pointers), let unsafeType {
      throw refused(
        "the type '\(unsafeType)' is unsafe: the function may read and write memory at any address; "
          + "state that its addresses are valid with 'unsafe library.trusting(.pointers)'")
    }
    guard let module, !promises.contains(.declarations) else { return }
    if SwiftToolchain.modules.contains(module), !SwiftToolchain.unsafeFunctions.contains(symbol) { return }
    let unknown = (isAsync ? [] : ["is isolated to a global actor"]) + (passesSelf ? ["consumes its target"] : []) + ["is unsafe"]
    throw refused(
      "its symbol does not state whether it \(unknown.joined(separator: " or ")); state that it is called as its declaration demands "
        + "with 'unsafe library.trusting(.declarations)'")
  }
}

extension SwiftFunctionSignature {
  /// The types of a function of C, which a closure in its place has too.
  ///
  /// A number and a pointer are in the same register for C as for Swift, or in the same stack word; other values may not be.
  /// - Throws: `InvocationError` `unsupportedType` with the argument, for other values.
  @unsafe
  package init(ofC name: String, at address: UnsafeRawPointer, _ closure: SwiftFunctionType) throws(InvocationError) {
    let list = closure.parameters.map { Parameter(type: $0.type.type, ownership: .borrowed, label: nil) }
    unsafe self.init(
      name: name, symbol: name, address: address, kind: .function, parameters: list, result: closure.result.type)
    for (index, parameter) in closure.parameters.enumerated() {
      guard !parameter.isInOut, try Self.isWordOfC(parameter.type) else { throw notOfC(parameter.type).at(.index(index)).about(name) }
    }
    if closure.result.type == Void.self { return }
    guard closure.result.type != Never.self, try Self.isWordOfC(closure.result) else {
      throw notOfC(closure.result).at(.result).about(name)
    }
  }

  private static func isWordOfC(_ type: SwiftMetadata) throws(InvocationError) -> Bool {
    guard type.isTrivial, type.size <= 8 else { return false }
    let layout = try SwiftTypeLayouts(trusting: .fixedLayouts).layout(of: type.type)
    return !layout.isAddressOnly && layout.leaves.count == 1
  }

  private func notOfC(_ type: SwiftMetadata) -> InvocationError {
    InvocationError(.unsupportedType, "functions of C are replaced if their values are numbers and pointers, and \(type.name) is neither")
  }
}
