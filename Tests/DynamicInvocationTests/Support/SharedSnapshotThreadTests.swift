import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import DynamicInvocation

/// Threads that read a snapshot while others replace it.
@Suite(.measured, .serialized) struct SharedSnapshotThreadTests {
  private final class Version: Sendable {
    static let live: Atomic<Int> = Atomic(0)
    let number: Int
    private let copy: Int

    init(_ number: Int) {
      self.number = number
      copy = ~number
      Self.live.add(1, ordering: .relaxed)
    }

    deinit { Self.live.subtract(1, ordering: .relaxed) }

    var isWhole: Bool { copy == ~number }
  }

  @Test("No thread sees a snapshot and then an older one, and each is released with its last reader")
  func order() {
    let changes = 20_000
    let shared = SharedSnapshot(Version(0))
    let failures = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var last = 0
      for step in 0..<changes {
        if thread < 2 {
          let number = shared.change { (Version($0.number + 1), $0.number + 1) }
          if number <= last { failures.add(1, ordering: .relaxed) }
          last = number
        }
        // In turn retained, and held by the cell while it is replaced.
        let version = step % 2 == 0 ? shared.current : nil
        let (number, isWhole) = shared.withCurrent { inner in
          step % 8 == 0 ? (shared.current.number, inner.isWhole) : (inner.number, inner.isWhole)
        }
        if let version, version.number > number || !version.isWhole { failures.add(1, ordering: .relaxed) }
        if number < last || !isWhole { failures.add(1, ordering: .relaxed) }
        last = number
      }
    }
    expectEqual(failures.load(ordering: .relaxed), 0)
    expectEqual(shared.current.number, 2 * changes)
    expectEqual(Version.live.load(ordering: .relaxed), 1)
  }

  @Test("A snapshot that is not changed stays, and the lock may be shared") func unchanged() {
    let lock = Lock(LockToken())
    let first = SharedSnapshot(Version(-1), lock: lock)
    let second = SharedSnapshot(Version(-2), lock: lock)
    let former = first.current
    expectEqual(first.change { (nil, $0.number) }, -1)
    expect(first.current === former && second.change { (Version(-3), $0.number) } == -2)
    expectEqual(second.current.number, -3)
  }
}
