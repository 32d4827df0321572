import DynamicInvocation

/// What the readers of C values and of Swift values have in common: the place of a value in its argument, the errors
/// that state it, and numbers.
protocol JSONReader {
  /// The path from the argument to the value being read: `[1]` for an index, `.x` for a name.
  var path: String { get set }
}

extension JSONReader {
  /// Reads a part of a value, whose name or index is added to the path.
  mutating func part<Result>(
    _ step: String, _ read: (inout Self) throws(InvocationError) -> Result
  ) throws(InvocationError) -> Result {
    let outer = path
    path += step
    defer { path = outer }
    return try read(&self)
  }

  // MARK: Errors

  /// Creates an error that states the path to the value in the argument.
  ///
  /// - Parameter type: The type that the error names.
  func failure(_ code: InvocationError.Code, _ reason: String, _ type: some CustomStringConvertible) -> InvocationError {
    InvocationError(code, (path.isEmpty ? "" : "at \(path): ") + reason, encoding: type.description)
  }

  /// Creates the error for a value of another kind.
  func mismatch(_ value: JSONValue, _ wanted: String, _ type: some CustomStringConvertible) -> InvocationError {
    let isNull = if case .null = value { true } else { false }
    return failure(isNull ? .nullNotAllowed : .typeMismatch, "\(value.summary) is not \(wanted)", type)
  }

  private func misfit(_ value: JSONValue, _ type: some CustomStringConvertible) -> InvocationError {
    failure(.outOfRange, "\(value.summary) does not fit", type)
  }

  // MARK: Integers

  /// Reads a whole number in range.
  ///
  /// `1.0` and `1e3` are whole numbers, and so is the string `"0x1F"`.
  ///
  /// - Parameter orText: Whether to accept a string of decimal digits.
  func integer<Integer: FixedWidthInteger>(
    _ value: JSONValue, _: Integer.Type, _ type: some CustomStringConvertible, orText: Bool = false
  ) throws(InvocationError) -> Integer {
    let written: WrittenNumber?
    switch value {
    case .number(let text): written = WrittenNumber(decimal: text)
    case .string(let text): written = WrittenNumber(hexadecimal: text) ?? (orText ? WrittenNumber(decimal: text) : nil)
    default: written = nil
    }
    guard let written else { throw mismatch(value, orText ? "a whole number, or a string of one" : "a whole number", type) }
    if case .fraction = written.whole { throw failure(.inexact, "\(value.summary) is not a whole number", type) }
    guard let integer = written.integer(Integer.self) else { throw misfit(value, type) }
    return integer
  }

  // MARK: Floating point

  /// Reads the floating-point number nearest to a decimal one.
  ///
  /// An integer literal must be representable exactly, as in the rest of the engine.
  func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: JSONValue, _: Number.Type, _ type: some CustomStringConvertible
  ) throws(InvocationError) -> Number {
    switch value {
    case .string("nan"): return Number.nan
    case .string("inf"): return Number.infinity
    case .string("-inf"): return -Number.infinity
    case .string(let text) where WrittenNumber(hexadecimal: text) == nil: break
    case .string(let text), .number(let text):
      try requireExact(value, Number.significandBitCount + 1, type)
      // Parse in the type's own precision: parsing as a wider type would round twice.
      guard let number = Number(text), number.isFinite else { throw misfit(value, type) }
      return number
    default: break
    }
    throw mismatch(value, "a number, \"nan\", \"inf\", \"-inf\" or \"0x...\"", type)
  }

  /// Reads the nearest `long double`, whose numbers may be strings, since its digits do not fit a JSON number of others.
  func longDouble(_ value: JSONValue, _ type: some CustomStringConvertible) throws(InvocationError) -> LongDouble {
    switch value {
    case .string(let text):
      if WrittenNumber(hexadecimal: text) != nil { try requireExact(value, longDoublePrecision, type) }
      if let number = LongDouble(text), text.first.map({ !$0.isWhitespace }) ?? false { return number }
      if WrittenNumber(decimal: text) != nil { throw misfit(value, type) }
    case .number(let text):
      try requireExact(value, longDoublePrecision, type)
      guard let number = LongDouble(text) else { throw misfit(value, type) }
      return number
    default: break
    }
    throw mismatch(value, "a number or a string of one", type)
  }

  /// Throws if an integer literal is not represented exactly: a number with a point or an exponent is rounded to the
  /// nearest.
  private func requireExact(_ value: JSONValue, _ precision: Int, _ type: some CustomStringConvertible) throws(InvocationError) {
    let (written, rounding): (WrittenNumber?, String)
    switch value {
    case .number(let text):
      // Integers of up to six digits are exact in every format except the 16-bit one.
      if precision > 11, text.utf8.count <= 6 { return }
      (written, rounding) = (WrittenNumber(decimal: text), "\(value.summary).0")
    case .string(let text): (written, rounding) = (WrittenNumber(hexadecimal: text), "it with p0 at its end")
    default: return
    }
    guard let written, written.isIntegerLiteral, !written.isExact(inBits: precision) else { return }
    throw failure(.inexact, "\(value.summary) is not held exactly; write \(rounding) to round it", type)
  }
}

#if arch(x86_64) && !os(Windows) && !os(Android)
  private let longDoublePrecision = 64
#elseif canImport(Darwin) || os(Windows)
  private let longDoublePrecision = 53
#else
  private let longDoublePrecision = 113
#endif
