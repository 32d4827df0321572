import TestSupport

extension GeneratedTypes {
  /// Types of the standard library and of the prelude: the spelling, a value, and its digest.
  static let scalars: [(String, String, String)] =
    ["Int", "Int8", "Int16", "Int32", "Int64", "UInt64", "UInt8", "UInt16", "UInt32", "UInt", "Int128", "UInt128"].map {
      ($0, "\($0)(truncatingIfNeeded: g.wide())", "h.add(UInt64(truncatingIfNeeded: v)); h.add(UInt64(truncatingIfNeeded: v >> 7))")
    }
    + [("Float", 32), ("Double", 64), ("Float", 32), ("Double", 64), ("Float16", 16)].map { name, bits in
      (name, "\(name)(bitPattern: UInt\(bits)(truncatingIfNeeded: g.bits()))", "h.add(UInt64(v.bitPattern))")
    }
    + ["SIMD2<Float>", "SIMD4<Float>", "SIMD2<Double>", "SIMD3<Double>", "SIMD8<Float>"].map {
      (
        $0, "var v = \($0)(); for i in v.indices { v[i] = .init(g.next(1 << 20)) }; return v",
        "for i in v.indices { h.add(UInt64(v[i])) }"
      )
    }
    + ["SIMD16<UInt8>", "SIMD4<Int8>", "SIMD8<Int16>", "SIMD8<Int32>"].map {
      (
        $0, "var v = \($0)(); for i in v.indices { v[i] = .init(g.next(100)) }; return v",
        "for i in v.indices { h.add(UInt64(truncatingIfNeeded: v[i])) }"
      )
    }
    + rows("types") + closures

  /// Closures, which are called for their digest.
  static let closures: [(String, String, String)] = rows("closures")

  private static func rows(_ title: String) -> [(String, String, String)] {
    TextTable("types.txt").rows(title).map { ($0[0], $0[1], $0[2]) }
  }

  /// The declarations, in which `@frozen` is left out if the library is not built for evolution.
  static let prelude = #"""
    public protocol P { var number: Int { get } }
    public protocol PA: AnyObject { var number: Int { get } }
    open class K: P, PA, Hashable {
      public let number: Int
      public init(_ number: Int) { self.number = number; alive += 1 }
      deinit { alive -= 1 }
      public static func == (a: K, b: K) -> Bool { a.number == b.number }
      public func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    public final class L: K {}
    @frozen public struct S: P { public var a: Int, b: String, c: Int, d: Int; public var number: Int { a } }
    @frozen public struct Oops: Error { public var code: Int }
    @frozen public struct Mixed: Error { public var code: Int; public var rate: Double; public var text: String }
    @frozen public enum Fault: Error { case none, code(Int32), text(String) }
    @frozen public struct Box<A> { public var a: A }
    @frozen public struct Pair<A, B> { public var a: A; public var b: B }
    @frozen public enum Either<A, B> { case left(A), right(B) }
    @frozen public indirect enum Tree<A> { case leaf, node(Tree<A>, A) }
    public final class Cell<A> { public var a: A; init(_ a: A) { self.a = a; alive += 1 }; deinit { alive -= 1 } }
    nonisolated(unsafe) public var alive = 0
    nonisolated(unsafe) var seen: UInt64 = 0
    nonisolated(unsafe) let keeper = K(5)
    let start = ContinuousClock.now  // instants are told apart by their distance from it, which is the same in both calls
    let g5 = "a text that is on the heap, of more than fifteen bytes"
    struct G {
      var state: UInt64
      mutating func bits() -> UInt64 { state = state &* 6364136223846793005 &+ 1442695040888963407; return state >> 11 ^ state << 40 }
      mutating func next(_ bound: Int) -> Int { Int(bits() >> 8 % UInt64(bound)) }
      mutating func wide() -> UInt128 { UInt128(bits()) << 64 | UInt128(bits()) }
      mutating func text() -> String { String(repeating: "ab\(next(100))", count: next(9)) + "xyz" }
    }
    struct H {
      var state: UInt64 = 14695981039346656037
      mutating func add(_ value: UInt64) { state = (state ^ value) &* 1099511628211; state ^= state >> 29 }
      mutating func add(_ text: String) { for byte in text.utf8 { add(UInt64(byte)) } }
    }
    @_silgen_name("conformance_alive") public func aliveCount() -> Int { _ = keeper; return alive }
    @_silgen_name("conformance_seen") public func seenDigest() -> UInt64 { seen }

    """#
}
