import TestSupport

/// Random Swift types, with the source of functions that make and compare their values.
struct GeneratedTypes {
  /// A type: its spelling, and whether it is written in parentheses before a question mark.
  struct Spelling: Hashable {
    var text: String
    var isCompound = false

    var optional: String { isCompound ? "(\(text))?" : text + "?" }
  }

  /// The source: declarations, and for each type `sampleN` and `digestN`.
  private(set) var source = ""
  private var generator: SeededGenerator
  private var names: [String] = []
  private var numbers: [String: Int] = [:]
  private let isResilient: Bool

  init(seed: UInt64, isResilient: Bool) {
    generator = SeededGenerator(seed: seed)
    self.isResilient = isResilient
    for (text, sample, digest) in Self.scalars { define(text, sample: sample, digest: digest) }
  }

  mutating func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  /// Returns a random type.
  mutating func type(depth: Int = 0) -> Spelling {
    var type: Spelling
    switch random(100) {
    case ..<45: type = scalar()
    case ..<75 where !names.isEmpty: type = Spelling(text: names[random(names.count)])
    case ..<90 where depth < 3:
      let elements = (0..<2 + random(3)).map { _ in self.type(depth: depth + 1) }
      type = Spelling(text: "(" + elements.map(\.text).joined(separator: ", ") + ")")
      defineTuple(type.text, elements)
    default: type = scalar()
    }
    guard random(5) == 0 else { return type }
    let inner = type
    type = Spelling(text: type.optional)
    defineOptional(type.text, of: inner.text)
    return type
  }

  private mutating func scalar() -> Spelling {
    let (text, _, _) = Self.scalars[random(Self.scalars.count)]
    return Spelling(text: text, isCompound: text.contains("any ") || text.contains("->"))
  }

  /// Declares a struct, an enum or a class with fields of random types.
  mutating func declare() {
    let name = "T\(names.count)"
    let frozen = isResilient ? "@frozen " : ""
    if random(3) < 2 {
      let fields = (0..<[0, 1, 1, 2, 2, 3, 3, 4, 5, 6][random(10)]).map { _ in type() }
      source += "\(frozen)public struct \(name) {\n"
      for (index, field) in fields.enumerated() { source += "  public var f\(index): \(field.text)\n" }
      source += "}\n"
      let arguments = fields.enumerated().map { "f\($0): \(sample($1.text))" }.joined(separator: ", ")
      let digests = fields.enumerated().map { digest($1.text, "v.f\($0)") }.joined(separator: "; ")
      define(name, sample: "\(name)(\(arguments))", digest: digests)
    } else {
      let count = [1, 2, 2, 3, 4, 9, 300][random(7)]
      var cases: [[Spelling]] = (0..<min(count, random(4))).map { _ in (0..<1 + random(2)).map { _ in type() } }
      cases += Array(repeating: [], count: count - cases.count)
      source += "\(frozen)public enum \(name) {\n"
      var samples = ""
      var digests = ""
      for (index, payload) in cases.enumerated() {
        let list = payload.map(\.text).joined(separator: ", ")
        source += "  case c\(index)" + (payload.isEmpty ? "\n" : "(\(list))\n")
        let values = payload.map { sample($0.text) }.joined(separator: ", ")
        samples += "case \(index): return .c\(index)" + (payload.isEmpty ? "\n" : "(\(values))\n")
        let bound = payload.indices.map { "let p\($0)" }.joined(separator: ", ")
        let parts = payload.enumerated().map { "; " + digest($1.text, "p\($0)") }.joined()
        digests += "case .c\(index)" + (payload.isEmpty ? "" : "(\(bound))") + ": h.add(\(index))" + parts + "\n"
      }
      source += "}\n"
      define(
        name, sample: "{ () -> \(name) in switch g.next(\(count)) {\n\(samples)default: fatalError() } }()",
        digest: "switch v {\n\(digests)}")
    }
    names.append(name)
  }

  /// An expression that makes a value of a type from the generator `g`.
  func sample(_ type: String) -> String { "sample\(numbers[type] ?? -1)(&g)" }

  /// A statement that adds a value of a type to the digest `h`.
  func digest(_ type: String, _ value: String) -> String { "digest\(numbers[type] ?? -1)(\(value), &h)" }

  private mutating func define(_ type: String, sample: String, digest: String) {
    guard numbers[type] == nil else { return }
    let number = numbers.count
    numbers[type] = number
    source += "func sample\(number)(_ g: inout G) -> \(type) { \(sample) }\n"
    source += "func digest\(number)(_ v: \(type), _ h: inout H) { \(digest) }\n"
  }

  private mutating func defineTuple(_ type: String, _ elements: [Spelling]) {
    define(
      type, sample: "(" + elements.map { sample($0.text) }.joined(separator: ", ") + ")",
      digest: elements.enumerated().map { digest($1.text, "v.\($0)") }.joined(separator: "; "))
  }

