// What is called from any thread captures nothing that belongs to one.
import DynamicInvocation

final class Counter {
  var count = 0
}

func refused(_ table: MethodTable) throws {
  let counter = Counter()
  try table.add("count") { (_: Counter) in counter.count += 1 }  // error: non-Sendable type
  _ = try Closure(types: "v") { counter.count += 1 }  // error: non-Sendable type
}

// Any thread asks for an implementation, and forwards.
@MainActor final class Log: @MainActor Forwarding {  // error: SendableMetatype-inheriting
  var count = 0
  func forwardInvocation(_ invocation: Invocation) throws { count += 1 }
}
@MainActor final class Answers: @MainActor Invocable {  // error: SendableMetatype-inheriting
  var count = 0
  func implementation(for selector: MethodSelector) -> Implementation? { nil }
}
