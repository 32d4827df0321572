/// The values of one argument in a batch of calls: one for each row, or one for all.
///
/// A column lends memory: it must stay as it is until the batch is done. Its bytes are passed as they are, so the values of an enum, which are
/// passed as their raw values elsewhere, make no column.
@safe
public struct ArgumentColumn {
  let start: UnsafeRawPointer?
  /// The bytes from one row's value to the next; 0 when all rows have the same.
  let stride: Int
  /// The rows it has values for; nil for any number.
  let count: Int?
  /// Whether the argument of a signature at an index takes its values.
  let accepts: (MethodSignature, Int) -> Bool
  let type: Any.Type

  /// Creates a column with a value for each row.
  ///
  /// - Parameter values: The values, of the argument's Swift type as `Invocation.setArgument(_:at:)` takes it.
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

  /// Creates a column of values that lie a fixed distance apart, such as one member of an array of structs.
  ///
  /// - Parameters:
  ///   - start: The address of the first value; values need not be aligned.
  ///   - stride: The bytes from one row's value to the next; may be negative, or 0.
  ///   - count: The number of rows.
  ///   - encoding: The type of the values; its layout must be that of the argument's type.
  public init(_ start: UnsafeRawPointer, stride: Int, count: Int, as encoding: TypeEncoding) {
    unsafe self.start = start
    self.stride = stride
    self.count = count
    let kind = encoding.valueKind
    accepts = { signature, index in unsafe signature.storage.plan.slots[index].kind == kind && kind != .unknown }
    type = EncodedBytes.self
  }
}
