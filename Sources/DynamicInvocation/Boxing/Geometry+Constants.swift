extension Rect {
  /// Creates a rectangle from the four numbers of its origin and size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }
}

extension Point {
  /// The origin of the coordinate system.
  public static var zero: Point { Point() }
}

extension Size {
  /// The size without width and height.
  public static var zero: Size { Size() }
}

extension Rect {
  /// The rectangle without size at the origin.
  public static var zero: Rect { Rect() }
}

extension Vector {
  /// The vector without length.
  public static var zero: Vector { Vector() }
}

extension IndexRange {
  /// The empty range at the first element.
  public static var zero: IndexRange { IndexRange() }
}

extension EdgeInsets {
  /// No distance from any edge.
  public static var zero: EdgeInsets { EdgeInsets() }
}

extension Offset {
  /// No offset.
  public static var zero: Offset { Offset() }
}

extension Transform2D {
  /// The transform that leaves every point where it is.
  public static var identity: Transform2D { Transform2D(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }
}

extension Transform3D {
  /// The transform that leaves every point where it is.
  public static var identity: Transform3D {
    var transform = Transform3D()
    transform.m11 = 1
    transform.m22 = 1
    transform.m33 = 1
    transform.m44 = 1
    return transform
  }
}
