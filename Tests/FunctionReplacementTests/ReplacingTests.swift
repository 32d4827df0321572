#if os(Linux)
  import FunctionReplacement
  import Foundation
  import Shop
  import Testing

  /// Each kind of function is replaced by a closure, and is itself again afterwards.
  @Suite struct ReplacingTests {
    @Test("A free function, for callers in its own module too")
    func freeFunction() throws {
      let result = try replacing("Shop.area(_:_:)", with: { (width: Double, height: Double) in width + height }) {
        [area(3, 4), areaOfSquare(5)]
      }
      #expect(result == [7, 10])
      #expect(area(3, 4) == 12)
      #expect(areaOfSquare(5) == 25)
    }

    @Test("Methods of a struct in registers, static and mutating ones, getters, setters and subscripts")
    func structInRegisters() throws {
      let cart = Cart([1, 2, 3])
      #expect(try replacing("Shop.Cart.total()", with: { (cart: Cart) in cart.items.count * 10 }) { cart.total() } == 30)
      #expect(try replacing("Cart.price(of:)", with: { (item: Int) in item + 1 }) { Cart.price(of: 4) } == 5)
      #expect(try replacing("Cart.count", with: { (cart: Cart) in 77 }) { cart.count } == 77)
      #expect(try replacing("Cart.currency", with: { "USD" }) { Cart.currency } == "USD")
      var changed = cart
      try replacing("Cart.add(_:)", with: { (cart: inout Cart, item: Int) in cart.items = [item, item] }) { changed.add(8) }
      #expect(changed.items == [8, 8])
      try replacing("Cart.label.setter", with: { (cart: inout Cart, value: String) in cart.name = "<" + value + ">" }) {
        changed.label = String(repeating: "long label ", count: 4)
      }
      #expect(changed.name == "<" + String(repeating: "long label ", count: 4) + ">")
      #expect(try replacing("Cart.label", with: { (cart: Cart) in "label" }) { changed.label } == "label")
      #expect(try replacing("Cart.subscript.getter", with: { (cart: Cart, index: Int) in index * 2 }) { cart[21] } == 42)
      try replacing("Cart.subscript.setter", with: { (cart: inout Cart, value: Int, index: Int) in cart.items = [value, index] }) {
        changed[5] = 6
      }
      #expect(changed.items == [6, 5])
      #expect(cart.total() == 6)
      #expect(cart.count == 3)
    }

    @Test("Values in vector registers, in memory and by address")
    func otherValues() throws {
      let position = Position(x: 1, y: 2)
      let moved = try replacing("Position.scaled(by:)", with: { (own: Position, factor: Double) in Position(x: own.y, y: factor) }) {
        position.scaled(by: 9)
      }
      #expect(moved == Position(x: 2, y: 9))
      var report = Report(title: "first")
      let joined = try replacing("Report.joined(_:)", with: { (own: Report, other: Report) in Report(title: own.title + other.title) }) {
        report.joined(Report(title: " second"))
      }
      #expect(joined == Report(title: "first second"))
      try replacing("Report.append(_:)", with: { (own: inout Report, line: String) in own.title = line }) { report.append("new") }
      #expect(report.title == "new")
      let opened = try replacing("Parcel.opened()", with: { (parcel: Parcel) -> Any in [parcel.content, parcel.content] }) {
        Parcel("a").opened()
      }
      #expect((opened as? [Any])?.count == 2)
      #expect(try replacing("Size.text()", with: { (size: Size) in "\(size)" }) { Size.large.text() } == "large")
      #expect(Size.large.text() == "L")
      let exchanged = try replacing("pair(_:)", with: { (value: (Int, String)) -> (String, Int) in ("\(value.0)", value.1.count) }) {
        pair((12, "four"))
      }
      #expect(exchanged == ("12", 4))
      #expect(try replacing("anything(_:)", with: { (value: Any) -> Any in "\(value)!" }) { anything(5) } as? String == "5!")
    }

    @Test("Methods of classes, an override alone, class methods, and initializers that make another object")
    func classes() throws {
      let mailer = Mailer(host: "host")
      let number = try replacing(
        "Mailer.send(_:to:)", with: { (mailer: Mailer, text: String, address: String) throws in mailer.sent.count + text.count }
      ) { try mailer.send("four", to: "a") }
      #expect(number == 4)
      #expect(mailer.sent.isEmpty)
      #expect(
        try replacing("SecureMailer.prefix()", with: { (mailer: SecureMailer) in "other" }) {
          [SecureMailer().prefix(), mailer.prefix()]
        } == ["other", "mail"])
      #expect(try replacing("Mailer.prefix()", with: { (mailer: Mailer) in "new" }) { SecureMailer().prefix() } == "secure new")
      #expect(try replacing("Mailer.standard()", with: { Mailer(host: "fake") }) { Mailer.standard().host } == "fake")
      let fake = Mailer(host: "kept")
      fake.sent = ["x"]
      let kept = MailerBox(mailer: fake)
      let made = try replacing("Mailer.init(host:)", with: { (host: String) in kept.mailer }) { Mailer(host: "asked") }
      #expect(made === fake)
      // An object of a subclass has more than one of its class: it is made as ever.
      #expect(try replacing("Mailer.init(host:)", with: { (host: String) in kept.mailer }) { SecureMailer(host: "own").host } == "own")
      #expect(Mailer(host: "own").host == "own")
    }

    /// An object that tests share with closures.
    final class MailerBox: @unchecked Sendable {
      let mailer: Mailer
      init(mailer: Mailer) { self.mailer = mailer }
    }

    @Test("Initializers of structs, errors both ways")
    func errors() throws {
      let cart = try replacing("Cart.init(checking:)", with: { (items: [Int]) throws in Cart(items, name: "checked") }) {
        try Cart(checking: [])
      }
      #expect(cart == Cart([], name: "checked"))
      #expect(throws: ShopError.empty) { try Cart(checking: []) }
      let mailer = Mailer(host: "host")
      #expect(throws: ShopError.refused("text")) {
        try replacing("Mailer.send(_:to:)", with: { (_: Mailer, text: String, _: String) -> Int in throw ShopError.refused(text) }) {
          try mailer.send("text", to: "b")
        }
      }
      // A closure that does not throw may replace a function that does.
      #expect(try replacing("Cart.total(plus:)", with: { (cart: Cart, more: Int) in more }) { try Cart([1]).total(plus: 5) } == 5)
      var changed = Cart([])
      #expect(throws: ShopError.refused("last")) {
        try replacing(
          "Cart.removeLast()",
          with: { (cart: inout Cart) -> Int in
            cart.items = [3]; throw ShopError.refused("last")
          }
        ) {
          try changed.removeLast()
        }
      }
      #expect(changed.items == [3])
    }

    @Test("Arguments on the stack, inout arguments, owned arguments")
    func arguments() throws {
      let text = try replacing(
        "Shop.sum",
        with: { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Double, i: String, j: Int8, k: Bool) in
          "\(a)\(b)\(c)\(d)\(e)\(f)\(g) \(h) \(i) \(j) \(k)"
        }
      ) { sum(1, 2, 3, 4, 5, 6, 7, 8.5, "nine", -10, true) }
      #expect(text == "1234567 8.5 nine -10 true")
      var (left, right) = (1, 2)
      try replacing("swapped(_:_:)", with: { (a: inout Int, b: inout Int) in (a, b) = (a + 10, b + 20) }) { swapped(&left, &right) }
      #expect((left, right) == (11, 22))
      let length = try replacing("taken(_:_:)", with: { (text: String, list: [Int]) in text.count * list.count }) {
        taken(String(repeating: "x", count: 40), [1, 2, 3])
      }
      #expect(length == 120)
    }

    @Test("Errors of a stated type, and tuples with a part that is passed by address")
    func typedErrors() throws {
      #expect(try replacing("parse(_:)", with: { (text: String) in text.count }) { try parse("four") } == 4)
      #expect(throws: ShopError.refused("<x>")) {
        try replacing("parse(_:)", with: { (text: String) throws -> Int in throw ShopError.refused("<\(text)>") }) { try parse("x") }
      }
      #expect(throws: ShopError.empty) {
        try replacing("parsePair(_:)", with: { (_: String) throws -> (Report, Int) in throw ShopError.empty }) { try parsePair("x") }
      }
      #expect(try parse("5") == 5)
      let text = try replacing("mixed(_:)", with: { (tuple: (Any, Int, any Error)) in "\(tuple.1) \(tuple.0) \(tuple.2)" }) {
        mixed((Cart([1]).items, 2, ShopError.empty))
      }
      #expect(text == "2 [1] empty")
      try withReplacements {
        let calls = try spy("parse(_:)")
        #expect(try parse("5") == 5)
        #expect(throws: ShopError.refused("x")) { try parse("x") }
        #expect(calls[1].error as? ShopError == .refused("x"))
        let error = #expect(throws: InvocationError.self) { try calls.answer(.throwing(CancellationError())) }
        #expect(error.map { "\($0)".contains("it throws Shop.ShopError, and the answer is a CancellationError") } == true)
      }
    }

    @Test("Closures as arguments and result")
    func closures() throws {
      let right = 22
      #expect(
        try replacing("apply(_:_:)", with: { (number: Int, function: (Int) -> Int) in function(number) * 2 }) {
          apply(4) { $0 + right }
        } == 52)
      let both = try replacing(
        "compose(_:_:)",
        with: { (first: @escaping (Int) -> Int, second: @escaping (Int) -> String) -> (Int) -> String in
          { number in second(first(first(number))) }
        }
      ) { compose({ $0 * 3 }, { "<\($0)>" }) }
      #expect(both(2) == "<18>")
    }

    @Test("Private functions and methods, by the names of the source")
    func privateFunctions() throws {
      #expect(try replacing("Shop.hiddenTax(_:)", with: { (amount: Int) in 1 }) { withTax(500) } == 501)
      #expect(withTax(500) == 550)
      #expect(try replacing("Cart.secret(_:)", with: { (cart: Cart, number: Int) in -number }) { Cart([]).useSecret(4) } == -4)
    }

    @Test("Asynchronous functions, by synchronous and asynchronous closures, with errors and results in memory")
    func asynchronous() async throws {
      let all = try await replacing(
        "Shop.fetch(_:from:)",
        with: { (number: Int, host: String) async in
          await Task.yield()
          return "fake \(number) \(host)"
        }
      ) { try await fetchAll(2) }
      #expect(all == ["fake 0 shop", "fake 1 shop"])
      #expect(
        try await replacing("Shop.fetch(_:from:)", with: { (number: Int, host: String) in host }) { try await fetchAll(1) } == ["shop"])
      await #expect(throws: ShopError.empty) {
        try await replacing("fetch(_:from:)", with: { (_: Int, _: String) async throws -> String in throw ShopError.empty }) {
          try await fetchAll(1)
        }
      }
      #expect(
        try await replacing(
          "fetch(_:from:)",
          with: { (number: Int, host: String) async throws in
            try await original { try await fetch(number, from: host) }.uppercased()
          }
        ) { try await fetchAll(1) } == ["SHOP/0"])
      #expect(try await fetchAll(1) == ["shop/0"])
      let report = try await replacing(
        "summary(_:_:)",
        with: { (first: Report, second: Report) async in
          await Task.yield()
          return Report(title: first.title + second.title)
        }
      ) { await summary(Report(title: "a"), Report(title: "b")) }
      #expect(report == Report(title: "ab"))
      #expect(await summary(Report(title: "a"), Report(title: "b")).lines == ["b"])
      #expect(try await replacing("Counter.next()", with: { (counter: Counter) in 100 }) { await Counter().next() } == 100)
      #expect(
        try await replacing("Cart.later", with: { (cart: Cart) async throws in cart.items.count * 7 }) { try await Cart([1, 2]).later }
          == 14)
      #expect(try await replacing("near(_:)", isNonsending: true, with: { (number: Int) in number * 2 }) { await near(4) } == 8)
      // The closure has its type here: Swift 6.2 does not parse `{ @MainActor (number: Int) in`.
      let next: @MainActor (Int) -> Int = { $0 + 1 }
      #expect(try await replacing("onMain(_:)", with: next) { await onMain(4) } == 5)
    }

    @Test("A function that runs on the actor of its caller returns there, whoever answers")
    func nonsending() async throws {
      let name = "isNear(_:)"
      #expect(await asked(1) == [true, true, true])
      for _ in 0..<3 {
        let now = try await replacing(name, isNonsending: true, with: { (_: Int) in Desk.isHere }) { await asked(1) }
        let later = try await replacing(
          name, isNonsending: true,
          with: { (number: Int) async in
            await Task.yield()
            return number == 1
          }
        ) { await asked(1) }
        let main: @MainActor (Int) -> Bool = { $0 == 1 }
        let onMain = try await replacing(name, isNonsending: true, with: main) { await asked(1) }
        let passed = try await withReplacements {
          _ = try spy(name, isNonsending: true)
          return await asked(1)
        }
        let waited = try await withReplacements {
          try spy(name, isNonsending: true).answer(.after(.milliseconds(1), .returning(true)))
          return await asked(1)
        }
        #expect([now, later, onMain, passed, waited] == Array(repeating: [true, true, true], count: 5))
      }
      #expect(await asked(1) == [true, true, true])
    }
  }
#endif
