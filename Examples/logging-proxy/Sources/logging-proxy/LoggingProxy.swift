import DynamicInvocation

/// Stands for any object, and prints each message with its arguments and its result or its error.
///
/// It contains nothing about the target's class: the types of a message specify what its arguments are.
final class LoggingProxy: InvocationProxy {
  /// Called with each message before it is sent, to change it.
  var change: ((Invocation) throws -> Void)?
  /// The messages, in the order in which they were sent.
  private(set) var messages: [Invocation] = []

  override func forwardInvocation(_ invocation: Invocation) throws {
    // The message is kept longer than its sender keeps the arguments.
    invocation.retainArguments()
    messages.append(invocation)
    try change?(invocation)
    let text = try Self.text(of: invocation)
    do {
      try super.forwardInvocation(invocation)
    } catch {
      print("\(text) throws \(error)")
      throw error
    }
    let type = invocation.methodSignature.returnType
    if case .void = type.kind { print(text) } else { print("\(text) -> \(type): \(try invocation.boxedReturnValue())") }
  }

  /// The selector, and each argument after its type encoding: `transfer(_:to:) q: 30, @: <Account>`.
  private static func text(of invocation: Invocation) throws -> String {
    let types = invocation.methodSignature.types.arguments
    let arguments = try types.indices.dropFirst(2).map { "\(types[$0]): \(try invocation.boxedArgument(at: $0))" }
    return ([invocation.selector?.name ?? "unset"] + [arguments.joined(separator: ", ")]).joined(separator: " ")
  }
}
