import DynamicInvocation
import Workloads

/// Sends one message to several objects.
struct DispatcherLoop {
  /// The number of objects.
  let implementers: Int

  private final class Implementer {}

  private typealias Callee = @convention(c) (UnsafeRawPointer, UnsafePointer<CChar>, Int, Int) -> Int

  /// Sends the message `count` times and returns the last result, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let selector: MethodSelector = "measure"
    let signature = try MethodSignature(types: Suite.dispatcher.types)
    let code = workload_callee(.w2)
    try MethodTable.of(Implementer.self).replace(selector, Implementation(code, methodSignature: signature))
    let objects = (0..<implementers).map { _ in Implementer() }
    let invocation = Invocation(signature, retainsArguments: false)
    invocation.selector = selector
    var last = 0
    switch engine {
    case .dispatcher:
      let description = try DispatchProtocol(
        "Measured", methods: [DispatchProtocol.Method(selector, signature, isRequired: true)])
      let dispatcher = try ProtocolDispatcher(description, implementers: objects)
      invocation.target = dispatcher
      for index in 0..<count {
        try invocation.setArgument(index, at: 2)
        try invocation.setArgument(2, at: 3)
        try invocation.invoke()
        last = try invocation.returnValue()
      }
      withExtendedLifetime(dispatcher) {}
    case .messages:
      for index in 0..<count {
        try invocation.setArgument(index, at: 2)
        try invocation.setArgument(2, at: 3)
        for object in objects {
          invocation.target = object
          try invocation.invoke()
        }
        last = try invocation.returnValue()
      }
    case .calls:
      let function = unsafeBitCast(code, to: Callee.self)
      for index in 0..<count {
        for object in objects { last = function(Unmanaged.passUnretained(object).toOpaque(), selector.pointer, index, 2) }
      }
    case .closures:
      let function = unsafeBitCast(code, to: Callee.self)
      let closures = objects.map { object -> (Int, Int) -> Int in
        { function(Unmanaged.passUnretained(object).toOpaque(), selector.pointer, $0, $1) }
      }
      for index in 0..<count {
        for closure in closures { last = closure(index, 2) }
      }
    default: preconditionFailure("\(engine) sends no message to several objects")
    }
    withExtendedLifetime(objects) {}
    return Double(last)
  }
}
