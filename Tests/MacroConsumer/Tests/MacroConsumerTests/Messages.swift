import InvocationMacros
import Testing

#if !hasFeature(StrictMemorySafety)
  #error("The consumer must be compiled under strict memory safety, or it proves nothing about it.")
#endif

/// Sends a message whose types are those that the class of the target gives its selector, and returns the invocation.
@discardableResult
func send(_ selector: MethodSelector, to target: AnyObject, _ arguments: any EncodedValue...) throws -> Invocation {
  let signature = try #require(MethodTable.of(type(of: target)).methodSignature(for: selector), "no method '\(selector)'")
  let invocation = Invocation(signature)
  invocation.target = target
  invocation.selector = selector
  for (index, argument) in arguments.enumerated() { try set(argument, at: index + 2, of: invocation) }
  try invocation.invoke()
  return invocation
}

private func set(_ argument: some EncodedValue, at index: Int, of invocation: Invocation) throws {
  try invocation.setArgument(argument, at: index)
}

/// The code of the error that a closure throws.
func code(_ body: () throws -> Void) -> InvocationError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? InvocationError)?.code
  }
}
