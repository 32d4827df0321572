extension Point: GeometryValue {
  /// `{Point=dd}`.
  public static let typeEncoding: TypeEncoding = "{Point=dd}"
}

extension Size: GeometryValue {
  /// `{Size=dd}`.
  public static let typeEncoding: TypeEncoding = "{Size=dd}"
}

extension Rect: GeometryValue {
  /// `{Rect={Point=dd}{Size=dd}}`.
  public static let typeEncoding: TypeEncoding = "{Rect={Point=dd}{Size=dd}}"
}

extension Vector: GeometryValue {
  /// `{Vector=dd}`.
  public static let typeEncoding: TypeEncoding = "{Vector=dd}"
}

extension IndexRange: GeometryValue {
  /// `{Range=QQ}`.
  public static let typeEncoding: TypeEncoding = "{Range=QQ}"
}

extension EdgeInsets: GeometryValue {
  /// `{EdgeInsets=dddd}`.
  public static let typeEncoding: TypeEncoding = "{EdgeInsets=dddd}"
}

extension Offset: GeometryValue {
  /// `{Offset=dd}`.
  public static let typeEncoding: TypeEncoding = "{Offset=dd}"
}

extension Transform2D: GeometryValue {
  /// `{AffineTransform=dddddd}`.
  public static let typeEncoding: TypeEncoding = "{AffineTransform=dddddd}"
}

extension Transform3D: GeometryValue {
  /// `{Transform3D=dddddddddddddddd}`.
  public static let typeEncoding: TypeEncoding = "{Transform3D=dddddddddddddddd}"
}
