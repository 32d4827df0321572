public import DynamicInvocation

/// All structs of one to four fields over a list of scalar types, followed by a grid of other shapes.
///
/// A number identifies a struct, so that a run can be divided and repeated. The grid contains nested structs, arrays,
/// unions, bit-fields, and structs with the attributes `packed` and `aligned`.
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

  /// The number of structs of one or two scalars, which come before those of more.
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
    var hints = TypeEncoding.LayoutHints()
    hints.bitFieldType = shape.container
    var type = try MethodTypes("{?=\(shape.text)}", blankIsFloat16: true, hints: hints).result
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
    return shapes + bitFields(scalars)
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
