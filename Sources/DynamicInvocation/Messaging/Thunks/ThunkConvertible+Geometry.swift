extension Point: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = Point
}

extension Size: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = Size
}

extension Rect: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = Rect
}

extension Vector: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = Vector
}

extension IndexRange: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = IndexRange
}

extension EdgeInsets: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = EdgeInsets
}

extension Offset: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = Offset
}

extension Transform2D: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = Transform2D
}

extension Transform3D: ThunkConvertible {
  /// The struct itself, which is imported from C.
  public typealias ThunkForm = Transform3D
}
