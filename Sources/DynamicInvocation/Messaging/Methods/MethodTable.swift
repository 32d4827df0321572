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
public final class MethodTable: Sendable {
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
  func change<Result: Sendable>(
    _ body: (inout [Method]) throws(InvocationError) -> Result
  ) throws(InvocationError) -> Result {
    let (result, old) = try snapshot.change { old throws(InvocationError) in
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
  /// The nearest names are those of the object to which it forwards messages, and of the protocol of a dispatcher.
  static func unrecognized(_ selector: MethodSelector, by object: AnyObject) -> InvocationError {
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
    // The way is named to whoever has given the class no methods; others know it.
    let reason = unsafe names.isEmpty && forwarder == nil ? "; give it methods with MethodTable.add or @Invocable" : ""
    return InvocationError(
      .unrecognizedSelector, "\(type) does not respond to '\(selector)'\(reason)",
      candidates: NearestNames.nearest(to: selector.name, among: names, limit: 3))
  }
}
