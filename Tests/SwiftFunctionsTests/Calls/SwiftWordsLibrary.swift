import SwiftFunctions
import DynamicInvocation
import TestSupport

/// A library of functions whose arguments and results are words, and of some that nearly are.
enum SwiftWordsLibrary {
  static func library() throws -> SwiftLibrary {
    try SwiftCompiler.library(source: source, module: "Words", flags: SwiftCompiler.Mode.optimized.flags)
  }

  private static let source = """
    public struct Failure: Error { public var code: Int }
    nonisolated(unsafe) public var total = 0
    nonisolated(unsafe) public var isReady = true
    nonisolated(unsafe) var counters = 0
    public func none() -> Int { 7 }
    public func mixed(_ a: Int8, _ b: UInt16, _ c: Int32, _ d: Int, _ e: Bool, _ f: UInt) -> Int {
      Int(a) + Int(b) * 10 + Int(c) * 100 + d * 1000 + (e ? 10_000 : 0) + Int(f) * 100_000
    }
    public func seven(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int) -> Int { a - b + c - d + e - f + 100 * g }
    public func eight(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int) -> Int {
      a - b + c - d + e - f + 100 * g + 1000 * h
    }
    public func sixAndDouble(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Double) -> Int {
      a + b + c + d + e + f + Int(g) * 100
    }
    public func lowered(_ a: Int8) -> Int8 { a &- 1 }
    public func widened(_ a: Int16) -> UInt16 { UInt16(bitPattern: a) }
    public func negated(_ a: Int32) -> Int32 { -a }
    public func isOdd(_ a: Int) -> Bool { a & 1 == 1 }
    public func not(_ a: Bool) -> Bool { !a }
    public func add(_ a: Int) { total += a }
    public func doubled(_ a: Int) -> Double { Double(a) * 2 }
    public func pair(_ a: Int) -> (Int, Int) { (a, -a) }
    public func optional(_ a: Int) -> Int32? { a < 0 ? nil : Int32(a) }
    public func append(_ text: inout String, _ count: Int) -> Int { text += String(count); return text.count }
    public func join(_ text: inout String, _ a: Int8, _ b: String, _ c: [Int], _ d: Double, _ e: String) throws -> Int {
      if a < 0 { throw Failure(code: Int(a)) }
      text += "\\(a)\\(b)\\(c)\\(d)\\(e)"
      return text.count
    }
    public func joined(_ a: Int8, _ b: String, _ c: [Int], _ d: Double, _ e: Int16) -> String { "\\(a)\\(b)\\(c)\\(d)\\(e)" }
    public func checked(_ a: Int) throws -> Int { if a < 0 { throw Failure(code: a) }; return a }
    public func typed(_ a: Int) throws(Failure) -> Int { if a < 0 { throw Failure(code: a) }; return a }
    open class Counter {
      public var value: Int
      public init(start: Int) { value = start; counters += 1 }
      deinit { counters -= 1 }
      open func next() -> Int { value += 1; return value }
      open func next(by a: Int) -> Int { value += a; return value }
      open func four(_ a: Int, _ b: Int32, _ c: Bool, _ d: UInt8) -> Int { value + a + Int(b) + (c ? 1000 : 0) + Int(d) }
      public final func five(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) -> Int { value + a + 2 * b + 3 * c + 4 * d + 5 * e }
      public final func checked(_ a: Int) throws -> Bool { if a < 0 { throw Failure(code: value) }; return a > value }
      public final func isSame(_ other: Counter?) -> Bool { other === self }
      public final func copy() -> Counter { Counter(start: value) }
      public static func shared(_ a: Int) -> Int { a + 1 }
    }
    public class Doubler: Counter {
      override public func next(by a: Int) -> Int { value += 2 * a; return value }
    }
    public func makeCounter(_ start: Int) -> Counter { Counter(start: start) }
    public func makeDoubler(_ start: Int) -> Counter { Doubler(start: start) }
    public func find(_ start: Int) -> Counter? { start < 0 ? nil : Counter(start: start) }
    public func counterCount() -> Int { counters }
    public func churn(_ list: inout [String], _ body: () -> Void) { _ = consume list; body(); list = ["new", "list"] }
    public struct Churned {
      public var list = (0..<20).map { "a text that is long enough for the heap \\($0)" }
      public init() {}
      public mutating func churn(_ body: () -> Void) { list = []; body(); list = ["new"] }
    }
    """
}
