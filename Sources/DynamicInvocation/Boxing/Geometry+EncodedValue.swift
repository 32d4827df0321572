extension Point: GeometryValue {
  /// `{Point=dd}`.
  public static let typeEncoding: TypeEncoding = "{Point=dd}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension Size: GeometryValue {
  /// `{Size=dd}`.
  public static let typeEncoding: TypeEncoding = "{Size=dd}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension Rect: GeometryValue {
  /// `{Rect={Point=dd}{Size=dd}}`.
  public static let typeEncoding: TypeEncoding = "{Rect={Point=dd}{Size=dd}}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension Vector: GeometryValue {
  /// `{Vector=dd}`.
  public static let typeEncoding: TypeEncoding = "{Vector=dd}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension IndexRange: GeometryValue {
  /// `{Range=QQ}`.
  public static let typeEncoding: TypeEncoding = "{Range=QQ}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension EdgeInsets: GeometryValue {
  /// `{EdgeInsets=dddd}`.
  public static let typeEncoding: TypeEncoding = "{EdgeInsets=dddd}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension Offset: GeometryValue {
  /// `{Offset=dd}`.
  public static let typeEncoding: TypeEncoding = "{Offset=dd}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension Transform2D: GeometryValue {
  /// `{AffineTransform=dddddd}`.
  public static let typeEncoding: TypeEncoding = "{AffineTransform=dddddd}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}

extension Transform3D: GeometryValue {
  /// `{Transform3D=dddddddddddddddd}`.
  public static let typeEncoding: TypeEncoding = "{Transform3D=dddddddddddddddd}"
  /// The kind of the encoding, looked up once.
  public static let valueKind: ValueKind = typeEncoding.valueKind
}
