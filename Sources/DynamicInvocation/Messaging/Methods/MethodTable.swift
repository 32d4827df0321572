import Synchronization

/// The methods of a class: an implementation and its types for each selector.
///
/// There is one table for each class. A class inherits the methods in the tables of its superclasses.
/// ``Invocation/invoke()`` looks up the selector in the table of its target's class, and caches the result until any
/// table changes.
///
///     let table = MethodTable.of(Controller.self)
///     try table.add("area(_:in:)", implementation)
///
/// The table of an `_InvocableClass` has the declared methods from the start; other tables are initially empty.
///
/// Methods may be added, replaced and removed at any time, from any thread. A lookup takes no lock, so a reader never
/// waits for a writer or for another reader.
///
/// A replaced or removed implementation is released when no lookup that began before the change is running, and no
/// ``Invocation`` caches it. A running call of it finishes first.
///
/// - Complexity: A change copies the methods of the class, because tables are optimized for reading. A table is never
///   deallocated.
@safe
public final class MethodTable: Sendable, CustomStringConvertible {
  /// The class.
  public let type: AnyClass

  /// The table of the superclass, or nil for a root class.
  public let superclassTable: MethodTable?

  /// The reasons why methods that the class declares cannot be called, by selector.
  let refused: [MethodSelector: InvocationError]

  private let snapshot: SharedSnapshot<MethodSnapshot>
  /// The address of the class's forwarder, in the form that ``forwarder`` reads; 0 until it is looked up.
  let forwarderAddress: Atomic<UInt> = Atomic(0)

  init(_ methods: _InvocableMethods, superclass: MethodTable?) {
    type = methods.type
    superclassTable = superclass
    refused = methods.refused
    snapshot = SharedSnapshot(MethodSnapshot(methods.methods), lock: Self.changing)
  }

  deinit { preconditionFailure("a table is for ever") }

  /// Returns the table of a class, which is always the same object.
  ///
  /// - Complexity: O(1), without a lock. The first call for a class allocates the table.
  public static func of(_ type: AnyClass) -> MethodTable { MethodTableRegistry.shared.table(of: type) }

  /// The number of changes of any table.
  @inline(__always)
  package static var epoch: Int { changes.load(ordering: .acquiring) }

  private static let changes: Atomic<Int> = Atomic(0)
  /// Serializes the changes of all tables.
  ///
  /// It is a single lock, so that a fork can take it.
  private static let changing: Lock = Lock(LockToken(), atFork: .methods)

  /// Runs a lookup in the tables, and returns its result with the epoch before it: any later change makes the result
  /// stale.
  @inline(__always)
  static func lookUp<Found, Failure: Error>(_ body: () throws(Failure) -> Found) throws(Failure) -> (found: Found, epoch: Int) {
    let epoch = epoch
    return (try body(), epoch)
  }

  /// The class and the number of its own methods: `method table of Controller, 3 methods`.
  ///
  /// - Complexity: O(1).
  public var description: String { "method table of \(type), " + ownMethods.count.counted("method") }
}

extension MethodTable {
  /// Returns the method of the class, or of the nearest superclass that has it.
  func method(for selector: MethodSelector) -> Method? {
    ownMethod(for: selector) ?? superclassTable?.method(for: selector)
  }

  /// Returns the method of the class itself.
  package func ownMethod(for selector: MethodSelector) -> Method? { current { $0.method(for: selector) } }

  /// The methods of the class itself.
  var ownMethods: [Method] { current { $0.methods } }

  /// Reads the current snapshot, which stays alive until the closure returns.
  func current<Result>(_ body: (MethodSnapshot) -> Result) -> Result { snapshot.withCurrent(body) }

