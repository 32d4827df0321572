#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// The limits of messages, dispatchers and threads; the article "Limits" has a row for each.
  @Suite(.measured) struct MessagingLimitsTests {
    private final class Member {
      let number: Int
      let log: ResultLog
      init(_ number: Int, _ log: ResultLog) { (self.number, self.log) = (number, log) }
    }

    private final class ResultLog {
      var results: [Int] = []
    }

    @Test("2,000 implementers of a dispatcher are all called, in order")
    func implementers() throws {
      try MethodTable.of(Member.self).replace(
        "number(_:)",
        Implementation { (member: Member, factor: Int) -> Int in
          member.log.results.append(factor * member.number)
          return factor * member.number
        })
      let log = ResultLog()
      let members = (0..<2_000).map { Member($0, log) }
      let numbers = try DispatchProtocol("Numbers", methods: [.required("number(_:)", types: "q@:q")])
      let dispatcher = try ProtocolDispatcher(numbers, implementers: members)
      let message = try Invocation(target: dispatcher, selector: "number(_:)")
      try message.setArgument(3, at: 2)
      let outcome = try dispatcher.dispatch(message)
      expectEqual(outcome.responderCount, 2_000)
      expectEqual(outcome.responders, Array(0..<2_000))
      expectEqual(log.results, (0..<2_000).map { 3 * $0 })
      withExtendedLifetime(members) {}
    }

    @Test("2,000 methods of a class are each found")
    func methods() throws {
      final class Many {}
      let table = MethodTable.of(Many.self)
      let signature = try MethodSignature(types: "q@:q")
      let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int = { _, _, value in value + 1 }
      for number in 0..<2_000 {
        try table.add(MethodSelector("many\(number):"), Implementation(function: code, methodSignature: signature))
      }
      let message = Invocation(signature)
      message.target = Many()
      for number in 0..<2_000 {
        message.selector = MethodSelector("many\(number):")
        try message.setArgument(number, at: 2)
        try expectEqual(message.result(as: Int.self), number + 1)
      }
    }

    /// Where threads that have come wait until all are there.
    private final class Gathering: Sendable {
      private let condition: NSCondition = NSCondition()
      private let count: Atomic<Int> = Atomic(0)
      private let total: Int
      init(_ total: Int) { self.total = total }

      func come() {
        condition.lock()
        defer { condition.unlock() }
        if count.add(1, ordering: .relaxed).newValue == total { condition.broadcast() }
        while count.load(ordering: .relaxed) < total { condition.wait() }
      }
    }

    @Test("64 threads are in one closure at the same time, through one signature")
    func threads() throws {
      let gathering = Gathering(64)
      let closure = try Closure(types: "qq") { (value: Int) -> Int in
        gathering.come()
        return 2 * value
      }
      let right = Atomic(0)
      let done = DispatchSemaphore(value: 0)
      for number in 0..<64 {
        Thread.detachNewThread {
          let function = try? ForeignFunction(closure.implementation, MethodSignature(types: "qq"))
          if let function, let result = try? function(number) as Int, result == 2 * number { right.add(1, ordering: .relaxed) }
          done.signal()
        }
      }
      for _ in 0..<64 { done.wait() }
      expectEqual(right.load(ordering: .relaxed), 64)
    }
  }
#endif
