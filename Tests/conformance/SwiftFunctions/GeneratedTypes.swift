import TestSupport

/// Random Swift types, with the source of functions that make and compare their values.
struct GeneratedTypes {
  /// A type: its spelling, and whether it is written in parentheses before a question mark.
  struct Spelling: Hashable {
    var text: String
    var isCompound = false

    static let void = Spelling(text: "Void")

    /// Whether it is the type of a closure, which is passed without escaping unless stated otherwise.
    var isFunction: Bool { isCompound && text.contains("->") }

    var optional: String { isCompound ? "(\(text))?" : text + "?" }

    /// Whether the type has another representation in generic code, or contains such a type outside of a declared type.
    var isReabstracted: Bool { text.contains("->") || text.contains("Int.Type") }
  }

  /// The declarations, and for each type `sampleN` and `digestN`.
  private(set) var source = ""
  /// The types in the order of their numbers.
  private(set) var all: [String] = []
  private var generator: SeededGenerator
  private(set) var names: [String] = []
  /// The types of parameters and results: few enough that the functions need most of the compiler's time.
  private var pool: [Spelling] = []
  private var numbers: [String: Int] = [:]
  private let isResilient: Bool
  /// The closures among the types.
  private let functions: Set<String> = Set(Self.closures.map(\.0))

  /// Declares a number of types, and invents five times as many types that are made of them.
  init(seed: UInt64, count: Int, isResilient: Bool) {
    generator = SeededGenerator(seed: seed)
    self.isResilient = isResilient
    define("Void", sample: "()", digest: "")
    for (text, sample, digest) in Self.scalars { define(text, sample: sample, digest: digest) }
    for _ in 0..<count { declare() }
    pool = names.map { Spelling(text: $0) }
    for _ in 0..<5 * count { pool.append(type()) }
  }