  /// Replaces the class's own methods, and returns the result of the closure.
  func change<Result: Sendable, Failure: Error>(
    _ body: (inout [Method]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, old) = try snapshot.change { old throws(Failure) in
      var methods = old.methods
      let result = try body(&methods)
      return (MethodSnapshot(methods), (result, old))
    }
    // The epoch changes after the methods are published: a lookup that found the old methods has an older epoch.
    Self.changes.add(1, ordering: .sequentiallyConsistent)
    // The old methods are released last: an object that an implementation retained may send messages when it is
    // deallocated.
    withExtendedLifetime(old) {}
    return result
  }
}

/// Queries of a class's methods.
extension MethodTable {
  /// Returns whether the class or a superclass has a method.
  ///
  /// Implementations that an ``Invocable`` returns itself are not considered.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func responds(to selector: MethodSelector) -> Bool { method(for: selector) != nil }

  /// Returns the types of a method, or nil if neither the class nor a superclass has it.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func methodSignature(for selector: MethodSelector) -> MethodSignature? {
    current { $0.signature(for: selector) } ?? superclassTable?.methodSignature(for: selector)
  }

  /// Returns the implementation of a method, or nil if neither the class nor a superclass has it.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func implementation(for selector: MethodSelector) -> Implementation? { method(for: selector)?.implementation }

  /// The selectors of the class's own methods, in the order in which they were added.
  public var selectors: [MethodSelector] { ownMethods.map(\.selector) }

  /// Returns the error for a selector that an object does not respond to.
  ///
  /// The nearest names are taken from the object to which it forwards messages, and from the protocol of a dispatcher.
  static func unrecognized(_ selector: MethodSelector, by object: AnyObject) -> InvocationError {
    if let foreign = object as? any ForeignTarget { return foreign.unrecognized(selector) }
    let table = of(Swift.type(of: object))
    var last = object
    for _ in 0..<ForwardingChain.largestCount {
      guard let forwarder = unsafe of(Swift.type(of: last)).forwarder else { break }
      let next = unsafe (last as? InvocationProxy)?.target ?? forwarder._withUnsafeGuaranteedRef { $0.target(of: last, for: selector) }
      guard let next, next !== object else { break }
      last = next
    }
    if let dispatcher = last as? ProtocolDispatcher { return dispatcher.unrecognized(selector) }
    let error = of(Swift.type(of: last)).unrecognized(selector)
    if last === object || error.code != .unrecognizedSelector { return error }
    return InvocationError(
      .unrecognizedSelector, "\(table.type) does not respond to '\(selector)', which it forwards to \(Swift.type(of: last))",
      candidates: error.candidates)
  }

  /// Returns the error for a selector that the class has no method for.
  package func unrecognized(_ selector: MethodSelector) -> InvocationError {
    var names: [String] = []
    var table: MethodTable? = self
    while let next = table {
      if let reason = next.refused[selector] { return reason }
      names += next.ownMethods.map(\.selector.name)
      table = next.superclassTable
    }
    // The error says how to add methods only if the class has none: otherwise the user knows it.
    let reason = unsafe names.isEmpty && forwarder == nil ? "; give it methods with MethodTable.add or @Invocable" : ""
    return InvocationError(
      .unrecognizedSelector, "\(type) does not respond to '\(selector)'\(reason)",
      candidates: NearestNames.nearest(to: selector.name, among: names, limit: 3))
  }
}

