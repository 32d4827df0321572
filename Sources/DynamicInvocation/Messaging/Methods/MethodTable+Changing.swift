/// Adding, replacing and removing methods.
extension MethodTable {
  /// Adds a method.
  ///
  /// It overrides a superclass's method with the same selector.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - implementation: The code, with the signature of a method, whose first arguments are an object and a selector.
  /// - Throws: `InvocationError` `duplicateMethod` if the class itself has the method already; `typeMismatch` if the
  ///   implementation has no signature, or not that of a method, or is a method of another class; `countMismatch` if
  ///   the selector specifies another number of arguments, as `two(_:_:)` and `two:with:` do.
  /// - Complexity: O(methods of the class), under a lock.
  public func add(_ selector: MethodSelector, _ implementation: Implementation) throws(InvocationError) {
    let method = try method(selector, implementation)
    try change { methods throws(InvocationError) in
      guard !methods.contains(where: { $0.selector == selector }) else {
        throw InvocationError(.duplicateMethod, "\(type) has a method '\(selector)' already; replace it")
      }
      methods.append(method)
    }
  }

  /// Replaces the implementation of a method, or adds the method.
  ///
  /// A method of a superclass is overridden, not changed.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - implementation: The code, with its signature, which may differ from the old one's.
  /// - Returns: The former implementation, the class's own or an inherited one, or nil if the class neither had nor
  ///   inherited the method.
  /// - Throws: `InvocationError` `typeMismatch` and `countMismatch`, as adding the method does.
  /// - Complexity: O(methods of the class), under a lock.
  @discardableResult
  public func replace(_ selector: MethodSelector, _ implementation: Implementation) throws(InvocationError) -> Implementation? {
    let method = try method(selector, implementation)
    return try change { methods throws(InvocationError) in
      guard let index = methods.firstIndex(where: { $0.selector == selector }) else {
        methods.append(method)
        return superclassTable?.implementation(for: selector)
      }
      let old = methods[index]
      methods[index] = method
      return old.implementation
    }
  }

  /// Removes a method of the class itself.
  ///
  /// The class then inherits the method of a superclass, if there is one.
  ///
  /// - Returns: The implementation, or nil if the class itself had no such method.
  /// - Complexity: O(methods of the class), under a lock.
  @discardableResult
  public func remove(_ selector: MethodSelector) -> Implementation? {
    do {
      return try change { methods throws(InvocationError) in
        guard let index = methods.firstIndex(where: { $0.selector == selector }) else { return nil }
        return methods.remove(at: index).implementation
      }
    } catch {
      preconditionFailure("removing throws nothing: \(error)")
    }
  }

  package func isSubclass(of ancestor: AnyClass) -> Bool {
    type == ancestor || superclassTable?.isSubclass(of: ancestor) == true
  }

  private func method(_ selector: MethodSelector, _ implementation: Implementation) throws(InvocationError) -> Method {
    guard let signature = implementation.methodSignature else {
      throw InvocationError(.typeMismatch, "the implementation of '\(selector)' for \(type) has no signature")
    }
    guard signature.isMethod, signature.types.arguments[0].isObject else {
      throw InvocationError(
        .typeMismatch, "the implementation of '\(selector)' for \(type) takes no object and selector first", encoding: "\(signature)")
    }
    try implementation.requireTarget(type, selector)
    try signature.requireArgumentCount(of: selector)
    return Method(selector, implementation.method(of: type), signature)
  }
}

extension TypeEncoding {
  fileprivate var isObject: Bool {
    if case .object = kind { true } else { false }
  }
}

// The compiler chooses these overloads for what cannot be a method, and reports why it is refused.

extension Implementation {
  /// Unavailable for an asynchronous closure, and for a result that has no encoding.
  @available(*, unavailable, message: "an implementation is not asynchronous, and returns nothing or an EncodedValue")
  public init<Target: AnyObject, each Argument: EncodedValue, Result>(
    _ body: @escaping @Sendable (Target, repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }

  /// Unavailable for a parameter that has no encoding.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      an implementation takes an object first, and then EncodedValues: numbers, texts, pointers, structs with an encoding, and objects \
      whose class is an EncodedObject; pass anything else in a SwiftValue
      """
  )
  public init<each Argument, Result>(_ body: @escaping @Sendable (repeat each Argument) async throws -> Result) {
    preconditionFailure("unavailable")
  }
}

extension MethodTable {
  /// Unavailable for an asynchronous closure, and for a result that has no encoding.
  @available(
    *, unavailable,
    message: """
      a method of a table is not asynchronous, its parameters are EncodedValues (numbers, texts, pointers, structs with an encoding, and \
      objects whose class is an EncodedObject; pass anything else in a SwiftValue), and it returns nothing or an EncodedValue
      """
  )
  public func add<Target: AnyObject, each Argument: EncodedValue, Result>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }

  /// Unavailable for an asynchronous method, and for a result that has no encoding.
  @available(
    *, unavailable,
    message: """
      a method of a table is not asynchronous, its parameters are EncodedValues (numbers, texts, pointers, structs with an encoding, and \
      objects whose class is an EncodedObject; pass anything else in a SwiftValue), and it returns nothing or an EncodedValue
      """
  )
  public func add<Target: AnyObject, each Argument: EncodedValue, Result>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }

  /// Unavailable for a closure with a parameter that has no encoding.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      a method of a table is not asynchronous, its parameters are EncodedValues (numbers, texts, pointers, structs with an encoding, and \
      objects whose class is an EncodedObject; pass anything else in a SwiftValue), and it returns nothing or an EncodedValue
      """
  )
  public func add<Target: AnyObject, each Argument, Result>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }

  /// Unavailable for a method with a parameter that has no encoding.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      a method of a table is not asynchronous, its parameters are EncodedValues (numbers, texts, pointers, structs with an encoding, and \
      objects whose class is an EncodedObject; pass anything else in a SwiftValue), and it returns nothing or an EncodedValue
      """
  )
  public func add<Target: AnyObject, each Argument, Result>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }

  /// Unavailable for a method of an actor.
  @available(*, unavailable, message: "an actor's method is called on its actor only, and a method of a table by whoever sends the message")
  public func add<Target: Actor, each Argument, Result>(
    _ selector: MethodSelector, _ body: @escaping (isolated Target) -> (repeat each Argument) throws -> Result
  ) {
    preconditionFailure("unavailable")
  }
}