  private mutating func defineOptional(_ type: String, of inner: String) {
    define(
      type, sample: "g.next(3) == 0 ? nil : \(sample(inner))",
      digest: "if let v { h.add(1); \(digest(inner, "v")) } else { h.add(0) }")
  }

  /// Types of the standard library and of the prelude: the spelling, a value, and its digest.
  static let scalars: [(String, String, String)] =
    ["Int", "Int8", "Int16", "Int32", "UInt64", "UInt8", "UInt16", "UInt32", "Int128", "UInt128"].map {
      ($0, "\($0)(truncatingIfNeeded: g.wide())", "h.add(UInt64(truncatingIfNeeded: v)); h.add(UInt64(truncatingIfNeeded: v >> 7))")
    }
    + ["Float", "Double", "Float", "Double"].map { ($0, "\($0)(g.next(1 << 20))", "h.add(UInt64(v.bitPattern))") }
    + ["SIMD2<Float>", "SIMD4<Float>", "SIMD2<Double>", "SIMD3<Double>", "SIMD8<Float>"].map {
      (
        $0, "{ var v = \($0)(); for i in v.indices { v[i] = .init(g.next(1 << 20)) }; return v }()",
        "for i in v.indices { h.add(UInt64(v[i])) }"
      )
    }
    + ["SIMD16<UInt8>", "SIMD4<Int8>", "SIMD8<Int16>", "SIMD8<Int32>"].map {
      (
        $0, "{ var v = \($0)(); for i in v.indices { v[i] = .init(g.next(100)) }; return v }()",
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
      ("[String: Int]", "[g.text(): g.next(99)]", "for (k, x) in v { h.add(k); h.add(UInt64(x)) }"),
      ("Set<Int>", "[g.next(9), g.next(99)]", "h.add(UInt64(v.reduce(v.count, +)))"),
      ("Range<Int>", "g.next(9)..<20 + g.next(9)", "h.add(UInt64(v.lowerBound)); h.add(UInt64(v.upperBound))"),
      ("ClosedRange<Int8>", "Int8(g.next(9))...Int8(20 + g.next(9))", "h.add(UInt64(v.lowerBound)); h.add(UInt64(v.upperBound))"),
      ("K", "K(g.next(1000))", "h.add(UInt64(v.number))"),
      ("AnyObject", "K(g.next(1000))", "h.add(UInt64((v as! K).number))"),
      ("any P", "g.next(2) == 0 ? K(g.next(1000)) as any P : S(a: g.next(99), b: g.text(), c: 1, d: 2)", "h.add(UInt64(v.number))"),
      ("any PA", "K(g.next(1000))", "h.add(UInt64(v.number))"),
      ("any Error", "Oops(code: g.next(1000))", "h.add(UInt64((v as! Oops).code))"),
      ("Any", "g.next(2) == 0 ? g.next(99) as Any : g.text()", #"h.add("\(v)")"#),
      ("Any.Type", "g.next(2) == 0 ? Int.self as Any.Type : K.self", #"h.add("\(v)")"#),
      ("K.Type", "K.self", #"h.add("\(v)")"#),
      ("Int.Type", "Int.self", "h.add(1)"),
      ("(Int) -> Int", "{ let n = g.next(99); return { $0 + n } }()", "h.add(UInt64(v(1)))"),
      ("UnsafeRawPointer?", "UnsafeRawPointer(bitPattern: g.next(1 << 40))", "h.add(UInt64(UInt(bitPattern: v)))"),
      ("AnyHashable", "AnyHashable(g.next(99))", #"h.add("\(v)")"#),
      ("Result<Int, any Error>", "g.next(2) == 0 ? .success(g.next(99)) : .failure(Oops(code: 7))", #"h.add("\(v)")"#),
      ("Duration", "Duration.seconds(g.next(99))", #"h.add("\(v)")"#),
      ("KeyPath<K, Int>", #"\K.number"#, "h.add(UInt64(K(7)[keyPath: v]))"),
      ("ContiguousArray<String>", "[g.text(), g.text()]", "for s in v { h.add(s) }"),
    ]

  /// The declarations that all generated libraries begin with.
  static let prelude = #"""
    public protocol P { var number: Int { get } }
    public protocol PA: AnyObject { var number: Int { get } }
    open class K: P, PA { public let number: Int; public init(_ number: Int) { self.number = number; alive += 1 }; deinit { alive -= 1 } }
    public struct S: P { public var a: Int, b: String, c: Int, d: Int; public var number: Int { a } }
    public struct Oops: Error { public var code: Int }
    public struct Mixed: Error { public var code: Int; public var rate: Double; public var text: String }
    nonisolated(unsafe) public var alive = 0
    nonisolated(unsafe) var seen: UInt64 = 0
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

    """#
}
