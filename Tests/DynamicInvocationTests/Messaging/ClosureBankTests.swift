#if arch(x86_64) || arch(arm64)
  import CFFIShim
  @testable import CallFrames
  import TestSupport
  import Testing

  @testable import DynamicInvocation

  /// Which stub is given next, and which closed one ends, in a bank of a few slots that nothing else uses.
  @Suite(.measured) struct ClosureBankTests {
    private static func withBank(of count: Int, _ body: (ClosureBank) throws -> Void) rethrows {
      let slots = UnsafeMutablePointer<cffi_closure_slot>.allocate(capacity: count)
      slots.initialize(repeating: cffi_closure_slot(), count: count)
      let address = UInt(bitPattern: slots)
      defer { UnsafeMutablePointer<cffi_closure_slot>(bitPattern: address)?.deallocate() }
      try body(ClosureBank(slots, count: count))
    }

    /// The body of a closure that keeps an object.
    private static func body(_ object: LifetimeTracked) throws -> ClosureBody {
      ClosureBody(try MethodSignature(types: "v"), nil) { _, _ in withExtendedLifetime(object) {} }
    }

    @Test func theLongestFreeStubIsGivenNextAndAnUnusedOneFirst() throws {
      try LifetimeTracker.check { tracker in
        try Self.withBank(of: 5) { bank in
          func open() throws -> ClosureBank.Stub { try Self.body(tracker.object()).openStub(in: bank) }
          let first = try (0..<3).map { _ in try open() }
          for stub in first.reversed() { bank.close(stub) }
          expectEqual(tracker.liveCount, 0)
          // Two were never used. After them the one closed first comes first.
          var given: [UnsafeMutablePointer<cffi_closure_slot>] = []
          for _ in 0..<5 { given.append(try open().slot) }
          expectEqual(given, [first[0].slot + 3, first[0].slot + 4, first[2].slot, first[1].slot, first[0].slot])
          expectEqual(tracker.liveCount, 5)
          // One that is closed again goes behind those that were free before it.
          for slot in given { bank.close(ClosureBank.Stub(slot: slot)) }
          let again = try open()
          bank.close(again)
          let others = try (0..<4).map { _ in try open() }
          expectEqual(others.map(\.slot), Array(given[1...]))
          for stub in others { bank.close(stub) }
        }
      }
    }

    /// A call that ends at the very moment in which its closure is closed does not see that: no exit is reported.
    private static func endUnseen(_ stub: ClosureBank.Stub) { stub.slot.pointee.running = 0 }

    @Test(arguments: ["opened", "closed"]) func anAbandonedStubWhoseLastCallEndedUnseenIsFound(when: String) throws {
      try LifetimeTracker.check { tracker in
        try Self.withBank(of: 32) { bank in
          let stubs = try (0..<6).map { _ in try Self.body(tracker.object()).openStub(in: bank) }
          for stub in stubs {
            stub.slot.pointee.running = 1
            bank.close(stub)
          }
          expectEqual(tracker.liveCount, 6)
          // Half of them end; the others stay in the way.
          for stub in stubs[..<3] { Self.endUnseen(stub) }
          var looks: [ClosureBank.Stub] = []
          for _ in 0..<12 {
            let stub = try Self.body(tracker.object()).openStub(in: bank)
            if when == "closed" {
              stub.slot.pointee.running = 1
              bank.close(stub)
            }
            looks.append(stub)
          }
          // What is left are those whose calls are running, and the ones made to look.
          expectEqual(tracker.liveCount, 3 + looks.count)
          for stub in stubs[3...] { Self.endUnseen(stub) }
          for stub in looks where when == "closed" { Self.endUnseen(stub) }
          for stub in looks where when == "opened" { bank.close(stub) }
          for _ in 0..<30 { bank.close(try Self.body(tracker.object()).openStub(in: bank)) }
          expectEqual(tracker.liveCount, 0)
        }
      }
    }

    @Test func aStubWhoseLastCallHasReturnedIsFreeOnce() throws {
      try LifetimeTracker.check { tracker in
        try Self.withBank(of: 4) { bank in
          func open() throws -> ClosureBank.Stub { try Self.body(tracker.object()).openStub(in: bank) }
          let stubs = try (0..<4).map { _ in try open() }
          for stub in stubs {
            stub.slot.pointee.running = 1
            bank.close(stub)
          }
          for stub in stubs {
            Self.endUnseen(stub)
            bank.end(stub)
          }
          expect(tracker.liveCount == 0 && bank.abandonedCount == 0)
          for _ in 0..<3 {
            let again = try (0..<4).map { _ in try open() }
            expectEqual(Set(again.map(\.slot)), Set(stubs.map(\.slot)))
            for stub in again { bank.close(stub) }
          }
        }
      }
    }

    /// A program that only lets closures go looks at the abandoned ones all the same.
    @Test func closingLooksAtAnAbandonedStub() throws {
      try LifetimeTracker.check { tracker in
        try Self.withBank(of: 8) { bank in
          let stubs = try (0..<6).map { _ in try Self.body(tracker.object()).openStub(in: bank) }
          for stub in stubs { stub.slot.pointee.running = 1 }
          for stub in stubs[..<2] { bank.close(stub) }
          for stub in stubs[..<2] { Self.endUnseen(stub) }
          expectEqual(tracker.liveCount, 6)
          for stub in stubs[2..<5] { bank.close(stub) }
          expectEqual(tracker.liveCount, 4)
          for stub in stubs[2...] { Self.endUnseen(stub) }
          bank.close(stubs[5])
          for _ in 0..<3 { bank.close(try Self.body(tracker.object()).openStub(in: bank)) }
          expectEqual(tracker.liveCount, 0)
        }
      }
    }
  }
#endif
