#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// An invocation that a proxy received is used again for the sender's next message, unless the proxy keeps it.
  @Suite(.measured) struct ForwardedInvocationReuseTests {
    private final class Adder {
      static let register: Void = {
        do {
          try MethodTable.of(Adder.self).add("add") { (_: Adder, a: Int, b: Int) in a + b }
          try MethodTable.of(Adder.self).add("take") { (_: Adder, object: Payload?) in object == nil ? 0 : 1 }
        } catch {
          Issue.record(error)
        }
      }()
    }

    private final class Payload: EncodedObject {}

    private struct Refusal: Error {}

    /// Keeps every second message, and changes those that it does not keep.
    private final class Keeping: InvocationProxy {
      var kept: [Invocation] = []
      var received: [ObjectIdentifier] = []
      var count = 0
      var refuses = false

      override func forwardInvocation(_ invocation: Invocation) throws {
        count += 1
        received.append(ObjectIdentifier(invocation))
        if count % 2 == 0 { kept.append(invocation) }
        try super.forwardInvocation(invocation)
        if refuses { throw Refusal() }
        guard count % 2 == 1 else { return }
        invocation.implementation = try Implementation { (_: Adder, _: Int, _: Int) in -1 }
        invocation.retainArguments()
        invocation.capturesErrno = true
      }
    }

    init() { Adder.register }

    private func message(to target: AnyObject, _ selector: MethodSelector = "add", types: String = "q@:qq") throws -> Invocation {
      let invocation = Invocation(try MethodSignature(types: types))
      invocation.target = target
      invocation.selector = selector
      return invocation
    }

    @Test func whatTheProxyChangedDoesNotAffectTheNextMessage() throws {
      let proxy = Keeping(target: Adder())
      let invocation = try message(to: proxy)
      for index in 0..<20 {
        try invocation.setArgument(index, at: 2)
        try invocation.setArgument(1, at: 3)
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == index + 1)
      }
      // What it kept has the arguments and the result of its own message.
      #expect(try proxy.kept.map { try $0.argument(at: 2, as: Int.self) } == Array(stride(from: 1, to: 20, by: 2)))
      #expect(try proxy.kept.map { try $0.returnValue(as: Int.self) } == Array(stride(from: 2, to: 21, by: 2)))
      #expect(Set(proxy.kept.map { ObjectIdentifier($0) }).count == 10)
      #expect(proxy.kept.allSatisfy { $0.implementation == nil && !$0.capturesErrno })
    }

    @Test func errorsAndUnsetArgumentsAreReportedForEachMessage() throws {
      let proxy = Keeping(target: Adder())
      let invocation = try message(to: proxy)
      try invocation.setArgument(1, at: 2)
      #expect(throws: InvocationError.self) { try invocation.invoke() }
      try invocation.setArgument(2, at: 3)
      for index in 0..<6 {
        proxy.refuses = index % 3 == 2
        if proxy.refuses {
          #expect(throws: Refusal.self) { try invocation.invoke() }
        } else {
          try invocation.invoke()
          #expect(try invocation.returnValue(as: Int.self) == 3)
        }
      }
      proxy.refuses = false
      proxy.target = nil
      #expect(throws: InvocationError.self) { try invocation.invoke() }
      proxy.target = Adder()
      try invocation.invoke()
      #expect(try invocation.returnValue(as: Int.self) == 3)
    }

    @Test func theTargetsMethodAndClassMayChange() throws {
      // Classes of its own: other tests send messages to those of the suite meanwhile.
      final class Other {}
      final class Proxy: InvocationProxy {}
      try MethodTable.of(Other.self).replace("add", Implementation { (_: Other, a: Int, b: Int) in 100 * a + b })
      let proxy = Proxy(target: Adder())
      let invocation = try message(to: proxy)
      try invocation.setArgument(1, at: 2)
      try invocation.setArgument(2, at: 3)
      func result() throws -> Int {
        try invocation.invoke()
        return try invocation.returnValue()
      }
      #expect(try [result(), result()] == [3, 3])
      proxy.target = Other()
      #expect(try [result(), result()] == [102, 102])
      try MethodTable.of(Other.self).replace("add", Implementation { (_: Other, a: Int, b: Int) in a - b })
      #expect(try [result(), result()] == [-1, -1])
      invocation.target = Other()
      #expect(try result() == -1)
      invocation.target = proxy
      #expect(try result() == -1)
      try MethodTable.of(Proxy.self).replace("add", Implementation { (_: Proxy, _: Int, _: Int) in 7 })
      #expect(try result() == 7)
      MethodTable.of(Proxy.self).remove("add")
      #expect(try result() == -1)
    }

    /// A message that the proxy sends with the sender's own invocation, while it is forwarded.
    @Test func aMessageThatIsSentMeanwhileHasItsOwnInvocation() throws {
      final class Nested: InvocationProxy {
        var sender: Invocation?
        var depth = 0
        var results: [Int] = []
        override func forwardInvocation(_ invocation: Invocation) throws {
          if depth < 3, let sender {
            depth += 1
            try sender.invoke()
            results.append(try sender.returnValue())
          }
          try super.forwardInvocation(invocation)
        }
      }
      let proxy = Nested(target: Adder())
      let invocation = try message(to: proxy)
      try invocation.setArgument(1, at: 2)
      try invocation.setArgument(2, at: 3)
      try invocation.invoke()
      proxy.sender = invocation
      for _ in 0..<5 {
        proxy.depth = 0
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == 3)
      }
      #expect(proxy.results == Array(repeating: 3, count: 15))
      proxy.sender = nil
    }

    @Test func aMessageThatTheProxyDoesNotInvokeHasTheResultZero() throws {
      final class Dropping: InvocationProxy {
        var drops = false
        override func forwardInvocation(_ invocation: Invocation) throws {
          if !drops { try super.forwardInvocation(invocation) }
        }
      }
      let proxy = Dropping(target: Adder())
      let invocation = try message(to: proxy)
      try invocation.setArgument(1, at: 2)
      try invocation.setArgument(2, at: 3)
      for index in 0..<6 {
        proxy.drops = index % 2 == 1
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == (proxy.drops ? 0 : 3))
      }
    }

    @Test func theInvocationForTheNextMessageIsReleasedWithTheSender() throws {
      final class Noting: InvocationProxy {
        weak var received: Invocation?
        override func forwardInvocation(_ invocation: Invocation) throws {
          received = invocation
          try super.forwardInvocation(invocation)
        }
      }
      let proxy = Noting(target: Adder())
      try { () throws in
        let invocation = try message(to: proxy)
        try invocation.setArgument(1, at: 2)
        try invocation.setArgument(2, at: 3)
        // A method that another test adds to any class meanwhile ends what is remembered.
        var isKept = false
        for _ in 0..<100 where !isKept {
          try invocation.invoke()
          isKept = proxy.received != nil
        }
        #expect(isKept)
        withExtendedLifetime(invocation) {}
      }()
      #expect(proxy.received == nil)
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
          #expect(throws: Never.self) {
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
        try invocation.setArgument(1, at: 2)
        try invocation.setArgument(2, at: 3)
        for _ in 0..<4 {
          try invocation.invoke()
          #expect(try invocation.returnValue(as: Int.self) == 3)
          proxy.sender = invocation
        }
        proxy.sender = nil
        wasKept = proxy.wasKept == [true, true, true]
      }
      #expect(wasKept)
    }

    @Test func aStringIsCopiedIfTheSenderCopiesStrings() throws {
      final class Reading {
        static let register: Void = {
          do {
            try MethodTable.of(Reading.self).add("first") { (_: Reading, text: String?) in Int(text?.utf8.first ?? 0) }
          } catch {
            Issue.record(error)
          }
        }()
      }
      final class Writing: InvocationProxy {
        override func forwardInvocation(_ invocation: Invocation) throws {
          let text = UnsafeMutablePointer<CChar>.allocate(capacity: 2)
          defer { text.deallocate() }
          (text[0], text[1]) = (1, 0)
          try invocation.setArgument(UnsafePointer(text), at: 2)
          text[0] = 2
          try super.forwardInvocation(invocation)
        }
      }
      Reading.register
      let signature = try MethodSignature(types: "q@:*")
      let invocation = Invocation(signature, retainsArguments: false)
      let proxy = Writing(target: Reading())
      invocation.target = proxy
      invocation.selector = "first"
      try invocation.setArgument(UnsafePointer<CChar>(bitPattern: 0), at: 2)
      func result() throws -> Int {
        try invocation.invoke()
        return try invocation.returnValue()
      }
      #expect(try [result(), result(), result()] == [2, 2, 2])
      invocation.retainArguments()
      #expect(try [result(), result(), result()] == [1, 1, 1])
      withExtendedLifetime(proxy) {}
    }

    @Test func objectsAreReleasedWhenTheMessageReturns() throws {
      let proxy = InvocationProxy(target: Adder())
      let invocation = try message(to: proxy, "take", types: "q@:@")
      for _ in 0..<4 {
        weak var dropped: Payload?
        try { () throws in
          let payload = Payload()
          dropped = payload
          try invocation.setArgument(payload, at: 2)
          try invocation.invoke()
          #expect(try invocation.returnValue(as: Int.self) == 1)
          try invocation.setArgument(nil, at: 2)
        }()
        #expect(dropped == nil)
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == 0)
      }
    }
  }
#endif
