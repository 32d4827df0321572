import DynamicInvocation
import TestSupport

/// What all threads share: callees, the classes' method tables, closures, a dispatcher, and what counts.
final class World: @unchecked Sendable {
  // Sendable by hand: the libraries are never changed, the dispatcher may be used on any thread, and all else is Sendable.

  let seed: UInt64
  let libraries: [CalleeLibrary]
  /// The numbers of the signatures that are not variadic, for each library.
  let callable: [[Int]]
  /// Keeps the plan of every signature: the table of signatures drops some now and then, and the heap would never be the same twice.
  private let plans: [MethodSignature]
  let tracker: LifetimeTracker = LifetimeTracker()
  let counters: [CallCounter] = Workloads.all.map { _ in CallCounter() }
  let closures: ClosureShelf
  let swift: SwiftCallees
  let audience: Audience

  init(seed: UInt64, signatures count: Int) throws {
    self.seed = seed
    let compilers = CCompiler.all.filter(\.available)
    guard !compilers.isEmpty else { throw SoakFailure("neither gcc nor clang is installed") }
    libraries = try compilers.enumerated().map { index, compiler in
      try CalleeLibrary(
        Self.signatures(count, seed: seed &+ UInt64(index), for: compiler), compiler: compiler, flags: ["-O2"], calling: true, name: "soak")
    }
    plans = libraries.flatMap { library in
      library.signatures.flatMap { signature in
        ([.automatic] + CalleeLibrary.backends).compactMap {
          try? MethodSignature(signature.types, fixedArgumentCount: signature.fixedCount, backend: $0)
        }
      }
    }
    callable = libraries.map { library in library.signatures.indices.filter { library.signatures[$0].fixedCount == nil } }
    closures = ClosureShelf(tracker)
    swift = try SwiftCallees()
    audience = try Audience(tracker)
    try Account.addMethods()
    try Listener.addMethods()
  }

  private static func signatures(_ count: Int, seed: UInt64, for compiler: CCompiler) -> [CallSignature] {
    var random = RandomTypes(seed: seed, hasWholeVectors: true)
    var signatures: [CallSignature] = []
    while signatures.count < count {
      let signature = signatures.count % 8 == 7 ? random.variadicSignature(arguments: 20) : random.signature(arguments: 24)
      if !signature.isDisputed, !signature.isHalved(by: compiler) { signatures.append(signature) }
    }
    return signatures
  }

  /// Lets go of what the threads have left for each other.
  func tidy() {
    closures.removeAll()
    audience.removeGuests()
    Account.removeExtras()
  }
}