// MARK: - Changing

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
  ///   implementation has no signature of a method, or is a method of another class; `countMismatch` if
  ///   the selector specifies another number of arguments, as `two(_:_:)` and `two:with:` do.
  /// - Complexity: O(methods of the class), under a lock.
  public func add(_ selector: MethodSelector, _ implementation: Implementation) throws(InvocationError) {
    let method = try method(selector, implementation)
    try change { methods throws(InvocationError) in
      guard let index = methods.firstIndex(where: { $0.selector == selector }) else {
        methods.append(method)
        return
      }
      guard let hooks = methods[index].hooks, hooks.original == nil else {
        throw InvocationError(.duplicateMethod, "\(type) has a method '\(selector)' already; replace it")
      }
      methods[index] = try wrapped(method, in: hooks, methods[index].methodSignature)
    }
  }

  /// Adds a method whose implementation is made here, so that an error names the method.
  @usableFromInline
  func add(_ selector: MethodSelector, making make: () throws(InvocationError) -> Implementation) throws(InvocationError) {
    let implementation: Implementation
    do throws(InvocationError) { implementation = try make() } catch { throw error.about("-[\(type) \(selector)]") }
    try add(selector, implementation)
  }

  /// Replaces the implementation of a method, or adds the method.
  ///
  /// A method of a superclass is overridden, not changed. The hooks of the method stay.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - implementation: The code, with its signature, which may differ from the old one's.
  /// - Returns: The implementation before it, the class's own or an inherited one, or nil if the class neither had nor
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
      guard let hooks = old.hooks else {
        methods[index] = method
        return old.implementation
      }
      methods[index] = try wrapped(method, in: hooks, old.methodSignature)
      return hooks.original ?? superclassTable?.implementation(for: selector)
    }
  }

  /// Removes a method of the class itself.
  ///
  /// The class then inherits the method of a superclass, if there is one. The hooks of the method stay.
  ///
  /// - Returns: The implementation, or nil if the class itself had no such method.
  /// - Complexity: O(methods of the class), under a lock.
  @discardableResult
  public func remove(_ selector: MethodSelector) -> Implementation? {
    change { methods in
      guard let index = methods.firstIndex(where: { $0.selector == selector }) else { return nil }
      guard let hooks = methods[index].hooks else { return methods.remove(at: index).implementation }
      methods[index] = MethodHooks(hooks: hooks.hooks, original: nil).method(methods[index].methodSignature)
      return hooks.original
    }
  }

  /// Returns a method within the hooks of the one that it replaces.
  private func wrapped(
    _ method: Method, in hooks: MethodHooks, _ signature: MethodSignature
  ) throws(InvocationError) -> Method {
    try signature.require(method.methodSignature, of: type, method.selector)
    return MethodHooks(hooks: hooks.hooks, original: method.implementation).method(signature)
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
  /// Unavailable for an asynchronous closure, and for a parameter or a result that has no encoding.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      an implementation is not asynchronous, it takes an object first, and then EncodedValues: numbers, texts, pointers, structs with an \
      encoding, and objects whose class is an EncodedObject; pass anything else in a SwiftValue; it returns nothing or an EncodedValue
      """
  )
  public init<each Argument, Result>(_ body: @escaping @Sendable (repeat each Argument) async throws -> Result) {
    preconditionFailure("unavailable")
  }
}

extension MethodTable {
  /// Unavailable for an asynchronous closure, and for a parameter or a result that has no encoding.
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

  /// Unavailable for an asynchronous method, and for a parameter or a result that has no encoding.
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

// MARK: - Forwarding

extension MethodTable {
  /// The forwarder of the class's instances, or nil if they do not forward.
  ///
  /// It lives as long as the table, that is, for the life of the process.
  var forwarder: Unmanaged<Forwarder>? {
    let address = forwarderAddress.load(ordering: .acquiring)
    if address > Self.noForwarder, let known = unsafe UnsafeRawPointer(bitPattern: address) { return unsafe .fromOpaque(known) }
    return address == Self.noForwarder ? nil : unsafe findForwarder()
  }

  /// The address that represents a class that does not forward.
  private static let noForwarder: UInt = 1

  private func findForwarder() -> Unmanaged<Forwarder>? {
    let made = unsafe Forwarder.make(type).map { unsafe Unmanaged.passRetained($0) }
    let address = unsafe made.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? Self.noForwarder
    let (isFirst, _) = forwarderAddress.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if isFirst { return unsafe made }
    // Another thread has stored a forwarder meanwhile.
    unsafe made?.release()
    return unsafe forwarder
  }

  /// Asks the class to add a method.
  ///
  /// Returns whether it may have added one.
  private func resolves(_ selector: MethodSelector) throws -> Bool {
    guard let forwarder = unsafe forwarder else { return false }
    return try unsafe forwarder._withUnsafeGuaranteedRef { try $0.resolves(selector) }
  }

  /// Returns the implementation that an object has itself: its class's, one resolved now, or the one that it
  /// returns as an ``Invocable``.
  ///
  /// - Throws: What resolving throws, and `InvocationError` `typeMismatch` and `countMismatch` if an ``Invocable``
  ///   returns a method of another class, or of another number of arguments than the selector specifies.
  static func implementation(of object: AnyObject, for selector: MethodSelector) throws -> Implementation? {
    let table = of(Swift.type(of: object))
    if let implementation = table.implementation(for: selector) { return implementation }
    if try table.resolves(selector), let implementation = table.implementation(for: selector) { return implementation }
    let answer = (object as? any Invocable)?.implementation(for: selector)
    try answer?.requireTarget(table.type, selector)
    try answer?.methodSignature?.requireArgumentCount(of: selector)
    return answer
  }

  /// Returns the implementation for a message to an object: its own, or code that forwards the message.
  ///
  /// - Throws: `InvocationError` `unrecognizedSelector` if the object has neither a method nor types for it.
  package static func implementation(answering selector: MethodSelector, of object: AnyObject) throws(InvocationError) -> Implementation {
    let table = of(Swift.type(of: object))
    do {
      if let own = try implementation(of: object, for: selector) { return own }
    } catch {
      throw error as? InvocationError
        ?? InvocationError(.unrecognizedSelector, "\(table.type) could not resolve '\(selector)': \(error)")
    }
    guard let signature = MethodSignature(of: selector, to: object) else { throw unrecognized(selector, by: object) }
    return try .forwarding(signature)
  }
}

/// The forwarding methods of one class: its conformance to ``Forwarding``, looked up once.
///
/// It exists because casting an object to a protocol takes longer than a call.
class Forwarder: @unchecked Sendable {
  // Unchecked Sendable: it has no mutable state, and its subclass has no state at all.

  /// Whether the objects may have implementations of their own, as an ``Invocable`` does.
  final let isInvocable: Bool

  /// Creates the forwarder of a class, or returns nil if the class does not conform.
  static func make(_ type: AnyClass) -> Forwarder? {
    (type as? any Forwarding.Type).map { make(conforming: $0) }
  }

  private static func make<Object: Forwarding>(conforming type: Object.Type) -> Forwarder { ConformingForwarder<Object>() }

  fileprivate init(isInvocable: Bool) { self.isInvocable = isInvocable }

  /// Calls ``Forwarding/resolveMethod(for:)``.
  func resolves(_ selector: MethodSelector) throws -> Bool { false }

  // The objects passed to the functions below are instances of the class.

  /// Calls ``Forwarding/forwardingTarget(for:)``.
  func target(of object: AnyObject, for selector: MethodSelector) -> AnyObject? { nil }

  /// Calls ``Forwarding/methodSignature(for:)``.
  func methodSignature(of object: AnyObject, for selector: MethodSelector) -> MethodSignature? { nil }

  /// Calls ``Forwarding/forwardInvocation(_:)``.
  func forward(_ invocation: Invocation, by object: AnyObject) throws {}
}

private final class ConformingForwarder<Object: Forwarding>: Forwarder, @unchecked Sendable {
  init() { super.init(isInvocable: Object.self is any Invocable.Type) }

  override func resolves(_ selector: MethodSelector) throws -> Bool { try Object.resolveMethod(for: selector) }

  override func target(of object: AnyObject, for selector: MethodSelector) -> AnyObject? {
    unsafe unsafeDowncast(object, to: Object.self).forwardingTarget(for: selector)
  }

  override func methodSignature(of object: AnyObject, for selector: MethodSelector) -> MethodSignature? {
    unsafe unsafeDowncast(object, to: Object.self).methodSignature(for: selector)
  }

  override func forward(_ invocation: Invocation, by object: AnyObject) throws {
    try unsafe unsafeDowncast(object, to: Object.self).forwardInvocation(invocation)
  }
}
