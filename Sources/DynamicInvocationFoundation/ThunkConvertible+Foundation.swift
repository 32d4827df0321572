// Foundation's geometry, which on Linux is written in Swift, takes the form that the engine's has in C.

public import DynamicInvocation
public import Foundation

extension CGFloat: ThunkConvertible {
  /// A number of double precision, as the engine's platforms have 64 bits.
  public typealias ThunkForm = Double
  /// Creates the number from one of double precision.
  public init(thunkForm number: Double) { self.init(number) }
  /// The number in double precision.
  public var thunkForm: Double { Double(self) }
}

extension CGPoint: ThunkConvertible {
  /// The engine's point.
  public typealias ThunkForm = Point
  /// Creates the same point from the engine's.
  public init(thunkForm point: Point) { self.init(point) }
  /// The same point of the engine.
  public var thunkForm: Point { Point(self) }
}

extension CGSize: ThunkConvertible {
  /// The engine's size.
  public typealias ThunkForm = Size
  /// Creates the same size from the engine's.
  public init(thunkForm size: Size) { self.init(size) }
  /// The same size of the engine.
  public var thunkForm: Size { Size(self) }
}

extension CGRect: ThunkConvertible {
  /// The engine's rectangle.
  public typealias ThunkForm = Rect
  /// Creates the same rectangle from the engine's.
  public init(thunkForm rect: Rect) { self.init(rect) }
  /// The same rectangle of the engine.
  public var thunkForm: Rect { Rect(self) }
}

extension NSEdgeInsets: ThunkConvertible {
  /// The engine's insets.
  public typealias ThunkForm = EdgeInsets
  /// Creates the same insets from the engine's.
  public init(thunkForm insets: EdgeInsets) { self.init(insets) }
  /// The same insets of the engine.
  public var thunkForm: EdgeInsets { EdgeInsets(self) }
}

extension AffineTransform: ThunkConvertible {
  /// The engine's transform.
  public typealias ThunkForm = Transform2D
  /// Creates the same transform from the engine's.
  public init(thunkForm transform: Transform2D) { self.init(transform) }
  /// The same transform of the engine.
  public var thunkForm: Transform2D { Transform2D(self) }
}

extension NSRange: ThunkConvertible {
  /// The engine's range, of unsigned numbers.
  public typealias ThunkForm = IndexRange
  /// Reads the bits of the two integers, one past the greatest `Int` as a negative one.
  public init(thunkForm range: IndexRange) {
    self.init(location: Int(truncatingIfNeeded: range.location), length: Int(truncatingIfNeeded: range.length))
  }
  /// The bits of the two integers, a negative one as C reads it.
  public var thunkForm: IndexRange {
    IndexRange(location: UInt64(bitPattern: Int64(location)), length: UInt64(bitPattern: Int64(length)))
  }
}
