public import DynamicInvocation

/// All structs of one to four fields over a list of scalar types, followed by a grid of other shapes.
///
/// A number identifies a struct, so that a run can be divided and repeated. The grid contains nested structs, arrays,
/// unions, bit-fields, structs with the attributes `packed` and `aligned`, and such structs in each other, so that parts
/// of each kind are at offsets that are not multiples of their alignment.
public struct EnumeratedRecords: Sendable {
  /// The scalars: one type for each class, size and alignment of an argument.
  ///
  /// Left out are types that no convention distinguishes from one of these as a field: unsigned integers, `_Bool`, and
  /// pointers, which are integers of their size.
  public static let scalars: [String] = ["c", "s", "i", "q", "t", " ", "f", "d", "D"]

  /// The scalars for Apple's 64-bit Arm platforms, where `long double` is `double`.
  public static let scalarsOfApple: [String] = scalars.filter { $0 != "D" }

  /// A struct as text, with what an encoding cannot express.
  private struct Shape: Sendable {
    var text: String
    var packing: Int?
    var alignment: Int?
    var container: TypeEncoding.Scalar?
  }

  private let scalars: [String]
  private let grid: [Shape]

  /// The number of structs of scalars only, which come first.
  public let flatCount: Int

  /// The number of structs of one or two scalars, which come before larger ones.
  public var briefCount: Int { scalars.count * (1 + scalars.count) }

  /// The number of structs.
  public var count: Int { flatCount + grid.count }

  /// Enumerates the structs over the given scalars.
  public init(_ scalars: [String] = Self.scalars) {
    self.scalars = scalars
    flatCount = (1...4).reduce(0) { total, fields in total + (0..<fields).reduce(1) { product, _ in product * scalars.count } }
    grid = Self.grid(scalars)
  }

  /// Returns a struct.
  ///
  /// - Parameter number: A number less than ``count``; the structs with fewer fields have lower numbers.
  public func type(_ number: Int) throws -> TypeEncoding {
    guard number >= flatCount else { return try TypeEncoding("{?=\(flatMembers(number))}", blankIsFloat16: true) }
    let shape = grid[number - flatCount]
    var type = try StructZoo.types("{?=\(shape.text)}", bitFieldType: shape.container).result
    if let packing = shape.packing { type = try type.packed(to: packing) }
    if let alignment = shape.alignment { type = try type.aligned(to: alignment) }
    return type
  }

  /// The digits of a number in the base of the number of scalars, after the structs with fewer fields.
  private func flatMembers(_ number: Int) -> String {
    var rest = number
    var (fields, structs) = (1, scalars.count)
    while rest >= structs {
      rest -= structs
      fields += 1
      structs *= scalars.count
    }
    var members = ""
    for _ in 0..<fields {
      members += scalars[rest % scalars.count]
      rest /= scalars.count
    }
    return members
  }

  private static func grid(_ scalars: [String]) -> [Shape] {
    var shapes: [Shape] = []
    for a in scalars {
      for text in ["[2\(a)]", "[3\(a)]", "[4\(a)]", "[5\(a)]", "{x=\(a)}", "{x={y=\(a)}}", "[1{x=\(a)}]"] {
        shapes.append(Shape(text: text))
      }
      for alignment in [2, 8, 16, 32] { shapes.append(Shape(text: a, alignment: alignment)) }
      shapes.append(Shape(text: a, packing: 1))
      for b in scalars {
        for text in ["[2\(a)]\(b)", "\(a)[2\(b)]", "[2{x=\(a)\(b)}]", "(u=\(a)\(b))", "(u=[2\(a)]\(b))"] {
          shapes.append(Shape(text: text))
        }
        for packing in [1, 2, 4, 8] { shapes.append(Shape(text: a + b, packing: packing)) }
        for alignment in [8, 16, 32] { shapes.append(Shape(text: a + b, alignment: alignment)) }
        shapes.append(Shape(text: a + b, packing: 1, alignment: 8))
        for c in scalars {
          for text in ["{x=\(a)\(b)}\(c)", "\(a){x=\(b)\(c)}", "(u=\(a)\(b))\(c)", "\(a)(u=\(b)\(c))"] {
            shapes.append(Shape(text: text))
          }
          shapes.append(Shape(text: a + b + c, packing: 1))
        }
      }
    }
    return shapes + bitFields(scalars) + nested(scalars)
  }

