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
