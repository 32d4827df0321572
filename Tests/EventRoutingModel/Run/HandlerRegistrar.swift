import DynamicInvocation
import EventRouting

/// Registers one body as closures of any types.
struct HandlerRegistrar {
  let proxy: EventProxy
  let handler: EventScript.Handler
  let target: ScriptTarget?
  let options: HandlerOptions

  typealias Body<Result> = (AnyObject?, String) throws -> Result
  private typealias Target = ScriptTarget

  func register<Result>(_ body: @escaping Body<Result>) throws(InvocationError) -> EventRegistration {
    switch handler.source {
    case .any: try register(AnyObject.self, isRequired: false, body)
    case .special: try register(SpecialSource.self, isRequired: false, body)
    case .specialRequired: try register(SpecialSource.self, isRequired: true, body)
    }
  }

  private func register<Source: AnyObject, Result>(
    _: Source.Type, isRequired: Bool, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    let name = EventKey(handler.key)
    switch handler.parameters {
    case .none:
      let key = TypedEventKey<Void>(name)
      return switch (target, isRequired) {
      case (nil, false): try proxy.register(key, options: options) { (source: Source?) in try body(source, "") }
      case (nil, true): try proxy.register(key, options: options) { (source: Source) in try body(source, "") }
      case (let target?, false):
        try proxy.register(key, target: target, options: options) { (_: Target) in { (source: Source?) in try body(source, "") } }
      case (let target?, true):
        try proxy.register(key, target: target, options: options) { (_: Target) in { (source: Source) in try body(source, "") } }
      }
    case .int: return try register(TypedEventKey<Int>(name), Source.self, isRequired: isRequired, body)
    case .int8: return try register(TypedEventKey<Int8>(name), Source.self, isRequired: isRequired, body)
    case .double: return try register(TypedEventKey<Double>(name), Source.self, isRequired: isRequired, body)
    case .text: return try register(TypedEventKey<String>(name), Source.self, isRequired: isRequired, body)
    case .intDouble:
      let key = TypedEventKey<(Int, Double)>(name)
      return switch (target, isRequired) {
      case (nil, false): try proxy.register(key, options: options) { (source: Source?, a: Int, b: Double) in try body(source, "\(a),\(b)") }
      case (nil, true): try proxy.register(key, options: options) { (source: Source, a: Int, b: Double) in try body(source, "\(a),\(b)") }
      case (let target?, false):
        try proxy.register(key, target: target, options: options) { (_: Target) in
          { (source: Source?, a: Int, b: Double) in try body(source, "\(a),\(b)") }
        }
      case (let target?, true):
        try proxy.register(key, target: target, options: options) { (_: Target) in
          { (source: Source, a: Int, b: Double) in try body(source, "\(a),\(b)") }
        }
      }
    }
  }

  private func register<A: _BoxConvertible, Source: AnyObject, Result>(
    _ key: TypedEventKey<A>, _: Source.Type, isRequired: Bool, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    switch (target, isRequired) {
    case (nil, false): try proxy.register(key, options: options) { (source: Source?, a: A) in try body(source, "\(a)") }
    case (nil, true): try proxy.register(key, options: options) { (source: Source, a: A) in try body(source, "\(a)") }
    case (let target?, false):
      try proxy.register(key, target: target, options: options) { (_: Target) in { (source: Source?, a: A) in try body(source, "\(a)") } }
    case (let target?, true):
      try proxy.register(key, target: target, options: options) { (_: Target) in { (source: Source, a: A) in try body(source, "\(a)") } }
    }
  }
}
