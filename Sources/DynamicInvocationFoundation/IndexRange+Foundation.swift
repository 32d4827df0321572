public import DynamicInvocation
public import Foundation

extension IndexRange {
  /// Creates the same range from one of Foundation, whose numbers are signed; nil when one is negative.
  public init?(_ range: NSRange) {
    guard let location = UInt64(exactly: range.location), let length = UInt64(exactly: range.length) else { return nil }
    self.init(location: location, length: length)
  }

  /// Creates the same range from one of Swift; nil when its bounds are negative.
  public init?(_ range: Range<Int>) {
    guard let location = UInt64(exactly: range.lowerBound) else { return nil }
    self.init(location: location, length: UInt64(range.count))
  }
}

extension NSRange {
  /// Creates the same range from one of the engine, whose numbers are unsigned; nil when one is past the greatest `Int`.
  public init?(_ range: IndexRange) {
    guard let location = Int(exactly: range.location), let length = Int(exactly: range.length) else { return nil }
    self.init(location: location, length: length)
  }
}

extension NSRange: EncodedValue {
  /// `{_NSRange=QQ}`: unsigned in C, though the members are `Int` here.
  public static let typeEncoding: TypeEncoding = "{_NSRange=QQ}"
  /// The kind of the engine's range: two unsigned integers.
  public static var valueKind: ValueKind { IndexRange.valueKind }

  /// Writes the bits of the two integers, a negative one as C reads it; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    let range = IndexRange(location: UInt64(bitPattern: Int64(location)), length: UInt64(bitPattern: Int64(length)))
    return unsafe range.store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the bits of the two integers, one past the greatest `Int` as a negative one.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> NSRange? {
    unsafe IndexRange.load(from: slot, of: frame).map { range in
      NSRange(location: Int(truncatingIfNeeded: range.location), length: Int(truncatingIfNeeded: range.length))
    }
  }
}
