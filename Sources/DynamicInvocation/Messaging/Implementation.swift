/// The code that executes a message or a call: a function pointer of the C calling convention, and the ownership rule
/// of its result.
///
/// Each copy keeps alive what the code depends on, such as the library that it was loaded from.
@safe
public struct Implementation: @unchecked Sendable, CustomStringConvertible {
  // Unchecked Sendable: the pointer is only called, and the owner is immutable.

  /// The address of the code.
  public let pointer: UnsafeRawPointer

  /// Whether the caller must release an object result (+1), as with Swift functions.
  ///
  /// Most C functions return their results unretained (+0).
  @inlinable
  public var returnsRetained: Bool { traits & 1 != 0 }

  /// The types of the code, or nil if they were not specified.
  ///
  /// A ``MethodTable`` accepts only implementations that have a signature.
  public var methodSignature: MethodSignature? { types.map(MethodSignature.init(storage:)) }

  /// The storage of ``methodSignature``.
  ///
  /// It is not an optional struct, because copying one is a call of the runtime.
  @usableFromInline let types: PlannedSignature?

  /// Whether a call may throw a Swift error, so that the caller must provide a location for it.
  @inlinable
  package var mayThrow: Bool { traits & 2 != 0 }

  /// Whether the code is a method of a known class: its targets must be instances of that class.
  @inlinable @inline(__always)
  package var hasTargetType: Bool { traits & 8 != 0 }

  /// Whether a call needs no checks and no error handling: no types and no class of targets are known, and the code
  /// does not throw.
  @inlinable @inline(__always)
  var isOpaque: Bool { traits & 0b1110 == 0 }

  /// The properties of the code as bits of one byte: a struct of more than four fields is passed in memory, and copied
  /// by calls of the runtime.
  ///
  /// Bit 0: `returnsRetained`. Bit 1: `mayThrow`. Bit 2: the types are known. Bit 3: `hasTargetType`. Bit 4: the owner is
  /// a `ForeignMessage`.
  @usableFromInline let traits: UInt8

  /// An object that must stay alive as long as the code may be called.
  @usableFromInline package let owner: (any AnyObject & Sendable)?

  /// Creates an implementation from the address of its code.
  ///
  /// It is unsafe because nothing can check that the code has these types. Without types, every caller of the
  /// implementation must call it with the code's own types.
  ///
  /// - Parameters:
  ///   - pointer: A function of the C calling convention.
  ///   - methodSignature: The types of the function, if they are known. Every call is checked against them.
  ///   - returnsRetained: Whether the caller must release an object result.
  ///   - owner: An object to retain, such as a ``DynamicLibrary``.
  @unsafe @inlinable
  public init(
    _ pointer: UnsafeRawPointer, methodSignature: MethodSignature? = nil, returnsRetained: Bool = false,
    keeping owner: (any AnyObject & Sendable)? = nil
  ) {
    unsafe self.init(pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, mayThrow: false, keeping: owner)
  }

  /// Creates an implementation with all its properties.
  ///
  /// - Parameter isMethod: Whether the owner is a ``MethodOwner``, which has the class of the targets.
  @inlinable
  package init(
    _ pointer: UnsafeRawPointer, methodSignature: MethodSignature?, returnsRetained: Bool, mayThrow: Bool, isMethod: Bool = false,
    keeping owner: (any AnyObject & Sendable)?
  ) {
    unsafe self.pointer = pointer
    types = methodSignature?.storage
    traits = (returnsRetained ? 1 : 0) | (mayThrow ? 2 : 0) | (methodSignature != nil ? 4 : 0) | (isMethod ? 8 : 0)
    self.owner = owner
  }

  /// Creates an implementation from a Swift function of the C calling convention.
  ///
  /// A Swift closure does not compile, because its type is not `BitwiseCopyable`. Traps if the size of `function` is
  /// not the size of a pointer.
  ///
  /// - Parameters:
  ///   - function: A value of a type `@convention(c) (...) -> ...`.
  ///   - methodSignature: The types of the function, if they are known. Nothing can check that they are correct.
  ///   - returnsRetained: Whether the caller must release an object result, such as one created with `passRetained`.
  @unsafe @inlinable
  public init<Function: BitwiseCopyable>(function: Function, methodSignature: MethodSignature? = nil, returnsRetained: Bool = false) {
    precondition(
      MemoryLayout<Function>.size == MemoryLayout<UInt>.size,
      "an implementation is a function of type @convention(c)")
    unsafe self.init(
      unsafeBitCast(function, to: UnsafeRawPointer.self), methodSignature: methodSignature, returnsRetained: returnsRetained)
  }

  /// The types: `implementation 'd@:q'`, or `implementation of unknown types`.
  public var description: String {
    methodSignature.map { "implementation '\($0.types.shortText.escaped)'" } ?? "implementation of unknown types"
  }
}

