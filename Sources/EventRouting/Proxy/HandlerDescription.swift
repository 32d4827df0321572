public import DynamicInvocation

/// What a handler is, for reports and diagnostics.
public struct HandlerDescription: Sendable, CustomStringConvertible {
  /// The kinds of handler.
  public enum Kind: Sendable, Hashable {
    /// A Swift closure, or a method given by its name.
    case closure
    /// The method that the target's class has for a selector.
    case method(Selector)
    /// An implementation.
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
  /// The types of the event's arguments, without the source; nil for what takes any.
  public let argumentTypes: [TypeEncoding]?
  /// The place among the handlers of the key.
  public let priority: Int
  /// Whether the handler is removed after its first call.
  public let isOnce: Bool
  /// From which way events come to it.
  public let direction: HandlerOptions.Direction
  /// The key under which it sends the event on, if it has declared that.
  public let rewritesTo: EventKey?
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
    isBlocked = registration.isBlocked
    isAlive = registration.isAlive
  }

  /// The handler's name: what it is, and the class of its target.
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

  /// The name, and of a closure and a function, which have none, the types.
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

  /// The handler in one line: the key, the name, the types, and what is out of the ordinary.
  public var description: String {
    var marks: [String] = []
    if priority != 0 { marks.append("priority \(priority)") }
    if isOnce { marks.append("once") }
    if direction != .both { marks.append("\(direction) only") }
    if let rewritesTo { marks.append("sends on as \(rewritesTo)") }
    if isBlocked { marks.append("blocked") }
    if !isAlive { marks.append("target dead") }
    return ("\(key): \(name) \(types)" + (marks.isEmpty ? "" : " [" + marks.joined(separator: ", ") + "]")).escaped
  }
}
