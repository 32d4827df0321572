public import DynamicInvocation

/// Creates random types and signatures that all C compilers accept.
public struct RandomTypes: Sendable {
  private var generator: SeededGenerator
  private let hasWholeVectors: Bool

  /// Creates a generator of types.
  ///
  /// The same seed generates the same types.
  ///
  /// - Parameter hasWholeVectors: Whether to generate 16-byte vectors, which libffi cannot pass.
  public init(seed: UInt64, hasWholeVectors: Bool = false) {
    generator = SeededGenerator(seed: seed)
    self.hasWholeVectors = hasWholeVectors
  }

  /// Returns a signature with up to `maximum` arguments.
  public mutating func signature(arguments maximum: Int = 24) -> CallSignature {
    let count =
      generator.oneIn(4) ? Int.random(in: 0...maximum, using: &generator) : Int.random(in: 0...min(10, maximum), using: &generator)
    let result = generator.oneIn(12) ? StructZoo.type("v") : type()
    // General-purpose registers run out before vector registers. Some signatures are mostly floating-point to reverse
    // that.
    let isFloating = generator.oneIn(5)
    return CallSignature(
      result,
      (0..<count).map { _ in isFloating && !generator.oneIn(4) ? StructZoo.type(generator.pick(["f", "d", "{a=ff}", "{a=dd}"])) : type() })
  }

  /// Returns signatures that a compiler passes as the engine does.
  ///
  /// - Parameter make: Makes the signature of a number; a signature that the two pass differently is made again.
  public mutating func signatures(
    _ count: Int, for compiler: CCompiler, make: (inout RandomTypes, Int) -> CallSignature = { random, _ in random.signature() }
  ) -> [CallSignature] {
    var signatures: [CallSignature] = []
    while signatures.count < count {
      let signature = make(&self, signatures.count)
      if !signature.isDisputed, !signature.isHalved(by: compiler) { signatures.append(signature) }
    }
    return signatures
  }

  /// Returns a signature of a variadic function with up to `maximum` arguments after the first.
  ///
  /// Types that C promotes are omitted, and so are types that crash gcc's callees.
  public mutating func variadicSignature(arguments maximum: Int = 24) -> CallSignature {
    let types = signature(arguments: maximum).types
    let arguments = [StructZoo.type("i")] + types.arguments.filter { !$0.isPromoted && !$0.crashesGCC }
    return CallSignature(types.result, arguments, fixedCount: 1 + arguments.count / 4)
  }

  /// Returns a signature with up to `maximum` arguments, most of them aggregates of one to five equal floating-point
  /// numbers or vectors.
  public mutating func homogeneousSignature(arguments maximum: Int) -> CallSignature {
    let result = homogeneous()
    let count = Int.random(in: 0...maximum, using: &generator)
    return CallSignature(result, (0..<count).map { _ in generator.oneIn(4) ? type() : homogeneous() })
  }

  private mutating func homogeneous() -> TypeEncoding {
    let member = generator.pick(["f", "d", "D", " ", "f", "d", vector()])
    let count = Int.random(in: 1...5, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return StructZoo.type("{a=[\(count)\(member)]}")
    case 1: return StructZoo.type("{a={b=\(member)}" + String(repeating: member, count: count - 1) + "}")
    case 2: return StructZoo.type("(u=\(member)[\(count)\(member)]{b=\(member)\(member)})")
    default: return StructZoo.type("{a=" + String(repeating: member, count: count) + "}")
    }
  }

