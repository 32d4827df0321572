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

extension CGPoint: _BridgedGeometry {
  /// `{CGPoint=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGPoint=dd}"

  /// The engine's struct.
  public typealias CRepresentation = Geometry.Point
  /// Creates the same point from the engine's struct.
  public init(cRepresentation value: Geometry.Point) { self.init(x: CGFloat(value.x), y: CGFloat(value.y)) }
  /// The same point as the engine's struct.
  public var cRepresentation: Geometry.Point { Geometry.Point(x: Double(x), y: Double(y)) }
}

extension CGPoint: FoundationBoxable {}

extension BoxedValue {
  /// The point, or a struct of the same layout; nil for any other value.
  public var cgPoint: CGPoint? { geometry(as: CGPoint.self) }
}

// MARK: CGSize

extension CGSize: _BridgedGeometry {
  /// `{CGSize=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGSize=dd}"

  /// The engine's struct.
  public typealias CRepresentation = Geometry.Size
  /// Creates the same size from the engine's struct.
  public init(cRepresentation value: Geometry.Size) { self.init(width: CGFloat(value.width), height: CGFloat(value.height)) }
  /// The same size as the engine's struct.
  public var cRepresentation: Geometry.Size { Geometry.Size(width: Double(width), height: Double(height)) }
}

extension CGSize: FoundationBoxable {}

extension BoxedValue {
  /// The size, or a struct of the same layout; nil for any other value.
  public var cgSize: CGSize? { geometry(as: CGSize.self) }
}

// MARK: CGRect

extension CGRect: _BridgedGeometry {
  /// `{CGRect={CGPoint=dd}{CGSize=dd}}`.
  public static let typeEncoding: TypeEncoding = "{CGRect={CGPoint=dd}{CGSize=dd}}"

  /// The engine's struct.
  public typealias CRepresentation = Geometry.Rect
  /// Creates the same rectangle from the engine's struct.
  public init(cRepresentation value: Geometry.Rect) { self.init(origin: CGPoint(value.origin), size: CGSize(value.size)) }
  /// The same rectangle as the engine's struct.
  public var cRepresentation: Geometry.Rect { Geometry.Rect(origin: Geometry.Point(origin), size: Geometry.Size(size)) }
}

extension CGRect: FoundationBoxable {}

extension BoxedValue {
  /// The rectangle, or a struct of the same layout; nil for any other value.
  public var cgRect: CGRect? { geometry(as: CGRect.self) }
}
