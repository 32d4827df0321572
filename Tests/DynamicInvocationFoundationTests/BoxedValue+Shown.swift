import DynamicInvocation
import DynamicInvocationFoundation
import Foundation

extension BoxedValue {
  /// The case and the value, to compare boxes by.
  var shown: String { "\(Mirror(reflecting: self).children.first?.label ?? "null") \(self)" }
}

/// What setting an argument of a type from any value gives: the argument read back as a box, or the code of the error.
func outcome(_ any: Any?, as type: String, options: ConversionOptions = []) throws -> String {
  let invocation = Invocation(try MethodSignature(types: "v" + type))
  do {
    try invocation.setArgument(any: any, at: 0, options: options)
  } catch {
    return error.code.rawValue
  }
  return "\(try invocation.boxedArgument(at: 0))"
}

/// The error of setting the argument at an index from any value.
func failure(_ any: Any?, at index: Int, of types: String) throws -> InvocationError? {
  let invocation = Invocation(try MethodSignature(types: types))
  do {
    try invocation.setArgument(any: any, at: index)
  } catch {
    return error
  }
  return nil
}
