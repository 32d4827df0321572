import CDeclarations
import DynamicInvocation

/// Look-ups among more signatures.
enum SignatureGrowth {
  /// The number of letters after the beginning of each text.
  private static let letters = 6

  /// The signatures that are in use, which keeps the engine's table of them from dropping any.
  ///
  /// The benchmark creates them on one thread.
  nonisolated(unsafe) private static var known: [MethodSignature] = []

  /// Returns the lanes of a look-up among a number of signatures; the number must not decrease.
  static func signatures(_ count: Int, rivals: Bool) throws -> [GrowthLane] {
    precondition(count >= known.count, "the sizes of this curve ascend")
    while known.count < count { known.append(try MethodSignature(types: text(known.count))) }
    let texts = GrowthSample.indices(of: count).map(text)
    let arguments = 2 + letters
    let own = [
      GrowthLane("signature", expecting: Double(arguments)) { operations in
        var sum = 0
        try ProxyGrowth.inTurn(texts, operations) { sum += try MethodSignature(types: $0).numberOfArguments }
        return Double(sum)
      }
    ]
    guard rivals else { return own }
    let dictionary = Dictionary(uniqueKeysWithValues: known.prefix(count).enumerated().map { (text($0), $1) })
    return own + [
      GrowthLane("dictionary", expecting: Double(arguments)) { operations in
        var sum = 0
        ProxyGrowth.inTurn(texts, operations) { sum += dictionary[$0]?.numberOfArguments ?? 0 }
        return Double(sum)
      }
    ]
  }

  /// Returns the lane of reading a number of typedefs, each of a function that takes the one before twice, and their
  /// comparison.
  static func declarations(_ count: Int) -> [GrowthLane] {
    func types(_ letter: String) -> String {
      // Names of equal length, so that the text grows with the number.
      func name(_ number: Int) -> String { "\(letter)\(1_000 + number)" }
      return "typedef int \(name(0));\n"
        + (0..<count).map { "typedef \(name($0)) (*\(name($0 + 1)))(\(name($0)), \(name($0)));\n" }.joined()
    }
    let text = types("T") + types("U") + "extern T\(1_000 + count) x;\nextern U\(1_000 + count) x;\n"
    return [
      GrowthLane("declarations", expecting: 1) { operations in
        var sum = 0
        for _ in 0..<operations { sum += try CDeclarations(text).variables.names.count }
        return Double(sum)
      }
    ]
  }

  /// Returns the text of a method's types, another one for each number below a million.
  private static func text(_ number: Int) -> String {
    let codes = Array("csiqfdCSIQ")
    var text = "v@:"
    var rest = number
    for _ in 0..<letters {
      text.append(codes[rest % codes.count])
      rest /= codes.count
    }
    return text
  }
}
