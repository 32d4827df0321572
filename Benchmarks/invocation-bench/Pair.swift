import DynamicInvocation

/// The pair of integers that W4 passes by value.
struct Pair: EncodedValue {
  var a: Int32
  var b: Int32
  static let typeEncoding: TypeEncoding = "{II=ii}"
}

/// Computes the result of W4 in Swift methods and closures.
@inline(__always)
func mixed(_ a: Int32, _ b: Double, _ c: Float, _ d: Int8, _ f: Int16, _ g: Pair, _ h: Double) -> Double {
  // Add the integers first, so that only one number is converted.
  let integers = Int(a) &+ Int(d) &+ Int(f) &+ Int(g.a) &+ Int(g.b)
  return Double(integers) + b + Double(c) + h
}