extension Implementation {
  /// Creates an implementation from a function that runs with the frame of each call.
  ///
  /// - Parameters:
  ///   - targetType: The class of the target.
  ///   - parameters: The types of the parameters after the selector.
  ///   - returnType: The type of the result, or nil if there is no result.
  ///   - mayThrow: Whether a call may throw an error: the closure's own, or because an argument is not a value of the
  ///     parameter's type.
  ///   - run: The function that runs. What it captures must be Sendable.
  @usableFromInline
  package init(
    _ targetType: AnyClass, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?, mayThrow: Bool,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    let all: [any EncodedValue.Type] = unsafe [Unmanaged<AnyObject>.self, MethodSelector?.self] + parameters
    let types = MethodTypes(result: returnType?.typeEncoding ?? TypeEncoding(.void), arguments: all.map { $0.typeEncoding })
    let closure = try Closure(MethodSignature(types), all, returning: returnType, run)
    unsafe self.init(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: mayThrow,
      isMethod: true, keeping: MethodOwner(targetType: targetType, keeping: closure, parameters: all))
  }
}

/// The owner of a method's code: the object that the code depends on, and the class of the targets that it accepts.
package final class MethodOwner: Sendable {
  let targetType: AnyClass
  /// The types of the arguments, the target first; empty if they are not known.
  let parameters: [any EncodedValue.Type]
  /// For arguments after the selector that are objects, the types of the values in them; empty if they are not known.
  let valueTypes: [Any.Type]
  /// The object that the code depends on.
  private let kept: (any AnyObject & Sendable)?

  package init(
    targetType: AnyClass, keeping kept: (any AnyObject & Sendable)? = nil, parameters: [any EncodedValue.Type] = [],
    valueTypes: [Any.Type] = []
  ) {
    self.targetType = targetType
    self.kept = kept
    self.parameters = parameters
    self.valueTypes = valueTypes
  }
}

extension Implementation {
  /// The class of the objects that an argument takes; nil if the argument is not an object or if the class is not known.
  ///
  /// - Parameter index: The index of the argument in the signature.
  package func parameterClass(at index: Int) -> AnyClass? {
    let types = (owner as? MethodOwner)?.parameters ?? (owner as? Closure)?.parameters ?? []
    return types.indices.contains(index) ? types[index].valueTraits.objectClass : nil
  }
}

// MARK: - Checking

/// Checks of a call against what is known about an implementation: its types, and the class of its targets.
///
/// Signatures are interned, so in most cases the check is a comparison of two pointers.
extension Implementation {
  /// The class of the accepted targets if the implementation is a method of a known class, otherwise nil.
  package var targetType: AnyClass? {
    guard hasTargetType, let owner else { return nil }
    return unsafe unsafeDowncast(owner as AnyObject, to: MethodOwner.self).targetType
  }

  /// Returns whether the implementation is a plain function of exactly the types `call`, so that no check is left to do
  /// before the call.
  @inlinable @inline(__always)
  func isPlain(for call: PlannedSignature) -> Bool { traits & 0b1010 == 0 && types === call }

  /// Throws unless the code can be called with the types `call`, as far as its own types are known.
  ///
  /// - Parameter selector: The selector of a message, or nil.
  @inline(__always)
  package func requireTypes(_ call: MethodSignature, _ selector: @autoclosure () -> MethodSelector?) throws(InvocationError) {
    guard let types, types !== call.storage else { return }
    try Self.compare(MethodSignature(storage: types), call, selector())
  }

  /// Throws unless the code can be called with the types `call`, as far as its own types are known.
  @inline(never) @usableFromInline
  func requireTypes(of call: MethodSignature) throws(InvocationError) { try requireTypes(call, nil) }

  @inline(never)
  private static func compare(_ own: MethodSignature, _ call: MethodSignature, _ selector: MethodSelector?) throws(InvocationError) {
    if call.carries(own) { return }
    throw InvocationError(.typeMismatch, "the implementation\(named(selector)) has the types '\(own)', the call has '\(call)'")
  }

  /// Throws unless the code accepts instances of a class as targets, as far as the class of its targets is known.
  package func requireTarget(_ type: AnyClass, _ selector: @autoclosure () -> MethodSelector?) throws(InvocationError) {
    guard let wanted = targetType, type != wanted, !MethodTable.of(type).isSubclass(of: wanted) else { return }
    throw InvocationError(
      .typeMismatch, "the implementation\(Self.named(selector())) takes a target of the class \(wanted), not \(type)")
  }

