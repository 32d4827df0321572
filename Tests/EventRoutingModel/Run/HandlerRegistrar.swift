import DynamicInvocation
import EventRouting

/// Registers one body as closures of any types.
struct HandlerRegistrar {
  let proxy: EventProxy
  let key: EventKey
  let parameters: EventScript.Handler.Parameters
  let options: HandlerOptions

  typealias Body<Result> = (AnyObject?, String) throws -> Result

  func register<Source: AnyObject, Result>(
    _: Source.Type, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    switch parameters {
    case .none: try proxy.register(TypedEventKey(key), options: options) { (source: Source?) in try body(source, "") }
    case .int: try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Int) in try body(source, "\(a)") }
    case .int8: try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Int8) in try body(source, "\(a)") }
    case .double: try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Double) in try body(source, "\(a)") }
    case .text: try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: String) in try body(source, a) }
    case .intDouble:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Int, b: Double) in try body(source, "\(a),\(b)") }
    }
  }

  func registerNeedingSource<Source: AnyObject, Result>(
    _: Source.Type, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    switch parameters {
    case .none: try proxy.register(TypedEventKey(key), options: options) { (source: Source) in try body(source, "") }
    case .int: try proxy.register(TypedEventKey(key), options: options) { (source: Source, a: Int) in try body(source, "\(a)") }
    case .int8: try proxy.register(TypedEventKey(key), options: options) { (source: Source, a: Int8) in try body(source, "\(a)") }
    case .double: try proxy.register(TypedEventKey(key), options: options) { (source: Source, a: Double) in try body(source, "\(a)") }
    case .text: try proxy.register(TypedEventKey(key), options: options) { (source: Source, a: String) in try body(source, a) }
    case .intDouble:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source, a: Int, b: Double) in try body(source, "\(a),\(b)") }
    }
  }

  func register<Source: AnyObject, Result>(
    _ target: ScriptTarget, _: Source.Type, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    typealias Target = ScriptTarget
    let key = key
    return switch parameters {
    case .none:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?) in try body(source, "") }
      }
    case .int:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Int) in
          try body(source, "\(a)")
        }
      }
    case .int8:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Int8) in
          try body(source, "\(a)")
        }
      }
    case .double:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Double) in
          try body(source, "\(a)")
        }
      }
    case .text:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: String) in
          try body(source, a)
        }
      }
    case .intDouble:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Int, b: Double) in
          try body(source, "\(a),\(b)")
        }
      }
    }
  }

  func registerNeedingSource<Source: AnyObject, Result>(
    _ target: ScriptTarget, _: Source.Type, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    typealias Target = ScriptTarget
    let key = key
    return switch parameters {
    case .none:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in { (source: Source) in try body(source, "") }
      }
    case .int:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source, a: Int) in
          try body(source, "\(a)")
        }
      }
    case .int8:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source, a: Int8) in
          try body(source, "\(a)")
        }
      }
    case .double:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source, a: Double) in
          try body(source, "\(a)")
        }
      }
    case .text:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source, a: String) in
          try body(source, a)
        }
      }
    case .intDouble:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source, a: Int, b: Double) in
          try body(source, "\(a),\(b)")
        }
      }
    }
  }
}
