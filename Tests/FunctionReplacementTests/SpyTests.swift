#if os(Linux)
  import FunctionReplacement
  import Shop
  import Synchronization
  import TestSupport
  import Testing

  /// What a spy records, and how it answers.
  @Suite struct SpyTests {
    @Test("Arguments, results and errors are recorded in order, and the function does its work")
    func records() throws {
      try withReplacements {
        let calls = try spy("Shop.Mailer.send(_:to:)")
        let mailer = Mailer(host: "host")
        #expect(try mailer.send("hello", to: "a") == 1)
        #expect(throws: ShopError.empty) { try mailer.send("", to: "b") }
        #expect(try mailer.send("bye", to: "a") == 2)
        #expect(mailer.sent == ["a: hello", "a: bye"])
        #expect(calls.count == 3)
        #expect(calls[0].argument(0) === mailer)
        #expect(calls[0].argument(1) == "hello")
        #expect(calls[0].argument(1, as: Int.self) == nil)
        #expect(calls[0].argument(3, as: Int.self) == nil)
        #expect(calls[0].result() == 1)
        #expect(calls[1].error as? ShopError == .empty)
        #expect(calls[1].result(as: Int.self) == nil)
        #expect(calls.count { $0.argument(2) == "a" } == 2)
        #expect("\(calls)" == "3 calls of Shop.Mailer.send(_:to:)")
        calls.reset()
        #expect(calls.count == 0)
      }
      #expect(try Mailer(host: "").send("x", to: "y") == 1)
    }

    @Test("Answers come one after the other; the last one stays")
    func answers() throws {
      try withReplacements {
        let calls = try spy("Shop.Mailer.send(_:to:)")
        try calls.answer(.returning(7), .throwing(ShopError.refused("no")), .original)
        let mailer = Mailer(host: "host")
        #expect(try mailer.send("1", to: "a") == 7)
        #expect(throws: ShopError.refused("no")) { try mailer.send("2", to: "a") }
        #expect(try mailer.send("3", to: "a") == 1)
        #expect(try mailer.send("4", to: "a") == 2)
        #expect(calls.all.map { $0.result(as: Int.self) } == [7, nil, 1, 2])
        let error = #expect(throws: InvocationError.self) { try calls.answer(.returning("seven")) }
        let text = error.map { "\($0)" }
        #expect(
          text
            == "Shop.Mailer.send(_:to:): return value: its type is Swift.Int, and the answer is a String")
        let prices = try spy("Cart.price(of:)")
        let refused = #expect(throws: InvocationError.self) { try prices.answer(.throwing(ShopError.empty)) }
        #expect(refused.map { "\($0)" } == "Shop.Cart.price(of:): it does not throw, and the answer is an error")
      }
    }

    @Test("Answers to some calls: the newest statement that is true for a call answers it")
    func answersToSome() throws {
      try withReplacements {
        let calls = try spy("Shop.Mailer.send(_:to:)")
        nonisolated(unsafe) let mailer = Mailer(host: "host")
        try calls.answer(.returning(10))
        try calls.answer(.returning(20), .throwing(ShopError.empty)) { $0.argument(2) == "a" }
        // The statement may call the function, which is the function itself there, and is asked once for a call.
        let asked = Atomic(0)
        try calls.answer(.original) { call in
          asked.add(1, ordering: .relaxed)
          return call.argument(1) == "real" && (try? mailer.send("inner", to: "b")) == 1
        }
        #expect(try mailer.send("x", to: "a") == 20)
        #expect(try mailer.send("x", to: "b") == 10)
        #expect(throws: ShopError.empty) { try mailer.send("x", to: "a") }
        #expect(throws: ShopError.empty) { try mailer.send("x", to: "a") }
        #expect(try mailer.send("real", to: "a") == 2)
        #expect(mailer.sent == ["b: inner", "a: real"])
        #expect(asked.load(ordering: .relaxed) == 5)
        #expect(calls.count == 5)
        let error = #expect(throws: InvocationError.self) { try calls.answer(.returning("x")) { _ in true } }
        #expect(error?.code == .typeMismatch)
        calls.resetAnswers()
        #expect(try mailer.send("x", to: "a") == 3)
        #expect(asked.load(ordering: .relaxed) == 5)
      }
    }

    @Test("Answers from an array, by the number of the call, and computed from it; records and answers are reset apart")
    func otherAnswers() async throws {
      try await withReplacements {
        let calls = try spy("Shop.Mailer.send(_:to:)")
        let mailer = Mailer(host: "host")
        func send(_ text: String = "x", _ address: String = "a") -> Int { (try? mailer.send(text, to: address)) ?? -1 }
        try calls.answer((1...3).map { .returning($0 * 10) })
        try calls.answer(.throwing(ShopError.empty)) { $0.number == 1 }
        expectEqual((0..<5).map { _ in send() }, [10, -1, 20, 30, 30])
        calls.reset()
        expectEqual((0..<3).map { _ in send() }, [30, -1, 30])
        calls.resetAnswers()
        expectEqual(calls.count, 3)
        expectEqual(send(), 1)
        try calls.answer(
          .computed { call in
            let text = call.argument(1) ?? ""
            return text.isEmpty ? .throwing(ShopError.empty) : text == "real" ? .original : .computed { _ in .returning(text.count) }
          })
        expectEqual([send("abc"), send(""), send("real"), send("abcd")], [3, -1, 2, 4])
        expectEqual(calls.all.suffix(4).map { $0.result() }, [3, nil, 2, 4])
        expectError(.countMismatch) { try calls.answer([]) }
        expectError(.typeMismatch) { try calls.answer([.returning(1), .returning("x")]) }
        let clock = ManualClock()
        let fetched = try spy("Shop.fetch(_:from:)")
        try fetched.answer(
          .after(.seconds(1), .computed { call in .after(.seconds(1), .returning(call["from"] ?? ""), clock: clock) }, clock: clock))
        async let text = fetch(1, from: "computed")
        for _ in 0..<2 {
          while clock.sleeperCount == 0 { await Task.yield() }
          clock.advance(by: .seconds(1))
        }
        expectEqual(try await text, "computed")
      }
    }

    @Test("A computed answer that the function cannot end with is a trap with the reason")
    func wrongComputedAnswer() async {
      await #expect(processExitsWith: .failure) {
        try withReplacements {
          try spy("Cart.price(of:)").answer(.computed { _ in .returning("ten") })
          _ = Cart.price(of: 1)
        }
      }
    }

    @Test("Arguments by their labels, and the target by its own name")
    func labels() throws {
      try withReplacements {
        let mails = try spy("Shop.Mailer.send(_:to:)")
        let mailer = Mailer(host: "host")
        _ = try mailer.send("hello", to: "a")
        expectEqual(mails[0]["to"], "a")
        expect(mails[0].target() === mailer)
        expectNil(mails[0]["to", as: Int.self])
        expectNil(mails[0]["_", as: String.self])
        let prices = try spy("Cart.price(of:)")
        _ = Cart.price(of: 3)
        expectEqual(prices[0]["of"], 3)
        expectNil(prices[0].target(as: Int.self))
      }
    }

    @Test("A spy keeps only counts, or what a closure takes; statements see what they need")
    func keeping() throws {
      try withReplacements {
        let counted = try spy("Shop.nothing()", keeping: .counts)
        let given = try spy("Shop.anything(_:)", keeping: .counts)
        let taken = try spy(
          "Shop.Mailer.send(_:to:)", keeping: .taken { [$0["to"] ?? "", ($0.target(as: Mailer.self)?.host ?? "") as Any] })
        weak var weakObject: Mailer?
        weak var weakMailer: Mailer?
        do {
          let object = Mailer(host: "object")
          weakObject = object
          _ = anything(object)
          nothing()
          let mailer = Mailer(host: "host")
          weakMailer = mailer
          try taken.answer(.returning(5), .throwing(ShopError.empty)) { $0.argument(1) == "hello" }
          expectEqual(try mailer.send("hello", to: "a"), 5)
          expectThrows(ShopError.empty) { try mailer.send("hello", to: "b") }
          expectEqual(try mailer.send("bye", to: "c"), 1)
        }
        expect(weakObject == nil && weakMailer == nil)
        expectEqual([counted.count, given.count, given[0].arguments.count], [1, 1, 0])
        expect(given[0].result(as: Void.self) != nil)
        expectEqual(taken.all.map { $0.arguments.compactMap { $0 as? String } }, [["a", "host"], ["b", "host"], ["c", "host"]])
        expect(taken[0]["to", as: String.self] == nil && taken[0].target(as: Any.self) == nil)
        expectEqual(taken[1].error as? ShopError, .empty)
        expect(inOrder(given[0], counted[0], taken[0]))
      }
    }

    @Test("A closure of a statement that was taken back is released")
    func statementsAreReleased() throws {
      try withReplacements {
        let calls = try spy("Shop.Mailer.send(_:to:)")
        weak var captured: Mailer?
        do {
          nonisolated(unsafe) let mailer = Mailer(host: "host")
          captured = mailer
          try calls.answer(.returning(1)) { $0.argument(0) === mailer }
          #expect(try mailer.send("x", to: "a") == 1)
        }
        #expect(captured != nil)
        try calls.answer(.original)
        calls.reset()
        #expect(captured == nil)
      }
    }

    @Test("An answer after a wait") func waits() async throws {
      try await withReplacements {
        let clock = ManualClock()
        let calls = try spy("Shop.fetch(_:from:)")
        try calls.answer(.after(.seconds(2), .after(.seconds(1), .returning("late"), clock: clock), clock: clock), .returning("next"))
        async let text = fetch(1, from: "a")
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(2))
        while clock.sleeperCount == 0 { await Task.yield() }
        guard case .running = calls[0].outcome else {
          Issue.record("the call has ended")
          return
        }
        clock.advance(by: .seconds(1))
        #expect(try await text == "late")
        #expect(try await fetch(2, from: "a") == "next")
        // A task that is cancelled does not wait.
        try calls.answer(.after(.seconds(1_000), .throwing(ShopError.empty)))
        await #expect(throws: ShopError.empty) {
          withUnsafeCurrentTask { unsafe $0?.cancel() }
          _ = try await fetch(3, from: "a")
        }
        let totals = try spy("Cart.total()", isMutating: false)
        let error = #expect(throws: InvocationError.self) { try totals.answer(.after(.seconds(1), .original)) }
        #expect(error.map { "\($0)" } == "Shop.Cart.total(): it is not asynchronous, and the answer waits")
        #expect(throws: InvocationError.self) { try calls.answer(.after(.seconds(1), .returning(1))) }
      }
    }

    @Test("Each kind of value passes through a spy unchanged")
    func values() throws {
      try withReplacements { try Self.checkValues() }
      try withReplacements { try Self.checkClosures() }
      try withReplacements { try Self.checkCalls() }
    }

    private static func checkValues() throws {
      let totals = try spy("Cart.total()", isMutating: false)
      #expect(Cart([1, 2]).total() == 3)
      #expect(totals[0].argument(0) == Cart([1, 2]))
      let additions = try spy("Cart.add(_:)", isMutating: true)
      var cart = Cart([1])
      cart.add(5)
      #expect(cart.items == [1, 5])
      #expect(additions[0].argument(0) == Cart([1]))
      let labels = try spy("Cart.label.setter", isMutating: true)
      cart.label = "new"
      #expect(cart.name == "new")
      #expect(labels[0].argument(1) == "new")
      let positions = try spy("Position.scaled(by:)", isMutating: false)
      #expect(Position(x: 1, y: 2).scaled(by: 2) == Position(x: 2, y: 4))
      #expect(positions[0].result() == Position(x: 2, y: 4))
      let reports = try spy("Report.joined(_:)")
      #expect(Report(title: "a").joined(Report(title: "b")).lines == ["b"])
      #expect(reports[0].result(as: Report.self)?.lines == ["b"])
      let parcels = try spy("Parcel.opened()")
      #expect(Parcel(5).opened() as? Int == 5)
      #expect(parcels[0].result() == 5)
      let sums = try spy("Shop.sum")
      #expect(sum(1, 2, 3, 4, 5, 6, 7, 8.5, "nine", -10, true) == "28 8.5 nine -10 true")
      #expect(sums[0].argument(8) == "nine")
      #expect(sums[0].argument(10) == true)
    }

    private static func checkClosures() throws {
      let number = 2
      let applied = try spy("apply(_:_:)")
      #expect(apply(4) { $0 * number } == 8)
      #expect(applied[0].arguments.count == 2)
      let composed = try spy("compose(_:_:)")
      #expect(compose({ $0 + 1 }, { "\($0)" })(2) == "3")
      let first = try #require(composed[0].argument(0, as: ((Int) -> Int).self))
      #expect(first(1) == 2)
      let composition = try #require(composed[0].result(as: ((Int) -> String).self))
      #expect(composition(4) == "5")
      let taking = try spy("taken(_:_:)")
      #expect(taken(String(repeating: "x", count: 40), [1]) == 41)
      #expect(taking[0].argument(0) == String(repeating: "x", count: 40))
    }

    private static func checkCalls() throws {
      let made = try spy("Mailer.init(host:)")
      #expect(Mailer(host: "h").host == "h")
      #expect(SecureMailer(host: "s").host == "s")
      #expect(made.count == 1)
      #expect(made[0].result(as: Mailer.self)?.host == "h")
      // So are the calls that a function makes of itself, and a spy passes calls on to what was there before.
      let factorials = try spy("Shop.factorial(_:)")
      #expect(factorial(3) == 6)
      #expect(factorials.all.map { $0.argument(0) } == [3, 2, 1])
      try replace("Shop.area(_:_:)", with: { (width: Double, height: Double) in original { area(width, height) } + 1 })
      let areas = try spy("Shop.area(_:_:)")
      #expect(areaOfSquare(3) == 10)
      #expect(areas.all.map { $0.result() } == [10.0])
    }

    @Test("A spy that does not state whether a method is mutating is refused where that decides how the target is passed")
    func isMutating() throws {
      try withReplacements {
        for name in [
          "Cart.add(_:)", "Cart.useSecret(_:)", "Cart.label", "Cart.label.setter", "Cart.subscript.getter", "Size.text()",
        ] {
          let error = #expect(throws: InvocationError.self) { _ = try spy(name) }
          #expect(
            error?.code == .unsupportedType && error?.reason.hasSuffix("write 'isMutating: true' or 'isMutating: false'") == true, "\(name)"
          )
        }
        // In memory, or not passed at all: the same in both cases.
        for name in [
          "Report.append(_:)", "Report.joined(_:)", "Parcel.opened()", "Cart.price(of:)", "Cart.init(checking:)", "Outer.Inner.depth()",
        ] {
          #expect(throws: Never.self, "\(name)") { _ = try spy(name) }
        }
        #expect(throws: InvocationError.self) { _ = try spy("Settings.later", isMutating: false) }
        #expect(throws: InvocationError.self) { try replace("Settings.later", with: { (_: Settings) in 1 }) }
        let later = try spy("Settings.later", isMutating: true)
        var settings = Settings()
        #expect(settings.later == 6 && settings.later == 6)
        #expect(later.all.map { $0.result() } == [6, 6])
      }
    }

    @Test("Waits of any length, one within the other, are no trap")
    func longWaits() async throws {
      try await withReplacements {
        let calls = try spy("Shop.fetch(_:from:)")
        var answer = Spy.Answer.returning("late")
        for _ in 0..<100 { answer = .after(.zero, answer) }
        var tooLong = answer
        for _ in 0..<50_000 { tooLong = .after(.zero, tooLong) }
        let endless = tooLong
        let error = #expect(throws: InvocationError.self) { try calls.answer(endless) }
        #expect(error?.code == .limitExceeded)
        try calls.answer(answer, .after(.seconds(Int64.max), .returning("never")), .after(.seconds(Int64.min), .returning("at once")))
        #expect(try await fetch(1, from: "a") == "late")
        let waiting = Task { try await fetch(2, from: "a") }
        while calls.count < 2 { await Task.yield() }
        #expect(try await fetch(3, from: "a") == "at once")
        waiting.cancel()
        #expect(try await waiting.value == "never")
      }
    }

    @Test("A call that was forgotten while it runs does not end a later one")
    func forgottenWhileRunning() throws {
      try withReplacements {
        let calls = try spy("apply(_:_:)")
        let result = apply(1) { _ in
          calls.reset()
          return apply(2) { $0 * 10 } + 1
        }
        #expect(result == 21)
        #expect(calls.count == 1)
        #expect(calls[0].argument(0) == 2)
        #expect(calls[0].result() == 20)
      }
    }

    @Test("Asynchronous functions")
    func asynchronous() async throws {
      try await withReplacements {
        let calls = try spy("Shop.fetch(_:from:)")
        #expect(try await fetchAll(2) == ["shop/0", "shop/1"])
        await #expect(throws: ShopError.refused("h")) { try await fetch(-1, from: "h") }
        try calls.answer(.returning("fake"), .throwing(ShopError.empty))
        #expect(try await fetchAll(1) == ["fake"])
        await #expect(throws: ShopError.empty) { try await fetchAll(1) }
        #expect(calls.all.map { $0.argument(0) } == [0, 1, -1, 0, 0])
        #expect(calls.all.map { $0.result() } == ["shop/0", "shop/1", nil, "fake", nil])
        #expect(calls[2].error as? ShopError == .refused("h"))
        let reports = try spy("summary(_:_:)")
        #expect(await summary(Report(title: "a"), Report(title: "b")).lines == ["b"])
        #expect(reports[0].result(as: Report.self)?.lines == ["b"])
        let near = try spy("near(_:)", isNonsending: true)
        #expect(await Shop.near(5) == 5)
        #expect(near[0].argument(0) == 5)
      }
      #expect(throws: InvocationError.self) { try withReplacements { _ = try spy("Cart.later") } }
    }

    @Test("Values are neither leaked nor released twice")
    func ownership() throws {
      try withReplacements {
        let item = Held()
        weak let weakItem = item
        for name in ["HeldBox.init(owning:)", "HeldBox.store(_:_:)", "keepHeld(_:)", "lendHeld(_:)", "giveHeld()"] {
          _ = try spy(name, isMutating: name.contains("store"))
        }
        for _ in 0..<20 {
          var box = HeldBox(owning: item)
          box.store(item, [item])
          #expect(box.items.count == 2)
          keepHeld { item }
          lendHeld { _ in item }
          #expect(giveHeld()(item) === item)
        }
        #expect(weakItem != nil)
      }
      #expect(Held.count.load(ordering: .relaxed) == 0)
    }
  }
#endif
