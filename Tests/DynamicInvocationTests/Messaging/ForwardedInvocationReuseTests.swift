#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// An invocation that a proxy received is used again for the sender's next message, unless the proxy keeps it.
  @Suite(.measured) struct ForwardedInvocationReuseTests {
    private final class Adder {}
    private final class Payload: EncodedObject {}

    private static let methods: Result<Void, any Error> = Result {
      try MethodTable.of(Adder.self).add("add") { (_: Adder, a: Int, b: Int) in a + b }
      try MethodTable.of(Adder.self).add("take") { (_: Adder, object: Payload?) in object == nil ? 0 : 1 }
      try MethodTable.of(Adder.self).add("first") { (_: Adder, text: String?) in Int(text?.utf8.first ?? 0) }
    }

    /// A proxy that runs a closure, which passes the message on by `invoke`.
    private final class Proxy: InvocationProxy {
      var body: (_ invocation: Invocation, _ invoke: () throws -> Void) throws -> Void = { try $1() }
      override func forwardInvocation(_ invocation: Invocation) throws {
        try body(invocation) { try super.forwardInvocation(invocation) }
      }
    }

    init() throws { try Self.methods.get() }

    /// A message `add` with 1 and 2.
    private func message(to target: AnyObject) throws -> Invocation { try .message("q@:qq", to: target, "add", 1, 2) }

    @Test func whatTheProxyChangedDoesNotAffectTheNextMessage() throws {
      let proxy = Proxy(target: Adder())
      var (kept, count, refuses) = ([Invocation](), 0, false)
      // Keeps every second message, and changes those that it does not keep.
      proxy.body = { invocation, invoke in
        count += 1
        if count % 2 == 0 { kept.append(invocation) }
        try invoke()
        if refuses { throw Refusal() }
        guard count % 2 == 1 else { return }
        invocation.implementation = try Implementation { (_: Adder, _: Int, _: Int) in -1 }
        invocation.retainArguments()
        invocation.capturesErrno = true
      }
      let invocation = try message(to: proxy)
      for index in 0..<20 { try expectEqual(invocation.result(index, 1), index + 1) }
      // What it kept has the arguments and the result of its own message.
      try expectEqual(kept.map { try $0.argument(at: 2, as: Int.self) }, Array(stride(from: 1, to: 20, by: 2)))
      try expectEqual(kept.map { try $0.returnValue(as: Int.self) }, Array(stride(from: 2, to: 21, by: 2)))
      expectEqual(Set(kept.map { ObjectIdentifier($0) }).count, 10)
      expect(kept.allSatisfy { $0.implementation == nil && !$0.capturesErrno })
      // Errors and arguments never set are reported for each message.
      let other = try Invocation.message("q@:qq", to: proxy, "add", 1)
      expectError(.argumentNotSet) { try other.invoke() }
      try other.setArgument(2, at: 3)
      for index in 0..<6 {
        refuses = index % 3 == 2
        if refuses { expectThrows(Refusal.self) { try other.invoke() } } else { try expectEqual(other.result(), 3) }
      }
      refuses = false
      proxy.target = nil
      expectError(.unrecognizedSelector) { try other.invoke() }
      proxy.target = Adder()
      try expectEqual(other.result(), 3)
    }

    @Test func theTargetsMethodAndClassMayChange() throws {
      // Classes of its own: other tests send messages to the suite's classes meanwhile.
      final class Other {}
      final class OwnProxy: InvocationProxy {}
      let (others, proxies) = (MethodTable.of(Other.self), MethodTable.of(OwnProxy.self))
      try others.replace("add", Implementation { (_: Other, a: Int, b: Int) in 100 * a + b })
      let proxy = OwnProxy(target: Adder())
      let invocation = try message(to: proxy)
      let steps: [(change: () throws -> Void, result: Int)] = [
        ({}, 3), ({ proxy.target = Other() }, 102),
        ({ try others.replace("add", Implementation { (_: Other, a: Int, b: Int) in a - b }) }, -1),
        ({ invocation.target = Other() }, -1), ({ invocation.target = proxy }, -1),
        ({ try proxies.replace("add", Implementation { (_: OwnProxy, _: Int, _: Int) in 7 }) }, 7), ({ proxies.remove("add") }, -1),
      ]
      for (number, step) in steps.enumerated() {
        try step.change()
        try expectEqual([invocation.result(), invocation.result()], [step.result, step.result], "step \(number)")
      }
    }

    /// A message that the proxy sends with the sender's own invocation, while it is forwarded.
    @Test func aMessageThatIsSentMeanwhileHasItsOwnInvocation() throws {
      let proxy = Proxy(target: Adder())
      let invocation = try message(to: proxy)
      try invocation.invoke()
      var (depth, results) = (0, [Int]())
      proxy.body = { _, invoke in
        if depth < 3 {
          depth += 1
          results.append(try invocation.result())
        }
        try invoke()
      }
      for _ in 0..<5 {
        depth = 0
        try expectEqual(invocation.result(), 3)
      }
      expectEqual(results, Array(repeating: 3, count: 15))
      proxy.body = { _, _ in }
    }

    @Test func aMessageThatTheProxyDoesNotInvokeHasTheResultZero() throws {
      let proxy = Proxy(target: Adder())
      var drops = true
      proxy.body = { _, invoke in
        drops.toggle()
        if !drops { try invoke() }
      }
      let invocation = try message(to: proxy)
      try expectEqual((0..<6).map { _ in try invocation.result(as: Int.self) }, [3, 0, 3, 0, 3, 0])
    }

    @Test func theInvocationForTheNextMessageIsReleasedWithTheSender() throws {
      let proxy = Proxy(target: Adder())
      weak var received: Invocation?
      proxy.body = { invocation, invoke in
        received = invocation
        try invoke()
      }
      try { () throws in
        let invocation = try message(to: proxy)
        // A method that another test adds to any class meanwhile ends what is remembered.
        var isKept = false
        for _ in 0..<100 where !isKept {
          try invocation.invoke()
          isKept = received != nil
        }
        expect(isKept)
        withExtendedLifetime(invocation) {}
      }()
      expectNil(received)
    }

    /// What a class's forwarding is remembered in belongs to the message that is being forwarded.
    @Test func theSenderMayBeUsedForAnotherTargetMeanwhile() throws {
      final class Other: InvocationProxy {}
      final class Retargeting: Forwarding {
        weak var received: Invocation?
        var sender: Invocation?
        var other = Other(target: Adder())
        var wasKept: [Bool] = []
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? {
          guard let sender else { return nil }
          self.sender = nil
          expectError(nil) {
            sender.target = other
            try sender.invoke()
            sender.target = self
          }
          wasKept.append(received != nil)
          return nil
        }
        func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "q@:qq") }
        func forwardInvocation(_ invocation: Invocation) throws {
          received = invocation
          invocation.target = other.target
          try invocation.invoke()
        }
      }
      // A method that another test adds to any class meanwhile ends what is remembered.
      var wasKept = false
      for _ in 0..<100 where !wasKept {
        let proxy = Retargeting()
        let invocation = try message(to: proxy)
        for _ in 0..<4 {
          try expectEqual(invocation.result(), 3)
          proxy.sender = invocation
        }
        proxy.sender = nil
        wasKept = proxy.wasKept == [true, true, true]
      }
      expect(wasKept)
    }

    @Test func aStringIsCopiedIfTheSenderCopiesStrings() throws {
      let proxy = Proxy(target: Adder())
      proxy.body = { invocation, invoke in
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: 2)
        defer { text.deallocate() }
        (text[0], text[1]) = (1, 0)
        try invocation.setArgument(UnsafePointer(text), at: 2)
        text[0] = 2
        try invoke()
      }
      let invocation = Invocation(try MethodSignature(types: "q@:*"), retainsArguments: false)
      invocation.target = proxy
      invocation.selector = "first"
      try invocation.setArgument(UnsafePointer<CChar>(bitPattern: 0), at: 2)
      try expectEqual((0..<3).map { _ in try invocation.result(as: Int.self) }, [2, 2, 2])
      invocation.retainArguments()
      try expectEqual((0..<3).map { _ in try invocation.result(as: Int.self) }, [1, 1, 1])
      withExtendedLifetime(proxy) {}
    }

    @Test func objectsAreReleasedWhenTheMessageReturns() throws {
      let proxy = InvocationProxy(target: Adder())
      let invocation = try Invocation.message("q@:@", to: proxy, "take")
      for _ in 0..<4 {
        weak var dropped: Payload?
        try { () throws in
          let payload = Payload()
          dropped = payload
          try expectEqual(invocation.result(payload), 1)
          try invocation.setArgument(nil, at: 2)
        }()
        expectNil(dropped)
        try expectEqual(invocation.result(), 0)
      }
    }
  }
#endif
