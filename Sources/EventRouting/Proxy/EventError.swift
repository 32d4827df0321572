public import DynamicInvocation

/// The error of an event that a handler could not be called with.
///
///     event 'row.tapped', handler tapped(_:index:) of Controller: argument 1 (s, Int16): 70000 does not fit
///
/// The index counts as the handler's parameters do: 0 is the source.
public struct EventError: Error, CustomStringConvertible {
  /// The event.
  public let key: EventKey
  /// The handler.
  public let handler: HandlerDescription
  /// What is wrong, with the index, the expected type and the value.
  public let reason: InvocationError

  /// The error in one line.
  public var description: String { "event '\(key)', handler \(handler.name): \(reason)".visible }
}

/// What kept a handler from being called, on its way to the proxy, which makes an ``EventError`` of it.
@usableFromInline
struct DeliveryFailure: Error {
  let reason: InvocationError
}

extension InvocationError.Code {
  /// A key that has a handler already.
  public static let duplicateHandler: InvocationError.Code = InvocationError.Code(rawValue: "duplicateHandler")
}
