#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// How the rows of a batch are called on several threads.
///
///     let powers: [Double] = try await pow.map(bases, exponents, concurrently: .threadSafe())
///
/// The rows are split into chunks. Each chunk is called in a child task, in order; chunks run at the same time, and
/// begin in order. The batch ends when all child tasks have ended: no row is called afterwards.
///
/// - Cancellation: A task that is cancelled begins no further chunk. The batch waits for the running chunks and throws
///   `CancellationError`, unless all rows were called.
/// - Errors: After an error no further chunk begins. The chunks before it are completed, so the error that is thrown is
///   that of the first row that fails.
public struct RowConcurrency {
  let threads: Int
  let rowsPerChunk: Int
  let progress: ((Int) -> Void)?

  /// Creates a description of a batch of calls of a function that is safe to call on several threads at once.
  ///
  /// It is unsafe because nothing can check that the function is thread-safe. Two rows must not write to the same
  /// memory either.
  ///
  /// - Parameters:
  ///   - threads: The maximum number of chunks that run at the same time; the number of processors if it is nil. Traps
  ///     if it is less than 1. The threads are those of Swift's concurrency, which has one for each processor.
  ///   - rowsPerChunk: The number of rows of a chunk. Traps if it is less than 1. A chunk is a child task, and a task
  ///     cannot be cancelled within a chunk.
  ///   - progress: A function that is called after each chunk with the number of completed rows, which increases. It
  ///     runs on the actor of the caller.
  @unsafe
  public static func threadSafe(
    threads: Int? = nil, rowsPerChunk: Int = 16_384, progress: ((_ completedRows: Int) -> Void)? = nil
  ) -> RowConcurrency {
    RowConcurrency(threads: threads ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))), rowsPerChunk: rowsPerChunk, progress: progress)
  }

  private init(threads: Int, rowsPerChunk: Int, progress: ((Int) -> Void)?) {
    precondition(threads >= 1, "a batch needs a thread")
    precondition(rowsPerChunk >= 1, "a chunk has a row")
    self.threads = threads
    self.rowsPerChunk = rowsPerChunk
    self.progress = progress
  }

  /// Calls a function with ranges of rows, as described above.
  nonisolated(nonsending) func run(
    rows: Int, _ call: @escaping @Sendable (Range<Int>) throws(InvocationError) -> Void
  ) async throws {
    var next = 0
    var completed = 0
    var failure: InvocationError?
    await withTaskGroup(of: Chunk.self) { group in
      func begin() {
        guard next < rows, failure == nil, !Task.isCancelled else { return }
        let chunk = next..<min(rows, rows - next > rowsPerChunk ? next + rowsPerChunk : rows)
        next = chunk.upperBound
        group.addTask {
          do throws(InvocationError) {
            try call(chunk)
            return Chunk(count: chunk.count, failure: nil)
          } catch {
            return Chunk(count: 0, failure: error)
          }
        }
      }
      for _ in 0..<min(threads, rows / rowsPerChunk + 1) { begin() }
      while let chunk = await group.next() {
        completed += chunk.count
        if let new = chunk.failure, new.row ?? 0 < failure?.row ?? .max { failure = new }
        if chunk.failure == nil { progress?(completed) }
        begin()
      }
    }
    if let failure { throw failure }
    if completed < rows { throw CancellationError() }
  }

  private struct Chunk: Sendable {
    var count: Int
    var failure: InvocationError?
  }
}

extension RowConcurrency: CustomStringConvertible {
  /// The threads and the rows of a chunk: `2 threads, 16384 rows a chunk`.
  public var description: String { "\(threads.counted("thread")), \(rowsPerChunk.counted("row")) a chunk" }
}

extension ForeignFunction {
  /// Calls the function once for each row on several threads, and stores the results.
  ///
  /// The memory of the columns and of the results must stay valid until the batch has ended, which is the reason why it
  /// is unsafe. See ``callEach(rows:_:results:)`` for the parameters and ``RowConcurrency`` for cancellation.
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  ///   - results: The memory for the results.
  ///   - concurrency: How rows are split over threads.
  /// - Throws: `InvocationError` as ``callEach(rows:_:results:)`` does, with the row of the first call that fails, and
  ///   `CancellationError`. The results of other rows are stored or not.
  /// - Complexity: O(rows × bytes of the arguments). Allocates a task for each chunk.
  @unsafe
  public nonisolated(nonsending) func callEach<Result: EncodedValue & BitwiseCopyable & SendableMetatype>(
    rows: Int, _ columns: [ArgumentColumn], results: UnsafeMutableBufferPointer<Result>, concurrently concurrency: RowConcurrency
  ) async throws {
    guard let start = try unsafe checkedResults(rows, columns, results) else { return }
    let memory = unsafe SharedRows(columns: columns, results: start)
    try await concurrency.run(rows: rows) { chunk throws(InvocationError) in
      try unsafe callRows(chunk, memory.columns, memory.results)
    }
  }

  /// The implementation of all overloads of `map` that run on several threads.
  nonisolated(nonsending) func map<Result: EncodedValue & BitwiseCopyable & SendableMetatype>(
    _ copies: [ColumnCopy], _ concurrency: RowConcurrency
  ) async throws -> [Result] {
    let rows = try self.rows(of: copies)
    let results = UnsafeMutableBufferPointer<Result>.allocate(capacity: rows)
    defer { unsafe results.deallocate() }
    try unsafe await callEach(rows: rows, copies.map(\.column), results: results, concurrently: concurrency)
    withExtendedLifetime(copies) {}
    return unsafe Array(results)
  }
}

/// The memory of a batch, each row of which is used by one thread.
@safe
private struct SharedRows<Result>: @unchecked Sendable {
  // Unchecked Sendable: the columns are only read, and each result is written by the thread of its row.
  let columns: [ArgumentColumn]
  let results: UnsafeMutablePointer<Result>

  init(columns: [ArgumentColumn], results: UnsafeMutablePointer<Result>) {
    self.columns = columns
    unsafe self.results = results
  }
}
