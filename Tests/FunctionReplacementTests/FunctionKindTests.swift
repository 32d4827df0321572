#if os(Linux)
  import DynamicInvocation
  import FunctionReplacement
  import Shop
  import Testing

  /// Functions that are reached through tables, thunks and coroutines, and those with parameters in a form of their own.
  @Suite struct FunctionKindTests {
    @Test("Initializers that fail, of a struct and of a class, and initializers of a class that throw or are required")
    func initializers() async throws {
      let meters = try replacing("Meter.init(exactly:)", with: { (text: String) -> Meter? in text == "x" ? Meter(9) : nil }) {
        [Meter(exactly: "x")?.value, Meter(exactly: "1")?.value]
      }
      #expect(meters == [9, nil])
      #expect(try replacing("Animal.init(name:)", with: { (_: String) -> Animal? in nil }) { Animal(name: "dog") } == nil)
      let names = try replacing("Animal.init(name:)", with: { (name: String) -> Animal? in original { Animal(name: name + "!") } }) {
        [Animal(name: "dog")?.name, Animal(name: "")?.name]
      }
      #expect(names == ["dog!", "!"])
      try replacing(
        "Animal.init(throwing:)",
        with: { (name: String) throws -> Animal in
          guard name != "e" else { throw ShopError.refused(name) }
          return try original { try Animal(throwing: name + "!") }
        }
      ) {
        let dog = try Animal(throwing: "dog")
        #expect(dog.name == "dog!")
        #expect(throws: ShopError.refused("e")) { try Animal(throwing: "e") }
      }
      // Made through the metatype of an object, too; an object of a subclass is made as ever.
      #expect(
        try replacing("Animal.init(legs:)", with: { (_: Int) in try! Animal(throwing: "dog") }) {
          [Animal(legs: 3).name, Animal(legs: 1).copy().name, Cat(legs: 3).name]
        } == ["dog", "dog", "animal"])
      let legs = try await replacing(
        "Animal.init(asking:)", with: { (name: String) async in await original { await Animal(asking: name + "!") } }
      ) {
        await Animal(asking: "dog").legs
      }
      #expect(legs == 4)
    }

    @Test("Accessors, also where a variable is changed in place")
    func accessors() throws {
      var meter = Meter(5)
      try replacing("Meter.level.getter", with: { (_: Meter) in 50 }) { raise(&meter) }
      #expect(meter.value == 51)
      try replacing("Meter.level.setter", with: { (meter: inout Meter, value: Int) in meter.value = value * 10 }) {
        raise(&meter)
        #expect(meter.value == 520)
        meter.level += 1
      }
      #expect(meter.value == 5210)
      try replacing("Meter.guarded", with: { (_: Meter) throws -> Int in throw ShopError.refused("guarded") }) {
        _ = #expect(throws: ShopError.refused("guarded")) { try meter.guarded }
      }
      #expect(
        try replacing("Meter.subscript(_:column:)", with: { (_: Meter, row: Int, column: Int) in row - column }) { meter[10, column: 4] }
          == 6)
      #expect(try replacing("Meter.subscript(_:)", with: { (name: String) in name + name }) { Meter["a"] } == "aa")
      #expect(try replacing("Animal.kingdom", with: { "K" }) { Animal.kingdom + Cat.kingdom } == "KK")
      for name in ["Animal.legs", "Animal.legs.setter", "Till.sum"] { #expect(refusal(name, { 0 }).contains("since it is stored")) }
      #expect(
        refusal("Meter.observed.setter", { 0 }).hasSuffix("or has observers (willSet, didSet), with which it cannot be replaced"))
    }

    @Test("Methods that are reached through a class, a protocol, an operator or as a call")
    func tables() throws {
      let animals = [Animal(legs: 2), Cat(legs: 3)]
      #expect(try replacing("Animal.sound()", with: { (_: Animal) in "A" }) { chorus(animals) } == "AANIMALmeowcat ANIMAL")
      #expect(try replacing("Cat.sound()", with: { (_: Cat) in "C" }) { chorus(animals) } == "...ANIMALCcat ANIMAL")
      #expect(try replacing("Animal.title", with: { (_: Animal) in "T" }) { chorus(animals) } == "...Tmeowcat T")
      #expect(try replacing("Animal.copy()", with: { (animal: Animal) in animal }) { animals[0].copy() } === animals[0])
      #expect(try replacing("English.greeting()", with: { (_: English) in "hi" }) { greet(English()) } == "hi calm")
      #expect(try replacing("English.tone", with: { (_: English) in "loud" }) { greet(English()) } == "hello loud")
      let meter = Meter(5)
      #expect(try replacing("Meter.+(_:_:)", with: { (left: Meter, _: Meter) in left }) { (meter + Meter(2)).value } == 5)
      #expect(try replacing("Meter.-(_:)", with: { (meter: Meter) in meter }) { (-meter).value } == 5)
      #expect(try replacing("Meter.callAsFunction(_:)", with: { (_: Meter, number: Int) in number }) { meter(6) } == 6)
      #expect(try replacing("Outer.Inner.depth()", with: { (_: Outer.Inner) in 1 }) { Outer.Inner().depth() } == 1)
      let spied = #expect(throws: InvocationError.self) { try withReplacements { _ = try spy("Greeter.greetTwice()") } }
      #expect(spied?.reason.contains("it is a member of the protocol 'Shop.Greeter'") == true)
      #expect(refusal("Meter.nested.inner(_:)", { (number: Int) in 1 }).contains("has no Swift function"))
    }

    @Test("Parameters in a form of their own: variadic, autoclosures, rethrown errors, defaults, metatypes, functions of C, existentials")
    func parameters() throws {
      let meter = Meter(5)
      #expect(try replacing("Meter.sum(_:)", with: { (_: Meter, numbers: [Int]) in numbers.count }) { meter.sum(1, 2, 3) } == 3)
      #expect(try replacing("Meter.withDefault(_:)", with: { (_: Meter, number: Int) in number * 100 }) { meter.withDefault() } == 500)
      #expect(try replacing("Meter.taken()", with: { (_: Meter) in ["t"] }) { meter.taken() } == ["t"])
      #expect(try replacing("withC(_:)", with: { (function: @convention(c) (Int) -> Int) in function(5) }) { withC { $0 * 2 } } == 10)
      #expect(try replacing("withMetatype(_:)", with: { (type: Any.Type) in "T \(type)" }) { withMetatype(Int.self) } == "T Int")
      #expect(try replacing("never(_:)", with: { (number: Int) in number + 1 }) { never(1) } == 2)
      #expect(try replacing("optional(_:)", with: { (number: Int?) -> String? in number == nil ? "nil" : nil }) { optional(nil) } == "nil")
      #expect(
        try replacing(
          "dictionary(_:_:)", with: { (values: [String: [Int]], set: Set<String>) -> [String: Int] in ["a": values.count + set.count] }
        ) { dictionary(["x": [1]], ["a", "b"]) } == ["a": 3])
      #expect(try replacing("sent(_:)", with: { (animal: Animal) in animal.legs * 2 }) { sent(Animal(legs: 3)) } == 6)
      #expect(try replacing("Meter.or(_:)", with: { (_: Meter, other: () -> Int) in other() * 2 }) { meter.or(4) } == 8)
      try replacing("Meter.map(_:)", with: { (_: Meter, function: (Int) throws -> Int) throws in try function(1000) }) {
        #expect(meter.map { $0 + 1 } == 1001)
        #expect(throws: ShopError.empty) { try meter.map { _ in throw ShopError.empty } }
      }
    }

    @Test("Members of actors and of the main actor, isolated and not")
    func actors() async throws {
      let till = Till()
      let numbers = try await replacing("Till.add(_:)", with: { (_: Till, number: Int) in number * 100 }) {
        try await [till.add(2), till.addLater(3)]
      }
      #expect(numbers == [200, 300])
      let later = try await replacing("Till.addLater(_:)", with: { (till: Till, _: Int) async throws in await till.add(1) + 1000 }) {
        try await till.addLater(3)
      }
      #expect(later == 1001)
      #expect(try replacing("Till.name()", with: { (_: Till) in "n" }) { till.name() } == "n")
      #expect(try await replacing("Till.doubled", with: { (_: Till) in 4 }) { await till.doubled } == 4)
      #expect(try replacing("Till.init()", with: { till }) { Till() } === till)
      #expect(try await replacing("Till.init(sum:)", with: { (_: Int) async in till }) { await Till(sum: 4) } === till)
      #expect(try await replacing("onMainNow(_:)", with: { (number: Int) in number * 2 }) { await onMainNow(4) } == 8)
    }

    @Test("Values that are not copied, isolated parameters and opaque results are refused, also to a spy")
    func refusals() {
      for name in ["check(_:)", "take(_:)", "Ticket.read()", "Ticket.init(_:)", "isolation(_:)", "opaque(_:)"] {
        #expect(refusal(name, { 7 }) != "nothing was refused")
        #expect(throws: InvocationError.self) { try withReplacements { _ = try spy(name) } }
      }
      #expect(refusal("check(_:)", { 7 }) == "Shop.check(_:): argument 0: values of 'Shop.Ticket' cannot be copied")
      #expect(refusal("isolation(_:)", { 7 }).contains("is isolated to an actor"))
      #expect(refusal("opaque(_:)", { 7 }).contains("is an opaque type"))
    }

    @Test("A spy of each of them records the arguments and the results")
    func spies() throws {
      let expected = [
        "Meter.init(exactly:)": [#"["3"] 3"#], "Meter.level.setter": ["[3, 4] ()"], "Meter.sum(_:)": ["[4, [1, 2]] 7"],
        "Meter.or(_:)": ["[4, ()] 4"], "Meter.map(_:)": ["[4, ()] 4", "[4, ()] empty"],
        "Animal.init(name:)": [#"[""] nil"#, #"["a"] a"#], "Animal.init(throwing:)": [#"[""] empty"#, #"["a"] a"#],
        "Animal.copy()": ["[animal] animal"], "withMetatype(_:)": [#"[Swift.Int] "Int""#], "never(_:)": ["[1] 1"],
        "optional(_:)": ["[nil] nil"], "Meter.taken()": ["[4] []"],
      ]
      for (name, lines) in expected.sorted(by: { $0.key < $1.key }) {
        try withReplacements {
          let calls = try spy(name, isMutating: name.hasPrefix("Meter.") ? name.hasSuffix("setter") : nil)
          var meter = Meter(3)
          _ = Meter(exactly: "3")
          raise(&meter)
          _ = (meter.sum(1, 2), meter.or(3), meter.map { $0 }, try? meter.map { _ in throw ShopError.empty })
          _ = (Animal(name: ""), Animal(name: "a"), try? Animal(throwing: ""), try? Animal(throwing: "a"), Cat(legs: 4).copy())
          _ = (withMetatype(Int.self), never(1), optional(nil), meter.taken())
          let found = calls.all.map { call in
            var end = "running"
            if case .returned(let value) = call.outcome { end = Self.text(value) }
            if case .threw(let error) = call.outcome { end = "\(error)" }
            return "[\(call.arguments.map(Self.text).joined(separator: ", "))] \(end)"
          }
          #expect(found == lines, "\(name)")
        }
      }
    }

    /// A value as text: a meter by its value, an animal by its name.
    private static func text(_ value: Any) -> String {
      switch value {
      case let meter as Meter: "\(meter.value)"
      case let animal as Animal: animal.name
      case let text as String: "\"\(text)\""
      case let type as Any.Type: _typeName(type, qualified: true)
      case Optional<Any>.none: "nil"
      default: "\(value)"
      }
    }
  }
#endif