  /// Continues with the numbers of another seed.
  mutating func reseed(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  /// The number of a type.
  func number(_ type: String) -> Int { numbers[type] ?? -1 }

  /// An expression that makes a value of a type from the generator `g`.
  func sample(_ type: String) -> String { "sample\(number(type))(&g)" }

  /// A statement that adds a value of a type to the digest `h`.
  func digest(_ type: String, _ value: String) -> String { "digest\(number(type))(\(value), &h)" }

  // MARK: Types

  /// Returns a random type.
  mutating func type(depth: Int = 0) -> Spelling {
    var type: Spelling
    switch random(100) {
    case ..<40: type = scalar()
    case ..<65 where !names.isEmpty: type = Spelling(text: names[random(names.count)])
    case ..<78 where depth < 3:
      let elements = (0..<2 + random(3)).map { _ in self.type(depth: depth + 1) }
      type = Spelling(text: "(" + elements.map(\.text).joined(separator: ", ") + ")")
      define(
        type.text, sample: "(" + elements.map { sample($0.text) }.joined(separator: ", ") + ")",
        digest: elements.enumerated().map { digest($1.text, "v.\($0)") }.joined(separator: "; "))
    case ..<92 where depth < 2: type = generic(depth)
    default: type = scalar()
    }
    // A value with another representation in generic code is not converted in an optional, unless it is a closure.
    guard random(5) == 0, type.isFunction || !type.isReabstracted else { return type }
    return optional(of: type)
  }

  /// The optional of a type.
  mutating func optional(of type: Spelling) -> Spelling {
    let optional = Spelling(text: type.optional)
    define(
      optional.text, sample: "g.next(3) == 0 ? nil : \(sample(type.text))",
      digest: "if let v { h.add(1); \(digest(type.text, "v")) } else { h.add(0) }")
    return optional
  }

  /// Returns a random type that a call by name can pass.
  ///
  /// - Parameters:
  ///   - isStored: Whether the callee writes the value, as a result and an `inout` parameter.
  ///   - isVariable: Whether the callee receives the caller's variable.
  mutating func passable(isStored: Bool = false, isVariable: Bool = false) -> Spelling {
    while true {
      let type = pool[random(pool.count)]
      if isVariable, type.text.contains("->") { continue }
      if !(type.text.contains("Int.Type") && (isStored || type.text.contains("?"))) { return type }
    }
  }

  private mutating func scalar() -> Spelling {
    let (text, _, _) = Self.scalars[random(Self.scalars.count)]
    return Spelling(text: text, isCompound: text.contains("any ") || functions.contains(text))
  }

  /// An instance of a generic type.
  private mutating func generic(_ depth: Int) -> Spelling {
    var first = type(depth: depth + 1)
    var second = type(depth: depth + 1)
    if first.isReabstracted { first = Spelling(text: "String") }
    if second.isReabstracted { second = Spelling(text: "Int16") }
    let (a, b) = (first.text, second.text)
    let text: String
    switch random(8) {
    case 0:
      text = "[\(a)]"
      define(
        text, sample: "(0..<g.next(3)).map { _ in \(sample(a)) }", digest: "h.add(UInt64(v.count)); for x in v { \(digest(a, "x")) }")
    case 1:
      text = "[String: \(a)]"
      define(text, sample: "[g.text(): \(sample(a))]", digest: "for (k, x) in v { h.add(k); \(digest(a, "x")) }")
    case 2:
      text = "Box<\(a)>"
      define(text, sample: "Box(a: \(sample(a)))", digest: digest(a, "v.a"))
    case 3:
      text = "Pair<\(a), \(b)>"
      define(text, sample: "Pair(a: \(sample(a)), b: \(sample(b)))", digest: digest(a, "v.a") + "; " + digest(b, "v.b"))
    case 4:
      text = "Either<\(a), \(b)>"
      define(
        text, sample: "g.next(2) == 0 ? .left(\(sample(a))) : .right(\(sample(b)))",
        digest: "switch v { case .left(let x): h.add(1); \(digest(a, "x"))\ncase .right(let x): h.add(2); \(digest(b, "x")) }")
    case 5:
      text = "Cell<\(a)>"
      define(text, sample: "Cell(\(sample(a)))", digest: digest(a, "v.a"))
    case 6:
      text = "Result<\(a), Oops>"
      define(
        text, sample: "g.next(2) == 0 ? .success(\(sample(a))) : .failure(Oops(code: 7))",
        digest: "switch v { case .success(let x): h.add(1); \(digest(a, "x"))\ncase .failure(let e): h.add(UInt64(e.code)) }")
    default:
      text = "Tree<\(a)>"
      define(
        text, sample: "g.next(2) == 0 ? .leaf : .node(.leaf, \(sample(a)))",
        digest: "switch v { case .leaf: h.add(1)\ncase .node(_, let x): h.add(2); \(digest(a, "x")) }")
    }
    return Spelling(text: text)
  }

  // MARK: Declarations

  /// Declares a struct or an enum with fields of random types.
  private mutating func declare() {
    let name = "T\(names.count)"
    if random(3) < 2 { declareStruct(name) } else { declareEnum(name) }
    names.append(name)
  }

  private var frozen: String { isResilient ? "@frozen " : "" }

  private mutating func declareStruct(_ name: String) {
    let fields = (0..<[0, 1, 1, 2, 2, 3, 3, 4, 5, 6][random(10)]).map { _ in type() }
    let reference = [nil, "weak var r: K?", "unowned var r: K", "unowned(unsafe) var r: K"][max(0, random(24) - 20)]
    source += "\(frozen)public struct \(name) {\n"
    for (index, field) in fields.enumerated() { source += "  public var f\(index): \(field.text)\n" }
    if let reference { source += "  public \(reference)\n" }
    source += "}\n"
    var arguments = fields.enumerated().map { "f\($0): \(sample($1.text))" }
    var digests = fields.enumerated().map { digest($1.text, "v.f\($0)") }
    if reference != nil {
      arguments.append("r: keeper")
      digests.append("h.add(v.r === keeper ? 1 : 0)")
    }
    define(name, sample: "\(name)(\(arguments.joined(separator: ", ")))", digest: digests.joined(separator: "; "))
  }

  private mutating func declareEnum(_ name: String) {
    let count = [1, 2, 2, 3, 4, 9, 300][random(7)]
    var cases: [[Spelling]] = (0..<min(count, random(4))).map { _ in (0..<1 + random(2)).map { _ in type() } }
    cases += Array(repeating: [], count: count - cases.count)
    source += "\(frozen)public enum \(name) {\n"
    var samples = ""
    var digests = ""
    for (index, payload) in cases.enumerated() {
      let list = payload.map(\.text).joined(separator: ", ")
      let indirect = !payload.isEmpty && random(6) == 0 ? "indirect " : ""
      source += "  \(indirect)case c\(index)" + (payload.isEmpty ? "\n" : "(\(list))\n")
      let values = payload.map { sample($0.text) }.joined(separator: ", ")
      samples += "case \(index): return .c\(index)" + (payload.isEmpty ? "\n" : "(\(values))\n")
      let bound = payload.indices.map { "let p\($0)" }.joined(separator: ", ")
      let parts = payload.enumerated().map { "; " + digest($1.text, "p\($0)") }.joined()
      digests += "case .c\(index)" + (payload.isEmpty ? "" : "(\(bound))") + ": h.add(\(index))" + parts + "\n"
    }
    source += "}\n"
    define(
      name, sample: "switch g.next(\(count)) {\n\(samples)default: fatalError() }", digest: "switch v {\n\(digests)}")
  }

  private mutating func define(_ type: String, sample: String, digest: String) {
    guard numbers[type] == nil else { return }
    let number = numbers.count
    numbers[type] = number
    all.append(type)
    source += "@_optimize(none) func sample\(number)(_ g: inout G) -> \(type) { \(sample) }\n"
    source += "@_optimize(none) func digest\(number)(_ v: \(type), _ h: inout H) { \(digest) }\n"
  }

  // MARK: Source

  /// The table of all types.
  var table: String {
    // One generic function makes the closures of all rows, since the compiler needs long for each closure.
    let rows = all.enumerated().map { number, type in
      let digest = functions.contains(type) ? "{ digest\(number)($0, &$1) }" : "digest\(number)"
      return "  add(&list, sample\(number), \(digest))\n"
    }
    return """
      public typealias TypeRow = (type: Any.Type, sample: (UInt64) -> Any, digest: (Any) -> UInt64)
      func add<T>(_ list: inout [TypeRow], _ sample: @escaping (inout G) -> T, _ digest: @escaping (T, inout H) -> Void) {
        list.append(
          (
            T.self,
            { seed in
              var g = G(state: seed)
              _ = g.bits()
              return sample(&g)
            },
            { value in
              var h = H()
              digest(value as! T, &h)
              return h.state
            }
          ))
      }
      @_silgen_name("conformance_types") public func typeRows() -> [TypeRow] {
        var list: [TypeRow] = []
      \(rows.joined())  return list
      }

      """
  }

  /// The declarations that all generated libraries begin with.
  var prelude: String { Self.prelude.replacing("@frozen ", with: frozen) }
}
