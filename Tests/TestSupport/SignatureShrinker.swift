import DynamicInvocation

/// Reduces a failing signature to the smallest one that still fails.
public struct SignatureShrinker {
  private let fails: (CallSignature) -> Bool

  /// The smallest failing signature so far.
  public private(set) var signature: CallSignature

  /// The number of signatures that were tried.
  public private(set) var attempts: Int = 0

  /// Creates a shrinker of a failing signature.
  ///
  /// A signature that cannot be compiled or is rejected does not count as failing.
  public init(_ signature: CallSignature, fails: @escaping (CallSignature) -> Bool) {
    self.signature = signature
    self.fails = fails
  }

  /// Returns the smallest failing signature that was found.
  public static func shrunk(_ signature: CallSignature, fails: @escaping (CallSignature) -> Bool) -> CallSignature {
    var shrinker = SignatureShrinker(signature, fails: fails)
    shrinker.run()
    return shrinker.signature
  }

  /// Shrinks until no step makes the signature smaller.
  public mutating func run() {
    var isSmaller = true
    while isSmaller {
      // Arguments first: a removed argument need not be simplified.
      isSmaller = dropArguments()
      isSmaller = dropResult() || isSmaller
      isSmaller = dropEllipsis() || isSmaller
      isSmaller = simplifyTypes() || isSmaller
    }
  }

  /// Accepts a smaller signature if it fails too.
  private mutating func accept(_ smaller: CallSignature) -> Bool {
    attempts += 1
    guard fails(smaller) else { return false }
    signature = smaller
    return true
  }

  /// Removes runs of arguments: first all of them, finally single ones.
  private mutating func dropArguments() -> Bool {
    var isSmaller = false
    var length = signature.types.arguments.count
    while length > 0 {
      var start = 0
      while start < signature.types.arguments.count {
        let run = start..<min(start + length, signature.types.arguments.count)
        if accept(without(run)) { isSmaller = true } else { start += length }
      }
      length /= 2
    }
    return isSmaller
  }

  private func without(_ run: Range<Int>) -> CallSignature {
    var arguments = signature.types.arguments
    arguments.removeSubrange(run)
    // An ellipsis requires an argument before it.
    let fixed = signature.fixedCount.map { $0 - run.clamped(to: 0..<$0).count }
    return CallSignature(signature.types.result, arguments, fixedCount: fixed == 0 ? nil : fixed)
  }

  private mutating func dropResult() -> Bool {
    if case .void = signature.types.result.kind { return false }
    return accept(CallSignature(StructZoo.type("v"), signature.types.arguments, fixedCount: signature.fixedCount))
  }

  private mutating func dropEllipsis() -> Bool {
    guard signature.fixedCount != nil else { return false }
    return accept(CallSignature(signature.types.result, signature.types.arguments))
  }

  private mutating func simplifyTypes() -> Bool {
    var isSmaller = false
    for index in signature.types.arguments.indices {
      while acceptSimpler(signature.types.arguments[index], { $0.replacingArgument(index, by: $1) }) { isSmaller = true }
    }
    while acceptSimpler(signature.types.result, { $0.replacingResult(by: $1) }) { isSmaller = true }
    return isSmaller
  }

  private mutating func acceptSimpler(
    _ type: TypeEncoding, _ replace: (CallSignature, TypeEncoding) -> CallSignature
  ) -> Bool {
    for simpler in type.simplerTypes where accept(replace(signature, simpler)) { return true }
    return false
  }
}

extension CallSignature {
  fileprivate func replacingArgument(_ index: Int, by type: TypeEncoding) -> CallSignature {
    var arguments = types.arguments
    arguments[index] = type
    return CallSignature(types.result, arguments, fixedCount: fixedCount)
  }

  fileprivate func replacingResult(by type: TypeEncoding) -> CallSignature {
    CallSignature(type, types.arguments, fixedCount: fixedCount)
  }
}
