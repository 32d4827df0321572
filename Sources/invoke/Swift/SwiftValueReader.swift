import DynamicInvocation
import Foundation

/// Converts JSON values to values of Swift types, which metadata describe.
///
/// If a value cannot be read, the function is not called. Containers, structs and enums are in a separate file.
struct SwiftValueReader {
  /// Whether a word of the command line is a string wherever a string is expected, even if it is JSON of another kind.
  let takesAnyWord: Bool

  /// The path from the argument to the value being read: `.origin.x`, `[2]`.
  var path: String = ""

  init(takesAnyWord: Bool = true) { self.takesAnyWord = takesAnyWord }

  /// Reads an argument of the command line.
  ///
  /// - Parameter word: JSON, or a bare word for a string.
  /// - Returns: A value of exactly the type.
  /// - Throws: An error with the type, the path in the argument, and the reason.
  mutating func argument(_ word: String, as type: Any.Type) throws(InvocationError) -> Any {
    path = ""
    do throws(InvocationError) {
      return try value(try json(word, for: type), as: type)
    } catch {
      let place = path.isEmpty ? "" : "at \(path): "
      throw InvocationError(error.code, place + error.reason, encoding: _typeName(type, qualified: true))
    }
  }

  private func json(_ word: String, for type: Any.Type) throws(InvocationError) -> JSONValue {
    try GivenValue(word: word).value(asText: Self.isText(type)) { value in
      guard takesAnyWord else { return true }
      if case .null = value { return type is any SwiftContainer.Type }
      return false
    }
  }

  private static func isText(_ type: Any.Type) -> Bool {
    if let container = type as? any SwiftContainer.Type { return container.wrapped.map(isText) ?? false }
    return type == String.self || type == Substring.self || type == Character.self || type == Unicode.Scalar.self
  }

  /// Reads a value.
  ///
  /// - Returns: A value of exactly the type.
  mutating func value(_ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    switch type {
    case is Bool.Type:
      guard case .bool(let isTrue) = value else { throw mismatch(value, "true or false") }
      return isTrue
    case is String.Type: return try text(value)
    case is Substring.Type: return Substring(try text(value))
    case is Character.Type:
      let text = try text(value)
      guard let character = text.first, text.count == 1 else { throw mismatch(value, "one character") }
      return character
    case is Unicode.Scalar.Type:
      let scalars = try text(value).unicodeScalars
      guard let scalar = scalars.first, scalars.count == 1 else { throw mismatch(value, "one Unicode scalar") }
      return scalar
    case let integer as any ScalarInteger.Type: return try self.integer(value, integer)
    case let number as any (BinaryFloatingPoint & LosslessStringConvertible).Type where Self.isStandardNumber(type):
      return try floating(value, number)
    case is CGFloat.Type: return CGFloat(try number(value, as: Double.self))
    case let container as any SwiftContainer.Type: return try container.read(value, &self)
    default: return try composite(value, as: type)
    }
  }

  private func text(_ value: JSONValue) throws(InvocationError) -> String {
    guard case .string(let text) = value else { throw mismatch(value, "a string") }
    return text
  }

  // MARK: Numbers

  // The rules for numbers are those of `invoke call`; the type encoding is of use for its errors only.
  private var numbers: ValueReader {
    ValueReader(arena: BufferArena()) { (name) throws(InvocationError) in throw InvocationError(.symbolNotFound, name) }
  }

  private func integer<Integer: FixedWidthInteger>(_ value: JSONValue, _: Integer.Type) throws(InvocationError) -> Any {
    try numbers.integer(value, Integer.self, TypeEncoding(scalar: .int64), orText: Integer.bitWidth > 64)
  }

  private func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: JSONValue, _: Number.Type
  ) throws(InvocationError) -> Any {
    try number(value, as: Number.self)
  }

  private func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: JSONValue, as _: Number.Type
  ) throws(InvocationError) -> Number {
    try numbers.floating(value, Number.self, TypeEncoding(scalar: .double), precision: Number.significandBitCount + 1)
  }

  /// Whether a floating-point type is one of the standard library or `CGFloat`: the initializers of others may trap.
  static func isStandardNumber(_ type: Any.Type) -> Bool {
    type == CGFloat.self || _typeName(type, qualified: true).hasPrefix("Swift.")
  }

  // MARK: Errors

  /// Creates an error for the value at the current path.
  func failure(_ code: InvocationError.Code, _ reason: String) -> InvocationError { InvocationError(code, reason) }

  /// Creates the error for a value of another kind.
  func mismatch(_ value: JSONValue, _ wanted: String) -> InvocationError {
    var code = InvocationError.Code.typeMismatch
    if case .null = value { code = .nullNotAllowed }
    return failure(code, "\(value.summary) is not \(wanted)")
  }

  /// Reads a part of a value, whose name is added to the path.
  ///
  /// The path is that of the failed part when an error is thrown.
  mutating func part(_ name: String, _ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    let outer = path
    path += name
    let read = try self.value(value, as: type)
    path = outer
    return read
  }
}
