/// An object that its tracker counts from its making to its end.
public final class LifetimeTracked: Sendable {
  /// The number that the object was made with, to tell it from others.
  public let payload: Int

  /// What counts the object.
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

  /// The payload in words.
  public var description: String { "tracked \(payload)" }
}
