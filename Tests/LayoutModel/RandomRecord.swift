public import DynamicInvocation

/// A seeded random struct or union, which can be written both as a C declaration and as a type encoding.
///
/// This type does not know how a compiler lays it out: offsets come from the compilers only.
public final class RandomRecord: Sendable {
  /// The type of a member.
  public enum CType: Sendable {
    case scalar(TypeEncoding.Scalar)
    case complex(TypeEncoding.Scalar)
    case pointer
    indirect case array(Int, CType)
    case record(RandomRecord)
  }

  /// A member, named by its index unless it has no name.
  public enum Member: Sendable {
    case plain(CType)
    case bitField(TypeEncoding.Scalar, width: Int)
    /// An unnamed bit-field of width zero, which closes a storage unit.
    case unitEnd(TypeEncoding.Scalar)
    /// An unnamed bit-field of another width, which no encoding distinguishes from a named one.
    case padding(TypeEncoding.Scalar, width: Int)
  }

  /// An attribute or pragma around or after the declaration.
  public enum Attribute: Sendable {
    case none
    case packed
    case pragmaPack(Int)
    case aligned(Int)
    case packedAndAligned(Int)
  }

  /// The name in C.
  public let name: String
  /// Whether it is a union.
  public let isUnion: Bool
  /// The members, in order.
  public let members: [Member]
  /// The attribute of the declaration.
  public let attribute: Attribute
  /// The nesting depth of records.
  public let depth: Int
  /// Whether an encoding describes it completely: no member has an attribute.
  public let isExpressible: Bool
  /// Whether the NeXT dialect describes it completely: every bit-field has the type that the dialect assumes for it.
  public let isExpressibleInNeXT: Bool

  /// Creates a record from a generator: random numbers, or the bytes of a fuzzer's input.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - earlier: The records that its members may have as types.
  ///   - hasPadding: Whether some bit-fields have no name.
  ///   - generator: The source of all choices.
  public init(name: String, earlier: [RandomRecord], hasPadding: Bool = false, using generator: inout some RandomNumberGenerator) {
    self.name = name
    isUnion = generator.oneIn(4)
    let isNeXT = generator.oneIn(4)
    let hasBitFields = !generator.oneIn(3)
    var members: [Member] = []
    // One record in thirty is empty, which GNU C allows.
    let count = generator.oneIn(30) ? 0 : Int.random(in: 1...8, using: &generator)
    for _ in 0..<count {
      if hasBitFields, generator.oneIn(2) {
        var member = Self.bitField(isNeXT: isNeXT, using: &generator)
        if hasPadding, generator.oneIn(3), case .bitField(let container, let width) = member {
          member = .padding(container, width: width)
        }
        members.append(member)
      } else {
        members.append(.plain(Self.type(earlier: earlier, using: &generator)))
      }
    }
    self.members = members
    attribute =
      switch Int.random(in: 0..<12, using: &generator) {
      case 0, 1: .packed
      case 2, 3: .pragmaPack(generator.pick([1, 2, 4, 8, 16]))
      case 4: .aligned(generator.pick([1, 2, 4, 8, 16, 32, 64]))
      case 5: .packedAndAligned(generator.pick([2, 4, 8, 32]))
      default: .none
      }
    let inner = members.compactMap { if case .plain(let type) = $0 { Self.record(in: type) } else { nil } }
    depth = 1 + (inner.map(\.depth).max() ?? 0)
    isExpressible =
      inner.allSatisfy { if case .none = $0.attribute { $0.isExpressible } else { false } }
      && members.allSatisfy { if case .padding = $0 { false } else { true } }
    isExpressibleInNeXT =
      inner.allSatisfy(\.isExpressibleInNeXT)
      && members.allSatisfy {
        switch $0 {
        case .bitField(let container, let width): container == (width <= 32 ? .uint32 : .uint64)
        case .unitEnd(let container): container == .uint32
        case .plain: true
        case .padding: false
        }
      }
  }

  private static func record(in type: CType) -> RandomRecord? {
    switch type {
    case .record(let record): record
    case .array(_, let element): record(in: element)
    case .scalar, .complex, .pointer: nil
    }
  }

  private static func bitField(isNeXT: Bool, using generator: inout some RandomNumberGenerator) -> Member {
    if isNeXT {
      if generator.oneIn(8) { return .unitEnd(.uint32) }
      let width = generator.oneIn(4) ? Int.random(in: 33...64, using: &generator) : Int.random(in: 1...32, using: &generator)
      return .bitField(width <= 32 ? .uint32 : .uint64, width: width)
    }
    let container = generator.pick(TypeEncoding.Scalar.allCases.filter(\.isInteger))
    if generator.oneIn(8) { return .unitEnd(container) }
    // A bool has one value bit.
    return .bitField(container, width: container == .bool ? 1 : Int.random(in: 1...8 * container.size, using: &generator))
  }

  private static func type(earlier: [RandomRecord], nesting: Int = 0, using generator: inout some RandomNumberGenerator) -> CType {
    let records = earlier.filter { $0.depth < 4 }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0 where nesting < 6:
      return .array(Int.random(in: 0...5, using: &generator), type(earlier: records, nesting: nesting + 1, using: &generator))
    case 1: return .complex(generator.pick([.float, .double, .longDouble, .int8, .int32]))
    case 2: return .pointer
    case 3, 4:
      if records.isEmpty { return .pointer }
      return .record(generator.pick(records))
    default: return .scalar(generator.pick(TypeEncoding.Scalar.allCases))
    }
  }
}

extension RandomNumberGenerator {
  /// Returns true once in `count` calls, on average.
  fileprivate mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// Returns a random element.
  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: 0..<elements.count, using: &self)] }
}
