// CGFloat and the geometry of Core Graphics. Foundation on Linux implements them in Swift, so a thunk uses the C
// representation of the engine's structs.

public import DynamicInvocation
public import Foundation

// MARK: CGFloat

extension CGFloat: _BridgedGeometry {
  /// `d`, because the engine's platforms are 64-bit.
  public static let typeEncoding: TypeEncoding = "d"

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

extension Geometry.Point {
  /// Creates the same point from Foundation's struct.
  public init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
}

extension CGPoint {
  /// Creates the same point from the engine's struct.
  public init(_ point: Geometry.Point) { self.init(x: point.x, y: point.y) }
}

extension CGPoint: _BridgedGeometry {
  /// `{CGPoint=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGPoint=dd}"

  /// The engine's point.
  public typealias CRepresentation = Geometry.Point
  /// Creates the same point from the engine's struct.
  public init(cRepresentation point: Geometry.Point) { self.init(point) }
  /// The same point as the engine's struct.
  public var cRepresentation: Geometry.Point { Geometry.Point(self) }
}

extension CGPoint: FoundationBoxable {}

extension BoxedValue {
  /// The point, or a struct of the same layout as a point; nil for any other value.
  public var cgPoint: CGPoint? {
    if case .point(let value) = self { CGPoint(value) } else { bytes(as: Geometry.Point.self).map { CGPoint($0) } }
  }
}

// MARK: CGSize

extension Geometry.Size {
  /// Creates the same size from Foundation's struct.
  public init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) }
}

extension CGSize {
  /// Creates the same size from the engine's struct.
  public init(_ size: Geometry.Size) { self.init(width: size.width, height: size.height) }
}

extension CGSize: _BridgedGeometry {
  /// `{CGSize=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGSize=dd}"

  /// The engine's size.
  public typealias CRepresentation = Geometry.Size
  /// Creates the same size from the engine's struct.
  public init(cRepresentation size: Geometry.Size) { self.init(size) }
  /// The same size as the engine's struct.
  public var cRepresentation: Geometry.Size { Geometry.Size(self) }
}

extension CGSize: FoundationBoxable {}

extension BoxedValue {
  /// The size, or a struct of the same layout as a size; nil for any other value.
  public var cgSize: CGSize? {
    if case .size(let value) = self { CGSize(value) } else { bytes(as: Geometry.Size.self).map { CGSize($0) } }
  }
}

// MARK: CGRect

extension Geometry.Rect {
  /// Creates the same rectangle from Foundation's struct.
  public init(_ rect: CGRect) { self.init(origin: Geometry.Point(rect.origin), size: Geometry.Size(rect.size)) }
}

extension CGRect {
  /// Creates the same rectangle from the engine's struct.
  public init(_ rect: Geometry.Rect) { self.init(origin: CGPoint(rect.origin), size: CGSize(rect.size)) }
}

extension CGRect: _BridgedGeometry {
  /// `{CGRect={CGPoint=dd}{CGSize=dd}}`.
  public static let typeEncoding: TypeEncoding = "{CGRect={CGPoint=dd}{CGSize=dd}}"

  /// The engine's rectangle.
  public typealias CRepresentation = Geometry.Rect
  /// Creates the same rectangle from the engine's struct.
  public init(cRepresentation rect: Geometry.Rect) { self.init(rect) }
  /// The same rectangle as the engine's struct.
  public var cRepresentation: Geometry.Rect { Geometry.Rect(self) }
}

extension CGRect: FoundationBoxable {}

extension BoxedValue {
  /// The rectangle, or a struct of the same layout as a rectangle; nil for any other value.
  public var cgRect: CGRect? {
    if case .rect(let value) = self { CGRect(value) } else { bytes(as: Geometry.Rect.self).map { CGRect($0) } }
  }
}

extension BoxedValue {
  /// Returns the bytes of the box as a struct of a type, or nil if their layout differs.
  func bytes<Value: EncodedValue & BitwiseCopyable>(as type: Value.Type) -> Value? {
    if case .value(let value) = self { try? value.value(as: type) } else { nil }
  }
}
