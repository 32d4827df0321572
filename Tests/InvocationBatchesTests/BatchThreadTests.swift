import InvocationBatches
import DynamicInvocation
import Synchronization
import TestSupport
import Testing

/// Batches on several threads.
///
/// The name makes the thread sanitizer run them. They run one at a time, because the callees count their rows.
@Suite(.measured, .serialized) struct BatchThreadTests {
  /// A function that counts the calls of each row, and returns null for the rows in a list.
  private static let source = """
    #include <stdint.h>
    #include <stddef.h>
    static const uint8_t *fails;
    static uint8_t *counts;
    void prepare(const uint8_t *which, uint8_t *calls) { fails = which; counts = calls; }
    const char *row(int64_t index) { counts[index] += 1; return fails[index] ? NULL : (const char *)(intptr_t)(index * 3 + 1); }
    double third(double value) { return value / 3; }
    """

  private func library() throws -> DynamicLibrary {
    try DynamicLibrary(CCompiler.clang.sharedLibrary(source: Self.source, flags: ["-O2"], name: "threads"))
  }

  @Test(arguments: [0, 1, 99, 100, 101, 10_000], [1, 2, 5]) func allRowsAreCalledOnce(rows: Int, threads: Int) async throws {
    let third = try library().function("third", types: "dd")
    var steps: [Int] = []
    let numbers = (0..<rows).map { Double($0) }
    let concurrency = RowConcurrency.threadSafe(threads: threads, rowsPerChunk: 100) { steps.append($0) }
    let results: [Double] = try await third.map(numbers, concurrently: concurrency)
    #expect(results == numbers.map { $0 / 3 })
    #expect(steps.count == (rows + 99) / 100 && steps.last ?? 0 == rows)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func differentLengthsAndTypesAreRefused() async throws {
    let pow = try DynamicLibrary(Platform.mathLibrary).function("pow", types: "ddd")
    await #expect(throws: InvocationError.self) { try await pow.map([1.0], [1.0, 2], as: Double.self, concurrently: .threadSafe()) }
    await #expect(throws: InvocationError.self) { try await pow.map([1.0], [Int32(2)], as: Float.self, concurrently: .threadSafe()) }
    await #expect(throws: InvocationError.self) { try await pow.map([1.0], as: Double.self, concurrently: .threadSafe()) }
    #expect("\(RowConcurrency.threadSafe(threads: 2, rowsPerChunk: 1))" == "2 threads, 1 row a chunk")
  }

  private final class Adder: Sendable {
    struct TooMuch: Error {}
  }

  @Test(arguments: [0, 9, 10, 57, 99]) func theErrorOfAMethodNamesItsRow(row: Int) async throws {
    let add = try Implementation { (_: Adder, number: Int) throws -> Int in
      if number >= row { throw Adder.TooMuch() }
      return number
    }
    let function = try ForeignFunction(add, #require(add.methodSignature))
    let adder = Adder()
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 202)
    defer { memory.deallocate() }
    let numbers = UnsafeMutableBufferPointer(start: memory, count: 100)
    let results = UnsafeMutableBufferPointer(start: memory + 100, count: 100)
    let rest = UnsafeMutableRawPointer(memory + 200)
    for index in 0..<100 { (memory + index).initialize(to: index) }
    rest.storeBytes(of: UInt(bitPattern: ObjectIdentifier(adder)), as: UInt.self)
    rest.storeBytes(of: 0, toByteOffset: 8, as: UInt.self)
    let columns = [
      ArgumentColumn(rest, stride: 0, count: 100, as: "@"), ArgumentColumn(rest + 8, stride: 0, count: 100, as: ":"),
      ArgumentColumn(UnsafeBufferPointer(numbers)),
    ]
    let error = await #expect(throws: InvocationError.self) {
      try await function.callEach(rows: 100, columns, results: results, concurrently: .threadSafe(threads: 2, rowsPerChunk: 10))
    }
    withExtendedLifetime(adder) {}
    #expect(error?.row == row && error?.reason.contains("TooMuch") == true)
  }

  @Test func aCancelledTaskBeginsNoChunk() async throws {
    let third = try library().function("third", types: "dd")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await third.map([1.0, 2], as: Double.self, concurrently: .threadSafe())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let none = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await third.map([Double](), as: Double.self, concurrently: .threadSafe())
    }
    #expect(try await none.value.isEmpty)
  }

  /// Rows fail at random, and the task is cancelled at a random time: every row before the end is called once, and the
  /// error is that of the first row that fails.
  @Test(arguments: 0..<8) func randomErrorsAndCancellation(round: Int) async throws {
    let library = try library()
    var random = SeededGenerator(seed: UInt64(round))
    let rows = round == 1 ? 1_000_000 : 20_000
    let chunk = rows / Int.random(in: 20...200, using: &random)
    let fails = UnsafeMutablePointer<UInt8>.allocate(capacity: rows)
    let counts = UnsafeMutablePointer<UInt8>.allocate(capacity: rows)
    defer {
      fails.deallocate()
      counts.deallocate()
    }
    fails.initialize(repeating: 0, count: rows)
    counts.initialize(repeating: 0, count: rows)
    let planted = round % 4 == 0 ? [] : (0..<3).map { _ in Int.random(in: 0..<rows, using: &random) }
    for row in planted { fails[row] = 1 }
    try library.function("prepare", types: "v^C^C")(UnsafePointer(fails), counts)
    let function = try library.function("row", types: "^vq")
    // In every second round the batch is cancelled after some rows.
    let limit = round % 2 == 0 ? Int.random(in: 0..<rows, using: &random) : .max
    let outcome: Result<[UInt], any Error> = await Task {
      do {
        let concurrency = RowConcurrency.threadSafe(threads: 2, rowsPerChunk: chunk) { completed in
          if completed >= limit { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let results: [UnsafeRawPointer] = try await function.map((0..<rows).map { Int64($0) }, concurrently: concurrency)
        return .success(results.map { UInt(bitPattern: $0) })
      } catch {
        return .failure(error)
      }
    }.value
    let called = (0..<rows).count { counts[$0] == 1 }
    #expect((0..<rows).allSatisfy { counts[$0] <= 1 })
    switch outcome {
    case .success(let results):
      #expect(planted.isEmpty && called == rows)
      #expect(results.enumerated().allSatisfy { $1 == UInt($0 * 3 + 1) })
    case .failure(let error as InvocationError):
      let first = try #require(planted.min())
      #expect(error.row == first && error.code == .nullNotAllowed && error.callee == "row")
      // All rows before it, and no row after it in its chunk.
      #expect((0...first).allSatisfy { counts[$0] == 1 })
      #expect((first + 1..<min(rows, (first / chunk + 1) * chunk)).allSatisfy { counts[$0] == 0 })
    case .failure(let error):
      #expect(error is CancellationError && limit < rows)
      #expect(called < rows && planted.allSatisfy { counts[$0] == 0 })
      // The chunks that were called are complete and the first ones.
      #expect(called % chunk == 0 && (0..<called).allSatisfy { counts[$0] == 1 })
    }
  }
}
