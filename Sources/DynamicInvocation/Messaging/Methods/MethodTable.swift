import Synchronization

/// The methods of a class: for each selector an implementation and its types.
///
/// There is one table for each class, and a class inherits what the tables of its superclasses have.
/// ``Invocation/invoke()`` looks into the table of its target's class, and remembers what it found until any table
/// changes.
///
///     let table = MethodTable.of(Controller.self)
///     try table.add("area(_:in:)", implementation)
///
/// The table of an ``InvocableClass`` has the methods that the class names from the start; other tables begin empty.
///
/// Methods may be added, replaced and removed at any time, from any thread. Looking one up takes no lock, so no reader
/// waits for a writer or for another reader.
///
/// What a replaced or removed implementation keeps alive is released once no lookup that began before the change is
/// running, and no ``Invocation`` remembers it; a call that is running ends first.
///
/// - Complexity: A change copies the methods of the class: tables are made to be read. The tables of classes live as
///   long as the process.
@safe
public final class MethodTable: Sendable {
  /// The class.
  public let type: AnyClass

  /// The table of the superclass, or nil for a root class.
  public let superclassTable: MethodTable?

  /// Why methods that the class says it has cannot be called.
  let refused: [Selector: InvocationError]

  private let snapshot: SharedSnapshot<MethodSnapshot>
  /// How the class forwards, as ``forwarder`` reads it; 0 until somebody asks.
  let forwarderAddress: Atomic<UInt> = Atomic(0)

  init(_ methods: InvocableMethods, superclass: MethodTable?) {
    type = methods.type
    superclassTable = superclass
    refused = methods.refused
    snapshot = SharedSnapshot(MethodSnapshot(methods.methods), lock: Self.changing)
  }

  deinit { preconditionFailure("a table is for ever") }

  /// Returns the table of a class, the same one each time.
  ///
  /// - Complexity: O(1), without a lock; the first time it allocates the table.
  public static func of(_ type: AnyClass) -> MethodTable { MethodTableRegistry.shared.table(of: type) }

  /// The number of changes of any table.
  @inline(__always)
  package static var epoch: Int { changes.load(ordering: .acquiring) }

  private static let changes: Atomic<Int> = Atomic(0)
  /// Serializes the changes of all tables: one lock, so that a fork can take it.
  private static let changing: Locked<Void> = Locked((), atFork: .methods)

  /// Looks something up in the tables, and returns the epoch before: any later change makes the result stale.
  @inline(__always)
  static func lookUp<Found, Failure: Error>(_ body: () throws(Failure) -> Found) throws(Failure) -> (found: Found, epoch: Int) {
    let epoch = epoch
    return (try body(), epoch)
  }
}

extension MethodTable {
  /// The method of the class or the nearest superclass that has it.
  func method(for selector: Selector) -> Method? {
    ownMethod(for: selector) ?? superclassTable?.method(for: selector)
  }

  /// The method that the class itself has.
  func ownMethod(for selector: Selector) -> Method? { current { $0.method(for: selector) } }

  /// The methods that the class itself has.
  var ownMethods: [Method] { current { $0.methods } }

  /// Reads the present snapshot, which lives until the closure returns.
  func current<Result>(_ body: (MethodSnapshot) -> Result) -> Result { snapshot.withCurrent(body) }

  /// Puts other methods in place of the class's own, and returns what the closure returns.
  func change<Result: Sendable>(
    _ body: (inout [Method]) throws(InvocationError) -> Result
  ) throws(InvocationError) -> Result {
    let (result, old) = try snapshot.change { old throws(InvocationError) in
      var methods = old.methods
      let result = try body(&methods)
      return (MethodSnapshot(methods), (result, old))
    }
    // After the methods are published: a lookup that found the old ones has an older epoch.
    Self.changes.add(1, ordering: .sequentiallyConsistent)
    // After that: what an implementation has kept alive may send messages as it ends.
    withExtendedLifetime(old) {}
    return result
  }
}

/// What a class answers.
extension MethodTable {
  /// Returns whether the class or a superclass has a method.
  ///
  /// What an ``Invocable`` answers by itself does not count.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func responds(to selector: Selector) -> Bool { method(for: selector) != nil }

  /// Returns the types of a method, or nil when neither the class nor a superclass has it.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func methodSignature(for selector: Selector) -> MethodSignature? { method(for: selector)?.methodSignature }

  /// Returns the implementation of a method, or nil when neither the class nor a superclass has it.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func implementation(for selector: Selector) -> Implementation? { method(for: selector)?.implementation }

  /// The selectors of the class's own methods, in the order in which they were added.
  public var selectors: [Selector] { ownMethods.map(\.selector) }

  /// The error of a selector that the class has no method for.
  package func unrecognized(_ selector: Selector) -> InvocationError {
    var names: [String] = []
    var table: MethodTable? = self
    while let next = table {
      if let reason = next.refused[selector] { return reason }
      names += next.ownMethods.map(\.selector.name)
      table = next.superclassTable
    }
    return InvocationError(
      .unrecognizedSelector, "\(type) does not respond to '\(selector)'",
      candidates: NearestNames.nearest(to: selector.name, among: names, limit: 3))
  }
}
