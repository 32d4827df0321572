extension Point: EncodedValue {
  /// `{Point=dd}`.
  public static let typeEncoding: TypeEncoding = "{Point=dd}"
}

extension Size: EncodedValue {
  /// `{Size=dd}`.
  public static let typeEncoding: TypeEncoding = "{Size=dd}"
}

extension Rect: EncodedValue {
  /// `{Rect={Point=dd}{Size=dd}}`.
  public static let typeEncoding: TypeEncoding = "{Rect={Point=dd}{Size=dd}}"
}

extension Vector: EncodedValue {
  /// `{Vector=dd}`.
  public static let typeEncoding: TypeEncoding = "{Vector=dd}"
}

extension IndexRange: EncodedValue {
  /// `{Range=QQ}`.
  public static let typeEncoding: TypeEncoding = "{Range=QQ}"
}

extension EdgeInsets: EncodedValue {
  /// `{EdgeInsets=dddd}`.
  public static let typeEncoding: TypeEncoding = "{EdgeInsets=dddd}"
}

extension Offset: EncodedValue {
  /// `{Offset=dd}`.
  public static let typeEncoding: TypeEncoding = "{Offset=dd}"
}

extension Transform2D: EncodedValue {
  /// `{AffineTransform=dddddd}`.
  public static let typeEncoding: TypeEncoding = "{AffineTransform=dddddd}"
}

extension Transform3D: EncodedValue {
  /// `{Transform3D=dddddddddddddddd}`.
  public static let typeEncoding: TypeEncoding = "{Transform3D=dddddddddddddddd}"
}
