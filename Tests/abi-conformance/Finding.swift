import DynamicInvocation
import TestSupport

/// A signature that the engine did not carry out as the compiler expects.
struct Finding: Sendable {
  /// The number that the seed gives the signature.
  let number: Int
  let signature: CallSignature
  let compilation: Compilation
  let lane: CallLane
  let cause: Cause

  enum Cause: Sendable {
    /// A byte was wrong.
    case difference(String)
    /// The engine refused a signature that it should carry out.
    case refusal(InvocationError)
  }

  /// Looks for a finding in one callee of a library.
  ///
  /// - Returns: A finding, or nil; and on how many lanes the callee was called.
  static func look(
    at index: Int, of library: CalleeLibrary, number: Int, seed: UInt64, compilation: Compilation,
    lanes: [CallLane] = CalleeLibrary.lanes
  ) throws -> (finding: Finding?, lanes: Int) {
    var called = 0
    for lane in lanes {
      let cause: Cause
      do {
        switch try library.outcome(of: index, seed: seed, lane: lane) {
        case .right:
          called += 1
          continue
        case .notOnLane: continue
        case .wrong(let failure): cause = .difference(failure.difference)
        }
      } catch let error as InvocationError {
        cause = .refusal(error)
      }
      let finding = Finding(number: number, signature: library.signatures[index], compilation: compilation, lane: lane, cause: cause)
      return (finding, called + 1)
    }
    return (nil, called)
  }
}