  /// Returns a type to pass by value.
  public mutating func type() -> TypeEncoding {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<9: return StructZoo.type(scalar())
    case 9: return StructZoo.type(generator.pick(["jf", "jd", "jD", "ji", "jc", "jq", "js"]))
    case 10: return generator.oneIn(2) ? StructZoo.type(vector()) : attributed()
    case 11: return attributed()
    default: return StructZoo.type(record(depth: 3))
    }
  }

  private mutating func scalar() -> String {
    generator.pick(["c", "C", "s", "S", "i", "I", "q", "Q", "f", "d", "f", "d", "i", "q", "B", "^v", "*", "t", "T", "D", " "])
  }

  private mutating func vector() -> String {
    let halves = ["![8,8f]", "![8,8i]", "![8,8s]", "![8,8c]"]
    guard hasWholeVectors, !generator.oneIn(2) else { return generator.pick(halves) }
    return generator.pick(["![16,16f]", "![16,16d]", "![16,16i]", "![16,16q]", "![16,16s]", "![16,16c]"])
  }

  /// Returns a struct with an attribute.
  ///
  /// Some of its parts have attributes, too.
  private mutating func attributed() -> TypeEncoding {
    let count = Int.random(in: 1...4, using: &generator)
    return attributed((0..<count).map { _ in generator.oneIn(4) ? part(depth: 1) : StructZoo.type(scalar()) })
  }

  /// Returns a struct or union of members with a random attribute.
  private mutating func attributed(_ members: [TypeEncoding]) -> TypeEncoding {
    let isUnion = generator.oneIn(8)
    do {
      let type = try TypeEncoding(record: isUnion ? "u" : "a", isUnion: isUnion, members: members.map { (nil, $0) })
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1: return try type.packed()
      case 2: return try type.packed(to: generator.pick([2, 4, 8]))
      case 3: return try type.packed().aligned(to: generator.pick([2, 4, 8]))
      case 4: return try type.aligned(to: generator.pick([4, 8, 16]))
      default: return type
      }
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Returns a member: a record, bit-fields, an array or an atomic number.
  private mutating func part(depth: Int) -> TypeEncoding {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0 where depth > 0: return attributed((0..<Int.random(in: 1...2, using: &generator)).map { _ in part(depth: depth - 1) })
    case 1:
      let container = generator.pick([TypeEncoding.Scalar.uint8, .int16, .uint32, .int64])
      let bits = 8 * container.size
      return attributed(
        (0..<Int.random(in: 1...2, using: &generator)).map { _ in
          let width = generator.oneIn(2) ? bits : Int.random(in: 1...bits, using: &generator)
          return TypeEncoding(.bitField(TypeEncoding.BitField(width: width, container: container, position: nil)))
        })
    case 2: return StructZoo.type("[\(Int.random(in: 1...3, using: &generator))\(generator.pick(["c", "s", "i", "f"]))]")
    case 3 where generator.oneIn(3): return StructZoo.type("A" + generator.pick(["c", "s", "i", "q", "f", "d"]))
    default: return StructZoo.type(generator.pick(["c", "s", "i", "f", "d", "q"]))
    }
  }

  private mutating func record(depth: Int) -> String {
    let isUnion = generator.oneIn(5)
    // Most structs are small, because conventions split small ones into registers.
    let most = generator.oneIn(6) ? 8 : generator.oneIn(3) ? 4 : 2
    let count = generator.oneIn(40) ? 0 : Int.random(in: 1...most, using: &generator)
    let members = (0..<count).map { _ in member(depth: depth, inUnion: isUnion) }.joined()
    return isUnion ? "(u=\(members))" : "{s=\(members)}"
  }

  private mutating func member(depth: Int, inUnion: Bool) -> String {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<2 where depth > 0: return record(depth: depth - 1)
    case 2: return "[\(Int.random(in: 0...4, using: &generator))\(scalar())]"
    case 3 where depth > 0:
      let element = record(depth: 0)
      // clang 21 divides by zero when it looks for the member next to a _Float16 in an array of empty structs.
      if element.hasSuffix("=}") || element.hasSuffix("=)") { return element }
      return "[\(Int.random(in: 1...3, using: &generator))\(element)]"
    case 4: return "[2[\(Int.random(in: 1...3, using: &generator))\(generator.pick(["c", "s", "f", "i"]))]]"
    case 5: return generator.pick(["jf", "jd", "ji", "js", "jc"])
    case 6..<9:
      let width = generator.oneIn(6) ? Int.random(in: 33...64, using: &generator) : Int.random(in: 1...32, using: &generator)
      return "b\(width)"
    case 9 where !inUnion && generator.oneIn(3): return "b3b0b4"
    case 10 where generator.oneIn(2): return hasWholeVectors ? vector() : "![8,8f]"
    case 11..<14: return generator.pick(["f", "d", "f"])
    default: return scalar()
    }
  }
}

/// A random number generator that returns the same numbers for the same seed on every platform.
///
/// It is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). A test that prints its
/// seed is reproducible.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator {
  /// Returns true once in `count` calls, on average.
  public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// Returns a random element of a collection, which must not be empty.
  public mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: Int.random(in: 0..<elements.count, using: &self))]
  }
}
