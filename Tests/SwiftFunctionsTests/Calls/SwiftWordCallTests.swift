import SwiftFunctions
import DynamicInvocation
import TestSupport
import Testing

/// Functions whose arguments and results are words in general registers, which are called without a frame.
///
/// The tests share a library that counts its objects, so they run one after another.
@Suite(.measured, .serialized) struct SwiftWordCallTests {
  private static func function(_ name: String) throws -> SwiftFunction { try SwiftWordsLibrary.library().function("Words." + name) }

  /// Calls a function with the type of a library's class, which the tests know at run time only.
  private static func withCounters(_ maker: String, _ body: (any CounterUse.Type) throws -> Void) throws {
    func open<T>(_: T.Type) throws { try body(Counters<T>.self) }
    try _openExistential(try function(maker).resultType, do: open)
  }

  @Test("Integers of all widths and Booleans are passed and returned")
  func integers() throws {
    #expect(try Self.function("none()")(as: Int.self) == 7)
    let mixed = try Self.function("mixed(_:_:_:_:_:_:)")
    #expect(try mixed(-5 as Int8, 3 as UInt16, -2 as Int32, 4, true, 6 as UInt, as: Int.self) == -5 + 30 - 200 + 4000 + 10_000 + 600_000)
    #expect(try Self.function("lowered(_:)")(Int8.min, as: Int8.self) == 127)
    #expect(try Self.function("widened(_:)")(-1 as Int16, as: UInt16.self) == 65_535)
    #expect(try Self.function("negated(_:)")(7 as Int32, as: Int32.self) == -7)
    let isOdd = try Self.function("isOdd(_:)")
    for number in -3...3 { #expect(try isOdd(number, as: Bool.self) == (number & 1 == 1)) }
    #expect(try Self.function("not(_:)")(true, as: Bool.self) == false)
    #expect(try Self.function("not(_:)")(false, as: Bool.self) == true)
  }

  @Test("Functions that nearly consist of words are called as well: in vector registers, with several results")
  func others() throws {
    #expect(try Self.function("doubled(_:)")(21, as: Double.self) == 42)
    let pair = try Self.function("pair(_:)")(3, as: (Int, Int).self)
    #expect(pair.0 == 3 && pair.1 == -3)
    #expect(try Self.function("optional(_:)")(3, as: Int32?.self) == 3)
    #expect(try Self.function("optional(_:)")(-3, as: Int32?.self) == nil)
    #expect(try Self.function("isReady")(as: Bool.self))
    #expect(try Self.function("Counter.shared(_:)")(41, as: Int.self) == 42)
    var text = "a"
    #expect(try Self.function("append(_:_:)")(&text, 12, as: Int.self) == 3)
    #expect(text == "a12")
  }

  @Test("Five and six arguments of any types have forms of their own, the first as a variable or not; more are an array")
  func manyArguments() throws {
    let (join, joined) = (try Self.function("join(_:_:_:_:_:_:)"), try Self.function("joined(_:_:_:_:_:)"))
    #expect(try joined(1 as Int8, "b", [3, 4], 5.5, 6 as Int16, as: String.self) == "1b[3, 4]5.56")
    // Of other types they are converted.
    #expect(try joined(1, "b", [3, 4], 5.5, 6, as: String.self) == "1b[3, 4]5.56")
    try joined(1 as Int8, "b", [3, 4], 5.5, 6 as Int16)
    var text = "-"
    #expect(try join(&text, 1 as Int8, "b", [3], 4.5, "f", as: Int.self) == 10)
    try join(&text, 1, "b", [3], 4.5, "f")
    #expect(text == "-1b[3]4.5f1b[3]4.5f")
    #expect(throws: (any Error).self) { try join(&text, -1 as Int8, "b", [3], 4.5, "f") }
    let code = #expect(throws: InvocationError.self) { try join(&text, 1 as Int8, "b", [3], 4.5) }?.code
    #expect(code == .countMismatch)
    for (name, arguments, result) in [
      ("seven(_:_:_:_:_:_:_:)", [1, 2, 3, 4, 5, 6, 7], 697), ("eight(_:_:_:_:_:_:_:_:)", [1, 2, 3, 4, 5, 6, 7, 8], 8697),
      ("sixAndDouble(_:_:_:_:_:_:_:)", [1, 2, 3, 4, 5, 6, 7.5], 721),
    ] as [(String, [Any], Int)] {
      #expect(try Self.function(name).call(arguments) as? Int == result, "\(name)")
    }
  }

  @Test("A function without a result is called, and a result may be dropped")
  func dropped() throws {
    let (add, total) = (try Self.function("add(_:)"), try Self.function("total"))
    let before: Int = try total()
    try add(5)
    let nothing: Void = try add(6)
    _ = nothing
    try total()
    #expect(try total(as: Int.self) == before + 11)
  }

  @Test("An error is thrown, from a function and from a method, typed or not")
  func errors() throws {
    for name in ["checked(_:)", "typed(_:)"] {
      let function = try Self.function(name)
      #expect(try function(5, as: Int.self) == 5)
      #expect(message { _ = try function(-5, as: Int.self) } == "Failure(code: -5)")
      #expect(message { try function(-6) } == "Failure(code: -6)")
      #expect(try function(7, as: Int.self) == 7)
    }
    try Self.withCounters("makeCounter(_:)") { try $0.throwErrors() }
  }

  @Test("Methods receive their object, overridden ones the subclass's")
  func methods() throws {
    try Self.withCounters("makeCounter(_:)") { try $0.callMethods() }
  }

  @Test("Objects are borrowed as arguments, and owned as results, also when the result is dropped")
  func ownership() throws {
    let count = try Self.function("counterCount()")
    let before: Int = try count()
    try Self.withCounters("makeCounter(_:)") { try $0.makeObjects() }
    #expect(try count(as: Int.self) == before)
  }

  @Test("Wrong types, results and counts are errors, and nothing is called")
  func mismatches() throws {
    let isOdd = try Self.function("isOdd(_:)")
    #expect(message { _ = try isOdd("a", as: Bool.self) }.hasSuffix("argument 0: Swift.String is not Swift.Int"))
    #expect(message { _ = try isOdd(1, as: Int.self) }.hasSuffix("return value: Swift.Int is not Swift.Bool"))
    #expect(
      message { _ = try isOdd(1, 2, as: Bool.self) }.hasSuffix("2 arguments are given, the function takes 1: (Swift.Int) -> Swift.Bool"))
    #expect(
      message { _ = try isOdd(as: Bool.self) }.hasSuffix(
        "0 arguments are given, the function takes 1: (Swift.Int) -> Swift.Bool; default arguments are not applied"))
  }

  /// What the tests do with the class of the library.
  private protocol CounterUse {
    static func throwErrors() throws
    static func callMethods() throws
    static func makeObjects() throws
  }

  private enum Counters<Counter>: CounterUse {
    static func make(_ start: Int, _ maker: String = "makeCounter(_:)") throws -> Counter { try function(maker)(start) }

    static func throwErrors() throws {
      let (counter, checked) = (try make(3), try function("Counter.checked(_:)"))
      #expect(try checked(counter, 4, as: Bool.self))
      #expect(try !checked(counter, 2, as: Bool.self))
      #expect(message { _ = try checked(counter, -1, as: Bool.self) } == "Failure(code: 3)")
    }

    static func callMethods() throws {
      let counter = try make(10)
      #expect(try function("Counter.next()")(counter, as: Int.self) == 11)
      #expect(try function("Counter.next(by:)")(counter, 5, as: Int.self) == 16)
      #expect(try function("Counter.four(_:_:_:_:)")(counter, 1, 2 as Int32, true, 3 as UInt8, as: Int.self) == 1022)
      #expect(try function("Counter.five(_:_:_:_:_:)")(counter, 1, 1, 1, 1, 1, as: Int.self) == 31)
      #expect(try function("Counter.isSame(_:)")(counter, Counter?.some(counter), as: Bool.self))
      #expect(try !function("Counter.isSame(_:)")(counter, Counter?.none, as: Bool.self))
      let doubler = try make(0, "makeDoubler(_:)")
      #expect(try function("Counter.next(by:)")(doubler, 5, as: Int.self) == 10)
      let own = try SwiftWordsLibrary.library().function("Words.Counter.next(by:)", isVirtual: false)
      #expect(try own(doubler, 5, as: Int.self) == 15)
    }

    static func makeObjects() throws {
      let (maker, find, copy) = (
        try function("makeCounter(_:)"), try function("find(_:)"), try function("Counter.copy()")
      )
      for number in 0..<1_000 {
        try maker(number)
        let counter: Counter = try maker(number)
        try copy(counter)
        _ = try copy(maker(number, as: Counter.self), as: Counter.self)
        #expect(try find(number, as: Counter?.self) != nil)
        #expect(try find(-1 - number, as: Counter?.self) == nil)
        try find(number)
      }
    }

    private static func function(_ name: String) throws -> SwiftFunction { try SwiftWordCallTests.function(name) }
  }
}
