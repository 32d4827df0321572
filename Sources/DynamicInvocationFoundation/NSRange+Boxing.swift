// Ranges of Foundation.

public import DynamicInvocation
public import Foundation

// MARK: NSRange

extension Geometry.IndexRange {
  /// Creates the same range from Foundation's struct, whose members are signed; nil if one is negative.
  public init?(_ range: NSRange) {
    guard let location = UInt64(exactly: range.location), let length = UInt64(exactly: range.length) else { return nil }
    self.init(location: location, length: length)
  }

  /// Creates the same range from a Swift range; nil if its lower bound is negative.
  public init?(_ range: Range<Int>) {
    guard let location = UInt64(exactly: range.lowerBound) else { return nil }
    self.init(location: location, length: UInt64(range.count))
  }
}

extension NSRange {
  /// Creates the same range from the engine's struct, whose members are unsigned; nil if one exceeds `Int.max`.
  public init?(_ range: Geometry.IndexRange) {
    guard let location = Int(exactly: range.location), let length = Int(exactly: range.length) else { return nil }
    self.init(location: location, length: length)
  }
}

extension NSRange: _BridgedGeometry {
  /// `{_NSRange=QQ}`: the members are unsigned in C, although they are `Int` in Swift.
  public static let typeEncoding: TypeEncoding = "{_NSRange=QQ}"

  /// The engine's range, whose members are unsigned.
  public typealias CRepresentation = Geometry.IndexRange
  /// Reads the bits of the two integers; one that exceeds `Int.max` becomes negative.
  public init(cRepresentation range: Geometry.IndexRange) {
    self.init(location: Int(truncatingIfNeeded: range.location), length: Int(truncatingIfNeeded: range.length))
  }
  /// The bits of the two integers; C reads a negative one as unsigned.
  public var cRepresentation: Geometry.IndexRange {
    Geometry.IndexRange(location: UInt64(bitPattern: Int64(location)), length: UInt64(bitPattern: Int64(length)))
  }
}

extension NSRange: FoundationBoxable {
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = Geometry.IndexRange(self) else {
      throw InvocationError(.outOfRange, "the range (\(location), \(length)) is negative")
    }
    return .range(range)
  }
}

extension BoxedValue {
  /// The range, or a struct of the same layout as a range; nil for any other value, and if a member exceeds `Int.max`.
  public var nsRange: NSRange? {
    if case .range(let value) = self { NSRange(value) } else { bytes(as: Geometry.IndexRange.self).flatMap { NSRange($0) } }
  }
}

extension Range: FoundationBoxable where Bound == Int {
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = Geometry.IndexRange(self) else { throw InvocationError(.outOfRange, "the range \(self) is negative") }
    return .range(range)
  }
}
