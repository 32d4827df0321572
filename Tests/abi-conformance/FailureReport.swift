import DynamicInvocation
import TestSupport

/// A failure, and the smallest signature that still shows it.
struct FailureReport {
  private let original: Finding
  private let small: Finding
  private let attempts: Int
  private let source: SignatureSource

  /// A value may hide a fault, so each smaller signature is called with several.
  private static let seeds: [UInt64] = [1, 2, 3]

  /// Shrinks the failure.
  init(_ finding: Finding, source: SignatureSource) {
    original = finding
    self.source = source
    Progress.say("signature \(finding.number) fails; looking for a smaller one ...")
    var last = finding
    let ownSeed = source.seed(of: finding.number)
    var shrinker = SignatureShrinker(finding.signature) { candidate in
      guard let smaller = Self.failure(of: candidate, like: finding, seeds: [ownSeed] + Self.seeds) else { return false }
      last = smaller
      return true
    }
    shrinker.run()
    Progress.clear()
    small = last
    attempts = shrinker.attempts
  }

  /// Compiles a signature and calls it in the way of the failure.
  private static func failure(of signature: CallSignature, like finding: Finding, seeds: [UInt64]) -> Finding? {
    guard !signature.isDisputed, !signature.isHalved(by: finding.compilation.compiler),
      let library = try? CalleeLibrary(once: CalleeSource([signature], calling: true), of: [signature], finding.compilation)
    else { return nil }
    for seed in seeds {
      let look = try? Finding.look(
        at: 0, of: library, number: finding.number, seed: seed, compilation: finding.compilation, ways: [finding.way])
      if let smaller = look?.finding, smaller.cause.isLike(finding.cause) { return smaller }
    }
    return nil
  }

  var text: String {
    let command = original.compilation
    return """
      MISMATCH  signature \(original.number) of seed \(source.seed)
      encoding  '\(original.signature)'
      backend      \(original.way)
      compiler  \(command)
      differs   \(original.cause)
      again     abi-conformance --seed \(source.seed) --only \(original.number)\(argumentsOption) \
      --compilers \(command.compiler) --optimizations \(command.flags.joined(separator: " ").drop { $0 == "-" })

      Shrunk in \(attempts) steps to
      encoding  '\(small.signature)'
      differs   \(small.cause)

      \(CalleeSource([small.signature], calling: true).text)
      """
  }

  private var argumentsOption: String {
    (source.mostArguments == 40 ? "" : " --arguments \(source.mostArguments)") + (source.enumerated == nil ? "" : " --enumerated")
  }
}

extension Finding.Cause: CustomStringConvertible {
  var description: String {
    switch self {
    case .difference(let text): text
    case .refusal(let error): "refused: \(error)"
    }
  }

  /// Whether a smaller signature fails as this one does, so that a refusal of something else does not pass for it.
  func isLike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.difference, .difference): true
    case (.refusal(let error), .refusal(let otherError)): error.code == otherError.code && error.reason == otherError.reason
    default: false
    }
  }
}
