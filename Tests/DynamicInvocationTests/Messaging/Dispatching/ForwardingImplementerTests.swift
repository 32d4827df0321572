#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import InvocationRecords
  import TestSupport
  import Testing

  /// Implementers that forward messages: proxies, spies, and classes that resolve or redirect them.
  @Suite(.measured) struct ForwardingImplementerTests {
    /// A proxy that counts the messages that it passes on.
    private final class Spy: InvocationProxy {
      var selectors: [String] = []
      override func forwardInvocation(_ invocation: Invocation) throws {
        selectors.append(invocation.selector?.name ?? "")
        try super.forwardInvocation(invocation)
      }
    }

    /// A class that adds a method when it is asked for it.
    private final class Resolving: Forwarding {
      static func resolveMethod(for selector: MethodSelector) throws -> Bool {
        guard selector == "count(_:)" else { return false }
        try MethodTable.of(Resolving.self).replace(selector, Implementation { (_: Resolving, value: Int) -> Int in value + 500 })
        return true
      }
    }

    /// A class that answers a message by itself, and forwards others.
    private final class Answering: Forwarding, Invocable {
      let next: AnyObject
      let own: Implementation
      init(_ next: AnyObject) throws {
        self.next = next
        own = try Implementation { (_: Answering, value: Int) -> Int in value + 700 }
      }
      func implementation(for selector: MethodSelector) -> Implementation? { selector == "count(_:)" ? own : nil }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? { next }
    }

    /// A proxy that stores messages instead of passing them on.
    private final class Storing: InvocationProxy {
      var stored: [Invocation] = []
      override func forwardInvocation(_ invocation: Invocation) throws { stored.append(invocation) }
    }

    /// A class that forwards one message, with types that change.
    private final class Mistyped: Forwarding {
      var types = "q@:q"
      var count = 0
      func methodSignature(for selector: MethodSelector) -> MethodSignature? {
        selector == "count(_:)" ? try? MethodSignature(types: types) : nil
      }
      func forwardInvocation(_ invocation: Invocation) throws {
        count += 1
        try invocation.setReturnValue(count)
      }
    }

    @Test("An implementer that comes to forward with other types than the protocol's is an error, and gets nothing (D4.12)")
    func otherTypes() throws {
      let implementer = Mistyped()
      let dispatcher = try DispatchFixtures.dispatcher([implementer])
      for count in 1...2 { try expectEqual(DispatchFixtures.send("count(_:)", to: dispatcher, 3), count) }
      implementer.types = "d@:d"
      let error = expectThrows(InvocationError.self) { try DispatchFixtures.send("count(_:)", to: dispatcher, 3) }
      expectEqual(error?.code, .typeMismatch)
      expectEqual(error?.reason.hasSuffix("Mistyped implements 'count(_:)' with the types 'd@:d', Sample has 'q@:q'"), true)
      expectEqual(implementer.count, 2)
    }

    @Test("An implementer that forwards responds as a message to it is handled (D4.12)")
    func forwardingImplementers() throws {
      let log = CallLog()
      let listener = FullListener(4, log)
      let (spy, relay, resolving) = (Spy(target: listener), Relay(listener), Resolving())
      let answering = try Answering(listener)
      let chain = Relay(Relay(Spy(target: Relay(listener))))
      for (implementer, result) in [(spy, 43), (relay, 43), (resolving, 503), (answering, 703), (chain, 43)] as [(AnyObject, Int)] {
        let dispatcher = try DispatchFixtures.dispatcher([implementer])
        try expectEqual(DispatchFixtures.send("count(_:)", to: implementer, 3), result)
        expect(dispatcher.responds(to: "count(_:)") && !dispatcher.responds(to: "unheard()"))
        for _ in 0..<2 { try expectEqual(DispatchFixtures.send("count(_:)", to: dispatcher, 3), result) }
        let outcome = try dispatcher.dispatch(DispatchFixtures.invocation("count(_:)", nil, [.int(3)]))
        expect(outcome.responders == [0] && outcome.failures.isEmpty)
        // An optional method to which nobody responds.
        try expectNil(dispatcher.send("unheard()"))
      }
      expectEqual(spy.selectors, Array(repeating: "count(_:)", count: 4))
      // Among others, in order.
      log.entries = []
      let (first, last) = (FullListener(1, log), FullListener(9, log))
      let dispatcher = try DispatchFixtures.dispatcher([first, spy, last])
      try expectEqual(DispatchFixtures.send("sum(_:_:)", to: dispatcher, 2, 3), 905)
      expectEqual(log.entries, ["sum 1", "sum 4", "sum 9"])
      var value = 0
      try withUnsafeMutablePointer(to: &value) { _ = try dispatcher.send("change(_:)", [.pointer(UnsafeMutableRawPointer($0))]) }
      expectEqual(value, 149)
      listener.body = { throw Refusal() }
      expectThrows(Refusal.self) { try DispatchFixtures.send("count(_:)", to: dispatcher, 2) }
      let outcome = try dispatcher.dispatch(DispatchFixtures.invocation("count(_:)", nil, [.int(3)]))
      expect(outcome.responders == [0, 2] && outcome.failures.map(\.number) == [1])
      withExtendedLifetime((first, last)) {}
    }

    @Test("Objects and texts that an implementer forwards are neither lost nor freed too early (D4.12)")
    func forwardedResults() throws {
      final class Writer {
        let tracker: LifetimeTracker
        init(_ tracker: LifetimeTracker) { self.tracker = tracker }
      }
      let tail: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafePointer<CChar>) -> UnsafePointer<CChar>? = { _, _, text in
        text + 3
      }
      let table = MethodTable.of(Writer.self)
      try table.replace("make()", Implementation { (writer: Writer) -> Tracked? in Tracked(writer.tracker.object()) })
      try table.replace("keep(_:)", Implementation { (_: Writer, library: Tracked?) -> Tracked? in library })
      try unsafe table.replace("tail(_:)", Implementation(function: tail, methodSignature: MethodSignature(types: "*@:*")))
      let methods = try DispatchProtocol(
        "Library",
        methods: [
          .required("make()", types: "@@:"), .required("keep(_:)", types: "@@:@"), .required("tail(_:)", types: "*@:*"),
        ])
      /// A spy whose invocations own their arguments.
      final class Keeping: InvocationProxy {
        override func forwardInvocation(_ invocation: Invocation) throws {
          invocation.retainArguments()
          try super.forwardInvocation(invocation)
        }
      }
      let tracker = LifetimeTracker()
      do {
        let writer = Writer(tracker)
        let proxies: [AnyObject] = [InvocationProxy(target: writer), Relay(writer), Spy(target: writer), Keeping(target: writer)]
        for policy in [ReturnPolicy<BoxedValue>.last, .first] {
          for implementers in proxies.map({ [$0] }) + [proxies] {
            let dispatcher = try ProtocolDispatcher(methods, implementers: implementers, returnPolicy: policy)
            let made: Tracked = try Invocation.send(dispatcher, "make()")
            let kept: Tracked = try Invocation.send(dispatcher, "keep(_:)", made)
            expect(kept === made)
            try expectEqual(
              Invocation.send(dispatcher, "tail(_:)", "the text of a message that is on the heap", as: String.self),
              " text of a message that is on the heap")
          }
        }
        // A message that is stored owns its arguments.
        let storing = Storing(target: writer)
        let dispatcher = try ProtocolDispatcher(methods, implementers: [storing])
        let nothing: Tracked? = try Invocation.send(dispatcher, "keep(_:)", Tracked(tracker.object()))
        expect(nothing == nil && tracker.liveCount == 1)
        try expect(storing.stored.first?.objectArgument(at: 2) is Tracked)
        // A stored message retains its target, which is the proxy.
        storing.stored = []
      }
      expectEqual(tracker.liveCount, 0)
    }

    @Test("An implementer that forwards is asked at each call, and refused if its types are others (D4.12)")
    func forwardingChanges() throws {
      final class Other {}
      try MethodTable.of(Other.self).replace("count(_:)", Implementation { (_: Other, value: Double) -> Double in value })
      let (relay, spy) = (Relay(nil), Spy())
      let dispatcher = try DispatchFixtures.dispatcher([relay, spy])
      expect(!dispatcher.responds(to: "count(_:)"))
      let nobody = expectThrows(InvocationError.self) { try DispatchFixtures.send("count(_:)", to: dispatcher, 1) }
      expectEqual(nobody?.code, .unrecognizedSelector)
      let listener = FullListener(2)
      spy.target = listener
      expect(dispatcher.responds(to: "count(_:)"))
      try expectEqual(DispatchFixtures.send("count(_:)", to: dispatcher, 1), 21)
      relay.next = Other()
      let outcome = try dispatcher.dispatch(DispatchFixtures.invocation("count(_:)", nil, [.int(1)]))
      expect(outcome.responders == [1] && outcome.failures.map(\.number) == [0])
      expectEqual((outcome.failures.first?.error as? InvocationError)?.code, .typeMismatch)
      spy.target = nil
      expect(!dispatcher.responds(to: "count(_:)"))
      for implementer in [Relay(Other()), InvocationProxy(target: Other())] as [AnyObject] {
        let refusal = expectThrows(InvocationError.self) { try DispatchFixtures.dispatcher([implementer]) }
        expectEqual(refusal?.code, .typeMismatch)
        expectError(.typeMismatch) { try dispatcher.append(implementer) }
      }
    }

    @Test("A message that implementers forward back to their dispatcher is an error of each of them, at once (D4.13)")
    func forwardingBack() throws {
      let log = CallLog()
      let listener = FullListener(3, log)
      let relays = (0..<6).map { _ in Relay(nil) }
      let spies = (0..<6).map { _ in Spy() }
      let dispatcher = try DispatchFixtures.dispatcher(relays + spies)
      let outer = try DispatchFixtures.dispatcher([dispatcher])
      for relay in relays { relay.next = outer }
      for spy in spies { spy.target = Relay(dispatcher) }
      for target in [dispatcher, outer] {
        let error = expectThrows(InvocationError.self) { try DispatchFixtures.send("count(_:)", to: target, 1) }
        expect(error?.code == .forwardingCycle && error?.reason.contains("the dispatcher of Sample") == true)
      }
      try dispatcher.append(listener)
      let outcome = try dispatcher.dispatch(DispatchFixtures.invocation("count(_:)", nil, [.int(1)]))
      expect(outcome.failures.map(\.number) == Array(0..<12) && outcome.responders == [12])
      // Once within each message that came back, and once at the end.
      expectEqual(log.entries.count, 13)
      for relay in relays { relay.next = nil }
      for spy in spies { spy.target = nil }
    }

    /// What a proxy changes before it passes a message on.
    enum Change: CaseIterable {
      case methodTable, implementers, policy
    }

    /// A proxy that changes what the dispatcher has looked up.
    private final class Changing: InvocationProxy {
      private final class Other {}

      var dispatcher: ProtocolDispatcher?
      var change: Change?
      override func forwardInvocation(_ invocation: Invocation) throws {
        switch change {
        case .methodTable: try MethodTable.of(Other.self).replace("other", Implementation { (_: Other) in })
        case .implementers: try dispatcher?.append(FullListener(4, CallLog()))
        case .policy: dispatcher?.setReturnPolicy(.last)
        case nil: break
        }
        try super.forwardInvocation(invocation)
      }
    }

    @Test("A message that comes back is found also after the dispatcher has looked up its methods anew (D4.13)", arguments: Change.allCases)
    func forwardingBackAfterAChange(_ change: Change) throws {
      let log = CallLog()
      let listener = FullListener(3, log)
      let spy = Changing()
      let dispatcher = try DispatchFixtures.dispatcher([spy, listener])
      (spy.target, spy.dispatcher, spy.change) = (Relay(dispatcher), dispatcher, change)
      let invocation = try DispatchFixtures.invocation("count(_:)", nil, [.int(1)])
      let outcome = try dispatcher.dispatch(invocation)
      expect(outcome.failures.map(\.number) == [0] && outcome.responders == [1])
      // Once within the message that came back, and once at the end.
      expectEqual(log.entries, ["count 3", "count 3"])
      let error = try require(outcome.failures.first?.error as? InvocationError)
      expect(error.code == .forwardingCycle && error.reason.contains("the dispatcher of Sample"))
      (spy.target, spy.dispatcher) = (nil, nil)
    }

    @Test("A method may send the same message to its dispatcher again, also where it is forwarded (D4.13)")
    func recursion() throws {
      final class Counter {
        var dispatcher: ProtocolDispatcher?
      }
      let counter = Counter()
      try MethodTable.of(Counter.self).replace(
        "count(_:)",
        Implementation { (counter: Counter, value: Int) throws -> Int in
          guard value > 0, let dispatcher = counter.dispatcher else { return 0 }
          return try value + DispatchFixtures.send("count(_:)", to: dispatcher, .int(value - 1))
        })
      for implementer in [InvocationProxy(target: counter), Relay(counter)] as [AnyObject] {
        counter.dispatcher = try DispatchFixtures.dispatcher([implementer])
        try expectEqual(DispatchFixtures.send("count(_:)", to: require(counter.dispatcher), 20), 210)
      }
    }

    @Test("A message that nobody responds to has the nearest names of what it would have reached")
    func nearestNames() throws {
      let listener = FullListener(1)
      let dispatcher = try DispatchFixtures.dispatcher([listener])
      func message(_ target: AnyObject) -> String? {
        let error = expectThrows(InvocationError.self) { try Invocation.send(target, "cuont(_:)", 1) }
        expectEqual(error?.code, .unrecognizedSelector)
        return error?.description
      }
      for target in [dispatcher, Relay(dispatcher), InvocationProxy(target: Relay(dispatcher))] as [AnyObject] {
        expectEqual(message(target), "Sample has no method 'cuont(_:)'; nearest: count(_:)")
      }
      expectEqual(
        message(Spy(target: listener))?.hasPrefix(
          "Spy does not respond to 'cuont(_:)', which it forwards to FullListener; nearest: count(_:)"), true)
      expectEqual(message(Relay(Spy(target: listener)))?.contains("nearest: count(_:)"), true)
      expectEqual(message(Spy()), "Spy does not respond to 'cuont(_:)'")
      let cycle = (Relay(nil), Relay(nil))
      (cycle.0.next, cycle.1.next) = (cycle.1, cycle.0)
      expectEqual(message(cycle.0)?.hasPrefix("Relay does not respond to 'cuont(_:)'"), true)
      cycle.0.next = nil
    }

    @Test("Messages to a dispatcher in a dispatcher, and from a recorder, reach implementers that forward (D4.12)")
    func otherWays() throws {
      let listener = FullListener(5)
      let spy = Spy(target: listener)
      let inner = try DispatchFixtures.dispatcher([spy])
      try expectEqual(DispatchFixtures.send("count(_:)", to: DispatchFixtures.dispatcher([inner]), 6), 56)
      let recorder = InvocationRecorder(target: listener)
      let recording = try DispatchFixtures.dispatcher([recorder])
      try expect(DispatchFixtures.send("count(_:)", to: recording, 8) == 0 && recorder.invocations.count == 1)
      try recorder.replay()
      try expectEqual(recorder.invocations[0].returnValue(), 58)
      expectEqual(spy.selectors.count, 1)
      withExtendedLifetime((inner, recorder)) {}
    }

    // MARK: A dispatcher behind an object that forwards, and behind a function pointer

    @Test func aMessageThatIsForwardedComesToAllImplementers() throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2, 3], log)
      let dispatcher = try DispatchFixtures.dispatcher(listeners)
      let relay = Relay(dispatcher)
      let calls = ["count 1", "count 2", "count 3"]
      for target in [dispatcher, relay, relay] as [AnyObject] {
        log.entries = []
        try expect(DispatchFixtures.send("count(_:)", to: target, 5) == 35 && log.entries == calls)
      }
      let code = try Implementation.forwarding(MethodSignature(types: "q@:q"))
      typealias Message = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int
      let send = unsafeBitCast(code.pointer, to: Message.self)
      let selector: MethodSelector = "count(_:)"
      log.entries = []
      let result = withExtendedLifetime(dispatcher) { send(Unmanaged.passUnretained(dispatcher).toOpaque(), selector.pointer, 7) }
      expect(result == 37 && log.entries == calls)
      log.entries = []
      listeners[1].body = { throw Refusal() }
      expectThrows(Refusal.self) { try DispatchFixtures.send("count(_:)", to: relay, 5) }
      expectEqual(log.entries, calls)
      let wrong = InvocationFixtures.code { _ = try DispatchFixtures.send("missing(_:)", to: relay, 5) }
      expect(wrong == .countMismatch || wrong == .unrecognizedSelector)
      withExtendedLifetime(listeners) {}
    }
  }
#endif
