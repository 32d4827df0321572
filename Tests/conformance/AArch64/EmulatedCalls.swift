import DynamicInvocation
import TestSupport

/// Calls by the kernels for AArch64, in a process of emulated AArch64.
struct EmulatedCalls: CallMachine {
  let emulator: Emulator
  let convention: any NativeConvention

  static let command: String = "aarch64"

  var scope: String { "for AArch64" }

  func remarks(_ counts: CallCounts) -> String { "\(counts.calls) called twice; \(counts.refused) refused by the engine" }

  func call(_ number: Int, _ signature: CallSignature, seed: UInt64) throws -> PlannedCall? {
    do {
      return try PlannedCall(number, signature, seed: seed, by: convention)
    } catch let error as InvocationError where error.code == .unsupportedType {
      return nil
    }
  }

  func finding(_ calls: [PlannedCall], by compilation: Compilation, worker: Int, counts: inout CallCounts) throws -> CallFinding? {
    let differences = try emulator.differences(calls, by: compilation)
    for (call, difference) in zip(calls, differences) {
      guard let difference else { continue }
      return CallFinding(
        number: call.number, signature: call.signature, compilation: compilation, way: .emulation, cause: .difference(difference))
    }
    counts.calls += calls.count
    return nil
  }

  func finding(_ signature: CallSignature, like finding: CallFinding, seeds: [UInt64]) -> CallFinding? {
    var counts = CallCounts()
    for seed in seeds {
      guard let call = try? PlannedCall(finding.number, signature, seed: seed, by: convention),
        let smaller = try? self.finding([call], by: finding.compilation, worker: 0, counts: &counts)
      else { continue }
      return smaller
    }
    return nil
  }
}
