// The types that C has too.

extension Int8: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = Int8
}

extension UInt8: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = UInt8
}

extension Int16: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = Int16
}

extension UInt16: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = UInt16
}

extension Int32: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = Int32
}

extension UInt32: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = UInt32
}

extension Int64: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = Int64
}

extension UInt64: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = UInt64
}

extension Int: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = Int
}

extension UInt: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = UInt
}

extension Float: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = Float
}

extension Double: ThunkConvertible {
  /// The number itself.
  public typealias ThunkForm = Double
}

extension Bool: ThunkConvertible {
  /// The truth value itself.
  public typealias ThunkForm = Bool
}
