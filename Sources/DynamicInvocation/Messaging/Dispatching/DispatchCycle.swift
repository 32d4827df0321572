/// Keeps dispatchers of Swift protocols from calling each other in a circle.
enum DispatchCycle {
  /// Orders those who make a dispatcher an implementer, so that no two make a cycle together.
  private static let adding: Guarded<Void> = Guarded((), atFork: .dispatchCycle)

  /// Adds an implementer, unless its calls would come back.
  static func avoid(
    adding implementer: Any, to dispatcher: any ImplementerDispatcher, by insert: () throws(InvocationError) -> Int
  ) throws(InvocationError) -> Int {
    guard let other = implementer as? any ImplementerDispatcher else { return try insert() }
    // Released after the lock: the end of an implementer may run any code.
    var seen: [AnyObject] = []
    defer { withExtendedLifetime(seen) {} }
    return try adding.withLock { _ throws(InvocationError) in
      if other.reaches(dispatcher, &seen) {
        throw InvocationError(.dispatchCycle, "its calls would come back to the \(type(of: dispatcher))")
      }
      return try insert()
    }
  }
}

extension ImplementerDispatcher {
  /// Whether a call of this dispatcher may come to another.
  ///
  /// - Parameter seen: Where the implementers looked at are kept.
  fileprivate func reaches(_ other: any ImplementerDispatcher, _ seen: inout [AnyObject]) -> Bool {
    if self === other { return true }
    let objects = implementers.map { $0 as AnyObject }
    seen += objects
    return objects.contains { ($0 as? any ImplementerDispatcher)?.reaches(other, &seen) ?? false }
  }
}
