import Synchronization

/// Whether a plan has met an implementer that has ended, and is to be made anew.
final class DispatchStaleness: Sendable {
  private let flag: Atomic<Bool> = Atomic(false)

  @inline(__always)
  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
