#if os(Linux)
  import DynamicInvocation
  import FunctionReplacement
  import Shop
  import Synchronization
  import Testing

  /// Generic functions, whose types the closure fixes: a call with other types finds the function itself.
  @Suite struct GenericFunctionTests {
    @Test("A parameter by address; two closures of one function, each for its type; the original")
    func identityOfTypes() throws {
      #expect(try replacing("identity(_:)", with: { (value: Int) in value + 1 }) { identity(4) == 5 && identity("x") == "x" })
      try withReplacements {
        try replace("identity(_:)", with: { (value: String) in value + value })
        // A call of another type is answered by its own replacement, one of its own type by the function.
        try replace("identity(_:)", with: { (value: Int) in original { identity(value) } * 10 + identity("abc").count })
        #expect(identity(4) == 46)
        #expect(identity("x") == "xx")
        #expect(identity(2.5) == 2.5)
      }
      let animal = Animal(legs: 3)
      #expect(try replacing("identity(_:)", with: { (animal: Animal) in animal.copy() }) { identity(animal) !== animal })
      #expect(try replacing("identity(_:)", with: { (pair: (Int, String)) in (pair.0 + 1, pair.1) }) { identity((4, "a")) } == (5, "a"))
      let double: (Int) -> Int = { $0 * 2 }
      let both = try replacing("identity(_:)", with: { (function: @escaping (Int) -> Int) -> (Int) -> Int in { function($0) + 1 } }) {
        identity(double)
      }
      #expect(both(4) == 9 && identity(4) == 4)
    }

    @Test("Arrays, sets, dictionaries, optionals, tuples, metatypes and inout of parameters; errors")
    func otherTypes() throws {
      #expect(try replacing("largest(_:)", with: { (values: [Int]) -> Int? in values.min() }) { largest([3, 1, 2]) } == 1)
      #expect(largest(["a", "b"]) == "b")
      let pair = try replacing(
        "either(_:_:_:)", with: { (first: Int, second: String, isFirst: Bool) -> (Int, String)? in (first + 1, second + "!") }
      ) { (either(1, "b", false), either("b", 1, false)) }
      #expect(pair.0.map { $0 == (2, "b!") } == true && pair.1 == nil)
      var (left, right, one, two) = ("a", "b", 1, 2)
      try replacing("exchange(_:_:)", with: { (left: inout String, right: inout String) in left += right }) {
        exchange(&left, &right)
        exchange(&one, &two)
      }
      #expect([left, right] == ["ab", "b"] && [one, two] == [2, 1])
      let sum = try replacing(
        "sumOfPrices(_:_:_:)", with: { (items: Set<Int>, more: Int, factor: Double) in Int(factor) * items.count + more }
      ) { [sumOfPrices([1, 2], 10, 3), sumOfPrices(["a"], 1, 1)] }
      #expect(sum == [16, 2])
      let decoded = try replacing(
        "decode(_:_:orElse:)",
        with: { (type: Int.Type, text: String, other: Int) throws -> Int in
          if text == "!" { throw ShopError.refused(text) }
          return try original { try decode(type, text, orElse: other + 1) }
        }
      ) {
        #expect(throws: ShopError.refused("!")) { try decode(Int.self, "!", orElse: 1) }
        #expect(throws: ShopError.empty) { try decode(Int.self, "", orElse: 1) }
        return try (decode(Int.self, "abc", orElse: 1), decode(String.self, "abc", orElse: "x"))
      }
      #expect(decoded == (2, "x"))
      #expect(try replacing("sumOfAll(_:)", with: { (values: [Int]) in values.count }) { sumOfAll(7, 8, 9) } == 3)
      #expect(sumOfAll("ab", "c") == 3)
      let groups = try replacing("grouped(_:by:)", with: { (items: [Int], key: String) -> [String: [Int]] in [key + key: items] }) {
        grouped([1], by: "k")
      }
      #expect(groups == ["kk": [1]] && grouped(["a"], by: 1) == [1: ["a"]])
    }

    @Test("Four parameters with conformances: types and conformances on the stack")
    func onTheStack() throws {
      #expect(
        try replacing(
          "many(_:_:_:_:_:)",
          with: { (a: Int, b: String, c: Int, d: String, number: Int) in original { many(a, b, c, d, number) } + 1000 }
        ) { [many(1, "ab", 3, "abcd", 5), many(1, 2, 3, 4, 5)] } == [1015, 15])
    }

    @Test("Members: methods, mutating ones, initializers, static ones and subscripts, of structs and classes")
    func members() throws {
      let meter = Meter(5)
      #expect(
        try replacing("Meter.plus(_:)", with: { (meter: Meter, value: String) in Meter(meter.value + 1000) }) {
          [meter.plus("ab").value, meter.plus(3).value]
        } == [1005, 8])
      var changed = Meter(5)
      try replacing("Meter.set(_:)", with: { (meter: inout Meter, value: String) in meter.value = 1000 }) {
        changed.set("ab")
        #expect(changed.value == 1000)
        changed.set(3)
        #expect(changed.value == 3)
      }
      #expect(
        try replacing("Meter.init(of:)", with: { (_: String) in Meter(77) }) { [Meter(of: "ab").value, Meter(of: 3).value] } == [77, 3])
      #expect(try replacing("Meter.make(_:)", with: { (value: String) in [value, value] }) { Meter.make("ab") } == ["ab", "ab"])
      #expect(
        try replacing("Meter.subscript(priced:)", with: { (meter: Meter, value: String) in meter.value }) {
          [meter[priced: "ab"], meter[priced: 3]]
        } == [5, 3])
      #expect(
        try replacing("Animal.named(_:)", with: { (animal: Animal, value: String) in value + "\(animal.legs)" }) {
          Animal(legs: 7).named("ab")
        } == "ab7")
    }

    @Test("Members of Array and Optional: by value, by address, and in an extension of one type")
    func membersOfGenericTypes() throws {
      #expect(try replacing("Array.second()", with: { (list: [Int]) -> Int? in list[0] }) { [1, 2].second() } == 1)
      #expect(["a", "b"].second() == "b")
      var (numbers, texts) = ([1], ["a"])
      try replacing("Array.appendTwice(_:)", with: { (list: inout [Int], element: Int) in list = [element] }) {
        numbers.appendTwice(5)
        texts.appendTwice("b")
      }
      #expect(numbers == [5] && texts == ["a", "b", "b"])
      try replacing("Array.insertOnce(_:)", with: { (list: inout [Int], element: Int) in list = [element, element] }) {
        numbers.insertOnce(5)
        texts.insertOnce("b")
      }
      #expect(numbers == [5, 5] && texts == ["a", "b", "b"])
      #expect(try replacing("Array.twice(_:)", with: { (element: Int) in [element] }) { [Int].twice(5) } == [5])
      #expect(["a"] + [String].twice("b") == ["a", "b", "b"])
      #expect(try replacing("Array.init(thrice:)", with: { (element: Int) in [element, element] }) { [Int](thrice: 5) } == [5, 5])
      #expect(try replacing("Array.middle", with: { (list: [Int]) -> Int? in list.first }) { [1, 2, 3].middle } == 1)
      try replacing("Array.middle.setter", with: { (list: inout [Int], new: Int?) in list = [new ?? 0] }) {
        numbers.middle = 7
        texts.middle = "c"
      }
      #expect(numbers == [7] && texts == ["a", "b", "b", "c"])
      #expect(try replacing("Optional.or(_:)", with: { (value: Int?, other: Int) in (value ?? 0) + other }) { Int?.some(1).or(5) } == 6)
      #expect(String?.none.or("s") == "s")
      #expect(try replacing("Array.levels()", with: { (meters: [Meter]) in [meters.count] }) { [Meter(4)].levels() } == [1])
      #expect(
        try replacing("Optional.levelOrZero()", with: { (meter: Meter?) in (meter?.value ?? 0) + 1 }) {
          [Meter?.some(Meter(4)).levelOrZero(), Meter?.none.levelOrZero()]
        } == [5, 1])
    }

    @Test("Asynchronous ones")
    func asynchronous() async throws {
      let results = try await replacing(
        "later(_:)",
        with: { (value: Int) async throws in
          await Task.yield()
          if value == 0 { throw ShopError.empty }
          return value + 1
        }
      ) {
        await #expect(throws: ShopError.empty) {
          let value: Int = try await later(0)
          return value
        }
        return try await (later(3), later("a"))
      }
      #expect(results == (4, "a"))
    }

    @Test("What cannot be known is refused, with the reason")
    func refusals() {
      #expect(refusal("same(_:)", { (value: Animal) in value }) == "Shop.same(_:): a parameter is an object: <A where A: AnyObject>")
      #expect(
        refusal("owned(_:)", { (value: Animal) in value }).hasSuffix(
          "it is generic, and 'Shop.Owned' is a protocol of classes, or not known"))
      #expect(refusal("element(_:)", { (list: [Int]) -> Int? in 1 }).contains("'A.Element?' depends on generic parameters"))
      #expect(
        refusal("mapped(_:_:)", { (value: Int, function: (Int) -> Int) in function(value) }).hasSuffix(
          "how a value of the type (Swift.Int) -> Swift.Int is passed is not known"))
      #expect(refusal("stacked(_:)", { (stack: Stack<Int>) -> Int? in 7 }).hasSuffix("type Shop.Stack<Swift.Int> is passed is not known"))
      #expect(refusal("Stack.top()", { (stack: Stack<Int>) -> Int? in 7 }).contains("it is a member of the generic type 'Shop.Stack'"))
      #expect(refusal("Array.paired(_:)", { (list: [Int], other: Int) -> (Int, Int)? in nil }).contains("besides its type's"))
      #expect(refusal("Greeter.greet(_:)", { (greeter: English, value: Int) in "" }).contains("it is a member of the protocol"))
      #expect(refusal("Stack.put(_:)", { (stack: Stack<Int>, other: Int) in 1 }).contains("it is a member of the generic type"))
      #expect(refusal("unfixed(_:)", { (number: Int) in number }).contains("the closure does not fix each parameter: <A>"))
      #expect(refusal("equal(_:_:)", { (left: [[Int]], right: [Int]) in true }).contains("two of its parameters are the same type"))
      #expect(refusal("packed(_:)", { (number: Int) in 1 }).contains("pack"))
      #expect(
        refusal("exchange(_:_:)", { (left: inout Int, right: inout String) in })
          == "Shop.exchange(_:_:): argument 1: its type is inout Swift.Int, and the closure takes inout Swift.String")
      let error = #expect(throws: InvocationError.self) { try withReplacements { _ = try spy("identity(_:)") } }
      #expect(error.map { "\($0)" }?.hasSuffix("a closure that replaces it fixes its types, and a spy does not") == true)
    }

    private final class Counter: Sendable { let objects: Atomic<Int> = Atomic(0) }

    private final class Counted: Sendable {
      let counter: Counter
      init(_ counter: Counter) {
        self.counter = counter
        counter.objects.add(1, ordering: .relaxed)
      }
      deinit { counter.objects.subtract(1, ordering: .relaxed) }
    }

    @Test("Nothing is leaked, and nothing released twice")
    func ownership() throws {
      let counter = Counter()
      for _ in 0..<100 {
        _ = try replacing("keepOwned(_:)", with: { (value: Counted) in value }) { keepOwned(Counted(counter)) }
        _ = try replacing("identity(_:)", with: { (value: Counted) in original { identity(value) } }) { identity(Counted(counter)) }
        _ = try replacing("grouped(_:by:)", with: { (items: [Counted], key: String) in original { grouped(items, by: key) } }) {
          grouped([Counted(counter)], by: "k")
        }
        var (left, right) = (Counted(counter), Counted(counter))
        try replacing("exchange(_:_:)", with: { (left: inout Counted, right: inout Counted) in left = right }) { exchange(&left, &right) }
        #expect(left === right)
      }
      #expect(counter.objects.load(ordering: .relaxed) == 0)
    }
  }
#endif
