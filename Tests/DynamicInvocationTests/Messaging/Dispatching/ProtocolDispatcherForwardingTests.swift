#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// A dispatcher behind an object that forwards, and behind a function pointer.
  @Suite(.measured) struct ProtocolDispatcherForwardingTests {
    private final class Relay: Forwarding {
      let dispatcher: ProtocolDispatcher
      init(_ dispatcher: ProtocolDispatcher) { self.dispatcher = dispatcher }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? { dispatcher }
    }

    private struct Refusal: Error {}

    @Test func aMessageThatIsForwardedComesToAllImplementers() throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2, 3], log)
      let dispatcher = try DispatchFixtures.dispatcher(listeners)
      let relay = Relay(dispatcher)
      let direct = try DispatchFixtures.send("count(_:)", to: dispatcher, 5)
      let calls = log.entries
      log.entries = []
      for _ in 0..<2 {
        #expect(try DispatchFixtures.send("count(_:)", to: relay, 5) == direct)
        #expect(log.entries == calls)
        log.entries = []
      }
      listeners[1].body = { throw Refusal() }
      #expect(throws: Refusal.self) { try DispatchFixtures.send("count(_:)", to: relay, 5) }
      #expect(log.entries.count == calls.count)
      let wrong = #expect(throws: InvocationError.self) { try DispatchFixtures.send("missing(_:)", to: relay, 5) }
      #expect(wrong?.code == .countMismatch || wrong?.code == .unrecognizedSelector)
      withExtendedLifetime(listeners) {}
    }

    @Test func aFunctionPointerThatForwardsComesToAllImplementers() throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2], log)
      let dispatcher = try DispatchFixtures.dispatcher(listeners)
      let signature = try MethodSignature(types: "q@:q")
      let code = try MethodTable.of(ProtocolDispatcher.self).implementation(for: "count(_:)", orForwarding: signature)
      typealias Message = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int
      let send = unsafeBitCast(code.pointer, to: Message.self)
      let selector: MethodSelector = "count(_:)"
      let expected = try DispatchFixtures.send("count(_:)", to: dispatcher, 7)
      let calls = log.entries
      log.entries = []
      let result = withExtendedLifetime(dispatcher) { send(Unmanaged.passUnretained(dispatcher).toOpaque(), selector.pointer, 7) }
      #expect(result == expected)
      #expect(log.entries == calls)
      withExtendedLifetime(listeners) {}
    }
  }
#endif
