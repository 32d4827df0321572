// Types that C also has.

extension Int8: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int8
}

extension UInt8: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt8
}

extension Int16: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int16
}

extension UInt16: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt16
}

extension Int32: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int32
}

extension UInt32: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt32
}

extension Int64: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int64
}

extension UInt64: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt64
}

extension Int: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Int
}

extension UInt: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = UInt
}

extension Float: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Float
}

extension Double: ThunkConvertible {
  /// The number itself.
  public typealias CRepresentation = Double
}

extension Bool: ThunkConvertible {
  /// The truth value itself.
  public typealias CRepresentation = Bool
}
