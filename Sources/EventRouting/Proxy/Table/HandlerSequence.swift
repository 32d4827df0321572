import Synchronization

/// Numbers the handlers of all proxies in the order of registration, so that a pass knows which were there when it set out.
enum HandlerSequence {
  private static let counter: Atomic<UInt> = Atomic(0)

  /// The number of the last handler.
  static var last: UInt { counter.load(ordering: .relaxed) }

  /// The number of a new handler.
  static func next() -> UInt { counter.wrappingAdd(1, ordering: .relaxed).newValue }
}
