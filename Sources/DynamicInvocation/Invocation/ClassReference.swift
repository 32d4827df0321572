/// Writes and reads references to classes in frames.
enum ClassReference {
  /// The word that refers to a class.
  static func word(_ type: AnyClass) -> UInt64 {
    UInt64(UInt(bitPattern: unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)))
  }

  /// The class that a word refers to, or nil for null.
  static func type(_ word: UInt64) -> AnyClass? {
    unsafe UnsafeRawPointer(bitPattern: UInt(word)).map { unsafe unsafeBitCast($0, to: AnyClass.self) }
  }
}
