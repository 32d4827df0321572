#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Proxies that do not retain their targets.
  @Suite(.measured) struct WeakProxyTests {
    private final class Timer: EncodedObject {
      var ticks = 0
      static let register: Void = {
        do {
          try MethodTable.of(Timer.self).add("tick(_:)") { (timer: Timer, count: Int) -> Int in
            timer.ticks += count; return timer.ticks
          }
        } catch {
          Issue.record(error)
        }
      }()
    }

    private func tick(_ proxy: AnyObject) throws -> Int {
      let message = try Invocation(target: proxy, selector: "tick(_:)")
      return try message.result(2)
    }

    @Test("Messages reach the object while it lives; then they are an error, or have no effect (D7.1)", arguments: [false, true])
    func gone(isQuiet: Bool) throws {
      Timer.register
      var timer: Timer? = Timer()
      let proxy = WeakProxy(try require(timer), isQuiet: isQuiet)
      try expect(tick(proxy) == 2 && tick(proxy) == 4)
      expect(proxy.target === timer && "\(proxy)" == "WeakProxy to Timer")
      timer = nil
      expect(proxy.target == nil && "\(proxy)" == "WeakProxy to Timer, which is gone")
      if isQuiet {
        try expectEqual(tick(proxy), 0)
      } else {
        let error = expectThrows(InvocationError.self) { try tick(proxy) }
        expect(error?.code == .unrecognizedSelector && error?.reason.contains("the Timer that 'tick(_:)' was for is gone") == true)
      }
      // A message that the class does not know is an error of the sender.
      let types = try MethodSignature(types: "v@:")
      let unknown = try Invocation.message(types, to: proxy, "unknown")
      expectError(.unrecognizedSelector) { try unknown.invoke() }
    }

    @Test("A message keeps its target until it returns (D7.2)") func lastMessage() throws {
      final class Owner: EncodedObject {
        var proxy: WeakProxy?
        var release: (() -> Void)?
      }
      try MethodTable.of(Owner.self).add("end(_:)") { (owner: Owner, number: Int) -> Int in
        owner.release?()
        return owner.proxy?.target === owner ? number : -1
      }
      var owner: Owner? = Owner()
      let proxy = WeakProxy(try require(owner))
      owner?.proxy = proxy
      owner?.release = { owner = nil }
      let message = try Invocation(target: proxy, selector: "end(_:)")
      try message.setArgument(5, at: 2)
      try message.invoke()
      try expect(message.returnValue(as: Int.self) == 5 && owner == nil)
    }
  }
#endif
