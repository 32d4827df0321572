// C structs get no conformances of their own. Numbers compare as numbers: -0 equals 0, and a NaN equals nothing.

extension Point: @retroactive Equatable {
  /// Whether all numbers of two points are equal.
  public static func == (left: Point, right: Point) -> Bool {
    left.x == right.x && left.y == right.y
  }
}

extension Size: @retroactive Equatable {
  /// Whether all numbers of two sizes are equal.
  public static func == (left: Size, right: Size) -> Bool {
    left.width == right.width && left.height == right.height
  }
}

extension Rect: @retroactive Equatable {
  /// Whether all numbers of two rectangles are equal.
  public static func == (left: Rect, right: Rect) -> Bool {
    left.origin == right.origin && left.size == right.size
  }
}

extension Vector: @retroactive Equatable {
  /// Whether all numbers of two vectors are equal.
  public static func == (left: Vector, right: Vector) -> Bool {
    left.dx == right.dx && left.dy == right.dy
  }
}

extension IndexRange: @retroactive Equatable {
  /// Whether all numbers of two ranges are equal.
  public static func == (left: IndexRange, right: IndexRange) -> Bool {
    left.location == right.location && left.length == right.length
  }
}

extension EdgeInsets: @retroactive Equatable {
  /// Whether all numbers of two insets are equal.
  public static func == (left: EdgeInsets, right: EdgeInsets) -> Bool {
    left.top == right.top && left.left == right.left && left.bottom == right.bottom && left.right == right.right
  }
}

extension Offset: @retroactive Equatable {
  /// Whether all numbers of two offsets are equal.
  public static func == (left: Offset, right: Offset) -> Bool {
    left.horizontal == right.horizontal && left.vertical == right.vertical
  }
}

extension Transform2D: @retroactive Equatable {
  /// Whether all numbers of two transforms are equal.
  public static func == (left: Transform2D, right: Transform2D) -> Bool {
    left.a == right.a && left.b == right.b && left.c == right.c && left.d == right.d
      && left.tx == right.tx && left.ty == right.ty
  }
}

extension Transform3D: @retroactive Equatable {
  /// Whether all numbers of two transforms are equal.
  public static func == (left: Transform3D, right: Transform3D) -> Bool {
    left.m11 == right.m11 && left.m12 == right.m12 && left.m13 == right.m13 && left.m14 == right.m14
      && left.m21 == right.m21 && left.m22 == right.m22 && left.m23 == right.m23 && left.m24 == right.m24
      && left.m31 == right.m31 && left.m32 == right.m32 && left.m33 == right.m33 && left.m34 == right.m34
      && left.m41 == right.m41 && left.m42 == right.m42 && left.m43 == right.m43 && left.m44 == right.m44
  }
}
