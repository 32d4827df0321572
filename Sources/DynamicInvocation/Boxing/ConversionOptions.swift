/// How a boxed value becomes a value of the parameter's type.
public struct ConversionOptions: OptionSet, Sendable {
  /// One bit for each option.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Converts between numbers as NSNumber does, without an error: integers wrap, fractions are cut off, precision is lost, a bool is 0 or 1
  /// and any number but 0 is true.
  ///
  /// A floating-point number outside the range of a 64-bit integer, or not a number, becomes the least integer, as on x86-64.
  public static let truncating: ConversionOptions = ConversionOptions(rawValue: 1)
}
