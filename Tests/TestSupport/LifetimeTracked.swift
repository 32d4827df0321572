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
