import DynamicInvocation
import TestSupport

/// Closures that any thread may call, and replace while others are calling them.
final class ClosureShelf: Sendable {
  private static let places = 16

  private let closures: Locked<[Closure?]> = Locked(Array(repeating: nil, count: places))
  private let tracker: LifetimeTracker

  init(_ tracker: LifetimeTracker) { self.tracker = tracker }

  /// Puts a closure that adds a number in a random place.
  func replace(_ counter: CallCounter, using generator: inout SeededGenerator) throws {
    let object = tracker.object()
    let closure = try Closure(types: "qqq") { (a: Int, b: Int) -> Int in
      counter.receive()
      return withExtendedLifetime(object) { a + b }
    }
    let place = Int.random(in: 0..<Self.places, using: &generator)
    // Released after the lock.
    let old = closures.withLock { closures -> Closure? in
      let old = closures[place]
      closures[place] = closure
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// A random one, if there is one.
  func pick(using generator: inout SeededGenerator) -> Closure? {
    let place = Int.random(in: 0..<Self.places, using: &generator)
    return closures.withLock { $0[place] }
  }

  /// Lets go of all.
  func removeAll() {
    let old = closures.withLock { closures -> [Closure?] in
      let old = closures
      closures = Array(repeating: nil, count: Self.places)
      return old
    }
    withExtendedLifetime(old) {}
  }
}