  /// Parts of each kind, alone, in an array and in a second level, in structs that may place them at any offset.
  private static func nested(_ scalars: [String]) -> [Shape] {
    let (few, fewer) = (scalars.filter { "csiqfd ".contains($0) }, scalars.filter { "csfd".contains($0) })
    var parts: [(text: String, container: TypeEncoding.Scalar?)] = []
    for a in few {
      parts += ["{x=\(a)}", "(u=\(a)c)", "{x=A\(a)}", "{p1=\(a)}", "{a4=\(a)}"].map { ($0, nil) }
      for b in ["c", "f"] { parts += ["{x=\(a)\(b)}", "{p2=\(b)\(a)}"].map { ($0, nil) } }
    }
    for text in ["{a2=c}", "{a8=c}", "{a16=c}", "{pa=sc}", "(a4=c)", "[2s]", "[3c]", "[2f]", "[2{x=s}]", "[2As]", "Ai", "A^v"] {
      parts.append((text, nil))
    }
    for container in [TypeEncoding.Scalar.uint8, .uint16, .uint32, .uint64] {
      let bits = 8 * container.size
      for widths in [[bits], [bits / 2, bits / 2], [bits, 3], [3, bits / 2], [bits / 2 + 1]] {
        let text = widths.map { "b\($0)" }.joined()
        parts += ["{x=\(text)}", "(u=\(text))", "{p1=\(text)}", "{p2=\(text)}"].map { ($0, container) }
      }
    }
    var shapes: [Shape] = []
    func add(_ text: String, _ container: TypeEncoding.Scalar?, _ packings: [Int?]) {
      for packing in packings { shapes.append(Shape(text: text, packing: packing, container: container)) }
    }
    for (part, container) in parts {
      add(part, container, [nil, 1])
      add("[2\(part)]", container, [nil, 1])
      for a in fewer {
        for text in ["\(a)\(part)", "\(part)\(a)"] { add(text, container, [nil, 1, 2]) }
        add("\(a)[1\(part)]c", container, [1])
        // The second level: the part at any offset in a part at any offset.
        for inner in ["{m=\(part)}", "{m=c\(part)}", "{p1=c\(part)}", "(m=\(part)c)", "{a4=\(part)}"] {
          add("\(a)\(inner)", container, [nil, 1])
        }
      }
      shapes.append(Shape(text: part, alignment: 16, container: container))
      shapes.append(Shape(text: "c\(part)", packing: 1, alignment: 8, container: container))
    }
    return shapes
  }

  /// Pairs of bit-fields of each integer type, alone, before and after each scalar.
  private static func bitFields(_ scalars: [String]) -> [Shape] {
    [TypeEncoding.Scalar.uint8, .uint16, .uint32, .uint64].flatMap { container in
      let bits = 8 * container.size
      let widths = [1, bits / 2 + 1, bits]
      return widths.flatMap { first in
        widths.flatMap { second in
          let pair = "b\(first)b\(second)"
          return ([pair] + scalars.flatMap { [$0 + pair, pair + $0, "b\(first)\($0)b\(second)"] }).flatMap { text in
            [nil, 1].map { Shape(text: text, packing: $0, container: container) }
          }
        }
      }
    }
  }
}

/// Functions with a struct of ``EnumeratedRecords`` as an argument and as the result, after arguments that occupy
/// registers, and before an `int` and a `double` that show which registers are left.
public struct EnumeratedSignatures: Sendable {
  private let records: EnumeratedRecords

  /// Creates the functions over the structs.
  public init(_ records: EnumeratedRecords = EnumeratedRecords()) { self.records = records }

  /// Returns a function with a random struct and from 0 to 8 registers of each kind in use.
  ///
  /// The same seed gives the same function.
  public func signature(seed: UInt64) -> CallSignature {
    var generator = SeededGenerator(seed: seed)
    let number = Int.random(in: 0..<records.count, using: &generator)
    guard let type = try? records.type(number) else { preconditionFailure("a struct of the enumeration that cannot be parsed") }
    let general = Array(repeating: StructZoo.type("q"), count: .random(in: 0...8, using: &generator))
    let vector = Array(repeating: StructZoo.type("d"), count: .random(in: 0...8, using: &generator))
    return CallSignature(type, general + vector + [type, StructZoo.type("i"), StructZoo.type("d")])
  }
}
