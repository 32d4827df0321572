import SwiftFunctions

#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// Closures as arguments and results of Swift functions that are found by name, in libraries of both optimizations.
  @Suite(.measured) struct SwiftClosureTests {
    private static let modes: [SwiftCompiler.Mode] = [.plain, .optimized]

    private static func library(_ mode: SwiftCompiler.Mode) throws -> SwiftLibrary {
      try SwiftCompiler.library(source: source, module: "Closing_\(mode.rawValue)", flags: mode.flags)
    }

    @Test("A closure that takes and returns values in registers is called by the function", arguments: modes)
    func registers(mode: SwiftCompiler.Mode) throws {
      let library = try Self.library(mode)
      let offset = 40
      #expect(try library.function("apply(_:to:)")({ (value: Int) in value + offset }, 2, as: Int.self) == 42)
      #expect(try library.function("apply(_:to:)").call([{ (value: Int) in value * offset }, 2]) as? Int == 80)
      let joined: String = try library.function("join(_:)")({ (text: String, rate: Double) in "\(text)\(rate)" })
      #expect(joined == "a text that is on the heap, of more than fifteen bytes0.5")
      #expect(try library.function("evaluate(_:)")({ 5 }, as: Int.self) == 5)
      #expect(try library.function("isKept(_:)")({ (value: Bool) in !value }, as: Bool.self) == false)
    }

    @Test("The arguments of a closure are read from registers of both kinds and from the stack", arguments: modes)
    func many(mode: SwiftCompiler.Mode) throws {
      let function = try Self.library(mode).function("many(_:)")
      let body = {
        (
          a: Int8, b: Float, c: Int16, d: Double, e: Int, f: Int, g: Int, h: Int, i: Int, text: String, flag: Bool
        ) -> (String, Bool, Float) in ("\(a) \(b) \(c) \(d) \(e) \(f) \(g) \(h) \(i) \(text) \(flag)", !flag, b * 2)
      }
      let expected = "-1 2.5 -3 4.5 5 6 7 8 9 a text on the heap, of more than fifteen bytes true|false|5.0"
      #expect(try function(body, as: String.self) == expected)
    }

    @Test("Values that do not fit registers are passed to a closure and returned by it in memory", arguments: modes)
    func memory(mode: SwiftCompiler.Mode) throws {
      let library = try Self.library(mode)
      typealias Large = (Int, Int, Int, Int, Int)?
      let large = { (value: Large) -> Large in value.map { ($0.4, $0.3, $0.2, $0.1, $0.0 + 1) } }
      #expect(try library.function("large(_:)")(large, as: Int.self) == 54_322)
      let existential = { (value: Any, list: [Int]) -> Any? in list.isEmpty ? nil : "\(value) \(list)" }
      #expect(try library.function("existential(_:)")(existential, as: String.self) == "7 [1, 2]")
    }

    @Test("A closure changes the variable that it receives", arguments: modes)
    func variables(mode: SwiftCompiler.Mode) throws {
      let change = { (value: inout Int, isUp: Bool) -> Bool in
        value += isUp ? 10 : 0
        return true
      }
      #expect(try Self.library(mode).function("change(_:)")(change, as: Int.self) == 11)
    }

    @Test("What a closure throws arrives in the function, and through it at the caller", arguments: modes)
    func errors(mode: SwiftCompiler.Mode) throws {
      struct Own: Error, Equatable {
        let code: Int
        let text = "a text that is on the heap, of more than fifteen bytes"
      }
      let library = try Self.library(mode)
      let fails = { (value: Int) throws -> String in throw Own(code: value) }
      #expect(try library.function("attempt(_:)")(fails, as: String.self).hasPrefix("Own(code: 1"))
      #expect(try library.function("attempt(_:)")({ (value: Int) throws -> String in "\(value)" }, as: String.self) == "1")
      let passes = { (value: Int) throws in if value == 5 { throw Own(code: value) } }
      #expect(throws: Own(code: 5)) { try library.function("pass(_:_:)")(passes, 5) }
      try library.function("pass(_:_:)")(passes, 4)
    }

    @Test("An optional closure is a closure or nil, as an argument and as a property", arguments: modes)
    func optionals(mode: SwiftCompiler.Mode) throws {
      typealias Body = ((Int) -> Int)?
      let library = try Self.library(mode)
      let optional = try library.function("optional(_:)")
      #expect(try optional({ $0 + 1 } as Body, as: Int.self) == 3)
      #expect(try optional(nil as Body, as: Int.self) == -1)
      let store = try library.function("Store.init()").call([]) as AnyObject
      #expect(try library.function("Store.handler")(store, as: Body.self) == nil)
      try library.setter("Store.handler")(store, { $0 * 3 } as Body)
      #expect(try library.function("Store.run(_:)")(store, 5, as: Int.self) == 15)
      #expect(try library.function("Store.handler")(store, as: Body.self)?(7) == 21)
    }

    @Test("A closure that a function returns is called with its values", arguments: modes)
    func results(mode: SwiftCompiler.Mode) throws {
      let library = try Self.library(mode)
      let adder: (Int) -> Int = try library.function("adder(_:)")(5)
      #expect(adder(7) == 12)
      let boxed = try #require(try library.function("adder(_:)").call([6]) as? (Int) -> Int)
      #expect(boxed(7) == 13)
      let (rate, number): ((Double, String) throws -> String, Int) = try library.function("pair()")()
      #expect(try rate(1.5, "x") == "x1.5" && number == 3)
      #expect(throws: (any Error).self) { try rate(-1, "x") }
      // At -O the library exports the address of the variable only.
      let doubled: (Int) -> Int = try library.function("doubled")()
      #expect(doubled(21) == 42)
      // A closure of the library is passed back to it.
      #expect(try library.function("apply(_:to:)")(adder, 1, as: Int.self) == 6)
    }

    @Test("A closure is kept by who stores it, and released by the last", arguments: modes)
    func lifetimes(mode: SwiftCompiler.Mode) throws {
      let library = try Self.library(mode)
      let (apply, make) = (try library.function("apply(_:to:)"), try library.function("Store.init(handler:)"))
      let (read, write) = (try library.function("Store.handler"), try library.setter("Store.handler"))
      let (compute, start) = (try library.function("Store.init(computing:)"), try library.function("Store.init(starting:)"))
      let (attempt, run) = (try library.function("attempt(_:)"), try library.function("Store.run(_:)"))
      let tracker = LifetimeTracker()
      for number in 0..<200 {
        let tracked = tracker.object()
        let body = { (value: Int) -> Int in withExtendedLifetime(tracked) { value + number } }
        #expect(try apply(body, 1, as: Int.self) == number + 1)
        let store = try make.call([body]) as AnyObject
        let kept = try read(store, as: ((Int) -> Int)?.self)
        #expect(kept?(2) == number + 2)
        try write(store, kept)
        try write(store, body as ((Int) -> Int)?)
        #expect(throws: InvocationError.self) { try apply(body, "no number", as: Int.self) }
        // An initializer owns its arguments, but not a closure that does not escape.
        let computed = try compute.call([body]) as AnyObject
        #expect(try run(computed, 1, as: Int.self) == number + 8)
        _ = try start.call([{ withExtendedLifetime(tracked) {} }])
        _ = try attempt({ (value: Int) throws -> String in throw withExtendedLifetime(tracked) { CancellationError() } }, as: String.self)
        let call = try apply.makeInvocation(arguments: [body, 4])
        try call.copy().invoke()
        try call.invoke()
        #expect(try call.returnValue(as: Int.self) == number + 4)
      }
      #expect(tracker.liveCount == 0)
    }

    @Test("A closure of another type is an error that names both types", arguments: modes)
    func mismatches(mode: SwiftCompiler.Mode) throws {
      let library = try Self.library(mode)
      let apply = try library.function("apply(_:to:)")
      let other = message { try apply({ (value: Double) in value }, 1) }
      #expect(other.hasSuffix("argument 0: (Swift.Double) -> Swift.Double is not (Swift.Int) -> Swift.Int"))
      let throwing = message { try apply({ (value: Int) throws in value }, 1) }
      #expect(throwing.contains("argument 0: (Swift.Int) throws -> Swift.Int is not"))
      let safe = try library.function("safe(_:)")
      #expect(try safe({ (value: Int) in value + 1 } as @Sendable (Int) -> Int, as: Int.self) == 2)
      let unsafe = message { try safe({ (value: Int) in value }) }
      #expect(unsafe.hasSuffix("(Swift.Int) -> Swift.Int is not @Sendable (Swift.Int) -> Swift.Int"))
    }

    @Test("A closure that is not converted is refused with the reason")
    func refusals() throws {
      let library = try Self.library(.plain)
      func reason(_ name: String) -> String { message { _ = try library.function(name) } }
      #expect(reason("asynchronous(_:)").hasSuffix("cannot be passed: it is asynchronous"))
      #expect(reason("replace(_:)").hasSuffix("a closure is converted as an argument or result, not in a variable"))
      #expect(reason("nested(_:)").contains("the closure ((Swift.Int) -> Swift.Int) -> Swift.Int cannot be passed"))
      #expect(reason("typed(_:)").hasSuffix("the type of its error or its isolation is stated in a way that is not supported"))
      #expect(reason("metatype(_:)").contains("the metatype of a struct, enum or tuple has no bytes"))
    }

    private static let source = """
      public struct Failure: Error { public var code: Int }
      let heap = "a text that is on the heap, of more than fifteen bytes"
      public func apply(_ body: (Int) -> Int, to value: Int) -> Int { body(value) }
      public func join(_ body: @escaping (String, Double) -> String) -> String { body(heap, 0.5) }
      public func evaluate(_ value: @autoclosure () -> Int) -> Int { value() }
      public func isKept(_ body: (Bool) -> Bool) -> Bool { body(true) }
      public func many(
        _ body: (Int8, Float, Int16, Double, Int, Int, Int, Int, Int, String, Bool) -> (String, Bool, Float)
      ) -> String {
        let r = body(-1, 2.5, -3, 4.5, 5, 6, 7, 8, 9, "a text on the heap, of more than fifteen bytes", true)
        return "\\(r.0)|\\(r.1)|\\(r.2)"
      }
      public func large(_ body: ((Int, Int, Int, Int, Int)?) -> (Int, Int, Int, Int, Int)?) -> Int {
        guard let r = body((1, 2, 3, 4, 5)), body(nil) == nil else { return 0 }
        return r.0 * 10_000 + r.1 * 1_000 + r.2 * 100 + r.3 * 10 + r.4
      }
      public func existential(_ body: (Any, [Int]) -> Any?) -> String { body(heap, []) == nil ? "\\(body(7, [1, 2])!)" : "" }
      public func change(_ body: (inout Int, Bool) -> Bool) -> Int { var n = 1; return body(&n, true) ? n : -n }
      public func attempt(_ body: (Int) throws -> String) -> String { do { return try body(1) } catch { return "\\(error)" } }
      public func pass(_ body: (Int) throws -> Void, _ value: Int) rethrows { try body(value) }
      public func optional(_ body: ((Int) -> Int)?) -> Int { body?(2) ?? -1 }
      public func safe(_ body: @Sendable (Int) -> Int) -> Int { body(1) }
      public final class Store {
        public var handler: ((Int) -> Int)?
        public init() {}
        public init(handler: @escaping (Int) -> Int) { self.handler = handler }
        public init(computing body: (Int) -> Int) { let number = body(7); handler = { $0 + number } }
        public init(starting body: () -> Void) { body() }
        public func run(_ value: Int) -> Int { handler?(value) ?? -1 }
      }
      public func adder(_ number: Int) -> (Int) -> Int { { $0 + number } }
      public func pair() -> ((Double, String) throws -> String, Int) {
        ({ rate, text in if rate < 0 { throw Failure(code: 1) }; return text + "\\(rate)" }, 3)
      }
      nonisolated(unsafe) public var doubled: (Int) -> Int = { $0 * 2 }
      public func asynchronous(_ body: (Int) async -> Int) {}
      public func replace(_ body: inout (Int) -> Int) {}
      public func nested(_ body: ((Int) -> Int) -> Int) {}
      public func typed(_ body: (Int) throws(Failure) -> Int) {}
      public func metatype(_ body: (Int.Type) -> Int) {}
      """
  }
#endif
