import Synchronization

/// Counts the objects made for it, so that a test can prove that none leaks and none ends too early.
///
/// Each test has a tracker of its own: tests that run at the same time do not see each other's objects.
public final class LifetimeTracker: Sendable {
  /// The objects that outlived a check.
  public struct Leak: Error, Sendable, CustomStringConvertible {
    /// The number of objects.
    public let count: Int

    /// The error in words.
    public var description: String {
      count > 0 ? "\(count) tracked objects are still alive" : "tracked objects were released \(-count) times too often"
    }
  }

  private let live: Atomic<Int> = Atomic(0)
  private let made: Atomic<Int> = Atomic(0)

  /// Creates a tracker without objects.
  public init() {}

  /// The number of objects that are alive.
  public var liveCount: Int { live.load(ordering: .sequentiallyConsistent) }

  /// The number of objects made so far.
  public var madeCount: Int { made.load(ordering: .sequentiallyConsistent) }

  /// Makes an object that this tracker counts.
  public func object(_ payload: Int = 0) -> LifetimeTracked { LifetimeTracked(payload, tracker: self) }

  func add(_ difference: Int) {
    live.add(difference, ordering: .sequentiallyConsistent)
    if difference > 0 { made.add(difference, ordering: .sequentiallyConsistent) }
  }

  /// Runs a closure with a new tracker, and checks that all objects made for it have ended.
  ///
  /// The objects may live no longer than the closure: what it returns must not hold one.
  ///
  /// - Throws: ``Leak`` when an object is still alive, and what the closure throws.
  public static func check<Result>(_ body: (LifetimeTracker) throws -> Result) throws -> Result {
    let tracker = LifetimeTracker()
    let result = try body(tracker)
    guard tracker.liveCount == 0 else { throw Leak(count: tracker.liveCount) }
    return result
  }

  /// Runs an asynchronous closure with a new tracker, and checks that all objects made for it have ended.
  ///
  /// - Throws: ``Leak`` when an object is still alive, and what the closure throws.
  public static func check<Result>(_ body: (LifetimeTracker) async throws -> Result) async throws -> Result {
    let tracker = LifetimeTracker()
    let result = try await body(tracker)
    guard tracker.liveCount == 0 else { throw Leak(count: tracker.liveCount) }
    return result
  }
}
