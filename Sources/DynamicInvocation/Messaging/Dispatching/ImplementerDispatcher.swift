/// An object that passes each call of a Swift protocol on to the implementers in a list.
///
/// The classes that the macro `@Dispatchable` generates conform to it, and a class written manually can: it stores the
/// list and implements its protocol by iterating over ``ImplementerList/inTurn``. It inherits the methods that change
/// the list.
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
  public var implementers: [DispatchedImplementer] { implementerList.implementers }

  /// The numbers of the implementers that are alive, in the order of their calls.
  ///
  /// - Complexity: O(*n*); allocates the array.
  public var numbers: [Int] { implementerList.numbers }

  /// Adds an implementer, to be called after the others.
  ///
  /// - Parameters:
  ///   - implementer: The implementer. It is not retained.
  ///   - allowsDuplicates: Whether to add it again if it is an implementer already, so that it is called once more.
  /// - Returns: Its number. If it is an implementer already and not added again, the number that it has.
  /// - Throws: `InvocationError` `dispatchCycle` for this dispatcher, or a dispatcher whose calls reach this one, and
  ///   `typeMismatch` for a value that is not an object.
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func append(_ implementer: DispatchedImplementer, allowsDuplicates: Bool = false) throws(InvocationError) -> Int {
    try implementerList.add(implementer, to: self, "calls", "\(type(of: self))") { list throws(InvocationError) in
      try list.append(implementer, allowsDuplicates: allowsDuplicates)
    }
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
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func insert(
    _ implementer: DispatchedImplementer, at position: Int, allowsDuplicates: Bool = false
  ) throws(InvocationError) -> Int {
    try implementerList.add(implementer, to: self, "calls", "\(type(of: self))") { list throws(InvocationError) in
      try list.insert(implementer, at: position, allowsDuplicates: allowsDuplicates)
    }
  }

  /// Removes all entries of an implementer.
  ///
  /// - Returns: Whether it was an implementer.
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func remove(_ implementer: DispatchedImplementer) -> Bool { implementerList.remove(implementer) }

  /// Removes the implementer of a number.
  ///
  /// - Returns: Whether there was one.
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func remove(number: Int) -> Bool { implementerList.remove(number: number) }

  /// Removes all implementers.
  ///
  /// - Complexity: O(*n*), under a lock.
  public func removeAll() { implementerList.removeAll() }
}

/// Serializes adding dispatchers to dispatchers, so that two threads cannot create a cycle together.
private let addingDispatchers: Lock = Lock(LockToken(), atFork: .dispatchCycle)

/// Dispatchers that are implementers of other dispatchers.
extension ImplementerList {
  /// Adds an implementer to a dispatcher, unless the implementer is itself a dispatcher whose calls would return to it.
  ///
  /// - Parameters:
  ///   - implementer: The implementer.
  ///   - dispatcher: The dispatcher whose list this is.
  ///   - calls: The noun for the calls in the error message.
  ///   - name: The name of the dispatcher in the error message.
  ///   - insert: Inserts the implementer into the list, and returns its number.
  func add(
    _ implementer: Implementer, to dispatcher: AnyObject, _ calls: String, _ name: @autoclosure () -> String,
    by insert: (ImplementerList) throws(InvocationError) -> Int
  ) throws(InvocationError) -> Int {
    let implementer = implementer as AnyObject
    guard implementer is ProtocolDispatcher || implementer is any ImplementerDispatcher else { return try insert(self) }
    // Released after the lock is released: a deinitializer may run any code.
    var seen: [AnyObject] = []
    defer { withExtendedLifetime(seen) {} }
    return try addingDispatchers.withLock { _ throws(InvocationError) in
      var known: Set<ObjectIdentifier> = []
      var pending = [implementer]
      while let object = pending.popLast() {
        if object === dispatcher { throw InvocationError(.dispatchCycle, "its \(calls) would come back to the \(name())") }
        guard known.insert(ObjectIdentifier(object)).inserted, let next = listed(by: object) else { continue }
        seen += next
        pending += next
      }
      return try insert(self)
    }
  }
}

/// Returns the implementers of an object, or nil if it is not a dispatcher.
private func listed(by object: AnyObject) -> [AnyObject]? {
  if let dispatcher = object as? ProtocolDispatcher { return dispatcher.implementers }
  return (object as? any ImplementerDispatcher)?.implementers.map { $0 as AnyObject }
}

extension InvocationError.Code {
  /// A dispatcher whose messages would return to it.
  public static let dispatchCycle: InvocationError.Code = InvocationError.Code(rawValue: "dispatchCycle")
}
