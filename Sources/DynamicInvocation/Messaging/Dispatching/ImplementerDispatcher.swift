/// An object that passes each call of a Swift protocol on to the implementers in a list.
///
/// The classes that the macro `@Dispatchable` makes are of this kind, and a class written by hand may be: it keeps the
/// list, carries out its protocol by going through ``ImplementerList/inTurn``, and gets the methods that change the
/// list.
///
/// A dispatcher of a protocol of the main actor is one on that actor only: its conformance is isolated.
public protocol ImplementerDispatcher<DispatchedImplementer>: AnyObject {
  /// The type of the implementers: `any` type of a protocol, or a class.
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
  ///   - implementer: The implementer, which is not kept alive.
  ///   - allowsDuplicate: Whether to call it once more if it is an implementer already.
  /// - Returns: Its number; that which it has when it is one already and not called once more.
  /// - Throws: ``InvocationError`` `dispatchCycle` for a dispatcher whose calls come to this one, or this one itself,
  ///   and `typeMismatch` for a value that is no object.
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func append(_ implementer: DispatchedImplementer, allowsDuplicate: Bool = false) throws(InvocationError) -> Int {
    try implementerList.add(implementer, to: self, "calls", "\(type(of: self))") { list throws(InvocationError) in
      try list.append(implementer, allowsDuplicates: allowsDuplicate)
    }
  }

  /// Adds an implementer, to be called before others.
  ///
  /// - Parameters:
  ///   - implementer: The implementer, which is not kept alive.
  ///   - position: How many of ``implementers`` are called before it. At least their number puts it last.
  ///   - allowsDuplicate: Whether to call it once more if it is an implementer already; otherwise it stays where it is.
  /// - Returns: Its number, as ``append(_:allowsDuplicate:)`` does.
  /// - Throws: ``InvocationError`` as ``append(_:allowsDuplicate:)`` does, and `indexOutOfRange` for a negative
  ///   position.
  /// - Complexity: O(*n*), under a lock.
  @discardableResult
  public func insert(
    _ implementer: DispatchedImplementer, at position: Int, allowsDuplicate: Bool = false
  ) throws(InvocationError) -> Int {
    try implementerList.add(implementer, to: self, "calls", "\(type(of: self))") { list throws(InvocationError) in
      try list.insert(implementer, at: position, allowsDuplicates: allowsDuplicate)
    }
  }

  /// Removes an implementer, as often as it is one.
  ///
  /// - Returns: Whether it was one.
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

/// Serializes adding dispatchers to dispatchers, so that no two threads close a cycle together.
private let addingDispatchers: Locked<Void> = Locked((), atFork: .dispatchCycle)

/// Dispatchers that are implementers of other dispatchers.
extension ImplementerList {
  /// Adds an implementer to a dispatcher, unless the implementer is itself a dispatcher whose calls would come back.
  ///
  /// - Parameters:
  ///   - implementer: The implementer.
  ///   - dispatcher: The dispatcher whose list this is.
  ///   - calls: What the error calls the calls.
  ///   - name: What the error calls the dispatcher.
  ///   - insert: Puts the implementer in the list, and returns its number.
  func add(
    _ implementer: Implementer, to dispatcher: AnyObject, _ calls: String, _ name: @autoclosure () -> String,
    by insert: (ImplementerList) throws(InvocationError) -> Int
  ) throws(InvocationError) -> Int {
    let implementer = implementer as AnyObject
    guard implementer is ProtocolDispatcher || implementer is any ImplementerDispatcher else { return try insert(self) }
    // Released after the lock: a deinitializer may run any code.
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

/// The implementers of an object, nil when it is no dispatcher.
private func listed(by object: AnyObject) -> [AnyObject]? {
  if let dispatcher = object as? ProtocolDispatcher { return dispatcher.implementers }
  return (object as? any ImplementerDispatcher)?.implementers.map { $0 as AnyObject }
}

extension InvocationError.Code {
  /// A dispatcher whose messages would come back to it.
  public static let dispatchCycle: InvocationError.Code = InvocationError.Code(rawValue: "dispatchCycle")
}
