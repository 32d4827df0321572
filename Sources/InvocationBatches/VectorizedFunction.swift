import CFFIShim

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A function of a library with its vector variant, which computes the results of several rows at once.
///
///     let cos = try DynamicLibrary("libm.so.6").function("cos", types: "dd").vectorized
///     let values: [Double] = try cos.map(angles)
///
/// A compiler exports a vector variant of a function that is declared with `#pragma omp declare simd`, and the GNU C
/// library exports those of most functions of `libm` in `libmvec.so.1`. The name of a variant states its instruction
/// set, the number of elements and the arguments: `_ZGVdN4v_cos` computes four cosines with AVX2. The widest variant
/// that the processor supports is used: AVX-512, AVX2 or SSE.
///
/// Without a variant, the rows are called one by one: on processors other than x86-64, on systems without ELF
/// libraries, and for functions whose types are not one or two numbers of the type of the result, `d` or `f`.
///
/// - Accuracy: That of the variant, which may differ from the function. The GNU C library allows its variants an error
///   of 4 units in the last place, where most of its scalar functions have less than 1. They assume rounding to
///   nearest, and do not set `errno`.
public struct VectorizedFunction: Sendable {
  /// The function.
  public let function: ForeignFunction

  /// The symbol of the vector variant, such as `_ZGVdN4v_cos`; nil if the rows are called one by one.
  public let symbol: String?

  /// The number of rows of a call: 1 if there is no vector variant.
  public let rowsPerCall: Int

  private let kernel: VectorKernel?
  /// Keeps the library of the variant loaded.
  private let library: DynamicLibrary?

  fileprivate init(_ function: ForeignFunction) {
    self.function = function
    let found = VariantSearch(function)?.find()
    symbol = found?.symbol
    rowsPerCall = found?.form.elements ?? 1
    kernel = found.map { unsafe VectorKernel($0.code, $0.form, argumentCount: function.methodSignature.numberOfArguments) }
    library = found?.library
  }

  /// Calls the function with the first elements of the arrays, then with the second, and so on.
  ///
  /// - Parameters:
  ///   - columns: An array for each argument, all of one length.
  ///   - type: The type of the results.
  /// - Returns: The results, in order.
  /// - Throws: `InvocationError` as `ForeignFunction.callEach(rows:_:results:)` does.
  /// - Complexity: O(*n*); allocates a copy of each array, and the result.
  public func map<each Argument: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ columns: repeat [each Argument], as type: Result.Type = Result.self
  ) throws(InvocationError) -> [Result] {
    try map(function.copies(repeat each columns))
  }

  /// Calls the function for each row, and stores the results.
  ///
  /// Columns without gaps are read in place, others are copied in blocks.
  ///
  /// - Parameters:
  ///   - rows: The number of rows; not negative.
  ///   - columns: The values of each argument.
  ///   - results: The memory for the results.
  /// - Throws: `InvocationError` as `ForeignFunction.callEach(rows:_:results:)` does.
  /// - Complexity: O(*rows*). Allocates nothing.
  public func callEach<Result: EncodedValue & BitwiseCopyable>(
    rows: Int, _ columns: [ArgumentColumn], results: UnsafeMutableBufferPointer<Result>
  ) throws(InvocationError) {
    // A kernel stores the numbers themselves, which the values of an enum are not.
    guard let kernel, TypeEncoding.isPassedAsBytes(Result.self) else {
      return try unsafe function.callEach(rows: rows, columns, results: results)
    }
    guard let start = try unsafe function.checkedResults(rows, columns, results) else { return }
    unsafe kernel.callRows(0..<rows, results: UnsafeMutableRawPointer(start)) { index in
      unsafe RowColumn(start: columns[index].start, stride: columns[index].stride)
    }
  }

  private func map<Result: EncodedValue & BitwiseCopyable>(_ copies: [ColumnCopy]) throws(InvocationError) -> [Result] {
    let rows = try function.rows(of: copies)
    let results = UnsafeMutableBufferPointer<Result>.allocate(capacity: rows)
    defer { unsafe results.deallocate() }
    try withExtendedLifetime(copies) { () throws(InvocationError) in
      try unsafe callEach(rows: rows, copies.map(\.column), results: results)
    }
    return unsafe Array(results)
  }
}

extension VectorizedFunction: CustomStringConvertible {
  /// The function and its variant: `function cos 'dd' by _ZGVdN4v_cos`.
  public var description: String { "\(function) " + (symbol.map { "by \($0.shortened(to: 120).escaped)" } ?? "without a vector variant") }
}

extension ForeignFunction {
  /// The function with its vector variant, if its library, or `libmvec.so.1` for a function of `libm.so.6`, exports
  /// one.
  ///
  /// - Complexity: A few look-ups of symbols. Keep the result.
  public var vectorized: VectorizedFunction { VectorizedFunction(self) }
}

/// The search for the variants of a function.
@safe
private struct VariantSearch {
  private let name: String
  private let library: DynamicLibrary
  private let code: UnsafeRawPointer
  private let elementSize: Int
  private let argumentCount: Int

  @safe
  struct Found {
    let symbol: String
    let code: UnsafeRawPointer
    let form: VectorKernel.Form
    let library: DynamicLibrary
  }

  /// Returns nil for a function whose types have no vector variant.
  init?(_ function: ForeignFunction) {
    let types = function.methodSignature.types
    guard let symbol = function.implementation.librarySymbol, function.methodSignature.fixedArgumentCount == nil,
      (1...2).contains(types.arguments.count), case .scalar(let scalar) = types.result.kind, [.double, .float].contains(scalar),
      types.arguments.allSatisfy({ $0.valueKind == types.result.valueKind })
    else { return nil }
    name = symbol.name
    library = symbol.library
    unsafe code = function.implementation.pointer
    elementSize = scalar.size
    argumentCount = types.arguments.count
  }

  func find() -> Found? {
    let arguments = String(repeating: "v", count: argumentCount)
    guard let object = unsafe LoadedObject(of: code) else { return nil }
    // The GNU C library has the variants of libm in a library of its own.
    let other = isMathFunction ? try? DynamicLibrary("libmvec.so.1", suggesting: false) : nil
    for form in VectorKernel.forms(elementSize: elementSize) {
      let symbol = "_ZGV\(form.instructionSet)N\(form.elements)\(arguments)_\(name)"
      // A library of the same name that was found in a dependency may be another function's.
      if let code = unsafe address(of: symbol, in: library), unsafe LoadedObject(of: code)?.start == object.start {
        return unsafe Found(symbol: symbol, code: code, form: form, library: library)
      }
      if let other, let code = unsafe address(of: symbol, in: other) {
        return unsafe Found(symbol: symbol, code: code, form: form, library: other)
      }
    }
    return nil
  }

  /// Whether the code is that of the GNU C library's `libm.so.6`, and not of another library of a similar name.
  private var isMathFunction: Bool {
    guard let library = try? DynamicLibrary("libm.so.6", suggesting: false) else { return false }
    return unsafe address(of: name, in: library) == code
  }

  private func address(of symbol: String, in library: DynamicLibrary) -> UnsafeRawPointer? {
    unsafe dlsym(library.handle, symbol).map { UnsafeRawPointer($0) }
  }
}

/// The loaded file that contains an address.
private struct LoadedObject {
  let start: UInt

  init?(of address: UnsafeRawPointer) {
    var first: UnsafeRawPointer?
    var path: UnsafePointer<CChar>?
    guard unsafe cffi_find_object(address, &first, &path) != 0 else { return nil }
    start = UInt(bitPattern: first)
  }
}

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
