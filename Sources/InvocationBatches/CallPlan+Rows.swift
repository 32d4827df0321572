internal import CFFIShim

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
