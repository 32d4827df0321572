internal import CFFIShim

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

// MARK: - Rows

/// The values of an argument in a batch of calls: an address and a distance between rows.
@safe
struct RowColumn {
  let start: UnsafeRawPointer?
  let stride: Int

  init(start: UnsafeRawPointer?, stride: Int) {
    unsafe self.start = start
    self.stride = stride
  }
}

/// Where the results of a batch are stored.
@safe
struct RowResults {
  let start: UnsafeMutableRawPointer
  let stride: Int

  init(start: UnsafeMutableRawPointer, stride: Int) {
    unsafe self.start = start
    self.stride = stride
  }
}

/// What ends a batch, besides the last row.
@safe
struct RowEnd {
  let stopsAtNull: Bool
  let error: UnsafeMutablePointer<(any Error)?>?
  let staysInFrame: Bool

  /// - Parameters:
  ///   - stopsAtNull: Whether a null result ends the batch.
  ///   - error: The location for the error of a method that may throw, which ends the batch; nil for other functions.
  ///   - staysInFrame: Whether the result of the last row must be in the frame afterwards.
  init(stopsAtNull: Bool = false, error: UnsafeMutablePointer<(any Error)?>? = nil, staysInFrame: Bool = false) {
    self.stopsAtNull = stopsAtNull
    unsafe self.error = error
    self.staysInFrame = staysInFrame
  }
}

extension CallPlan {
  /// Calls an implementation for a range of rows, in order.
  ///
  /// The moves of bytes from the columns to the frame are planned once. On x86-64 a loop in assembly loads the
  /// registers from the columns, unless something but the last row can end the batch. Otherwise the kernel is called
  /// with the frame for each row.
  ///
  /// - Parameters:
  ///   - implementation: The code.
  ///   - frame: Memory for a frame.
  ///   - rows: The rows.
  ///   - results: Where results are stored; nil to discard them.
  ///   - end: What else ends the batch.
  ///   - column: Returns the column of an argument.
  /// - Returns: The number of rows with a result. The result that ended the batch is in the frame.
  func callRows(
    _ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer, _ rows: Range<Int>, results: RowResults?, _ end: RowEnd,
    _ column: (Int) -> RowColumn
  ) -> Int {
    let capacity = (0...count).reduce(0) { unsafe $0 + slots[$1].mostMoves }
    return unsafe withUnsafeTemporaryAllocation(of: cffi_move.self, capacity: capacity) { moves in
      var list = unsafe MoveList(moves)
      for index in 0..<count {
        // A value without bytes may have no address.
        guard let start = unsafe column(index).start else { continue }
        unsafe list.append(unsafe slots[index], at: UnsafeMutableRawPointer(mutating: start), stride: column(index).stride, registerSize)
      }
      let argumentCount = list.count
      let usesRegisters = unsafe end.error == nil && !end.stopsAtNull && !end.staysInFrame && hasRowLoop
      let isInMemory = usesRegisters && resultAddressOffset >= 0
      if let results, !isInMemory { unsafe list.append(result, at: results.start, stride: results.stride, registerSize) }
      unsafe frame.initializeMemory(as: UInt8.self, repeating: 0, count: frameSize)
      unsafe prepare(frame)
      let start = unsafe moves.baseAddress.unsafelyUnwrapped
      var batch = unsafe cffi_batch(
        kernel: kernel, implementation: implementation, context: context, arguments: start, argument_count: argumentCount,
        results: start + argumentCount, result_count: list.count - argumentCount,
        result_memory: isInMemory ? (results?.start ?? frame + Int(result.offset)).assumingMemoryBound(to: CChar.self) : nil,
        result_stride: results?.stride ?? 0, stack_size: UInt32(incoming?.stackSize ?? 0), uses_registers: usesRegisters,
        stops_at_null: end.stopsAtNull, error: UnsafeMutableRawPointer(end.error)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
      return unsafe cffi_batch_run(&batch, frame, rows.lowerBound, rows.count)
    }
  }

  /// The size of the part of a native frame that contains registers; 0 for other backends.
  private var registerSize: Int { incoming?.registerSize ?? 0 }

  /// Whether a loop in assembly can load the registers from columns.
  private var hasRowLoop: Bool {
    guard case .native = backend, let incoming else { return false }
    return unsafe cffi_batch_has_loop(kernel, context, UInt32(incoming.stackSize))
  }
}

/// The moves of a batch, in memory of a fixed size.
@safe
private struct MoveList {
  private let moves: UnsafeMutableBufferPointer<cffi_move>
  private(set) var count = 0

  init(_ moves: UnsafeMutableBufferPointer<cffi_move>) { unsafe self.moves = moves }

  /// Appends the moves of a value between a row and a frame.
  ///
  /// - Parameters:
  ///   - slot: The slot of the value.
  ///   - start: The address of the value in the first row.
  ///   - stride: The distance in bytes between two rows.
  ///   - registerSize: The size of the registers in the frame, where each move is at most a word.
  mutating func append(_ slot: FrameSlot, at start: UnsafeMutableRawPointer, stride: Int, _ registerSize: Int) {
    let (size, offset) = (Int(slot.size), Int(slot.offset))
    switch slot.storage {
    case .nothing: break
    case .signed, .unsigned, .floating: unsafe append(start, stride, offset, size, isSigned: slot.storage == .signed)
    case .twoWords:
      unsafe append(start, stride, offset, 8)
      unsafe append(start + 8, stride, Int(slot.second), size - 8)
    case .bytes where size > 8 && offset >= registerSize:
      unsafe append(start, stride, offset, size, CFFI_MOVE_BYTES)
    case .bytes:
      for word in Swift.stride(from: 0, to: size, by: 8) {
        unsafe append(start + word, stride, offset + word, min(8, size - word))
      }
    case .homogeneous:
      for index in 0..<size / slot.memberSize {
        unsafe append(start + index * slot.memberSize, stride, offset + index * slot.memberStride, slot.memberSize)
      }
    }
  }

  private mutating func append(_ start: UnsafeMutableRawPointer, _ stride: Int, _ offset: Int, _ size: Int, isSigned: Bool = false) {
    let kind =
      switch size {
      case 1: isSigned ? CFFI_MOVE_SIGNED_1 : CFFI_MOVE_UNSIGNED_1
      case 2: isSigned ? CFFI_MOVE_SIGNED_2 : CFFI_MOVE_UNSIGNED_2
      case 4: isSigned ? CFFI_MOVE_SIGNED_4 : CFFI_MOVE_UNSIGNED_4
      case 8: CFFI_MOVE_WORD
      case ..<8: CFFI_MOVE_PART
      default: CFFI_MOVE_BYTES
      }
    unsafe append(start, stride, offset, size, kind)
  }

  private mutating func append(
    _ start: UnsafeMutableRawPointer, _ stride: Int, _ offset: Int, _ size: Int, _ kind: cffi_move_kind
  ) {
    unsafe moves.initializeElement(
      at: count,
      to: cffi_move(
        address: start.assumingMemoryBound(to: CChar.self), stride: stride, offset: UInt32(offset), size: UInt32(size), kind: kind))
    count += 1
  }
}

extension FrameSlot {
  /// An upper bound of the number of moves for the value.
  fileprivate var mostMoves: Int {
    switch storage {
    case .nothing: 0
    case .signed, .unsigned, .floating: 1
    case .twoWords: 2
    // A value in registers has at most four words; any other is one run of bytes.
    case .bytes: min(extent / 8, 4)
    case .homogeneous: Int(size) / memberSize
    }
  }
}
