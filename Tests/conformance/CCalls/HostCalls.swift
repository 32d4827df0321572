import DynamicInvocation
import Foundation
import TestSupport

/// Calls on this machine: of compiled callees on each backend, and of closures by compiled code.
struct HostCalls: CallMachine {
  /// A signature with the seed of its values.
  struct Call {
    let number: Int
    let signature: CallSignature
    let seed: UInt64
  }

  static let command: String = "calls"

  /// All ways of this platform.
  private static let ways: [CallFinding.Way] = CalleeLibrary.backends.map { .call($0) } + callbacks + captures

  private static let callbacks: [CallFinding.Way] = CalleeLibrary.hasClosures ? [.callback, .closureRegisters] : []

  #if arch(x86_64)
    private static let captures: [CallFinding.Way] = [.registers]
  #else
    private static let captures: [CallFinding.Way] = []
  #endif

  var scope: String { "x \(CalleeLibrary.backends.count) backends" }

  func remarks(_ counts: CallCounts) -> String {
    let left = [
      counts.notOnBackend > 0 ? "; \(counts.notOnBackend) left out: not on libffi" : "",
      counts.halved > 0 ? "; \(counts.halved) left out: clang itself halves them" : "",
      counts.refused > 0 ? "; \(counts.refused) refused by the engine: gcc and clang differ" : "",
    ]
    return "\(counts.calls) called twice, \(counts.callbacks) called back twice" + left.joined()
  }

  func call(_ number: Int, _ signature: CallSignature, seed: UInt64) -> Call? {
    signature.isDisputed ? nil : Call(number: number, signature: signature, seed: seed)
  }

  func finding(_ calls: [Call], by compilation: Compilation, worker: Int, counts: inout CallCounts) throws -> CallFinding? {
    let kept = calls.filter { !$0.signature.isHalved(by: compilation.compiler) }
    counts.halved += calls.count - kept.count
    guard !kept.isEmpty else { return nil }
    let signatures = kept.map(\.signature)
    let library = try CalleeLibrary(once: CalleeSource(signatures, calling: true), of: signatures, compilation)
    for (index, call) in kept.enumerated() {
      CrashNotice.calling(call.number, worker: worker)
      defer { CrashNotice.called(worker: worker) }
      for way in Self.ways {
        let cause: CallFinding.Cause
        do {
          guard let difference = try Self.difference(way, index, library, call.seed, &counts) else { continue }
          cause = .difference(difference)
        } catch let error as InvocationError {
          cause = .refusal(error)
        }
        return CallFinding(number: call.number, signature: call.signature, compilation: compilation, way: way, cause: cause)
      }
    }
    return nil
  }

  private static func difference(
    _ way: CallFinding.Way, _ index: Int, _ library: CalleeLibrary, _ seed: UInt64, _ counts: inout CallCounts
  ) throws -> String? {
    let isVariadic = library.signatures[index].fixedCount != nil
    switch way {
    case .call(let backend):
      switch try library.outcome(of: index, seed: seed, backend: backend) {
      case .right: counts.calls += 1
      case .notOnBackend: counts.notOnBackend += 1
      case .wrong(let failure): return failure.difference
      }
    case .callback where isVariadic, .closureRegisters where isVariadic, .emulation: break
    case .callback:
      if let failure = try library.callbackFailure(of: index, seed: seed) { return failure.difference }
      counts.callbacks += 1
    case .closureRegisters:
      #if arch(x86_64) || (arch(arm64) && os(Linux))
        return try RegisterProbe.closureFailure(of: library.signatures[index].types, seed: seed)
      #else
        break
      #endif
    case .registers:
      #if arch(x86_64)
        return try RegisterProbe.callFailure(of: library.signatures[index], seed: seed)
          ?? RegisterProbe.compilerFailure(of: index, in: library, seed: seed)
      #else
        break
      #endif
    }
    return nil
  }
}

/// Says which signatures were being called when a call crashed the process.
///
/// A wrong address in a register is a failure like any other, but no process is left to shrink it: `--only` shows which call it was.
enum CrashNotice {
  // Read in a signal handler, where nothing may lock or allocate; set up before any worker starts.
  nonisolated(unsafe) private static var numbers: UnsafeMutablePointer<Int>?
  nonisolated(unsafe) private static var workers: Int = 0
  nonisolated(unsafe) private static var seed: UInt64 = 0

  static func install(seed: UInt64, workers: Int) {
    let table = UnsafeMutablePointer<Int>.allocate(capacity: workers)
    table.initialize(repeating: -1, count: workers)
    numbers = table
    self.workers = workers
    self.seed = seed
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT] { signal(number) { CrashNotice.report($0) } }
  }

  /// Notes that a worker begins to call a signature.
  static func calling(_ number: Int, worker: Int) { numbers?[worker] = number }

  /// Notes that the call came back.
  static func called(worker: Int) { numbers?[worker] = -1 }

  private static func report(_ signal: CInt) {
    write("\nCRASH by signal ")
    write(UInt64(signal))
    write(", seed ")
    write(seed)
    write(", while calling one of the signatures")
    for worker in 0..<workers {
      guard let number = numbers?[worker], number >= 0 else { continue }
      write(" ")
      write(UInt64(number))
    }
    write("; try each with --only\n")
    _exit(1)
  }

  private static func write(_ text: StaticString) { _ = unistd_write(text.utf8Start, text.utf8CodeUnitCount) }

  private static func write(_ value: UInt64) {
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      var digit = UInt8(48 + value / divisor % 10)
      _ = unistd_write(&digit, 1)
      divisor /= 10
    }
  }

  private static func unistd_write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int { Foundation.write(STDERR_FILENO, bytes, count) }
}
