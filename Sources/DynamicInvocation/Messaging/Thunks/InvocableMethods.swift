/// The methods of a class that can be called by selector, each with its selector and its thunk.
public struct _InvocableMethods: CustomStringConvertible {
  /// The class.
  let type: AnyClass

  private(set) var methods: [Method] = []
  /// The reasons why methods cannot be called, by selector.
  private(set) var refused: [MethodSelector: InvocationError] = [:]

  /// The owner with the class that the target must be of; one object for all methods.
  private let owner: MethodOwner

  /// Creates an empty list for a class.
  public init(of type: AnyClass) {
    self.type = type
    owner = MethodOwner(targetType: type)
  }

  /// Adds a method.
  ///
  /// A method whose types a thunk cannot pass, or whose selector was added before, is not added. Sending its message
  /// throws the reason.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - thunk: A function of a type `@convention(c)`, which takes the target and the selector as words and then the C
  ///     representations of the parameters, and returns the C representation of the result. Nothing can check that it
  ///     does. Traps unless the thunk has the size of a pointer; a closure does not.
  ///   - parameters: The types of the parameters after the selector.
  ///   - returnType: The type of the result, or nil if there is no result.
  ///   - isThrowing: Whether the method throws.
  @unsafe
  public mutating func add<Function>(
    _ selector: MethodSelector, _ thunk: Function, parameters: [any _ThunkValue.Type], returning returnType: (any _ThunkValue.Type)?,
    isThrowing: Bool
  ) {
    precondition(MemoryLayout<Function>.size == MemoryLayout<UInt>.size, "a thunk is a function of type @convention(c), not a closure")
    let code = unsafe unsafeBitCast(thunk, to: UnsafeRawPointer.self)
    do throws(InvocationError) {
      guard !methods.contains(where: { $0.selector == selector }) else {
        throw InvocationError(.duplicateMethod, "\(type) has two methods '\(selector)'")
      }
      let signature = try Self.signature(parameters, returning: returnType)
      try signature.requireArgumentCount(of: selector)
      let implementation = unsafe Implementation(
        code, methodSignature: signature, returnsRetained: true,
        mayThrow: isThrowing || parameters.contains { $0.valueTraits.mayBeRefused }, isMethod: true, keeping: owner(of: parameters))
      methods.append(Method(selector, implementation, signature))
    } catch {
      refused[selector] = error
    }
  }

  /// The owner, which knows the types of the parameters only where values are wrapped for them.
  private func owner(of parameters: [any _ThunkValue.Type]) -> MethodOwner {
    guard parameters.contains(where: { $0.valueTraits.objectClass is any ValueWrapper.Type }) else { return owner }
    return MethodOwner(targetType: type, parameters: unsafe [Unmanaged<AnyObject>.self, MethodSelector.self] + parameters)
  }

  private static func signature(
    _ parameters: [any _ThunkValue.Type], returning returnType: (any _ThunkValue.Type)?
  ) throws(InvocationError) -> MethodSignature {
    let all: [any EncodedValue.Type] = unsafe [Unmanaged<AnyObject>.self, MethodSelector.self] + parameters
    let signature = try MethodSignature(
      MethodTypes(result: returnType?.typeEncoding ?? TypeEncoding(.void), arguments: all.map { $0.typeEncoding }))
    try signature.require(all, returning: returnType)
    let slots = unsafe signature.storage.plan.slots
    for (index, type) in parameters.enumerated() {
      try unsafe require(type, slots[index + 2].kind, .index(index + 2), of: signature)
    }
    if let returnType { try require(returnType, signature.storage.plan.result.kind, .result, of: signature) }
    return signature
  }

  /// Throws unless the C representation of a type is passed as the type's encoding specifies.
  ///
  /// A word always is.
  private static func require(
    _ type: any _ThunkValue.Type, _ kind: ValueKind, _ place: InvocationError.Argument, of signature: MethodSignature
  ) throws(InvocationError) {
    guard let type = type as? any _CRepresentable.Type, !type.isForm(of: kind) else { return }
    let encoding =
      switch place {
      case .index(let index): signature.types.arguments[index]
      case .result: signature.returnType
      }
    throw InvocationError(
      .typeMismatch, "\(type) has the form \(type.formName) in C, which is not passed as its type is", argument: place,
      encoding: encoding.description)
  }

  /// The class and the number of its declared methods: `3 methods of Controller`.
  public var description: String {
    methods.count.counted("method") + " of \(type)" + (refused.isEmpty ? "" : ", \(refused.count) refused")
  }
}

extension _InvocableMethods {
  /// Returns the methods that a class declares itself, or an empty list if it declares none, or only its superclass
  /// does.
  static func declared(by type: AnyClass) -> _InvocableMethods {
    if let methods = (type as? any _InvocableClass.Type)?.invocableMethods, methods.type == type { return methods }
    return _InvocableMethods(of: type)
  }
}

/// A class that declares which of its methods can be called by selector.
///
/// The macro `@Invocable` of the module InvocationMacros adds the conformance. The methods are in the ``MethodTable``
/// of the class from the start: no method has to be registered before the first message.
///
/// The conformance is inherited. A subclass that does not override the property has no further methods in its own
/// table.
public protocol _InvocableClass: AnyObject, SendableMetatype {
  /// The methods of the class itself, without the superclasses' methods.
  ///
  /// It is read when the class's table is created; twice if two threads create it at the same time.
  static var invocableMethods: _InvocableMethods { get }
}

/// An object that returns the implementation of each selector itself.
///
/// ``Invocation/invoke()`` asks its target for the implementation. An implementation takes the target and the selector
/// as its first two arguments. Messages are sent from any thread, so a conformance cannot be isolated to an actor.
public protocol Invocable: AnyObject, SendableMetatype {
  /// Returns the implementation of a selector, or nil if the object does not respond to it.
  func implementation(for selector: MethodSelector) -> Implementation?
}
