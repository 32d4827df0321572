import DynamicInvocation
import InvocationRecords

/// A call of a function by its name, in the form in which it is saved.
struct NamedCall: Codable {
  let function: String
  /// The types and the arguments.
  let call: InvocationRecord
}

/// A call that was made, and its result.
///
/// It is an object, so that it can be the argument of a message.
final class Calculation: EncodedObject, CustomStringConvertible {
  let call: NamedCall
  let result: BoxedValue
  /// The call with its result: `pow(2.0, 10.0) = 1024.0`.
  let description: String

  /// Stores an invocation that was invoked.
  init(_ function: String, _ invocation: Invocation) throws {
    call = NamedCall(function: function, call: try InvocationRecord(invocation))
    result = try invocation.boxedReturnValue()
    let arguments = try (0..<invocation.methodSignature.numberOfArguments).map { try invocation.boxedArgument(at: $0).description }
    description = "\(function)(\(arguments.joined(separator: ", "))) = \(result)"
  }
}

/// An error with a text for the user.
struct CalculatorError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
