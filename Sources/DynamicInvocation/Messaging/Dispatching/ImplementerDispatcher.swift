/// An object that calls the implementers in a list, one after the other.
///
/// A ``ProtocolDispatcher`` and the classes that the macro `@Dispatchable` generates conform to it, and a class written
/// manually can: it stores the list and implements its protocol by iterating over ``ImplementerList/inTurn``. It
/// inherits the methods that change the list. An ``ImplementerList`` is its own list.
///
/// A dispatcher of a protocol of the main actor is isolated to that actor: its conformance is isolated.
public protocol ImplementerDispatcher<DispatchedImplementer>: AnyObject {
  /// The type of the implementers: the `any` type of a protocol, or a class.
  associatedtype DispatchedImplementer

  /// The implementers.
  var implementerList: ImplementerList<DispatchedImplementer> { get }
}

/// The implementers.
extension ImplementerDispatcher {
  /// The implementers that are alive, in the order of their calls.
  ///
  /// - Complexity: O(*n*); allocates the array.
  public var implementers: [DispatchedImplementer] { implementerList.inTurn.map { $0.implementer } }

  /// The numbers of the implementers that are alive, in the order of their calls.
  ///
  /// - Complexity: O(*n*); allocates the array.
  public var numbers: [Int] { implementerList.snapshot.references.filter(\.isAlive).map(\.number) }

  /// Adds an implementer, to be called after the others.
  ///
  /// - Parameters:
  ///   - implementer: The implementer. It is not retained.
  ///   - allowsDuplicates: Whether to add it again if it is an implementer already, so that it is called once more.
  /// - Returns: Its number. If it is an implementer already and not added again, the number that it has.
  /// - Throws: `InvocationError` `dispatchCycle` for this dispatcher, or a dispatcher whose calls reach this one;
  ///   `typeMismatch` for a value that is not an object, and for an object that has, or forwards, a method of a
  ///   ``ProtocolDispatcher``'s protocol with other types.
  /// - Complexity: O(*n*), under a lock; for a ``ProtocolDispatcher`` O(*n* × *methods*), as each change of its list.
  @discardableResult
  public func append(_ implementer: DispatchedImplementer, allowsDuplicates: Bool = false) throws(InvocationError) -> Int {
    try add(implementer, at: nil, allowsDuplicates)
  }

  /// Adds an implementer, to be called before others.
  ///
  /// - Parameters:
  ///   - implementer: The implementer. It is not retained.
  ///   - position: The number of ``implementers`` that are called before it. If it is not less than their count, the
  ///     implementer is the last.
  ///   - allowsDuplicates: Whether to add it again if it is an implementer already. Otherwise its position does not
  ///     change.
  /// - Returns: Its number, as ``append(_:allowsDuplicates:)`` does.
  /// - Throws: `InvocationError` as ``append(_:allowsDuplicates:)`` does, and `indexOutOfRange` for a negative
  ///   position.
  /// - Complexity: As ``append(_:allowsDuplicates:)``.
  @discardableResult
  public func insert(
    _ implementer: DispatchedImplementer, at position: Int, allowsDuplicates: Bool = false
  ) throws(InvocationError) -> Int {
    guard position >= 0 else { throw InvocationError(.indexOutOfRange, "an implementer cannot come at the position \(position)") }
    return try add(implementer, at: position, allowsDuplicates)
  }

  /// Removes all entries of an implementer.
  ///
  /// After this returns, the implementer is not called any more, not even by a call that is already running. Another
  /// thread may still be calling it.
  ///
  /// - Returns: Whether it was an implementer.
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func remove(_ implementer: DispatchedImplementer) -> Bool {
    defer { implementerList.didChange() }
    return implementerList.removeEntries(of: implementer)
  }

  /// Removes the implementer of a number.
  ///
  /// - Returns: Whether there was one.
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func remove(number: Int) -> Bool {
    defer { implementerList.didChange() }
    return implementerList.removeEntries { $0.number == number }
  }

  /// Removes all implementers.
  ///
  /// - Complexity: O(*n*), under a lock.
  public func removeAll() {
    _ = implementerList.removeEntries { _ in true }
    implementerList.didChange()
  }

  /// Adds an implementer at a position, or at the end for nil, unless it is a dispatcher whose calls reach this one.
  private func add(
    _ implementer: DispatchedImplementer, at position: Int?, _ allowsDuplicates: Bool
  ) throws(InvocationError) -> Int {
    let object = implementer as AnyObject
    let planning = implementerList.planningDispatcher
    try planning?.requireTypes(of: object)
    defer { planning?.renew() }
    let caller: AnyObject = planning ?? self
    guard object is any ImplementerDispatcher else { return try implementerList.add(implementer, at: position, allowsDuplicates) }
    // Released after the lock is released: a deinitializer may run any code.
    var seen: [AnyObject] = []
    defer { withExtendedLifetime(seen) {} }
    return try addingDispatchers.withLock { _ throws(InvocationError) in
      var known: Set<ObjectIdentifier> = []
      var pending = [object]
      while let object = pending.popLast() {
        if object === caller {
          let name = planning.map { "dispatcher of \($0.dispatchProtocol.name)" } ?? "\(type(of: self))"
          throw InvocationError(.dispatchCycle, "its calls would come back to the \(name)")
        }
        guard known.insert(ObjectIdentifier(object)).inserted, let dispatcher = object as? any ImplementerDispatcher else { continue }
        let next = dispatcher.implementers.map { $0 as AnyObject }
        seen += next
        pending += next
      }
      return try implementerList.add(implementer, at: position, allowsDuplicates)
    }
  }
}

/// Serializes adding dispatchers to dispatchers, so that two threads cannot create a cycle together.
private let addingDispatchers: Lock = Lock(LockToken(), atFork: .dispatchCycle)

extension InvocationError.Code {
  /// A dispatcher whose messages would return to it.
  public static let dispatchCycle: InvocationError.Code = InvocationError.Code(rawValue: "dispatchCycle")
}
