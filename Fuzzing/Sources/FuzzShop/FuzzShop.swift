// The functions that the case `replacements` replaces. This module is compiled with `-enable-implicit-dynamic`.

/// The error of ``quote(_:)``.
public struct Sold: Error {
  /// Creates the error.
  public init() {}
}

/// A value with a method.
public struct Basket: Sendable {
  /// What is in it.
  public var number: Int
  /// Creates a basket.
  public init(number: Int) { self.number = number }
  /// The sum with a number.
  public func total(plus more: Int) -> Int { number &+ more }
}

/// The price of a number.
public func price(_ number: Int) -> Int { number &* 100 }

/// Returns a value.
public func echo<Value>(_ value: Value) -> Value { value }

/// Throws ``Sold`` for nothing.
public func quote(_ number: Int) throws -> Int {
  if number == 0 { throw Sold() }
  return number &* 10
}
