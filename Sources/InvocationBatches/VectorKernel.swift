internal import CFFIShim

/// The call of a vector variant: a function that computes the results of several rows in vector registers.
@safe
struct VectorKernel: @unchecked Sendable {
  // Unchecked Sendable: the pointer is only called.

  private let code: UnsafeRawPointer
  private let form: Form
  private let argumentCount: Int

  /// The vectors of a variant.
  struct Form: Sendable {
    /// The letter of the instruction set in the names of variants: `b` for SSE, `d` for AVX2, `e` for AVX-512.
    let instructionSet: Character
    /// The number of elements of a vector.
    let elements: Int
    fileprivate let elementSize: Int
    fileprivate let width: cffi_vector_width
  }

  /// Returns the forms that the processor supports, widest first; none on processors other than x86-64.
  ///
  /// - Parameter elementSize: The size of an element in bytes, 4 or 8.
  static func forms(elementSize: Int) -> [Form] {
    let largest = cffi_vector_largest()
    let all: [(Character, cffi_vector_width)] = [("e", CFFI_VECTOR_64), ("d", CFFI_VECTOR_32), ("b", CFFI_VECTOR_16)]
    return all.filter { $0.1.rawValue <= largest.rawValue }.map { letter, width in
      Form(instructionSet: letter, elements: Int(width.rawValue) / elementSize, elementSize: elementSize, width: width)
    }
  }

  /// - Parameters:
  ///   - code: The variant.
  ///   - form: Its vectors.
  ///   - argumentCount: The number of arguments, one or two.
  init(_ code: UnsafeRawPointer, _ form: Form, argumentCount: Int) {
    unsafe self.code = code
    self.form = form
    self.argumentCount = argumentCount
  }

  /// Computes the results of a range of rows.
  ///
  /// - Parameters:
  ///   - rows: The rows; not empty.
  ///   - results: The memory for the result of row 0 and those after it, without gaps.
  ///   - column: Returns the column of an argument.
  func callRows(_ rows: Range<Int>, results: UnsafeMutableRawPointer, _ column: (Int) -> RowColumn) {
    func part(_ index: Int) -> cffi_vector_column {
      let column = column(index)
      let start = unsafe column.start.map { unsafe $0 + rows.lowerBound * column.stride }
      return unsafe cffi_vector_column(address: start?.assumingMemoryBound(to: CChar.self), stride: column.stride)
    }
    let columns = unsafe (part(0), part(argumentCount - 1))
    unsafe withUnsafeBytes(of: columns) { columns in
      let start = unsafe results + rows.lowerBound * form.elementSize
      unsafe cffi_vector_run(
        code, form.width, form.elementSize, columns.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: cffi_vector_column.self),
        CInt(argumentCount), start.assumingMemoryBound(to: CChar.self), rows.count)
    }
  }
}
