extension TypeEncoding {
  /// The bounds within which an encoding is read.
  ///
  /// Past one of them reading throws; nothing crashes or hangs.
  public enum Limits {
    /// The longest text, in bytes.
    public static let length: Int = 1 << 20
    /// The deepest nesting of pointers, arrays, structs, unions and block signatures.
    public static let nesting: Int = 128
    /// The largest type, in bytes.
    public static let size: Int = Int(Int32.max)
    /// The most arguments of one signature.
    public static let arguments: Int = 16_384
  }
}
