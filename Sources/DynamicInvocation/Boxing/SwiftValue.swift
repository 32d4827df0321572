/// An object that holds any Swift value: a dictionary, a closure, an array, a struct with references.
///
/// It takes a value that has no type encoding through an argument of the type `@`:
///
///     let done = SwiftValue { (count: Int) in print(count) }
///     try node.proxy.register("load") { (source: AnyObject?, done: SwiftValue<(Int) -> Void>) in done.value(3) }
///     cell.send("load", argument: .object(done))
///
/// Only a parameter of the very same type takes it: of another one, an object of this class is refused.
public final class SwiftValue<Value>: EncodedObject, CustomStringConvertible {
  /// The value.
  public let value: Value

  /// Wraps a value.
  public init(_ value: Value) { self.value = value }

  /// The type of the value in the words of Swift, never the value itself.
  public var description: String { "SwiftValue<\(Value.self)>" }
}
