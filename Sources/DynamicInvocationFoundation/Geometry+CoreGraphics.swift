// CGFloat and the geometry of Core Graphics. Foundation on Linux implements them in Swift, so a thunk uses the C
// representation of the engine's structs.

public import DynamicInvocation
public import Foundation

// MARK: CGFloat

extension CGFloat: EncodedValue {
  /// `d`, because the engine's platforms are 64-bit.
  public static let typeEncoding: TypeEncoding = "d"
  /// The kind of `d`.
  public static var valueKind: ValueKind { Double.valueKind }

  /// Writes the number, which needs no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Double(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the number.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> CGFloat? {
    unsafe Double.load(from: slot, of: frame).map { CGFloat($0) }
  }
}

extension CGFloat: ThunkConvertible {
  /// A double-precision number, because the engine's platforms are 64-bit.
  public typealias CRepresentation = Double
  /// Creates the number from a double-precision number.
  public init(cRepresentation number: Double) { self.init(number) }
  /// The number in double precision.
  public var cRepresentation: Double { Double(self) }
}

extension CGFloat: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .double(Double(self)) }
}

// MARK: CGPoint

extension Point {
  /// Creates the same point from Foundation's struct.
  public init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
}

extension CGPoint {
  /// Creates the same point from the engine's struct.
  public init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension CGPoint: EncodedValue {
  /// `{CGPoint=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGPoint=dd}"
  /// The kind of the engine's point: two double-precision numbers.
  public static var valueKind: ValueKind { Point.valueKind }

  /// Writes the two numbers, which need no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Point(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the two numbers.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> CGPoint? {
    unsafe Point.load(from: slot, of: frame).map { CGPoint($0) }
  }
}

extension CGPoint: ThunkConvertible {
  /// The engine's point.
  public typealias CRepresentation = Point
  /// Creates the same point from the engine's struct.
  public init(cRepresentation point: Point) { self.init(point) }
  /// The same point as the engine's struct.
  public var cRepresentation: Point { Point(self) }
}

extension CGPoint: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .point(Point(self)) }
}

extension BoxedValue {
  /// The point, or a struct of the same layout as a point; nil for any other value.
  public var cgPoint: CGPoint? {
    if case .point(let value) = self { CGPoint(value) } else { bytes(as: Point.self).map { CGPoint($0) } }
  }
}

// MARK: CGSize

extension Size {
  /// Creates the same size from Foundation's struct.
  public init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) }
}

extension CGSize {
  /// Creates the same size from the engine's struct.
  public init(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension CGSize: EncodedValue {
  /// `{CGSize=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGSize=dd}"
  /// The kind of the engine's size: two double-precision numbers.
  public static var valueKind: ValueKind { Size.valueKind }

  /// Writes the two numbers, which need no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Size(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the two numbers.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> CGSize? {
    unsafe Size.load(from: slot, of: frame).map { CGSize($0) }
  }
}

extension CGSize: ThunkConvertible {
  /// The engine's size.
  public typealias CRepresentation = Size
  /// Creates the same size from the engine's struct.
  public init(cRepresentation size: Size) { self.init(size) }
  /// The same size as the engine's struct.
  public var cRepresentation: Size { Size(self) }
}

extension CGSize: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .size(Size(self)) }
}

extension BoxedValue {
  /// The size, or a struct of the same layout as a size; nil for any other value.
  public var cgSize: CGSize? {
    if case .size(let value) = self { CGSize(value) } else { bytes(as: Size.self).map { CGSize($0) } }
  }
}

// MARK: CGRect

extension Rect {
  /// Creates the same rectangle from Foundation's struct.
  public init(_ rect: CGRect) { self.init(origin: Point(rect.origin), size: Size(rect.size)) }
}

extension CGRect {
  /// Creates the same rectangle from the engine's struct.
  public init(_ rect: Rect) { self.init(origin: CGPoint(rect.origin), size: CGSize(rect.size)) }
}

extension CGRect: EncodedValue {
  /// `{CGRect={CGPoint=dd}{CGSize=dd}}`.
  public static let typeEncoding: TypeEncoding = "{CGRect={CGPoint=dd}{CGSize=dd}}"
  /// The kind of the engine's rectangle: four double-precision numbers.
  public static var valueKind: ValueKind { Rect.valueKind }

  /// Writes the four numbers, which need no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Rect(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the four numbers.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> CGRect? {
    unsafe Rect.load(from: slot, of: frame).map { CGRect($0) }
  }
}

extension CGRect: ThunkConvertible {
  /// The engine's rectangle.
  public typealias CRepresentation = Rect
  /// Creates the same rectangle from the engine's struct.
  public init(cRepresentation rect: Rect) { self.init(rect) }
  /// The same rectangle as the engine's struct.
  public var cRepresentation: Rect { Rect(self) }
}

extension CGRect: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .rect(Rect(self)) }
}

extension BoxedValue {
  /// The rectangle, or a struct of the same layout as a rectangle; nil for any other value.
  public var cgRect: CGRect? {
    if case .rect(let value) = self { CGRect(value) } else { bytes(as: Rect.self).map { CGRect($0) } }
  }
}

extension BoxedValue {
  /// Returns the bytes of the box as a struct of a type, or nil if their layout differs.
  func bytes<Value: EncodedValue & BitwiseCopyable>(as type: Value.Type) -> Value? {
    if case .value(let value) = self { try? value.value(as: type) } else { nil }
  }
}
