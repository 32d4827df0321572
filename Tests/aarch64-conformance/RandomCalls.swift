import DynamicInvocation
import TestSupport

/// Gives each number a signature and values; a seed and a number always give the same.
struct RandomCalls: Sendable {
  let seed: UInt64
  /// Whether the types are those of Apple's platforms, without `long double`.
  var isApple = false
  /// The structs of `make proof` instead of random types, or nil.
  var enumerated: EnumeratedSignatures?

  /// The types of C one by one, alone and among others, before the random ones.
  private static let fixed: [CallSignature] = StructZoo.all.flatMap { type in
    let decayed: TypeEncoding = if case .array = type.kind { StructZoo.type("v") } else { type }
    return [CallSignature(decayed, [type]), CallSignature(decayed, Array(repeating: type, count: 10) + [StructZoo.type("c"), type])]
  }

  /// Returns the signature of a number.
  func signature(_ number: Int) -> CallSignature {
    if let enumerated { return enumerated.signature(seed: seed(of: number)) }
    if isApple { return appleSignature(number) }
    if number < Self.fixed.count { return Self.fixed[number] }
    var random = RandomTypes(seed: seed(of: number), hasWholeVectors: true)
    switch number % 8 {
    case 7: return random.variadicSignature(arguments: 39)
    case 3: return random.homogeneousSignature(arguments: 12)
    default: return random.signature(arguments: 40)
    }
  }

  /// Here `long double` has 16 bytes, on Apple's platforms 8.
  private func appleSignature(_ number: Int) -> CallSignature {
    var random = RandomTypes(seed: seed(of: number), hasWholeVectors: true)
    while true {
      let signature =
        switch number % 8 {
        case 7: random.variadicSignature(arguments: 39)
        case 3: random.homogeneousSignature(arguments: 12)
        default: random.signature(arguments: 40)
        }
      if !"\(signature)".contains("D") { return signature }
    }
  }

  /// The seed of a signature's types and values; neighbours have nothing in common.
  func seed(of number: Int) -> UInt64 {
    var generator = SeededGenerator(seed: seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
    return generator.next()
  }
}

extension EnumeratedSignatures {
  /// The functions over the structs of a platform.
  static func over(_ isApple: Bool) -> EnumeratedSignatures {
    isApple ? EnumeratedSignatures(EnumeratedRecords(EnumeratedRecords.scalarsOfApple)) : EnumeratedSignatures()
  }
}
