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
  let accepts: @Sendable (MethodSignature, Int) -> Bool
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

  /// Creates a column of one member of an array of structs.
  ///
  ///     let column = ArgumentColumn(readings, of: \.value)
  ///
  /// - Parameters:
  ///   - values: The structs, a row each.
  ///   - member: A stored property, of a Swift type that `Invocation.setArgument(_:at:)` accepts for the argument.
  ///     Traps if the property is computed or has an observer, because it has no address.
  public init<Root, Value: EncodedValue & BitwiseCopyable>(_ values: UnsafeBufferPointer<Root>, of member: KeyPath<Root, Value>) {
    guard let offset = MemoryLayout<Root>.offset(of: member) else { preconditionFailure("\(member) is no stored property") }
    unsafe start = UnsafeRawPointer(values.baseAddress).map { unsafe $0 + offset }
    stride = MemoryLayout<Root>.stride
    count = values.count
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

extension ArgumentColumn: CustomStringConvertible {
  /// The number of values and their type: `100 values of Double`, `one Double for all rows`.
  public var description: String { count.map { $0.counted("value") + " of \(type)" } ?? "one \(type) for all rows" }
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
