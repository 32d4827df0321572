import DynamicInvocation

/// The pair of integers that W4 passes by value.
struct Pair: EncodedValue {
  var a: Int32
  var b: Int32
  static let typeEncoding: TypeEncoding = "{II=ii}"
}
