import DynamicInvocation
import TestSupport

/// A signature that the engine did not carry out as the compiler expects.
struct Finding: Sendable {
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

    /// All ways of this platform.
    static let all: [Way] = CalleeLibrary.backends.map { .call($0) } + callbacks + captures

    private static let callbacks: [Way] = CalleeLibrary.hasClosures ? [.callback, .closureRegisters] : []

    #if arch(x86_64)
      private static let captures: [Way] = [.registers]
    #else
      private static let captures: [Way] = []
    #endif

    var description: String {
      switch self {
      case .call(let backend): "\(backend)"
      case .callback: "closure"
      case .registers: "registers"
      case .closureRegisters: "closure registers"
      }
    }
  }

  enum Cause: Sendable {
    /// A byte was wrong.
    case difference(String)
    /// The engine refused a signature that it should carry out.
    case refusal(InvocationError)
  }

  /// How often one signature was tried.
  struct Counts {
    var calls = 0
    var callbacks = 0
    /// Backends that cannot carry the signature.
    var notOnBackend = 0
  }

  /// Looks for a finding in one callee of a library.
  static func look(
    at index: Int, of library: CalleeLibrary, number: Int, seed: UInt64, compilation: Compilation, ways: [Way] = Way.all
  ) throws -> (finding: Finding?, counts: Counts) {
    var counts = Counts()
    for way in ways {
      let cause: Cause
      do {
        guard let difference = try difference(way, index, library, seed, &counts) else { continue }
        cause = .difference(difference)
      } catch let error as InvocationError {
        cause = .refusal(error)
      }
      let finding = Finding(number: number, signature: library.signatures[index], compilation: compilation, way: way, cause: cause)
      return (finding, counts)
    }
    return (nil, counts)
  }

  private static func difference(
    _ way: Way, _ index: Int, _ library: CalleeLibrary, _ seed: UInt64, _ counts: inout Counts
  ) throws -> String? {
    switch way {
    case .call(let backend):
      switch try library.outcome(of: index, seed: seed, backend: backend) {
      case .right: counts.calls += 1
      case .notOnBackend: counts.notOnBackend += 1
      case .wrong(let failure): return failure.difference
      }
    case .callback where library.signatures[index].fixedCount != nil: break
    case .callback:
      if let failure = try library.callbackFailure(of: index, seed: seed) { return failure.difference }
      counts.callbacks += 1
    case .closureRegisters where library.signatures[index].fixedCount != nil: break
    case .closureRegisters:
      #if arch(x86_64) || (arch(arm64) && os(Linux))
        return try RegisterCaller.closureFailure(of: library.signatures[index].types, seed: seed)
      #else
        break
      #endif
    case .registers:
      #if arch(x86_64)
        return try library.registerFailure(of: index, seed: seed)?.difference
      #else
        break
      #endif
    }
    return nil
  }
}
