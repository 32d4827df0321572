import DynamicInvocation
import TestSupport

/// How often signatures were tried in a compilation.
struct CallCounts: Tally {
  var calls = 0
  var callbacks = 0
  /// Backends that cannot carry the signature.
  var notOnBackend = 0
  /// Signatures that a compiler itself gets wrong.
  var halved = 0
  /// Signatures that the engine refuses.
  var refused = 0

  static func += (left: inout CallCounts, right: CallCounts) {
    left.calls += right.calls
    left.callbacks += right.callbacks
    left.notOnBackend += right.notOnBackend
    left.halved += right.halved
    left.refused += right.refused
  }
}

/// A signature that the engine did not carry out as the compiler expects.
struct CallFinding: Sendable {
  /// The number that the seed gives the signature.
  let number: Int
  let signature: CallSignature
  let compilation: Compilation
  let way: Way
  let cause: Cause

  /// Who calls whom.
  enum Way: Sendable, CustomStringConvertible {
    /// The engine calls the compiler's code on a backend.
    case call(CallBackend)
    /// The compiler's code calls a closure.
    case callback
    /// The engine and the compiler's code call a callee in assembly, which stores registers and stack words.
    case registers
    /// A caller in assembly, which loads each register with given bytes, calls a closure.
    case closureRegisters
    /// All of it under emulation.
    case emulation

    var description: String {
      switch self {
      case .call(let backend): "\(backend)"
      case .callback: "closure"
      case .registers: "registers"
      case .closureRegisters: "closure registers"
      case .emulation: "emulated"
      }
    }
  }

  enum Cause: Sendable, CustomStringConvertible {
    /// A byte was wrong.
    case difference(String)
    /// The engine refused a signature that it should carry out.
    case refusal(InvocationError)

    var description: String {
      switch self {
      case .difference(let text): text
      case .refusal(let error): "refused: \(error)"
      }
    }

    /// Whether a smaller signature fails as this one does; a refusal for another reason does not count.
    func isLike(_ other: Self) -> Bool {
      switch (self, other) {
      case (.difference, .difference): true
      case (.refusal(let error), .refusal(let otherError)): error.code == otherError.code && error.reason == otherError.reason
      default: false
      }
    }
  }
}

/// Who makes the calls of a campaign: this machine or an emulated one.
protocol CallMachine: Sendable {
  /// A signature with what is made of it once for all compilations.
  associatedtype Call

  /// The command of the program, to reproduce a failure.
  static var command: String { get }

  /// Prepares a call; nil for a signature that the engine refuses as it should.
  func call(_ number: Int, _ signature: CallSignature, seed: UInt64) throws -> Call?

  /// Compiles and makes the calls, up to the first that fails.
  func finding(_ calls: [Call], by compilation: Compilation, worker: Int, counts: inout CallCounts) throws -> CallFinding?

  /// What the summary says after the number of compilations.
  var scope: String { get }

  /// What the summary says in parentheses.
  func remarks(_ counts: CallCounts) -> String
}

/// Calls of random signatures in code of compilers, until one fails or all are done.
struct CallCampaign<Machine: CallMachine> {
  private let machine: Machine
  private let source: SignatureSource
  private let count: Int
  private let compilations: [Compilation]
  private let campaign: Campaign<CallCounts, CallFinding>

  init(_ machine: Machine, source: SignatureSource, numbers: Range<Int>, compilations: [Compilation], batchSize: Int) {
    self.machine = machine
    self.source = source
    count = numbers.count
    self.compilations = compilations
    campaign = Campaign(numbers, batchSize: batchSize, unit: "signatures")
  }

  /// Runs to the end, or to the first failure.
  ///
  /// - Throws: The failure of a compiler, or of an emulated call that did not come back.
  func perform(jobs: Int) throws {
    try campaign.perform(jobs: jobs) { batch, worker in
      var counts = CallCounts()
      let calls = try batch.compactMap { number in
        try machine.call(number, source.signature(number), seed: source.seed(of: number))
      }
      counts.refused = batch.count - calls.count
      for compilation in compilations where !calls.isEmpty && !campaign.hasEnded {
        guard let finding = try machine.finding(calls, by: compilation, worker: worker, counts: &counts) else { continue }
        campaign.found(finding, at: finding.number)
        break
      }
      return counts
    }
  }

  /// One line about a run without a failure.
  var summary: String {
    "\(count) signatures x \(compilations.count) compilations \(machine.scope): no mismatch, seed \(source.seed), "
      + "\(campaign.seconds) s (\(machine.remarks(campaign.counts)))"
  }

  /// The failure and the smallest signature that still shows it; nil if there is none.
  var failureReport: String? {
    guard let finding = campaign.finding else { return nil }
    Progress.say("signature \(finding.number) fails; looking for a smaller one ...")
    defer { Progress.clear() }
    var small = finding
    var shrinker = SignatureShrinker(finding.signature) { candidate in
      guard let smaller = smaller(candidate, like: finding) else { return false }
      small = smaller
      return true
    }
    shrinker.run()
    let compilation = finding.compilation
    return """
      MISMATCH  signature \(finding.number) of seed \(source.seed)
      encoding  '\(finding.signature)'
      backend   \(finding.way)
      compiler  \(compilation)
      differs   \(finding.cause)
      again     conformance \(Machine.command) --seed \(source.seed) --only \(finding.number)\(source.options) \
      --compilers \(compilation.compiler) --optimizations \(compilation.flags.joined(separator: " ").drop { $0 == "-" })

      Shrunk in \(shrinker.attempts) steps to
      encoding  '\(small.signature)'
      differs   \(small.cause)

      \(CalleeSource([small.signature], calling: true).text)
      """
  }

  /// Calls another signature, and returns a failure of the same kind.
  private func smaller(_ signature: CallSignature, like finding: CallFinding) -> CallFinding? {
    // A value may hide a fault, so each signature is called with several.
    for seed in [source.seed(of: finding.number), 1, 2, 3] {
      var counts = CallCounts()
      guard let call = try? machine.call(finding.number, signature, seed: seed),
        let found = try? machine.finding([call], by: finding.compilation, worker: 0, counts: &counts)
      else { continue }
      if "\(found.way)" == "\(finding.way)", found.cause.isLike(finding.cause) { return found }
    }
    return nil
  }
}

/// Gives each number its signature; a seed and a number always give the same signature.
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
  /// Signatures that gcc and clang pass differently, which the engine refuses on this host, are drawn again.
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
