public import DynamicInvocation

/// A description of a handler, for reports and diagnostics.
public struct HandlerDescription: Sendable, CustomStringConvertible {
  /// The kinds of handler.
  public enum Kind: Sendable, Hashable {
    /// A Swift closure, or a method passed by its name.
    case closure
    /// The method that the target's class has for a selector.
    case method(MethodSelector)
    /// A function, given as an implementation.
    case function
    /// A closure that takes the event boxed.
    case interceptor
  }

  /// The event.
  public let key: EventKey
  /// The kind.
  public let kind: Kind
  /// The class of the target, if there is one.
  public let targetType: AnyClass?
  /// The types of the event's arguments, without the source; nil for a handler that takes any.
  public let argumentTypes: [TypeEncoding]?
  /// The priority among the handlers of the key.
  public let priority: Int
  /// Whether the handler is removed after its first call.
  public let isOnce: Bool
  /// The direction of the events that it receives.
  public let direction: HandlerOptions.Direction
  /// The key under which it resends the event, if it has declared one.
  public let rewritesTo: EventKey?
  /// Whether it is also called for events that another handler has stopped.
  public let seesStopped: Bool
  /// Whether it is asynchronous.
  public let isAsynchronous: Bool
  /// Whether it is blocked.
  public let isBlocked: Bool
  /// Whether its target, if it has one, is alive.
  public let isAlive: Bool

  /// Whether each argument is an optional of a type that C has no null for.
  private let areOptional: [Bool]

  init(_ registration: EventRegistration) {
    areOptional = registration.areOptional
    key = registration.key
    kind = registration.kind
    targetType = registration.targetType
    argumentTypes = registration.plan?.argumentTypes
    priority = registration.options.priority
    isOnce = registration.options.isOnce
    direction = registration.options.direction
    rewritesTo = registration.options.rewritesTo
    seesStopped = registration.options.seesStopped
    isAsynchronous = registration.isAsynchronous
    isBlocked = registration.isBlocked
    isAlive = registration.isAlive
  }

  /// The handler's name: its kind or selector, and the class of its target.
  public var name: String {
    let name =
      switch kind {
      case .closure: "closure"
      case .method(let selector): selector.name
      case .function: "function"
      case .interceptor: "interceptor"
      }
    return targetType.map { "\(name) of \($0)" } ?? name
  }

  /// The name; for closures and functions, which have no name, with the types.
  var nameInErrors: String {
    switch kind {
    case .closure, .function: "\(name) \(types)"
    case .method, .interceptor: name
    }
  }

  private var types: String {
    guard let argumentTypes else { return "(any arguments)" }
    let texts = argumentTypes.enumerated().map { "\($1)\(areOptional.indices.contains($0) && areOptional[$0] ? "?" : "")" }
    return "(\(texts.joined(separator: ", ")))"
  }

  /// The handler in one line: the key, the name, the types, and options that differ from the defaults.
  public var description: String {
    var marks: [String] = []
    if isAsynchronous { marks.append("asynchronous") }
    if priority != 0 { marks.append("priority \(priority)") }
    if isOnce { marks.append("once") }
    if direction != .both { marks.append("\(direction) only") }
    if seesStopped { marks.append("sees stopped events") }
    if let rewritesTo { marks.append("sends on as \(rewritesTo)") }
    if isBlocked { marks.append("blocked") }
    if !isAlive { marks.append("target dead") }
    return ("\(key): \(name) \(types)" + (marks.isEmpty ? "" : " [" + marks.joined(separator: ", ") + "]")).asLine
  }
}
