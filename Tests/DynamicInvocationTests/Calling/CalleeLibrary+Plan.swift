@testable import DynamicInvocation
import TestSupport

extension CalleeLibrary {
  /// Calls one callee with random values through a plan, below the level of invocations; says what went wrong, or returns nil.
  func failure(of index: Int, plan: CallPlan, seed: UInt64) throws -> String? {
    var generator = SeededGenerator(seed: seed)
    let signature = signatures[index]
    let types = signature.types
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    let frame = UnsafeMutableRawPointer.allocate(byteCount: plan.blockSize, alignment: plan.frameAlignment)
    defer { frame.deallocate() }
    frame.initializeMemory(as: UInt8.self, repeating: 0xA5, count: plan.blockSize)
    for argument in types.arguments.indices {
      if let value = memory.values[argument] { plan.slots[argument].write(from: value, to: frame) }
    }
    plan.prepare(frame)
    announce(memory)
    plan.call(try library.symbol("f\(index)"), frame: frame)
    if let wrong = firstWrongArgument { return "\(signature) by \(compiledBy): argument \(wrong) arrived wrong" }
    var result = [UInt8](repeating: 0, count: Int(plan.result.size))
    result.withUnsafeMutableBytes { bytes in
      if let address = bytes.baseAddress { plan.result.read(from: frame, to: address) }
    }
    return memory.resultSample.firstDifference(from: result).map { "\(signature) by \(compiledBy): the result is wrong at byte \($0)" }
  }
}
