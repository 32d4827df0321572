import DynamicInvocation
import TestSupport

/// Gives each number its signature; a seed and a number always give the same.
struct SignatureSource: Sendable {
  /// Whose types they are.
  enum Platform: Sendable {
    case host, aarch64
    /// Apple's platforms, where `long double` has 8 bytes, and so is left out.
    case apple
  }

  let seed: UInt64
  let mostArguments: Int
  private let platform: Platform
  /// The structs of `make proof` instead of random types, or nil.
  private let enumerated: EnumeratedSignatures?

  init(seed: UInt64, platform: Platform, mostArguments: Int, isEnumerated: Bool) {
    self.seed = seed
    self.platform = platform
    self.mostArguments = mostArguments
    let records = platform == .apple ? EnumeratedRecords(EnumeratedRecords.scalarsOfApple) : EnumeratedRecords()
    enumerated = isEnumerated ? EnumeratedSignatures(records) : nil
  }

  /// The options that give the same signatures, besides the seed.
  var options: String {
    (mostArguments == 40 ? "" : " --arguments \(mostArguments)") + (enumerated == nil ? "" : " --enumerated")
  }

  /// The types of C one by one, alone and among others, before the random ones of AArch64.
  private static let fixed: [CallSignature] = StructZoo.all.flatMap { type in
    let decayed: TypeEncoding = if case .array = type.kind { StructZoo.type("v") } else { type }
    return [CallSignature(decayed, [type]), CallSignature(decayed, Array(repeating: type, count: 10) + [StructZoo.type("c"), type])]
  }

  /// Returns the signature of a number.
  ///
  /// Those that gcc and clang pass differently, which the engine refuses on this host, are drawn again.
  func signature(_ number: Int) -> CallSignature {
    if let enumerated { return enumerated.signature(seed: seed(of: number)) }
    if platform == .aarch64, number < Self.fixed.count { return Self.fixed[number] }
    var random = RandomTypes(seed: seed(of: number), hasWholeVectors: true)
    while true {
      let signature =
        switch number % 8 {
        case 7 where mostArguments > 0: random.variadicSignature(arguments: mostArguments - 1)
        case 3 where platform != .host: random.homogeneousSignature(arguments: min(12, mostArguments))
        default: random.signature(arguments: mostArguments)
        }
      switch platform {
      case .host where signature.isDisputed, .apple where "\(signature)".contains("D"): continue
      case .host, .aarch64, .apple: return signature
      }
    }
  }

  /// The seed of a signature's types and values; neighbours have nothing in common.
  func seed(of number: Int) -> UInt64 {
    var generator = SeededGenerator(seed: seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
    return generator.next()
  }
}
