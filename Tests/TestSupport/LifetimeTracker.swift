import Synchronization

/// Counts the objects that it creates, so that a test can check that none is leaked and none is deallocated too early.
///
/// Each test has its own tracker, so concurrent tests do not see each other's objects.
public final class LifetimeTracker: Sendable {
  /// The error of objects that are alive after a check.
  public struct Leak: Error, Sendable, CustomStringConvertible {
    /// The number of objects.
    public let count: Int

    /// The description of the error.
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

  /// The number of objects created so far.
  public var madeCount: Int { made.load(ordering: .sequentiallyConsistent) }

  /// Creates an object that this tracker counts.
  public func object(_ payload: Int = 0) -> LifetimeTracked { LifetimeTracked(payload, tracker: self) }

  func add(_ difference: Int) {
    live.add(difference, ordering: .sequentiallyConsistent)
    if difference > 0 { made.add(difference, ordering: .sequentiallyConsistent) }
  }

  /// Runs a closure with a new tracker, and checks that all objects that the tracker created are deallocated.
  ///
  /// The objects must not outlive the closure: its result must not reference one.
  ///
  /// - Throws: ``Leak`` if an object is still alive, and the errors of the closure.
  public static func check<Result>(_ body: (LifetimeTracker) throws -> Result) throws -> Result {
    let tracker = LifetimeTracker()
    let result = try body(tracker)
    guard tracker.liveCount == 0 else { throw Leak(count: tracker.liveCount) }
    return result
  }

  /// Runs an asynchronous closure with a new tracker, and checks that all objects that the tracker created are
  /// deallocated.
  ///
  /// - Throws: ``Leak`` if an object is still alive, and the errors of the closure.
  public static func check<Result>(_ body: (LifetimeTracker) async throws -> Result) async throws -> Result {
    let tracker = LifetimeTracker()
    let result = try await body(tracker)
    guard tracker.liveCount == 0 else { throw Leak(count: tracker.liveCount) }
    return result
  }
}

/// An object that its tracker counts from its creation to its deallocation.
public final class LifetimeTracked: Sendable {
  /// The number that identifies the object.
  public let payload: Int

  /// The tracker that counts the object.
  public let tracker: LifetimeTracker

  /// Creates an object and counts it.
  public init(_ payload: Int = 0, tracker: LifetimeTracker) {
    self.payload = payload
    self.tracker = tracker
    tracker.add(1)
  }

  deinit { tracker.add(-1) }
}

extension LifetimeTracked: Hashable, CustomStringConvertible {
  /// Returns whether the payloads are equal.
  public static func == (left: LifetimeTracked, right: LifetimeTracked) -> Bool { left.payload == right.payload }

  /// Feeds the payload into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(payload) }

  /// A description with the payload.
  public var description: String { "tracked \(payload)" }
}
