/// Batches: one plan and one frame for many rows of arguments.
extension ForeignFunction {
  /// Calls the function once for each row, in order, and stores the results.
  ///
  ///     try pow.callEach(rows: n, [ArgumentColumn(bases), ArgumentColumn(repeating: &exponent)], results: powers)
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  ///   - results: Where the results go, uninitialized or trivial memory for at least `rows` of them.
  /// - Throws: ``InvocationError``, before any call, `countMismatch` for a wrong number of columns, or too few rows in one or in `results`, and
  ///   `typeMismatch`; `nullNotAllowed` after the call whose result is null when its type is no optional.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, save for frames of more than a kilobyte.
  public func callEach<Result: EncodedValue & BitwiseCopyable>(
    rows: Int, _ columns: [ArgumentColumn], results: UnsafeMutableBufferPointer<Result>
  ) throws(InvocationError) {
    let slot = try resultSlot(of: Result.self)
    guard results.count >= rows else {
      throw named(InvocationError(.countMismatch, "memory for \(results.count) results of \(rows) rows", argument: .result))
    }
    var failure: InvocationError?
    try unsafe forEach(rows, columns) { row, frame in
      guard let value = unsafe Result.load(from: slot, of: frame) else {
        failure = unsafe slot.unreadable(in: frame, .result)
        return false
      }
      unsafe results.initializeElement(at: row, to: value)
      return true
    }
    if let failure { throw named(failure) }
  }

  /// Calls the function once for each row, in order, and drops the results, if it has any.
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  /// - Throws: ``InvocationError``, before any call: `countMismatch`, `typeMismatch`.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, save for frames of more than a kilobyte.
  public func callEach(rows: Int, _ columns: [ArgumentColumn]) throws(InvocationError) {
    try unsafe forEach(rows, columns) { _, _ in true }
  }

  /// What every form of `map` calls.
  func map<Result: EncodedValue & BitwiseCopyable>(_ copies: [ColumnCopy]) throws(InvocationError) -> [Result] {
    guard copies.count == methodSignature.numberOfArguments else { throw countMismatch(copies.count) }
    let rows = copies.first?.count ?? 0
    for (index, copy) in copies.enumerated() where copy.count != rows {
      throw named(InvocationError(.countMismatch, "\(copy.count) values, the first array has \(rows)", argument: .index(index)))
    }
    let results = UnsafeMutableBufferPointer<Result>.allocate(capacity: rows)
    defer { unsafe results.deallocate() }
    try withExtendedLifetime(copies) { () throws(InvocationError) in
      try unsafe callEach(rows: rows, copies.map(\.column), results: results)
    }
    return unsafe Array(results)
  }

  /// Calls for each row until a closure that is lent the frame after the call returns false.
  private func forEach(
    _ rows: Int, _ columns: [ArgumentColumn], _ read: (Int, UnsafeRawPointer) -> Bool
  ) throws(InvocationError) {
    let plan = methodSignature.storage.plan
    try check(rows, columns)
    unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe plan.prepare(frame)
      withExtendedLifetime(self) {
        for row in 0..<rows {
          for index in 0..<plan.count {
            // A value without bytes may have no address.
            guard let start = unsafe columns[index].start else { continue }
            unsafe plan.slots[index].write(from: start + row * columns[index].stride, to: frame)
          }
          unsafe plan.call(implementation.pointer, frame: frame)
          guard unsafe read(row, UnsafeRawPointer(frame)) else { return }
        }
      }
    }
  }

  private func check(_ rows: Int, _ columns: [ArgumentColumn]) throws(InvocationError) {
    guard rows >= 0 else { throw named(InvocationError(.countMismatch, "\(rows) rows")) }
    let plan = methodSignature.storage.plan
    guard plan.count == columns.count else { throw countMismatch(columns.count) }
    for (index, column) in columns.enumerated() {
      guard column.accepts(methodSignature, index) else { throw named(methodSignature.mismatch(column.type, .index(index))) }
      if let count = column.count, count < rows {
        throw named(InvocationError(.countMismatch, "\(count) values for \(rows) rows", argument: .index(index)))
      }
    }
    if implementation.hasTargetType, let start = unsafe columns.first?.start {
      for row in 0..<rows {
        try unsafe implementation.requireTarget(at: (start + row * columns[0].stride).loadUnaligned(as: UInt64.self), nil)
      }
    }
  }
}

/// The values of an array, at an address for as long as the object lives.
@safe
final class ColumnCopy {
  let column: ArgumentColumn
  let count: Int
  private let memory: UnsafeMutableRawPointer

  /// Copies the values of an argument; literals of another type are converted.
  init<Value: EncodedValue & BitwiseCopyable>(_ values: [Value], _ index: Int, of function: ForeignFunction) throws(InvocationError) {
    count = values.count
    let signature = function.methodSignature
    guard index < signature.numberOfArguments, !signature.takes(Value.self, at: index) else {
      let start = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
      let copy = unsafe UnsafeMutableBufferPointer(start: start, count: values.count)
      _ = unsafe copy.initialize(fromContentsOf: values)
      column = unsafe ArgumentColumn(UnsafeBufferPointer(copy))
      unsafe memory = UnsafeMutableRawPointer(start)
      return
    }
    // Each number in two words, of which the call reads as many bytes as the type has.
    let stride = 16
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, values.count) * stride, alignment: stride)
    unsafe memory = copy
    column = unsafe ArgumentColumn(UnsafeRawPointer(copy), stride: stride, count: values.count, as: signature.types.arguments[index])
    for (row, value) in values.enumerated() {
      do throws(InvocationError) {
        guard let value = Literal(value) else { throw signature.mismatch(Value.self, .index(index)) }
        switch try signature.literal(value, at: index) {
        case .word(let word): unsafe copy.storeBytes(of: word, toByteOffset: row * stride, as: UInt64.self)
        case .words(let low, let high): unsafe copy.storeBytes(of: (low, high), toByteOffset: row * stride, as: (UInt64, UInt64).self)
        case .bytes, .text, .object: preconditionFailure("a literal is a number")
        }
      } catch {
        throw function.named(error)
      }
    }
  }

  deinit {
    unsafe memory.deallocate()
  }
}
