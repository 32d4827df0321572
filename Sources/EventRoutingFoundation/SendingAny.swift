internal import DynamicInvocation
internal import DynamicInvocationFoundation
public import EventRouting

/// Sending events whose arguments are any values of Swift and Foundation.
extension Responder {
  /// Sends an event with arguments of any types from this node.
  ///
  ///     cell.send("selected", any: [NSNumber(value: 7), "title", ["id": 3], nil])
  ///
  /// Each handler's parameters decide, as `Invocation.setArgument(any:at:)` has it. A parameter that is an object takes an object as it is, an NSNumber
  /// too, and of a Swift value the object that Foundation bridges it to, as a dictionary an NSDictionary. What has no such object, a closure or a
  /// struct, comes in a `SwiftValue` of its type. Any other parameter takes the value in the box: of an NSNumber the number, converted exactly. An
  /// interceptor gets each value in the box that `BoxedValue.init(_:options:)` makes.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil and NSNull are null.
  ///   - rules: How the event travels.
  /// - Returns: What became of the event. A handler whose parameter does not take a value is not called, and the outcome has an `EventError`.
  /// - Complexity: Boxes the arguments for each handler anew.
  @discardableResult
  public func send(_ key: EventKey, any arguments: [Any?], rules: RoutingRules = .router) -> SendOutcome {
    send(key, source: self, any: arguments, rules: rules)
  }

  /// Sends an event with arguments of any types from this node on behalf of another object, or of none; see the form without a source.
  @discardableResult
  public func send(_ key: EventKey, source: AnyObject?, any arguments: [Any?], rules: RoutingRules = .router) -> SendOutcome {
    route(key, source: source, payload: LatePayload(any: arguments), rules: rules)
  }

  /// Sends an event with arguments of any types from this node, and reports its way.
  public func report(_ key: EventKey, any arguments: [Any?], rules: RoutingRules = .router) -> DispatchReport {
    report(key, source: self, any: arguments, rules: rules)
  }

  /// Sends an event with arguments of any types from this node on behalf of another object, or of none, and reports its way.
  public func report(_ key: EventKey, source: AnyObject?, any arguments: [Any?], rules: RoutingRules = .router) -> DispatchReport {
    report(key, source: source, payload: LatePayload(any: arguments), rules: rules)
  }
}

extension EventProxy {
  /// Sends an event with arguments of any types to the handlers of this proxy; see the form of `Responder`.
  @discardableResult
  public func send(_ key: EventKey, source: AnyObject?, any arguments: [Any?]) -> NodeAnswer {
    send(key, source: source, payload: LatePayload(any: arguments))
  }
}

extension LatePayload {
  /// Creates a payload of any values, which the parameters decide on.
  fileprivate init(any arguments: [Any?]) {
    self.init(count: arguments.count) { index, type throws(InvocationError) in try BoxedValue(wrapping: arguments[index], for: type) }
  }
}

extension BoxedValue {
  /// Boxes a value for a parameter of a type, or for a handler that takes any box; what has no other box becomes an object.
  fileprivate init(wrapping any: Any?, for type: TypeEncoding?) throws(InvocationError) {
    do throws(InvocationError) {
      if let type { try self.init(any, for: type) } else { try self.init(any) }
    } catch {
      // Only an object is a place for it; a number that is none must not become one.
      let isObject = if let type, case .object = type.kind { true } else { type == nil }
      guard isObject, error.code == .typeMismatch, let any else { throw error }
      self = .object(Self.wrapped(any))
    }
  }

  private static func wrapped(_ any: Any) -> AnyObject {
    func wrap<Value>(_ value: Value) -> AnyObject { SwiftValue(value) }
    return _openExistential(any, do: wrap)
  }
}
