import CallFrames
@testable import InvocationBatches
import DynamicInvocation
import TestSupport
import Testing

/// Batches of random signatures, whose callees are made by gcc and clang and compare every byte.
@Suite(.measured) struct BatchOracleTests {
  /// More rows than a block of the loops.
  private static let rows = 150

  @Test(arguments: CCompiler.all) func rowsOfRandomTypesArrive(compiler: CCompiler) throws {
    guard compiler.available else { return }
    var random = RandomTypes(seed: 0xBA7C4)
    var signatures: [CallSignature] = []
    while signatures.count < 200 {
      let signature = random.signature()
      if !signature.isDisputed, !signature.isHalved(by: compiler) { signatures.append(signature) }
    }
    let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O2"], name: "batch")
    for index in signatures.indices {
      for backend in CalleeLibrary.backends {
        guard let plan = try? CallPlan.make(signatures[index].types, fixedCount: nil, backend: backend) else { continue }
        for stopsAtNull in [false, true] {
          if let failure = try failure(of: index, in: library, plan, RowEnd(stopsAtNull: stopsAtNull)) {
            Issue.record("\(signatures[index]) by \(compiler), \(backend): \(failure)")
          }
        }
      }
    }
  }

  /// Calls a callee in a batch whose rows have the same values at different addresses.
  private func failure(of index: Int, in library: CalleeLibrary, _ plan: CallPlan, _ end: RowEnd) throws -> String? {
    let types = library.signatures[index].types
    var generator = SeededGenerator(seed: UInt64(index))
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    // A null result would end the batch.
    let isNull = memory.resultSample.bytes.allSatisfy { $0 == 0 }
    if isNull, end.stopsAtNull { return nil }
    library.announce(memory)
    // Every third column has gaps, every third one value for all rows.
    var columns: [[UInt8]] = []
    var strides: [Int] = []
    for (argument, sample) in memory.arguments.enumerated() {
      let stride = argument % 3 == 0 ? sample.bytes.count : argument % 3 == 1 ? sample.bytes.count + 5 : 0
      var bytes = [UInt8](repeating: 0xA5, count: stride * Self.rows + sample.bytes.count)
      for row in 0..<Self.rows { bytes.replaceSubrange(row * stride..<row * stride + sample.bytes.count, with: sample.bytes) }
      columns.append(bytes)
      strides.append(stride)
    }
    let size = memory.resultSample.bytes.count
    let alignment = max(1, types.result.alignment ?? 1)
    let results = UnsafeMutableRawPointer.allocate(byteCount: size * Self.rows + 16, alignment: max(16, alignment))
    defer { results.deallocate() }
    results.initializeMemory(as: UInt8.self, repeating: 0xA5, count: size * Self.rows + 16)
    let frame = UnsafeMutableRawPointer.allocate(byteCount: plan.frameSize, alignment: plan.frameAlignment)
    defer { frame.deallocate() }
    let code = try library.library.symbol("f\(index)")
    let calls = library.callCount
    let completed = withBytes(of: columns) { addresses in
      // In two parts, as threads do.
      [0..<3, 3..<Self.rows].reduce(0) { done, rows in
        done
          + plan.callRows(code, frame: frame, rows, results: RowResults(start: results, stride: size), end) {
            RowColumn(start: addresses[$0], stride: strides[$0])
          }
      }
    }
    if let wrong = library.firstWrongArgument { return "argument \(wrong) (\(types.arguments[wrong])) arrived wrong" }
    if completed != Self.rows || library.callCount - calls != Self.rows { return "\(completed) rows are complete" }
    for row in 0..<Self.rows {
      let bytes = [UInt8](UnsafeRawBufferPointer(start: results + row * size, count: size))
      if let byte = memory.resultSample.firstDifference(from: bytes) { return "the result of row \(row) is wrong at byte \(byte)" }
    }
    let guardBytes = UnsafeRawBufferPointer(start: results + Self.rows * size, count: 16)
    return guardBytes.allSatisfy { $0 == 0xA5 } ? nil : "more than the results is written"
  }

  private func withBytes<Result>(of columns: [[UInt8]], _ body: ([UnsafeRawPointer?]) -> Result) -> Result {
    let copies = columns.map { bytes in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
      copy.copyBytes(from: bytes)
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    return body(copies.map { UnsafeRawPointer($0.baseAddress) })
  }
}
