#if os(Linux)
  import DynamicInvocation
  import FunctionReplacement
  import Shop
  import TestSupport
  import Testing

  /// Calls of several functions, in one order.
  @Suite struct SpyGroupTests {
    @Test("The calls of all spies have one order")
    func order() async throws {
      try await withReplacements {
        let everywhere = try spy("Shop.onlyOrdered(_:)", reach: .global)
        let mails = try spy("Shop.Mailer.send(_:to:)")
        try await withReplacements {
          let prices = try spy("Cart.price(of:)")
          let mailer = Mailer(host: "host")
          _ = try mailer.send("1", to: "a")
          _ = Cart.price(of: 5)
          _ = await Task.detached { onlyOrdered(1) }.value
          _ = try mailer.send("2", to: "a")
          #expect(inOrder(mails[0], prices[0], mails[1]))
          let (first, second) = (mails[0], mails[1])
          let results = [
            inOrder(), inOrder(first), inOrder(first, everywhere.all.first, second), inOrder(second, first), inOrder(first, first),
            inOrder(first, nil), inOrder(prices[0], first, second),
          ]
          expectEqual(results, [true, true, true, false, false, false, false])
          let group = SpyGroup(mails, prices)
          expectEqual(group.all.map(\.name), ["Shop.Mailer.send(_:to:)", "Shop.Cart.price(of:)", "Shop.Mailer.send(_:to:)"])
          expectEqual("\(group)", "2 calls of Shop.Mailer.send(_:to:); 1 calls of Shop.Cart.price(of:)")
          expectEqual("\(prices[0])", "\(prices[0].order): Shop.Cart.price(of: 5)")
          group.reset()
          expectEqual("\(group)", "no calls")
          expectEqual(group["Shop.Cart.price(of:)"]?.count, 0)
        }
      }
    }

    @Test("All functions of a type")
    func all() throws {
      try withReplacements {
        let group = try spyAll(of: "Shop.Mailer")
        let mailer = Mailer(host: "host")
        _ = try mailer.send("hello", to: "a")
        expectEqual(group.all.map(\.name), ["Shop.Mailer.init(host:)", "Shop.Mailer.send(_:to:)"])
        expectEqual(group["send(_:to:)"]?.all.map { $0["to"] }, ["a"])
        expect(group["sent(_:to:)"] == nil && group.refused.isEmpty, "\(group)")
        // A struct: who does not state what is mutating gets what is passed in the same way in both cases.
        let unstated = try spyAll(of: "Cart")
        expect(unstated.refused.contains { $0.name == "add(_:)" && $0.reason.code == .unsupportedType })
        expect(unstated["price(of:)"] != nil && unstated["add(_:)"] == nil && "\(unstated)".contains("not spied: "))
        let cart = try spyAll(of: "Shop.Cart", mutating: ["add(_:)", "removeLast()", "label.setter", "subscript(_:).setter"])
        var own = Cart([1])
        own.add(5)
        own.label = "new"
        own[0] = 7
        expectEqual(own.total(), 12)
        expectEqual(
          cart.all.map { $0.description.drop { $0 != " " }.dropFirst() },
          [
            "Shop.Cart.init([1], name: \"cart\")", "Shop.Cart.add(5)", "Shop.Cart.label(newValue: \"new\")",
            "Shop.Cart.subscript(newValue: 7, 0)", "Shop.Cart.total()",
          ])
        expectEqual(cart["label.setter"]?[0]["newValue"], "new")
        expectEqual(cart["add(_:)"]?[0].target(), Cart([1]))
        expectEqual(cart.refused.map(\.name), ["later"], "asynchronous accessors are refused")
        let ofModule = try spyAll(of: "Shop", keeping: .counts)
        expectEqual(onlyTask(3), 3)
        expectEqual(ofModule["onlyTask(_:)"]?.count, 1)
        expect(ofModule["total()"] == nil)
      }
    }

    @Test("A strict group finds the first call that nobody has stated")
    func strict() throws {
      try withReplacements {
        let found = Recorded<String>()
        let answer = Spy.Answer.computed { call in
          found.add("\(call)")
          return .original
        }
        let mailer = try spyAll(of: "Mailer", otherwise: answer)
        try mailer["init(host:)"]?.answer(.original)
        try mailer["send(_:to:)"]?.answer(.returning(7)) { $0["to"] == "a" }
        let own = Mailer(host: "host")
        expectEqual(try own.send("x", to: "a"), 7)
        expect(found.all.isEmpty)
        expectEqual(try own.send("x", to: "b"), 1)
        expectEqual(found.all, ["\(mailer.all[2].order): Shop.Mailer.send(\"x\", to: \"b\")"])
        // What is replaced later is stated, and not recorded.
        try replace("Mailer.send(_:to:)", with: { (_: Mailer, _: String, _: String) throws in 9 })
        expectEqual(try own.send("x", to: "b"), 9)
        expectEqual(found.all.count, 1)
      }
    }

    @Test("What is no type, or an answer that not all functions can give, is an error")
    func errors() throws {
      withReplacements {
        expectError(.symbolNotFound) { try spyAll(of: "Shop.Maler") }
        expectError(.symbolNotFound) { try spyAll(of: "") }
        expectError(.symbolNotFound) { try spyAll(of: "Stack") }
        expectError(.typeMismatch) { try spyAll(of: "Mailer", otherwise: .throwing(ShopError.empty)) }
        let mailer = Mailer(host: "host")
        expectEqual(try? mailer.send("x", to: "a"), 1)
      }
      expectError(.noScope) { try spyAll(of: "Mailer") }
    }
  }
#endif
