// The geometry of Foundation that is not Core Graphics'.

public import DynamicInvocation
public import Foundation

// MARK: NSEdgeInsets

extension EdgeInsets {
  /// Creates the same insets from those of Foundation.
  public init(_ insets: NSEdgeInsets) {
    self.init(
      top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom), right: Double(insets.right))
  }
}

extension NSEdgeInsets {
  /// Creates the same insets from those of the engine.
  public init(_ insets: EdgeInsets) {
    self.init(
      top: CGFloat(insets.top), left: CGFloat(insets.left), bottom: CGFloat(insets.bottom), right: CGFloat(insets.right))
  }
}

extension NSEdgeInsets: EncodedValue {
  /// `{NSEdgeInsets=dddd}`.
  public static let typeEncoding: TypeEncoding = "{NSEdgeInsets=dddd}"
  /// The kind of the engine's insets: four numbers of double precision.
  public static var valueKind: ValueKind { EdgeInsets.valueKind }

  /// Writes the four numbers; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe EdgeInsets(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the four numbers.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> NSEdgeInsets? {
    unsafe EdgeInsets.load(from: slot, of: frame).map { NSEdgeInsets($0) }
  }
}

extension NSEdgeInsets: ThunkConvertible {
  /// The engine's insets.
  public typealias CRepresentation = EdgeInsets
  /// Creates the same insets from the engine's.
  public init(cRepresentation insets: EdgeInsets) { self.init(insets) }
  /// The same insets of the engine.
  public var cRepresentation: EdgeInsets { EdgeInsets(self) }
}

extension NSEdgeInsets: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .insets(EdgeInsets(self)) }
}

extension BoxedValue {
  /// The edge insets, or a struct of their layout as some; nil for another value.
  public var nsEdgeInsets: NSEdgeInsets? {
    if case .insets(let value) = self { NSEdgeInsets(value) } else { bytes(as: EdgeInsets.self).map { NSEdgeInsets($0) } }
  }
}

// MARK: AffineTransform

extension Transform2D {
  /// Creates the same transform from one of Foundation: `m11 m12 m21 m22 tX tY` are `a b c d tx ty`.
  public init(_ transform: AffineTransform) {
    self.init(
      a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
      tx: Double(transform.tX), ty: Double(transform.tY))
  }
}

extension Transform2D {
  /// Creates the same transform from an object of Foundation.
  init(_ transform: NSAffineTransform) {
    let transform = transform.transformStruct
    self.init(
      a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
      tx: Double(transform.tX), ty: Double(transform.tY))
  }
}

extension AffineTransform {
  /// Creates the same transform from one of the engine: `a b c d tx ty` are `m11 m12 m21 m22 tX tY`.
  public init(_ transform: Transform2D) {
    self.init(
      m11: CGFloat(transform.a), m12: CGFloat(transform.b), m21: CGFloat(transform.c), m22: CGFloat(transform.d),
      tX: CGFloat(transform.tx), tY: CGFloat(transform.ty))
  }
}

extension AffineTransform: EncodedValue {
  /// `{CGAffineTransform=dddddd}`.
  public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"
  /// The kind of the engine's transform of the plane: six numbers of double precision.
  public static var valueKind: ValueKind { Transform2D.valueKind }

  /// Writes the six numbers; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Transform2D(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the six numbers.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> AffineTransform? {
    unsafe Transform2D.load(from: slot, of: frame).map { AffineTransform($0) }
  }
}

extension AffineTransform: ThunkConvertible {
  /// The engine's transform.
  public typealias CRepresentation = Transform2D
  /// Creates the same transform from the engine's.
  public init(cRepresentation transform: Transform2D) { self.init(transform) }
  /// The same transform of the engine.
  public var cRepresentation: Transform2D { Transform2D(self) }
}

extension AffineTransform: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .affineTransform(Transform2D(self)) }
}

extension BoxedValue {
  /// The affine transform of the plane, or a struct of its layout as one; nil for another value.
  public var foundationTransform: AffineTransform? {
    if case .affineTransform(let value) = self { AffineTransform(value) } else { bytes(as: Transform2D.self).map { AffineTransform($0) } }
  }
}

// MARK: NSRange

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

extension NSRange: ThunkConvertible {
  /// The engine's range, of unsigned numbers.
  public typealias CRepresentation = IndexRange
  /// Reads the bits of the two integers, one past the greatest `Int` as a negative one.
  public init(cRepresentation range: IndexRange) {
    self.init(location: Int(truncatingIfNeeded: range.location), length: Int(truncatingIfNeeded: range.length))
  }
  /// The bits of the two integers, a negative one as C reads it.
  public var cRepresentation: IndexRange {
    IndexRange(location: UInt64(bitPattern: Int64(location)), length: UInt64(bitPattern: Int64(length)))
  }
}

extension NSRange: FoundationBoxable {
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = IndexRange(self) else { throw InvocationError(.outOfRange, "the range (\(location), \(length)) is negative") }
    return .range(range)
  }
}

extension BoxedValue {
  /// The range, or a struct of its layout as one; nil for another value, and past the greatest `Int`.
  public var nsRange: NSRange? {
    if case .range(let value) = self { NSRange(value) } else { bytes(as: IndexRange.self).flatMap { NSRange($0) } }
  }
}

extension Range: FoundationBoxable where Bound == Int {
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = IndexRange(self) else { throw InvocationError(.outOfRange, "the range \(self) is negative") }
    return .range(range)
  }
}