  /// Throws unless the code accepts an object as the target, as far as the class of its targets is known.
  ///
  /// - Parameter word: The address of the object, or 0, which is always accepted because there is no object to check.
  @usableFromInline
  package func requireTarget(at word: UInt64, _ selector: @autoclosure () -> MethodSelector?) throws(InvocationError) {
    guard hasTargetType, let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return }
    let type: AnyClass = unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef { Swift.type(of: $0) }
    try requireTarget(type, selector())
  }

  private static func named(_ selector: MethodSelector?) -> String { selector.map { " of '\($0)'" } ?? "" }

  /// Returns the implementation as a method of a class.
  ///
  /// It accepts instances of that class, unless the class of its targets is known already.
  func method(of type: AnyClass) -> Implementation {
    // Code that forwards messages is not a method of any class.
    if hasTargetType || owner is ForwardingClosure { return self }
    return unsafe Implementation(
      pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, mayThrow: mayThrow,
      isMethod: true, keeping: MethodOwner(targetType: type, keeping: owner, parameters: (owner as? Closure)?.parameters ?? []))
  }
}

// MARK: - Forwarding

extension Implementation {
  /// Returns code that forwards messages of the given types: Objective-C's `_objc_msgForward`.
  ///
  /// Pass it to C code that takes a function pointer, or add it to a ``MethodTable`` in place of a method, so that the
  /// message is passed to ``Forwarding/forwardInvocation(_:)`` instead. When it is called with a target and a selector,
  /// it begins with ``Forwarding/forwardingTarget(for:)`` and never checks for methods of the target's own class. For a
  /// null target the result is zero.
  ///
  /// The caller must release an object result (+1). ``Invocation/invoke()`` throws the errors of forwarding. C code
  /// cannot receive an error, so the program traps.
  ///
  /// - Parameter methodSignature: The types of a method, whose first arguments are an object and a selector.
  /// - Throws: `InvocationError` `typeMismatch` for the types of a function, `unsupportedType` if closures are not
  ///   available for these types, `limitExceeded` if the system provides no more memory.
  /// - Complexity: Creates one closure for each signature, which is kept for the life of the process. A call allocates
  ///   nothing if the object has a forwarding target, and an invocation otherwise.
  public static func forwarding(_ methodSignature: MethodSignature) throws(InvocationError) -> Implementation {
    let closure = try ForwardingEntries.shared.closure(methodSignature)
    return unsafe Implementation(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: true,
      keeping: ForwardingClosure(closure))
  }
}

/// The owner of an implementation that forwards; it accepts a target of any class.
final class ForwardingClosure: Sendable {
  let closure: Closure

  init(_ closure: Closure) { self.closure = closure }
}

/// The closures that forward, one for each signature.
private final class ForwardingEntries: Sendable {
  static let shared = ForwardingEntries()

  private let closures: Locked<[MethodSignature: Closure]> = Locked([:], atFork: .forwarding)

  func closure(_ methodSignature: MethodSignature) throws(InvocationError) -> Closure {
    guard methodSignature.isMethod, unsafe methodSignature.storage.plan.slots[0].kind == .object else {
      throw InvocationError(.typeMismatch, "only a message to an object can be forwarded", encoding: "\(methodSignature)")
    }
    return try closures.withLock { closures throws(InvocationError) in
      if let closure = closures[methodSignature] { return closure }
      let closure = try Closure(rethrowing: methodSignature) { call in try call.forwardMessage() }
      closures[methodSignature] = closure
      return closure
    }
  }
}

extension IncomingCall {
  /// Forwards a message to an object by the object's forwarding methods.
  fileprivate mutating func forwardMessage() throws {
    let signature = methodSignature
    guard let receiver = unsafe ObjectReference.object(in: body.slots[0], of: frame) else {
      clearResult()
      isSet = true
      return
    }
    guard let selector = unsafe MethodSelector.load(from: body.slots[1], of: UnsafeRawPointer(frame)) else {
      throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1))
    }
    var found: (implementation: Implementation, target: AnyObject)?
    let last = unsafe try ForwardingChain.follow(from: receiver, nil, selector, signature) { object in
      found = try selector.implementation(of: object, signature).map { ($0, object) }
      return found != nil
    }
    if let found {
      try unsafe ActiveForwarding.run(.passUnretained(receiver), selector, sent: nil, forwarded: nil) {
        try forward(to: found.implementation, target: found.target)
      }
    } else if let last = unsafe last {
      let invocation = makeInvocation()
      unsafe invocation.target = last.receiver
      try unsafe ActiveForwarding.run(
        .passUnretained(last.receiver), selector, sent: nil, forwarded: Unmanaged.passUnretained(invocation).toOpaque()
      ) {
        try unsafe last.forwarder._withUnsafeGuaranteedRef { try unsafe $0.forward(invocation, by: last.receiver) }
      }
      if invocation.hasReturnValue { return try setReturnValue(of: invocation) }
      clearResult()
      isSet = true
    }
  }
}

extension MethodSelector {
  /// Returns the implementation that an object has itself, without forwarding.
  ///
  /// - Throws: `InvocationError` `typeMismatch` if it has other types, and what resolving throws.
  fileprivate func implementation(of object: AnyObject, _ methodSignature: MethodSignature) throws -> Implementation? {
    let implementation = try MethodTable.implementation(of: object, for: self)
    if let own = implementation?.methodSignature { try methodSignature.require(own, of: type(of: object), self) }
    return implementation
  }
}
