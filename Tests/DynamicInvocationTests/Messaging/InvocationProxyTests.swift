#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import InvocationRecords
  import TestSupport
  import Testing

  /// Proxies, recorders, and messages after a delay.
  @Suite(.measured) struct InvocationProxyTests {
    private final class Document: EncodedObject {
      var title = "Untitled"
      var size = 1
      var failure: (any Error)?

      static let methods: Result<Void, any Error> = Result {
        let table = MethodTable.of(Document.self)
        try table.add("setTitle(_:)") { (document: Document, title: String) throws in
          if let failure = document.failure { throw failure }
          document.title = title
        }
        try table.add("setSize(_:)") { (document: Document, size: Int) -> Int in
          defer { document.size = size }
          return document.size
        }
      }
    }

    init() throws { try Document.methods.get() }

    private func setTitle(_ title: String, of target: AnyObject) throws { try Invocation.send(target, "setTitle(_:)", title) }

    @Test func aProxyStandsForItsTarget() throws {
      let (first, second) = (Document(), Document())
      let proxy = InvocationProxy()
      expectThrows(InvocationError.self) { try setTitle("none", of: proxy) }
      proxy.target = first
      try setTitle("first", of: proxy)
      proxy.target = second
      try setTitle("second", of: proxy)
      expectEqual([first.title, second.title], ["first", "second"])
      // Through a proxy for a proxy.
      try setTitle("third", of: InvocationProxy(target: proxy))
      expectEqual(second.title, "third")
      second.failure = Refusal()
      expectThrows(Refusal.self) { try setTitle("fourth", of: proxy) }
      let orphan = InvocationProxy(target: first)
      let message = try Invocation(target: orphan, selector: "setSize(_:)")
      try expectEqual(message.result(7), 1)
      orphan.target = nil
      expectErrors(.unrecognizedSelector, { try message.invoke() }, { try orphan.forwardInvocation(message) })
    }

    @Test func aRecorderReplays() throws {
      let (document, other) = (Document(), Document())
      let recorder = InvocationRecorder(target: document)
      try setTitle("recorded, a text on the heap", of: recorder)
      // Also from an invocation that keeps nothing.
      let message = try Invocation(target: recorder, selector: "setTitle(_:)", retainsArguments: false)
      try "kept, a text on the heap as well".withCString {
        try message.setArgument($0, at: 2)
        try message.invoke()
      }
      expectEqual(document.title, "Untitled")
      expectEqual(recorder.invocations.map(\.argumentsRetained), [true, true])
      try recorder.replay(on: other)
      expectEqual([document.title, other.title], ["Untitled", "kept, a text on the heap as well"])
      for _ in 0..<2 { try recorder.replay() }
      expectEqual(document.title, "kept, a text on the heap as well")
      document.failure = Refusal()
      expectThrows(Refusal.self) { try recorder.replay() }
      recorder.removeAll()
      try recorder.replay()
      expect(recorder.invocations.isEmpty)
    }

    @Test func aRecorderKeepsItsArgumentsAsLongAsTheMessages() throws {
      final class Sink {}
      let tracker = LifetimeTracker()
      try MethodTable.of(Sink.self).add("take:") { (_: Sink, _: Tracked) in }
      let recorder = InvocationRecorder(target: Sink())
      for number in 0..<3 { try Invocation.send(recorder, "take:", Tracked(tracker.object(number))) }
      expectEqual(tracker.liveCount, 3)
      try recorder.replay()
      expectEqual(tracker.liveCount, 3)
      recorder.removeAll()
      expectEqual(tracker.liveCount, 0)
    }

    @Test func invokingAfterADelay() async throws {
      let document = Document()
      let message = try Invocation(target: document, selector: "setSize(_:)")
      try message.setArgument(9, at: 2)
      let start = ContinuousClock.now
      try await message.invoke(after: .milliseconds(20))
      expect(ContinuousClock.now - start >= .milliseconds(20))
      expectEqual(document.size, 9)
      try await message.invoke(after: .milliseconds(-5), clock: SuspendingClock())
      // A clock cannot count back so far.
      try await message.invoke(after: .seconds(Int64.min))
      try expectEqual(message.returnValue(as: Int.self), 9)
    }

    @Test func aCancelledDelayCallsNothing() async throws {
      let task = Task {
        let document = Document()
        let message = try Invocation(target: document, selector: "setSize(_:)")
        try message.setArgument(9, at: 2)
        for seconds in [3_600, Int64.max] {
          await #expect(throws: CancellationError.self) { try await message.invoke(after: .seconds(seconds)) }
        }
        return document.size
      }
      task.cancel()
      #expect(try await task.value == 1)
    }
  }
#endif
