import DynamicInvocation
import Foundation
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
}

/// A call planned for AArch64, with its frame as it is before the call.
struct PlannedCall {
  let number: Int
  let signature: CallSignature
  private let frame: NativeFrameLayout
  private let arguments: [ValueSample]
  private let result: ValueSample
  private let bytes: [UInt8]
  private let layout: CallLayout
  private let registers: ExpectedRegisters
  /// The registers and stack words that the caller in assembly loads.
  private let loaded: [UInt8]

  /// Plans the call and fills its frame with random values.
  init(_ number: Int, _ signature: CallSignature, seed: UInt64, by convention: some NativeConvention) throws {
    self.number = number
    self.signature = signature
    let frame = try NativeFrameLayout(signature.types, fixedCount: signature.fixedCount, by: convention)
    var generator = SeededGenerator(seed: seed)
    let arguments = signature.types.arguments.map { ValueSample(of: $0, longDouble: .quad, using: &generator) }
    result = ValueSample(of: signature.types.result, longDouble: .quad, using: &generator)
    // Bytes that nobody writes are not zero.
    var bytes = [UInt8](repeating: 0xA5, count: frame.size)
    bytes.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress else { return }
      // In reverse order: a value must not reach into its neighbor.
      for (slot, sample) in zip(frame.arguments, arguments).reversed() {
        sample.bytes.withUnsafeBytes { if let value = $0.baseAddress { slot.write(from: value, to: start) } }
      }
    }
    layout = try convention.layout(of: signature.types, fixedCount: signature.fixedCount)
    registers = ExpectedRegisters(layout, arguments, isAArch64: true)
    loaded = registers.filled(using: &generator)
    self.frame = frame
    self.arguments = arguments
    self.bytes = bytes
  }

  /// Whether C also calls a closure of the types.
  var isCalledBack: Bool { signature.fixedCount == nil }

  /// The call as the harness reads it; harness.c says what it is made of.
  func encoded(callee: Int) -> Data {
    let context: [UInt32] = if case .words(let words) = frame.context { words } else { [] }
    var data = Data(frame.kernel.name.replacing("-", with: "_").utf8)
    data.append(contentsOf: [UInt8](repeating: 0, count: 24 - data.count))
    data.append(numbers: [
      UInt32(callee), UInt32(frame.size), UInt32(frame.alignment), UInt32(bitPattern: Int32(frame.resultAddressOffset)),
    ])
    data.append(numbers: [frame.result.offset, UInt32(result.bytes.count), UInt32(context.count), UInt32(arguments.count)])
    let image = frame.incoming
    data.append(
      numbers: [image.size, image.registerSize, image.stackSize, image.callerStack, image.resultSize, image.references.count]
        .map(UInt32.init))
    data.append(numbers: context)
    data.append(contentsOf: bytes)
    data.append(contentsOf: result.bytes)
    data.append(contentsOf: resultRegisters)
    for reference in image.references {
      data.append(numbers: [reference.address, reference.copy, reference.size].map(UInt32.init))
    }
    data.append(contentsOf: loaded)
    for (index, placement) in layout.arguments.enumerated() where placement.passing == .reference {
      data.append(numbers: [registers.position(of: placement.pieces[0].location), index].map(UInt32.init))
    }
    for argument in arguments {
      data.append(numbers: [UInt32(argument.bytes.count)])
      data.append(contentsOf: argument.bytes)
      data.append(contentsOf: argument.mask)
    }
    return data
  }

  /// What a closure leaves in the result registers of its frame.
  private var resultRegisters: [UInt8] {
    var registers = [UInt8](repeating: 0xA5, count: frame.incoming.resultSize)
    guard frame.resultAddressOffset < 0 else { return registers }
    registers.withUnsafeMutableBytes { memory in
      result.bytes.withUnsafeBytes { bytes in
        if let start = memory.baseAddress, let value = bytes.baseAddress { frame.result.write(from: value, to: start) }
      }
    }
    return registers
  }

  /// The bytes of the harness's answer.
  var answerSize: Int {
    registers.bytes.count + 8 + frame.size + (isCalledBack ? registers.bytes.count + callbackSize + loadedSize : 0)
  }

  private var callbackSize: Int { frame.incoming.size + result.bytes.count }
  private var loadedSize: Int { frame.incoming.size + RegisterProbe.resultSize + result.bytes.count }

  /// Says what is wrong in an answer, or returns nil.
  func difference(_ answer: Data) -> String? {
    let captured = registers.bytes.count
    if let wrong = registers.firstDifference(from: answer.prefix(captured)) { return "a kernel's call: \(wrong)" }
    let answer = answer.dropFirst(captured)
    if let wrong = differenceOfCall(answer.prefix(8 + frame.size)) { return wrong }
    guard isCalledBack else { return nil }
    let callback = answer.dropFirst(8 + frame.size)
    if let wrong = registers.firstDifference(from: callback.prefix(captured)) { return "the compiler's call: \(wrong)" }
    let closure = callback.dropFirst(captured)
    return differenceOfCallback(closure.prefix(callbackSize)) ?? differenceOfLoaded(closure.dropFirst(callbackSize))
  }

  /// Says what is wrong in the answer of two calls by a kernel: the first wrong arguments, and the frame.
  private func differenceOfCall(_ answer: Data) -> String? {
    [UInt8](answer).withUnsafeBytes { memory -> String? in
      for round in 0..<2 {
        let wrong = Int(memory.loadUnaligned(fromByteOffset: 4 * round, as: Int32.self))
        if wrong >= 0 { return "call \(round): argument \(wrong) (\(signature.types.arguments[wrong])) arrived wrong" }
      }
      guard let after = memory.baseAddress.map({ $0 + 8 }) else { return "no answer" }
      if let wrong = differenceOfArguments(in: after, "reads back wrong") { return wrong }
      return result.firstDifference(from: Self.bytes(of: frame.result, in: after)).map { "the result is wrong at byte \($0)" }
    }
  }

  /// Says what is wrong in the answer of a closure: its frame, and the result at the caller.
  private func differenceOfCallback(_ answer: Data) -> String? {
    let answer = separated(answer)
    return answer.withUnsafeBytes { memory -> String? in
      guard let frame = memory.baseAddress else { return nil }
      if let wrong = differenceOfArguments(in: frame, "arrived wrong in a closure") { return wrong }
      return result.firstDifference(from: Array(answer[self.frame.incoming.size...])).map { "a closure's result is wrong at byte \($0)" }
    }
  }

  /// Says what is wrong in the answer of a closure that was called with loaded registers: its frame, and its result in
  /// registers or in memory.
  private func differenceOfLoaded(_ answer: Data) -> String? {
    let answer = separated(answer)
    return answer.withUnsafeBytes { memory -> String? in
      guard let frame = memory.baseAddress else { return nil }
      if let wrong = differenceOfArguments(in: frame, "is taken from a wrong register by a closure") { return wrong }
      let results = Array(answer[self.frame.incoming.size...])
      let isInMemory = layout.result.passing == .reference
      let value = isInMemory ? Array(results[RegisterProbe.resultSize...]) : layout.result.value(in: results, size: result.bytes.count)
      return result.firstDifference(from: value).map { "a closure's result is in a wrong register at byte \($0)" }
    }
  }

  /// The bytes of an answer that begins with a closure's frame, with each argument in words of its own.
  private func separated(_ answer: Data) -> [UInt8] {
    var answer = [UInt8](answer)
    answer.withUnsafeMutableBytes { if let start = $0.baseAddress { frame.incoming.separate(in: start) } }
    return answer
  }

  private func differenceOfArguments(in frame: UnsafeRawPointer, _ what: String) -> String? {
    for (index, (slot, sample)) in zip(self.frame.arguments, arguments).enumerated() {
      if let byte = sample.firstDifference(from: Self.bytes(of: slot, in: frame)) {
        return "argument \(index) (\(signature.types.arguments[index])) \(what) at byte \(byte)"
      }
    }
    return nil
  }

  private static func bytes(of slot: FrameSlot, in frame: UnsafeRawPointer) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(slot.size))
    bytes.withUnsafeMutableBytes { memory in
      if let start = memory.baseAddress { slot.read(from: frame, to: start) }
    }
    return bytes
  }
}

extension Data {
  /// Appends numbers as AArch64 has them in memory.
  fileprivate mutating func append(numbers: [UInt32]) {
    for number in numbers { Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) } }
  }
}
