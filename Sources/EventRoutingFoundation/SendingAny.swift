internal import DynamicInvocation
internal import DynamicInvocationFoundation
internal import Foundation
public import EventRouting

/// Sends events whose arguments are any Swift and Foundation values.
extension Responder {
  /// Sends an event with arguments of any types from this node.
  ///
  ///     cell.send("selected", any: [NSNumber(value: 7), "title", ["id": 3], nil])
  ///
  /// The parameters of each handler decide how values are converted, as in `Invocation.setArgument(any:at:)`. An object
  /// parameter takes an object unchanged, including an NSNumber, and takes the object that Foundation bridges a Swift
  /// value to, such as an NSDictionary for a dictionary. A parameter that is a `SwiftValue` takes any value that is of
  /// its type or converts to it, such as a dictionary for a `SwiftValue<[String: Any]>`. A value for which there is no other
  /// object, such as a closure or a struct, is wrapped in a `SwiftValue` of its type. Any other parameter takes the value
  /// of the box: for an NSNumber the number, converted exactly. An interceptor receives each value in the box that
  /// `BoxedValue.init(_:options:)` creates.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil and NSNull are null.
  ///   - rules: How the event is routed.
  /// - Returns: The outcome of the event. A handler whose parameter does not accept a value is not called, and the
  ///   outcome has an `EventError`.
  /// - Complexity: Boxes the arguments again for each handler.
  @discardableResult
  public func send(_ key: EventKey, any arguments: [Any?], rules: RoutingRules = .router) -> SendOutcome {
    send(key, source: self, any: arguments, rules: rules)
  }

  /// Sends an event with arguments of any types from this node on behalf of another object, or without a source.
  ///
  /// See the form without a source parameter.
  @discardableResult
  public func send(_ key: EventKey, source: AnyObject?, any arguments: [Any?], rules: RoutingRules = .router) -> SendOutcome {
    route(key, source: source, payload: LatePayload(any: arguments), rules: rules)
  }
}

extension EventProxy {
  /// Sends an event with arguments of any types to the handlers of this proxy; see the form of `Responder`.
  @discardableResult
  public func send(_ key: EventKey, source: AnyObject?, any arguments: [Any?]) -> EventProxy.Outcome {
    send(key, source: source, payload: LatePayload(any: arguments))
  }
}

extension LatePayload {
  /// Creates a payload of any values, which are boxed for the parameters of each handler.
  fileprivate init(any arguments: [Any?]) {
    self.init(count: arguments.count) { index, type, objectClass throws(InvocationError) in
      let argument = arguments[index]
      // A wrapped value of the class is passed unchanged.
      if let argument, !(argument is NSNull), let wrapper = objectClass as? any ValueWrapper.Type,
        ObjectIdentifier(Swift.type(of: argument)) != ObjectIdentifier(wrapper), let object = wrapper.wrapping(argument)
      {
        return .object(object)
      }
      return try BoxedValue(wrapping: argument, for: type)
    }
  }
}

extension BoxedValue {
  /// Boxes a value for a parameter of a type, or for a handler that takes any box; a value that no other box can hold
  /// becomes an object.
  fileprivate init(wrapping any: Any?, for type: TypeEncoding?) throws(InvocationError) {
    do throws(InvocationError) {
      if let type { try self.init(any, for: type) } else { try self.init(any) }
    } catch {
      // Only an object parameter accepts a wrapped value; a value that is not a number must not become a number.
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
