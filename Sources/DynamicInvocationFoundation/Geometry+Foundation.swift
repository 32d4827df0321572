// The geometry of Foundation that is not part of Core Graphics.

public import DynamicInvocation
public import Foundation

// MARK: NSEdgeInsets

extension Geometry.EdgeInsets {
  /// Creates the same insets from Foundation's struct.
  public init(_ insets: NSEdgeInsets) {
    self.init(
      top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom), right: Double(insets.right))
  }
}

extension NSEdgeInsets {
  /// Creates the same insets from the engine's struct.
  public init(_ insets: Geometry.EdgeInsets) {
    self.init(
      top: CGFloat(insets.top), left: CGFloat(insets.left), bottom: CGFloat(insets.bottom), right: CGFloat(insets.right))
  }
}

extension NSEdgeInsets: EncodedValue {
  /// `{NSEdgeInsets=dddd}`.
  public static let typeEncoding: TypeEncoding = "{NSEdgeInsets=dddd}"
  /// The kind of the engine's insets: four double-precision numbers.
  public static var valueKind: ValueKind { Geometry.EdgeInsets.valueKind }

  /// Writes the four numbers, which need no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Geometry.EdgeInsets(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the four numbers.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> NSEdgeInsets? {
    unsafe Geometry.EdgeInsets.load(from: slot, of: frame).map { NSEdgeInsets($0) }
  }
}

extension NSEdgeInsets: _ThunkConvertible {
  /// The engine's insets.
  public typealias CRepresentation = Geometry.EdgeInsets
  /// Creates the same insets from the engine's struct.
  public init(cRepresentation insets: Geometry.EdgeInsets) { self.init(insets) }
  /// The same insets as the engine's struct.
  public var cRepresentation: Geometry.EdgeInsets { Geometry.EdgeInsets(self) }
}

extension NSEdgeInsets: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .insets(Geometry.EdgeInsets(self)) }
}

extension BoxedValue {
  /// The edge insets, or a struct of the same layout as edge insets; nil for any other value.
  public var nsEdgeInsets: NSEdgeInsets? {
    if case .insets(let value) = self { NSEdgeInsets(value) } else { bytes(as: Geometry.EdgeInsets.self).map { NSEdgeInsets($0) } }
  }
}

// MARK: AffineTransform

extension Geometry.Transform2D {
  /// Creates the same transform from Foundation's struct: `m11 m12 m21 m22 tX tY` are `a b c d tx ty`.
  public init(_ transform: AffineTransform) {
    self.init(
      a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
      tx: Double(transform.tX), ty: Double(transform.tY))
  }
}

extension Geometry.Transform2D {
  /// Creates the same transform from Foundation's object.
  init(_ transform: NSAffineTransform) {
    let transform = transform.transformStruct
    self.init(
      a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
      tx: Double(transform.tX), ty: Double(transform.tY))
  }
}

extension AffineTransform {
  /// Creates the same transform from the engine's struct: `a b c d tx ty` are `m11 m12 m21 m22 tX tY`.
  public init(_ transform: Geometry.Transform2D) {
    self.init(
      m11: CGFloat(transform.a), m12: CGFloat(transform.b), m21: CGFloat(transform.c), m22: CGFloat(transform.d),
      tX: CGFloat(transform.tx), tY: CGFloat(transform.ty))
  }
}

extension AffineTransform: EncodedValue {
  /// `{CGAffineTransform=dddddd}`.
  public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"
  /// The kind of the engine's affine transform: six double-precision numbers.
  public static var valueKind: ValueKind { Geometry.Transform2D.valueKind }

  /// Writes the six numbers, which need no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Geometry.Transform2D(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the six numbers.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> AffineTransform? {
    unsafe Geometry.Transform2D.load(from: slot, of: frame).map { AffineTransform($0) }
  }
}

extension AffineTransform: _ThunkConvertible {
  /// The engine's transform.
  public typealias CRepresentation = Geometry.Transform2D
  /// Creates the same transform from the engine's struct.
  public init(cRepresentation transform: Geometry.Transform2D) { self.init(transform) }
  /// The same transform as the engine's struct.
  public var cRepresentation: Geometry.Transform2D { Geometry.Transform2D(self) }
}

extension AffineTransform: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .affineTransform(Geometry.Transform2D(self)) }
}

extension BoxedValue {
  /// The affine transform, or a struct of the same layout as an affine transform; nil for any other value.
  public var foundationTransform: AffineTransform? {
    if case .affineTransform(let value) = self {
      AffineTransform(value)
    } else {
      bytes(as: Geometry.Transform2D.self).map { AffineTransform($0) }
    }
  }
}

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

extension NSRange: EncodedValue {
  /// `{_NSRange=QQ}`: the members are unsigned in C, although they are `Int` in Swift.
  public static let typeEncoding: TypeEncoding = "{_NSRange=QQ}"
  /// The kind of the engine's range: two unsigned integers.
  public static var valueKind: ValueKind { Geometry.IndexRange.valueKind }

  /// Writes the bits of the two integers, which need no ownership; C reads a negative one as unsigned.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    let range = Geometry.IndexRange(location: UInt64(bitPattern: Int64(location)), length: UInt64(bitPattern: Int64(length)))
    return unsafe range.store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the bits of the two integers; one that exceeds `Int.max` becomes negative.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> NSRange? {
    unsafe Geometry.IndexRange.load(from: slot, of: frame).map { range in
      NSRange(location: Int(truncatingIfNeeded: range.location), length: Int(truncatingIfNeeded: range.length))
    }
  }
}

extension NSRange: _ThunkConvertible {
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
