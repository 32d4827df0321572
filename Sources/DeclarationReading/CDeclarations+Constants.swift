import TypeEncodings

extension CDeclarations {
  /// The value of an enumerator or of a macro.
  public enum Constant: Sendable, Hashable {
    /// An integer of a signed type.
    case integer(Int64)
    /// An integer of an unsigned type.
    case unsigned(UInt64)
    /// A floating-point number.
    case floatingPoint(Double)
    /// A string literal.
    case string(String)
    /// An integer that is cast to a pointer, such as `MAP_FAILED` or `SQLITE_TRANSIENT`.
    case address(UInt)

    /// The value as an `Int`, if it is an integer that fits.
    public var int: Int? {
      switch self {
      case .integer(let value): Int(exactly: value)
      case .unsigned(let value): Int(exactly: value)
      case .floatingPoint, .string, .address: nil
      }
    }

    /// The value as a `Double`, if it is a number.
    public var double: Double? {
      switch self {
      case .integer(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .floatingPoint(let value): value
      case .string, .address: nil
      }
    }

    /// The value as text, if it is a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    init?(_ value: ConstantValue) {
      switch value {
      case .operand(let operand): self.init(operand)
      case .string(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
      }
    }

    init?(_ operand: Operand) {
      switch operand {
      case .integer(let value):
        if value.isSigned, let number = Int64(exactly: value.value) {
          self = .integer(number)
        } else if let number = UInt64(exactly: value.value) {
          self = value.value <= Int128(Int64.max) && value.isSigned ? .integer(Int64(number)) : .unsigned(number)
        } else {
          return nil
        }
      case .floatingPoint(let value, _): self = .floatingPoint(value)
      case .address(let value): self = .address(UInt(truncatingIfNeeded: value.value))
      }
    }
  }

  /// The constants that enumerators and macros define.
  public struct Constants: Sendable {
    let storage: Storage

    /// The value of an enumerator, of a macro without parameters whose expansion is a constant, or of a variable that is
    /// declared as `const` or `constexpr` with such a value; otherwise nil.
    ///
    /// Nil too for an integer of more than 64 bits, and for a floating-point number that a `Double` cannot hold, such as
    /// `LDBL_MAX`. A `long double` in the range of `Double` is the nearest `Double`.
    ///
    /// - Complexity: O(tokens of the expansion), at most 10,000.
    public subscript(name: String) -> Constant? {
      storage.read { $0.constant(named: name) }
    }

    /// The names of the enumerators, in the order of their declarations.
    public var enumerators: [String] { storage.read { $0.symbolNames(.enumerator) } }

    /// The names of the macros without parameters, in alphabetical order; not each is a constant.
    public var macros: [String] { storage.read { $0.macroNames() } }
  }
}

extension CDeclarations.Constant: CustomStringConvertible {
  /// The number, the text in quotes, or the address in hexadecimal digits.
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .floatingPoint(let value): "\(value)"
    case .string(let text): "\"\(text.escaped)\""
    case .address(let value): "0x" + String(value, radix: 16)
    }
  }
}
