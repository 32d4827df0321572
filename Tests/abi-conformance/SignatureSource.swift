import TestSupport

/// Gives each number its signature; a seed and a number always give the same.
struct SignatureSource: Sendable {
  let seed: UInt64
  let mostArguments: Int
  /// The structs of `make proof` instead of random types, or nil.
  var enumerated: EnumeratedSignatures?

  /// Returns the signature of a number.
  ///
  /// Those that gcc and clang pass differently, which the engine refuses, are drawn again.
  func signature(_ number: Int) -> CallSignature {
    if let enumerated { return enumerated.signature(seed: seed(of: number)) }
    var random = RandomTypes(seed: seed(of: number), hasWholeVectors: true)
    while true {
      let signature =
        number % 8 == 7 && mostArguments > 0
        ? random.variadicSignature(arguments: mostArguments - 1) : random.signature(arguments: mostArguments)
      if !signature.isDisputed { return signature }
    }
  }

  /// The seed of a signature's types and values; neighbours have nothing in common.
  func seed(of number: Int) -> UInt64 {
    var generator = SeededGenerator(seed: seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
    return generator.next()
  }
}
