// Types that C also has.

extension Int8: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int8
}

extension UInt8: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt8
}

extension Int16: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int16
}

extension UInt16: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt16
}

extension Int32: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int32
}

extension UInt32: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt32
}

extension Int64: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int64
}

extension UInt64: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt64
}

extension Int: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int
}

extension UInt: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt
}

extension Float: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Float
}

extension Double: _ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Double
}

extension Bool: _ThunkConvertible {
  /// The truth value itself.
  public typealias CRepresentation = Bool
}
