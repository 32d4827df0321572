import SwiftFunctions
import DynamicInvocation
import TestSupport
import Testing

// swiftc 6.3.1 crashes when it optimizes some of these tests, so they are compiled in debug builds only.
#if DEBUG

  /// Whether there is an entry for asynchronous functions.
  private let asyncCallsAreSupported: Bool = {
    #if (arch(x86_64) || arch(arm64)) && os(Linux)
      true
    #else
      false
    #endif
  }()

  /// Asynchronous functions of a Swift library by their names.
  @Suite(.measured, .enabled(if: asyncCallsAreSupported)) struct AsyncSwiftFunctionTests {
    /// The module, with a name of its own for each mode: types are found by name, and each library stays loaded.
    private static func module(_ mode: SwiftCompiler.Mode) -> String { mode == .plain ? "Later" : "Later_\(mode.rawValue)" }

    private static func library(_ mode: SwiftCompiler.Mode = .plain) throws -> SwiftLibrary {
      try SwiftCompiler.library(source: source, module: module(mode), flags: ["-swift-version", "6"] + mode.flags)
    }

    /// Returns a function that is not `nonisolated(nonsending)`, as the test knows.
    private static func function(_ name: String, _ mode: SwiftCompiler.Mode = .plain) throws -> AsyncSwiftFunction {
      try unsafe library(mode).asyncFunction(name.replacing("Later.", with: "\(module(mode))."), isNonsending: false)
    }

    @Test("An asynchronous function that suspends returns its result", arguments: [SwiftCompiler.Mode.plain, .optimized])
    func results(mode: SwiftCompiler.Mode) async throws {
      let twice = try Self.function("Later.twice(_:)", mode)
      #expect(twice.description == "\(Self.module(mode)).twice(_:): (Swift.Int) async -> Swift.Int")
      #expect(try await twice(21, as: Int.self) == 42)
      let joined = try Self.function("Later.joined(_:_:_:)", mode)
      let text: String = try await joined(1.5, ["a text that is on the heap", "b"], 2 as Float)
      #expect(text == "1.5 a text that is on the heap b 2.0")
      let values = try Self.function("Later.values(_:)", mode)
      let tuple: (Int, Double, String, Bool) = try await values("c")
      #expect(tuple == (7, 2.5, "c", true))
    }

    @Test("A large result is returned in memory", arguments: [SwiftCompiler.Mode.plain, .optimized])
    func largeResults(mode: SwiftCompiler.Mode) async throws {
      let big = try Self.function("Later.numbers(_:)", mode)
      let numbers = try await big(3, as: (Int, Int, Int, Int, Int).self)
      #expect(numbers == (3, 4, 5, 6, 7))
    }

    @Test("An existential in a result is returned in memory", arguments: [SwiftCompiler.Mode.plain, .optimized])
    func existentialResults(mode: SwiftCompiler.Mode) async throws {
      let boxed = try unsafe await Self.function("Later.boxed(_:_:)", mode).call(["a text that is on the heap", 5])
      let pair = try #require(boxed as? (any Sendable, Int))
      #expect(pair.0 as? String == "a text that is on the heap" && pair.1 == 5)
    }

    @Test("What an asynchronous function throws is thrown")
    func errors() async throws {
      let checked = try Self.function("Later.checked(_:)")
      #expect(try await checked(2, as: Int.self) == 2)
      await #expect {
        _ = try await checked(-3, as: Int.self)
      } throws: {
        "\($0)" == "Failure(code: -3)"
      }
    }

    @Test("Functions of actors run on their actors, which is why arguments are Sendable")
    func actors() async throws {
      let library = try Self.library()
      let account = try await Self.function("Later.makeAccount()").callAsFunction(as: (any Actor).self)
      let deposit = try unsafe library.asyncFunction("Later.Account.deposit(_:)", isNonsending: false)
      #expect(try await deposit(account, 5, as: Int.self) == 5)
      #expect(try await library.asyncFunction("Later.Account.total()")(account, as: Int.self) == 5)
      #expect(try await Self.function("Later.isOnMainActor(_:)")(true, as: Bool.self))
    }

    @Test("A method of a class is called as the class of the object implements it", arguments: SwiftCompiler.Mode.allCases)
    func methods(mode: SwiftCompiler.Mode) async throws {
      let library = try Self.library(mode)
      let square = try unsafe await Self.function("Later.makeSquare()", mode).call([])
      let area = try library.asyncFunction("\(Self.module(mode)).Shape.area()")
      #expect(try unsafe await area.call([square]) as? Double == 4)
    }

    @Test("A nonsending function takes its isolation before its arguments")
    func nonsending() async throws {
      let library = try Self.library()
      #expect(try await unsafe library.asyncFunction("Later.inherited(_:)", isNonsending: true)(41, as: Int.self) == 42)
      #expect(try await library.asyncFunction("Later.inheritedText()")(as: String.self) == "a text that is on the heap")
      #expect(try await library.asyncFunction("Later.inheritedHalf(_:)")(3.0, as: Double.self) == 1.5)
    }

    @Test("Cancellation and task-local values reach the function")
    func tasks() async throws {
      let isCancelled = try Self.library().asyncFunction("Later.waitsUntilCancelled()")
      let task = Task { try await isCancelled(as: Bool.self) }
      task.cancel()
      #expect(try await task.value)
    }

    @Test("What cannot be called for certain is refused with the reason")
    func refusals() async throws {
      let library = try Self.library()
      #expect(message { _ = try library.function("Later.twice(_:)") }.hasSuffix("without await: use asyncFunction(_:)"))
      #expect(message { _ = try library.function("Later.later") }.hasSuffix("without await: use asyncFunction(_:)"))
      #expect(
        message { _ = try library.asyncFunction("Later.twice(_:)") }.hasSuffix(
          "moves its arguments: state it with asyncFunction(_:isNonsending:)"))
      #expect(message { _ = try library.asyncFunction("Later.plain(_:)") }.hasSuffix("it is not asynchronous: use function(_:)"))
      #expect(message { _ = try Self.function("Later.later") }.contains("asynchronous accessor"))
      #expect(message { _ = try Self.function("Later.typed()") }.hasSuffix("the type of its error is stated"))
      #expect(message { _ = try Self.function("Later.change(_:)") }.contains("argument 0: a variable cannot be passed"))
      #expect(message { _ = try Self.function("Later.many(_:_:_:_:_:_:_:_:_:)") }.contains("more than the registers"))
      #expect(message { _ = try Self.function("Later.isolated(_:)") }.contains("is isolated to an actor"))
      let twice = try Self.function("Later.twice(_:)")
      await #expect {
        _ = try await twice("2", as: Int.self)
      } throws: {
        "\($0)" == "Later.twice(_:): argument 0: Swift.String is not Swift.Int"
      }
      await #expect { _ = try await twice(2, 3, as: Int.self) } throws: {
        "\($0)".contains("2 arguments are given, the function takes 1: (Swift.Int) async")
      }
      await #expect { _ = try await twice(2, as: String.self) } throws: { "\($0)".contains("return value: Swift.String is not Swift.Int") }
    }

    @Test("Thousands of calls, also at the same time, leave no object behind")
    func lifetimes() async throws {
      let renamed = try Self.function("Later.renamed(_:_:)")
      let make = try Self.function("Later.makeSquare()")
      let keep = try Self.function("Later.keep(_:_:)")
      let seen = try await withThrowingTaskGroup(of: [Seen].self) { group in
        for index in 0..<8 {
          group.addTask {
            var seen: [Seen] = []
            for turn in 0..<500 {
              let shape = try unsafe await make.call([])
              let other = try? unsafe await renamed.call([shape, turn % 5 == 0 ? "" : "a text that is on the heap \(index)"])
              #expect((other == nil) == (turn % 5 == 0))
              seen += [Seen(object: shape as AnyObject), Seen(object: other as AnyObject?)]
              #expect(try unsafe await keep.call([shape, turn]) as? Int == turn)
              // The first argument was converted when the second one is refused.
              #expect((try? unsafe await keep.call([shape, "no number"])) == nil)
            }
            return seen
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      // Not by a count of the library, in which other tests make objects at the same time.
      #expect(seen.count == 8_000 && seen.allSatisfy { $0.object == nil })
    }

    private struct Seen: @unchecked Sendable {
      weak var object: AnyObject?
    }

    private static let source = """
      public struct Failure: Error { public var code: Int }
      open class Shape: @unchecked Sendable {
        public let name: String
        public init(name: String) { self.name = name }
        open func area() async -> Double { await Task.yield(); return 1 }
      }
      public class Square: Shape {
        override public func area() async -> Double { await Task.yield(); return 4 }
      }
      public func makeSquare() async -> Shape { await Task.yield(); return Square(name: "square") }
      public func renamed(_ shape: Shape, _ name: String) async throws -> Shape {
        await Task.yield()
        if name.isEmpty { throw Failure(code: 1) }
        return Shape(name: shape.name + name)
      }
      public func keep(_ shape: __owned Shape, _ number: Int) async -> Int { await Task.yield(); return number }
      public actor Account {
        var sum = 0
        public func deposit(_ amount: Int) async throws -> Int { self.assertIsolated(); sum += amount; await Task.yield(); return sum }
        public func total() async -> Int { self.assertIsolated(); return sum }
      }
      public func makeAccount() async -> any Actor { Account() }
      @MainActor public func isOnMainActor(_ value: Bool) async -> Bool { MainActor.assertIsolated(); return value }
      public func twice(_ value: Int) async -> Int { await Task.yield(); return value * 2 }
      public func joined(_ a: Double, _ list: [String], _ b: Float) async -> String {
        await Task.yield()
        return "\\(a) \\(list.joined(separator: " ")) \\(b)"
      }
      public func values(_ text: String) async -> (Int, Double, String, Bool) { await Task.yield(); return (7, 2.5, text, true) }
      public func numbers(_ first: Int) async -> (Int, Int, Int, Int, Int) {
        await Task.yield()
        return (first, first + 1, first + 2, first + 3, first + 4)
      }
      public func boxed(_ value: any Sendable, _ number: Int) async -> (any Sendable, Int) { await Task.yield(); return (value, number) }
      public func checked(_ code: Int) async throws -> Int { await Task.yield(); if code < 0 { throw Failure(code: code) }; return code }
      nonisolated(nonsending) public func inherited(_ value: Int) async -> Int { await Task.yield(); return value + 1 }
      nonisolated(nonsending) public func inheritedText() async -> String { await Task.yield(); return "a text that is on the heap" }
      nonisolated(nonsending) public func inheritedHalf(_ value: Double) async -> Double { await Task.yield(); return value / 2 }
      public func waitsUntilCancelled() async -> Bool { while !Task.isCancelled { await Task.yield() }; return true }
      public var later: Int { get async { 1 } }
      public func plain(_ value: Int) -> Int { value }
      public func typed() async throws(Failure) -> Int { 1 }
      public func change(_ value: inout Int) async { value += 1 }
      public func many(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int) async -> Int { a }
      public func isolated(_ account: isolated Account) async -> Int { 1 }
      """
  }

#endif
