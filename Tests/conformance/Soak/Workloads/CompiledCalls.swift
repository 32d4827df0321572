import DynamicInvocation
import TestSupport

/// Callees of random signatures that C compilers made, on both backends, with raw and with boxed values.
final class CompiledCalls: Workload {
  static let name: String = "C callees"
  static let weight: Int = 12

  private let world: World
  private let counter: CallCounter

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) {
    self.world = world
    self.counter = counter
  }

  func turn(_ generator: inout SeededGenerator) throws {
    let library = generator.pick(world.libraries)
    let index = Int.random(in: 0..<library.signatures.count, using: &generator)
    let seed = generator.next()
    let before = library.callCount
    if generator.oneIn(3) {
      if let wrong = try library.boxedFailure(of: index, seed: seed) { throw Failure("boxed: \(wrong)") }
      counter.make()
    } else {
      var outcome = try library.outcome(of: index, seed: seed, backend: generator.pick(CalleeLibrary.backends))
      if case .notOnBackend = outcome { outcome = try library.outcome(of: index, seed: seed, backend: .automatic) }
      if case .wrong(let failure) = outcome { throw Failure("\(failure)") }
      counter.make(2)
    }
    counter.receive(library.callCount - before)
  }
}

extension CalleeLibrary {
  /// Calls one callee with boxes of random values; says what went wrong, or returns nil.
  fileprivate func boxedFailure(of index: Int, seed: UInt64) throws -> String? {
    let signature = signatures[index]
    let types = signature.types
    var generator = SeededGenerator(seed: seed)
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    let invocation = Invocation(try MethodSignature(types, fixedArgumentCount: signature.fixedCount), retainsArguments: false)
    for (index, type) in types.arguments.enumerated() {
      guard let value = memory.values[index] else { continue }
      if type.isBoxed {
        try invocation.setArgument(boxed: BoxedValue(reading: value, as: type), at: index)
      } else {
        try invocation.setArgument(from: value, at: index)
      }
    }
    announce(memory)
    try invocation.invoke(using: Implementation(try library.symbol("f\(index)"), keeping: library))
    if let wrong = firstWrongArgument { return "argument \(wrong) of '\(signature)' by \(compiledBy) arrived wrong, seed \(seed)" }
    guard let size = types.result.size, size > 0 else { return nil }
    var result = [UInt8](repeating: 0, count: size)
    try result.withUnsafeMutableBytes { bytes in
      guard let address = bytes.baseAddress else { return }
      if types.result.isBoxed {
        try invocation.boxedReturnValue().write(to: address, as: types.result)
      } else {
        try invocation.getReturnValue(into: address)
      }
    }
    return memory.resultSample.firstDifference(from: result).map {
      "the result of '\(signature)' by \(compiledBy) is wrong at byte \($0), seed \(seed)"
    }
  }
}

extension TypeEncoding {
  /// Whether a random value of the type may be boxed: a text is read, the addresses here lead nowhere, and no reference is made of bytes.
  fileprivate var isBoxed: Bool {
    switch kind {
    case .cString, .atom, .array: false
    default: !holdsReferences
    }
  }
}
