/// Batches: one plan and one frame for many rows of arguments.
extension ForeignFunction {
  /// Calls the function once for each row, in order, and stores the results.
  ///
  ///     try pow.callEach(rows: n, [ArgumentColumn(bases), ArgumentColumn(repeating: &exponent)], results: powers)
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  ///   - results: The memory for the results: uninitialized or of a trivial type, for at least `rows` of them.
  /// - Throws: `InvocationError`. Before any call: `countMismatch` for a wrong number of columns or too few rows in a
  ///   column or in `results`, and `typeMismatch`. After a call whose result is null: `nullNotAllowed`, if the result
  ///   type is not an optional.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, except frames larger than one kilobyte.
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

  /// Calls the function once for each row, in order, and discards any results.
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  /// - Throws: `InvocationError`, before any call: `countMismatch`, `typeMismatch`.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, except frames larger than one kilobyte.
  public func callEach(rows: Int, _ columns: [ArgumentColumn]) throws(InvocationError) {
    try unsafe forEach(rows, columns) { _, _ in true }
  }

  /// The implementation of all overloads of `map`.
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

  /// Calls the function for each row.
  ///
  /// A closure reads the frame after each call, and returns false to stop.
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

/// A copy of the values of an array, at an address that is valid while the object is alive.
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
    // Each number takes two words, of which the call reads as many bytes as the type has.
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

/// The values of one argument in a batch of calls: one for each row, or one for all rows.
///
/// A column borrows memory, which must stay valid and unchanged until the batch is done. The bytes are passed
/// unchanged. Therefore a column cannot hold the values of an enum, which other calls pass as raw values.
@safe
public struct ArgumentColumn {
  let start: UnsafeRawPointer?
  /// The distance in bytes between the values of consecutive rows; 0 when all rows have the same value.
  let stride: Int
  /// The number of rows that the column has values for; nil for any number.
  let count: Int?
  /// Returns whether the argument at an index of a signature accepts the values.
  let accepts: (MethodSignature, Int) -> Bool
  let type: Any.Type

  /// Creates a column with a value for each row.
  ///
  /// - Parameter values: The values, of a Swift type that `Invocation.setArgument(_:at:)` accepts for the argument.
  public init<Value: EncodedValue & BitwiseCopyable>(_ values: UnsafeBufferPointer<Value>) {
    unsafe start = UnsafeRawPointer(values.baseAddress)
    stride = MemoryLayout<Value>.stride
    count = values.count
    accepts = { $0.takes(Value.self, at: $1) && TypeEncoding.isPassedAsBytes(Value.self) }
    type = Value.self
  }

  /// Creates a column with one value for all rows.
  ///
  /// - Parameter value: The address of the value.
  public init<Value: EncodedValue & BitwiseCopyable>(repeating value: UnsafePointer<Value>) {
    unsafe start = UnsafeRawPointer(value)
    stride = 0
    count = nil
    accepts = { $0.takes(Value.self, at: $1) && TypeEncoding.isPassedAsBytes(Value.self) }
    type = Value.self
  }

  /// Creates a column of values at a fixed distance, such as one member of an array of structs.
  ///
  /// - Parameters:
  ///   - start: The address of the first value; values need not be aligned.
  ///   - stride: The distance in bytes between the values of consecutive rows; may be negative or 0.
  ///   - count: The number of rows.
  ///   - encoding: The type of the values; it must have the layout of the argument's type.
  public init(_ start: UnsafeRawPointer, stride: Int, count: Int, as encoding: TypeEncoding) {
    unsafe self.start = start
    self.stride = stride
    self.count = count
    let kind = encoding.valueKind
    accepts = { signature, index in unsafe signature.storage.plan.slots[index].kind == kind && kind != .unknown }
    type = EncodedBytes.self
  }
}
