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
    + [
      ("Bool", "g.next(2) == 0", "h.add(v ? 1 : 0)"),
      ("String", "g.text()", "h.add(v)"),
      ("Substring", "g.text().dropFirst(2)", "h.add(String(v))"),
      ("Character", "Character(Unicode.Scalar(UInt8(65 + g.next(26))))", "h.add(String(v))"),
      ("Unicode.Scalar", "Unicode.Scalar(UInt8(65 + g.next(26)))", "h.add(UInt64(v.value))"),
      ("[Int]", "(0..<g.next(4)).map { $0 * 3 }", "h.add(UInt64(v.reduce(v.count, +)))"),
      ("[K]", "(0..<g.next(4)).map { K($0) }", "for k in v { h.add(UInt64(k.number)) }"),
      ("[String: Int]", "[g.text(): g.next(99)]", "for (k, x) in v { h.add(k); h.add(UInt64(x)) }"),
      ("Set<Int>", "[g.next(9), g.next(99)]", "h.add(UInt64(v.reduce(v.count, +)))"),
      ("Set<K>", "[K(g.next(9))]", "h.add(UInt64(v.reduce(v.count) { $0 + $1.number }))"),
      ("Range<Int>", "g.next(9)..<20 + g.next(9)", "h.add(UInt64(v.lowerBound)); h.add(UInt64(v.upperBound))"),
      ("ClosedRange<Int8>", "Int8(g.next(9))...Int8(20 + g.next(9))", "h.add(UInt64(v.lowerBound)); h.add(UInt64(v.upperBound))"),
      ("K", "K(g.next(1000))", "h.add(UInt64(v.number))"),
      ("L", "L(g.next(1000))", "h.add(UInt64(v.number))"),
      ("AnyObject", "K(g.next(1000))", "h.add(UInt64((v as! K).number))"),
      ("any P", "g.next(2) == 0 ? K(g.next(1000)) as any P : S(a: g.next(99), b: g.text(), c: 1, d: 2)", "h.add(UInt64(v.number))"),
      ("any PA", "K(g.next(1000))", "h.add(UInt64(v.number))"),
      ("any P & PA", "L(g.next(1000))", "h.add(UInt64((v as any PA).number))"),
      ("any Error", "Oops(code: g.next(1000))", "h.add(UInt64((v as! Oops).code))"),
      ("Any", "g.next(2) == 0 ? g.next(99) as Any : g.text()", #"h.add("\(v)")"#),
      ("Any.Type", "g.next(2) == 0 ? Int.self as Any.Type : K.self", #"h.add("\(v)")"#),
      ("any P.Type", "g.next(2) == 0 ? K.self as any P.Type : S.self", #"h.add("\(v)")"#),
      ("K.Type", "g.next(2) == 0 ? L.self : K.self", #"h.add("\(v)")"#),
      ("Int.Type", "Int.self", "h.add(1)"),
      ("UnsafeRawPointer?", "UnsafeRawPointer(bitPattern: g.next(1 << 40))", "h.add(UInt64(UInt(bitPattern: v)))"),
      ("UnsafeBufferPointer<Int>", "UnsafeBufferPointer(start: nil, count: 0)", "h.add(UInt64(v.count))"),
      ("AnyHashable", "AnyHashable(g.next(99))", #"h.add("\(v)")"#),
      ("Result<Int, any Error>", "g.next(2) == 0 ? .success(g.next(99)) : .failure(Oops(code: 7))", #"h.add("\(v)")"#),
      ("Duration", "Duration.seconds(g.next(99))", #"h.add("\(v)")"#),
      ("KeyPath<K, Int>", #"\K.number"#, "h.add(UInt64(K(7)[keyPath: v]))"),
      ("ContiguousArray<String>", "[g.text(), g.text()]", "for s in v { h.add(s) }"),
      ("ObjectIdentifier", "ObjectIdentifier(g.next(2) == 0 ? K.self : L.self)", "h.add(v == ObjectIdentifier(K.self) ? 1 : 2)"),
      ("Unmanaged<K>", "Unmanaged.passUnretained(keeper)", "h.add(v.takeUnretainedValue() === keeper ? 1 : 2)"),
      ("Mirror.DisplayStyle", "g.next(2) == 0 ? .class : .tuple", #"h.add("\(v)")"#),
      ("TaskPriority", "TaskPriority(rawValue: UInt8(g.next(30)))", "h.add(UInt64(v.rawValue))"),
      ("ContinuousClock.Instant", "start.advanced(by: .seconds(g.next(99)))", #"h.add("\(v - start)")"#),
      ("FloatingPointRoundingRule", "g.next(2) == 0 ? .up : .down", "h.add(v == .up ? 1 : 2)"),
      ("CodingUserInfoKey", "CodingUserInfoKey(rawValue: g.text())!", "h.add(v.rawValue)"),
      ("CollectionDifference<Int>", "[1, 2, g.next(9)].difference(from: [1, 3])", "h.add(UInt64(v.count))"),
      ("ClosedRange<Int>.Index", "g.next(2) == 0 ? (0...5).startIndex : (0...5).endIndex", "h.add(v == (0...5).startIndex ? 1 : 2)"),
      ("FloatingPointSign", "g.next(2) == 0 ? .plus : .minus", "h.add(v == .plus ? 1 : 2)"),
    ] + closures

  /// Closures, which are called for their digest.
  static let closures: [(String, String, String)] = [
    ("(Int) -> Int", "let k = K(g.next(99)); return { $0 + k.number }", "h.add(UInt64(v(1)))"),
    ("() -> Void", "let k = K(g.next(99)); return { seen &+= UInt64(k.number) }", "seen = 1; v(); h.add(seen)"),
    ("() throws -> Void", "let i = g.next(2); return { if i == 0 { throw Oops(code: 4) } }", "do { try v(); h.add(1) } catch { h.add(2) }"),
    ("(String, Double) -> String", #"let t = g.text(); return { t + $0 + "\($1)" }"#, #"h.add(v("ab", 0.5))"#),
    (
      "(inout Int, Float) -> Bool", "let k = K(g.next(9)); return { $0 += k.number; return $1 > 1 && $0 > 5 }",
      "var i = 2; h.add(v(&i, 1.5) ? 1 : 0); h.add(UInt64(i))"
    ),
    (
      "(S) throws -> S",
      "let i = g.next(3); return { if i == 0 { throw Oops(code: 4) }; return S(a: $0.a + i, b: $0.b + \"x\", c: $0.c, d: 7) }",
      "do { let s = try v(S(a: 1, b: g5, c: 3, d: 4)); h.add(UInt64(s.a)); h.add(s.b) } catch { h.add(9) }"
    ),
    (
      "@Sendable (Int8, Float, Bool) -> (Int16, Double)", "let i = g.next(9); return { (Int16($0) + Int16(i), $2 ? Double($1) : 0) }",
      "let r = v(-3, 2.5, true); h.add(UInt64(bitPattern: Int64(r.0))); h.add(r.1.bitPattern)"
    ),
    (
      "(Any, [Int], K?) -> K?", "let k = K(g.next(9)); return { $0 is K ? $2 : $1.isEmpty ? nil : k }",
      "h.add(UInt64(v(3, [1], nil)?.number ?? 99))"
    ),
    (
      "(Int, Int, Int, Int, Int, Int, Int, String, Double) -> (String, Bool)",
      "let i = g.next(9); return { a, b, c, d, e, f, g, s, x in (\"\\(a + b + c + d + e + f + g + i)\\(s)\\(x)\", i > 4) }",
      "let r = v(1, 2, 3, 4, 5, 6, 7, g5, 0.25); h.add(r.0); h.add(r.1 ? 1 : 0)"
    ),
    (
      "(Int128, SIMD4<Float>, SIMD8<Float>) -> SIMD4<Float>", "let i = Float(g.next(9)); return { $1 + $2.lowHalf * i + Float($0) }",
      "let r = v(5, [1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 7, 8]); for i in r.indices { h.add(UInt64(r[i])) }"
    ),
    (
      "(Mixed) -> Mixed", "let i = g.next(9); return { Mixed(code: $0.code + i, rate: $0.rate * 2, text: $0.text) }",
      "let m = v(Mixed(code: 1, rate: 0.5, text: g5)); h.add(UInt64(m.code)); h.add(m.rate.bitPattern); h.add(m.text)"
    ),
    (
      "(Fault, K) -> Fault?", "let i = g.next(3); return { i == 0 ? nil : i == 1 ? $0 : .code(Int32($1.number)) }",
      #"h.add("\(v(.text(g5), K(7)) as Any)")"#
    ),
  ]

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
