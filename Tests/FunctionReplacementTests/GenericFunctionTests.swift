#if os(Linux)
  import DynamicInvocation
  import FunctionReplacement
  import Shop
  import Synchronization
  import TestSupport
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
      #expect(refusal("Array.paired(_:)", { (list: [Int], other: Int) -> (Int, Int)? in nil }).contains("besides its type's"))
      for text in [
        refusal("Greeter.greet(_:)", { (greeter: English, value: Int) in "" }),
        refusal("Stack.put(_:)", { (stack: Stack<Int>, other: Int) in 1 }),
        refusal("Repository.mapped(_:)", { (own: Repository<Int>, other: Int) in other }),
      ] {
        expect(text.contains("it has generic parameters besides its type's"), text)
      }
      expect(refusal("Crate.count()", { (own: Crate<Int>) in 1 }).contains("type Shop.Crate<Swift.Int> is passed is not known"))
      expect(refusal("Greeter.standard()", { 2 }).contains("it is a member of the protocol 'Shop.Greeter'"))
      expect(refusal("Greeter.offer()", { (own: English) in 2 }).contains("it is in a constrained extension of a protocol"))
      expect(refusal("Herd.lead(_:)", { (own: Herd<Animal>, member: Animal) in member }).contains("more is required of its parameters"))
      for text in [
        refusal("Repository.find(_:)", { (own: NumberRepository, number: Int) -> Int? in 1 }),
        refusal("Repository.find(_:)", { (own: Keyed<Int, Int>, number: Int) -> Int? in 1 }),
      ] {
        expect(text.contains("argument 0: its type is Shop.Repository<Swift.Int>, and the closure takes"), text)
      }
      expect(refusal("Repository.sumOfMarks()", { (own: NumberRepository) in 1 }).contains("does not fix each parameter"))
      #expect(refusal("unfixed(_:)", { (number: Int) in number }).contains("the closure does not fix each parameter: <A>"))
      #expect(refusal("equal(_:_:)", { (left: [[Int]], right: [Int]) in true }).contains("two of its parameters are the same type"))
      #expect(refusal("packed(_:)", { (number: Int) in 1 }).contains("pack"))
      #expect(
        refusal("exchange(_:_:)", { (left: inout Int, right: inout String) in })
          == "Shop.exchange(_:_:): argument 1: its type is inout Swift.Int, and the closure takes inout Swift.String")
      let error = #expect(throws: InvocationError.self) { try withReplacements { _ = try spy("identity(_:)") } }
      #expect(error.map { "\($0)" }?.hasSuffix("a closure that replaces it fixes its types, and a spy states them with 'as:'") == true)
    }

    @Test("Members of a generic class: for one class, its subclasses included; others find the function itself")
    func genericClasses() async throws {
      let (numbers, texts, own) = (Repository(1), Repository("a"), NumberRepository())
      try await withReplacements {
        try replace("Repository.find(_:)", with: { (own: Repository<Int>, number: Int) -> Int? in own.items.count + number * 10 })
        expectEqual([numbers.find(4), own.find(5)], [41, 50])
        expectEqual(texts.find(0), "a")
        try replace("Repository.find(_:)", with: { (own: Repository<String>, number: Int) -> String? in original { own.find(0) }! + "!" })
        expectEqual([texts.find(5), Repository("b").find(7)], ["a!", "b!"])
        try replace(
          "Repository.store(_:_:)",
          with: { (own: Repository<String>, item: String, mark: Double) throws in
            if item.isEmpty { throw ShopError.refused("empty") }
            return try original { try own.store(item + item, mark) } * 100
          })
        expectEqual(try texts.store("b", 1), 200)
        expectEqual(texts.items, ["a", "bb"])
        expectThrows(ShopError.refused("empty")) { try texts.store("", 1) }
        expectThrows(ShopError.empty) { try texts.store("c", -1) }
        expectEqual(try numbers.store(5, 1), 2)
        try replace("Repository.marked(_:_:)", with: { (_: Repository<Int>, item: Int, mark: Int) in [item * 10, mark] })
        expect(numbers.marked(4, 3) == [40, 3] && texts.marked("x", 2) == ["x", "x"])
        try replace("Repository.later(_:)", with: { (_: Repository<Int>, item: Int) async throws in [item, item] })
        expectEqual(try await numbers.later(3), [3, 3])
        expectEqual(try await texts.later("c"), ["a", "bb", "c"])
        try replace("Repository.copy()", with: { (own: Repository<Int>) -> Repository<Int>? in own.items.count > 2 ? nil : own })
        expect(numbers.copy() === numbers && texts.copy() !== texts)
        try replace("Repository.count(_:)", with: { (item: Int) in item })
        expectEqual([Repository<Int>.count(7), NumberRepository.count(8), Repository<String>.count("x")], [7, 8, 1])
        try replace("Repository.last", with: { (own: Repository<Int>) -> Int? in own.items.first })
        try replace("Repository.last.setter", with: { (own: Repository<Int>, new: Int?) in own.items = [new ?? 0] })
        numbers.last = 9
        texts.last = "d"
        expect(numbers.last == 9 && numbers.items == [9] && texts.last == "d")
        try replace("Repository.has(_:)", with: { (own: Repository<Int>, item: Int) in item == 77 })
        expect(numbers.has(77) && !numbers.has(9) && texts.has("d"))
        try replace("Repository.sum()", with: { (own: Repository<Int>) in -1 })
        expectEqual([numbers.sum(), own.sum()], [-1, -1])
        let keyed = try replacing(
          "Keyed.value(of:or:)", with: { (own: Keyed<String, Int>, key: String, other: Int) in (own.values[key] ?? 0) + other }
        ) { (Keyed(["a": 1]).value(of: "a", or: 5), Keyed([1: "a"]).value(of: 1, or: "b")) }
        expect(keyed == (6, "a"))
        nonisolated(unsafe) let made = Repository(3)
        try replace("Repository.init(_:)", with: { (item: Int) in made })
        expect(Repository(4) === made && Repository("x").items == ["x"])
      }
    }

    @Test("Members of generic structs and enums: in registers, by address, mutating, static, initializers")
    func genericStructs() throws {
      let stack = Stack([1, 2])
      expectEqual(try replacing("Stack.top()", with: { (own: Stack<Int>) -> Int? in own.items[0] }) { stack.top() }, 1)
      expectEqual(try replacing("Stack.top()", with: { (own: Stack<Int>) -> Int? in 7 }) { Stack(["a"]).top() }, "a")
      expectEqual(
        try replacing("stacked(_:)", with: { (stack: Stack<Int>) -> Int? in original { stacked(stack) }! + 5 }) { stacked(stack) }, 7)
      var (numbers, texts) = (Stack([1]), Stack(["a"]))
      try replacing("Stack.push(_:)", with: { (own: inout Stack<Int>, item: Int) in original { own.push(item * 10) } }) {
        numbers.push(2)
        texts.push("b")
      }
      expect(numbers.items == [1, 20] && texts.items == ["a", "b"])
      let joined = try replacing("Stack.joined(_:)", with: { (own: Stack<Int>, other: Stack<Int>) -> Stack<Int>? in Stack(other.items) }) {
        (numbers.joined(stack)?.items, texts.joined(texts)?.items)
      }
      expect(joined.0 == [1, 2] && joined.1 == ["a", "b", "a", "b"])
      expectEqual(try replacing("Stack.one(_:)", with: { (item: Int) in Stack([item, item]) }) { Stack.one(4).items }, [4, 4])
      expectEqual(
        try replacing("Stack.init(_:)", with: { (items: [Int]) in original { Stack(items + items) } }) {
          [Stack([5]).items.count, Stack(["a"]).items.count]
        }, [2, 1])
      var pair = Pair("a", 1)
      expectEqual(try replacing("Pair.key()", with: { (own: Pair<String, Int>) in own.first + "\(own.second)" }) { pair.key() }, "a1")
      try replacing("Pair.set(_:)", with: { (own: inout Pair<String, Int>, second: Int) in own.second = second * 10 }) { pair.set(4) }
      expectEqual(pair.second, 40)
      let made = try replacing("Pair.make(_:_:)", with: { (first: String, second: Int) -> Pair<String, Int>? in Pair("a", 40) }) {
        (Pair<String, Int>.make("x", 1)?.first, Pair<Int, Int>.make(1, 1)?.first)
      }
      expect(made == ("a", 1))
      expectEqual(
        try replacing("Pair.init(_:_:)", with: { (first: String, second: Int) in original { Pair("a", 40) } }) {
          Pair("z", 1).first + "\(Pair("z", "y").second)"
        }, "ay")
      let loaded = Loading.loaded([1, 2])
      expectEqual(
        try replacing("Loading.count()", with: { (own: Loading<Int>) in original { own.count() } + 5 }) {
          [loaded.count(), Loading<Int>.idle.count(), Loading.loaded(["a"]).count()]
        }, [7, 5, 1])
      let (job, other) = (Job(1) { $0 * 2 }, Job(1) { (text: String) in text.count })
      let results = try replacing(
        "Job.run(_:)", with: { (own: Job<Int>, value: Int) in own.number + own.make(1) + original { own.run(value) } }
      ) { [job.run(10), other.run("abc")] }
      expectEqual(results, [24, 4])
    }

    @Test("Members of extensions of a protocol: for one type, as that and as an existential")
    func protocolExtensions() throws {
      let (english, german) = (English(), German())
      let texts = try replacing("Greeter.greetTwice()", with: { (own: English) in own.tone + "!" }) {
        [english.greetTwice(), (english as any Greeter).greetTwice(), german.greetTwice()]
      }
      expectEqual(texts, ["calm!", "calm!", "hallohallo"])
      let all = try replacing(
        "Greeter.greetAll(_:_:)", with: { (own: German, names: [String], count: Int) in original { own.greetAll(names, count) } + own.tone }
      ) { [english.greetAll(["a"], 1), german.greetAll(["a"], 2)] }
      expectEqual(all, ["helloa1", "halloa2laut"])
      var (own, other) = (German(), German())
      let first = own
      nonisolated(unsafe) let second = other
      try replacing("Greeter.become(_:)", with: { (own: inout German, _: German) in own = second }) { own.become(first) }
      expect(own === second)
      other.become(first)
      expect(other === first)
    }

    @Test("A spy of a generic function states its types")
    func spies() throws {
      try withReplacements {
        let finds = try spy("Repository.find(_:)", as: ((Repository<Int>, Int) -> Int?).self)
        let (numbers, texts) = (Repository(1), Repository("a"))
        expectEqual([numbers.find(0), NumberRepository().find(0)], [1, nil])
        expectEqual(texts.find(0), "a")
        try finds.answer(.returning(Int?.some(5)))
        expectEqual(numbers.find(0), 5)
        expectEqual(finds.all.map { $0.result() as Int?? }, [1, Int?.none, 5])
        expect(finds[0].target() === numbers)
        let others = try spy("Repository.find(_:)", as: ((Repository<String>, Int) -> String?).self)
        try others.answer(.returning(String?.some("x")))
        expect(texts.find(0) == "x" && finds.count == 3)
        expectError(.typeMismatch) { try finds.answer(.returning(String?.some("x"))) }
        let pushes = try spy("Stack.push(_:)", as: ((inout Stack<Int>, Int) -> Void).self)
        var stack = Stack([1])
        stack.push(2)
        expect(stack.items == [1, 2] && pushes[0].argument(1) == 2)
        let greetings = try spy("Greeter.greetTwice()", as: ((English) -> String).self)
        _ = [English().greetTwice(), German().greetTwice()]
        expectEqual(greetings.count, 1)
        expectError(.typeMismatch) { try spy("identity(_:)", as: ((Int) -> String).self) }
        expectError(.typeMismatch) { try spy("identity(_:)", as: Int.self) }
      }
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
        let repository = Repository(Counted(counter))
        _ = try replacing(
          "Repository.marked(_:_:)",
          with: { (own: Repository<Counted>, item: Counted, mark: Int) in original { own.marked(own.items[0], mark) } }
        ) { repository.marked(Counted(counter), 1) }
        var stack = Stack([Counted(counter)])
        _ = try replacing("Stack.top()", with: { (own: Stack<Counted>) -> Counted? in original { own.top() } }) { stack.top() }
        try replacing("Stack.push(_:)", with: { (own: inout Stack<Counted>, item: Counted) in own = Stack([item]) }) {
          stack.push(Counted(counter))
        }
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
