/// How a boxed value becomes a value of the parameter's type.
public struct ConversionOptions: OptionSet, Sendable {
  /// One bit for each option.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Converts between numbers as NSNumber does, without an error: integers wrap, fractions are cut off, precision is lost, a bool is 0 or 1
  /// and any number but 0 is true.
  ///
  /// A floating-point number outside the range of a signed 64-bit integer, or not a number, becomes the least one, whose low bits are taken for
  /// narrower types. To an unsigned 64-bit type it goes by way of 128 bits and wraps: 1e20 is 1e20 modulo 2 to the power of 64. This is what NSNumber
  /// gives on Linux, save for two oddities of it: the fraction of a negative number is cut off for an unsigned 64-bit type too, where NSNumber rounds
  /// down, and every number but 0 is true, where NSNumber takes 0.5 for false.
  public static let truncating: ConversionOptions = ConversionOptions(rawValue: 1)
}

extension ConversionOptions: CustomStringConvertible {
  /// The options by name: `[truncating]`.
  public var description: String { text([(.truncating, "truncating")]) }
}
