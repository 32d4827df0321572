// An invocation belongs to one thread at a time. In a file of its own: the compiler looks for this only where all types are right.
import DynamicInvocation

func refused(_ invocation: Invocation) {
  Task { try invocation.invoke() }  // error: data races
}

func kept(_ signature: MethodSignature) {
  let invocation = Invocation(signature)
  Task { try invocation.invoke() }  // error: data races
  invocation.selector = "changed"
}
