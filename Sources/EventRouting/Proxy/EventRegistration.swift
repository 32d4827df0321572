public import DynamicInvocation

/// A handler in a proxy, returned by the registration methods, to block it and to remove it.
///
/// Releasing the registration does not remove the handler: it stays as long as the proxy, or as its weak target. Keep an
/// ``EventToken`` to remove the handler together with its owner: see ``end(with:)``. A registration belongs to the isolation
/// domain of its proxy.
@safe
public final class EventRegistration: CustomStringConvertible {
  /// The event.
  public let key: EventKey
  /// How the handler was registered.
  public let options: HandlerOptions

  let record: UnsafeMutablePointer<HandlerRecord>
  /// The proxy, which clears this when the handler is removed.
  @safe @exclusivity(unchecked)
  unowned(unsafe) var proxy: EventProxy?
  /// The plan of a function or a Swift closure.
  @safe @exclusivity(unchecked)
  private(set) var plan: HandlerPlan?
  let kind: Handler.Kind
  let targetType: AnyClass?
  let body: HandlerBody?
  private let strongTarget: AnyObject?
  /// The weak target, until it is found deallocated and the handler is removed.
  @safe @exclusivity(unchecked)
  private var weakTarget: WeakObject?
  /// The position in the list of the token that ends the registration.
  @safe @exclusivity(unchecked)
  var links: Links = Links()
  /// Makes the code for a key; set only for an interceptor of a prefix, whose own key is the prefix and which is in no list.
  let makeBody: ((EventKey) -> HandlerBody)?
  /// The prefix interceptor that created this per-key registration.
  let template: EventRegistration?
  /// The registrations that this prefix interceptor has created, as long as it is registered.
  @safe @exclusivity(unchecked)
  var listed: [EventRegistration] = []
  /// The object that owns the handler in its target's place.
  @safe @exclusivity(unchecked)
  var owner: WeakObject?
  /// The number of calls of ``block()`` that were not undone.
  @safe @exclusivity(unchecked)
  private var blocks = 0

  init(
    _ key: EventKey, _ kind: Handler.Kind, target: AnyObject?, _ options: HandlerOptions, plan: HandlerPlan?,
    body: HandlerBody?,
    source: SourceRule, template: EventRegistration? = nil, makeBody: ((EventKey) -> HandlerBody)? = nil
  ) {
    self.template = template
    self.makeBody = makeBody
    self.key = key
    self.options = options
    self.kind = kind
    self.plan = plan
    self.body = body
    targetType = target.map { type(of: $0) }
    strongTarget = options.holding == .strong ? target : nil
    unsafe record = .allocate(capacity: 1)
    unsafe record.initialize(to: HandlerRecord(self, body: body, source: source, reply: options.plainReply))
    // Without a frame, the plan only provides the types.
    if let plan, body?.fitsFrame != false { unsafe record.pointee.follow(plan) }
    if let target {
      unsafe record.pointee.target = ObjectAddress(target)
      if options.holding == .weak {
        unsafe record.pointee.flags.insert(.weak)
        weakTarget = WeakObject(target)
      }
    }
    if options.isOnce { unsafe record.pointee.flags.insert(.once) }
    unsafe record.pointee.flags.insert(HandlerFlags(receiving: options.phases))
    if let body = body as? AwaitedBody {
      unsafe record.pointee.flags.insert(.asynchronous)
      body.registration = self
    }
  }

  deinit {
    unsafe record.deinitialize(count: 1)
    unsafe record.deallocate()
  }

  /// The key, the handler with the types of its arguments, and options that differ from the defaults.
  public var description: String { "EventRegistration(\(handler.description)\(isActive ? "" : ", removed"))" }
}

extension EventRegistration {
  /// Whether the handler is registered: it was not removed, and its target was not deallocated.
  public var isActive: Bool { proxy != nil && isAlive }

  /// Removes the handler; a second call does nothing.
  ///
  /// Events that are being delivered no longer call it. A call that is already running finishes.
  public func cancel() { proxy?.remove(self) }

  /// Prevents the handler from being called, until ``unblock()`` was called as often.
  ///
  /// A blocked handler keeps its position, and its key stays registered.
  public func block() {
    if let template { return template.block() }
    blocks += 1
    unsafe record.pointee.flags.insert(.blocked)
    proxy?.copyFlags(ofPrefix: self)
  }

  /// Undoes one ``block()``; further calls do nothing.
  public func unblock() {
    if let template { return template.unblock() }
    blocks = max(0, blocks - 1)
    if blocks == 0 { unsafe record.pointee.flags.remove(.blocked) }
    proxy?.copyFlags(ofPrefix: self)
  }

  /// Whether the handler is blocked.
  public var isBlocked: Bool { template?.isBlocked ?? (blocks > 0) }

  /// A description of the handler, for reports.
  public var handler: Handler { Handler(self) }

  /// Whether the registration has not ended, and the target, if there is one, is alive.
  var isAlive: Bool { unsafe (!record.pointee.flags.contains(.weak) || weakTarget?.isAlive == true) && !hasEnded }

  #if _runtime(_ObjC)
    /// Retains the weak target for the duration of a call; returns whether it is alive.
    @usableFromInline
    func retainTarget() -> Bool { unsafe weakTarget?.retain() != nil }
  #endif

  /// Releases the memory of a deallocated target.
  func dropDeadTarget() {
    guard weakTarget?.isAlive == false else { return }
    unsafe record.pointee.target = .none
    weakTarget = nil
  }

  /// Empties the list of the registrations for single keys, which retain this one.
  func takeListed() -> [EventRegistration] { exchange(&listed, with: []) }

  /// Whether it comes before another handler in the list of its key.
  func isBefore(_ other: EventRegistration) -> Bool { order < other.order }

  /// Its place among the handlers of its key.
  var order: HandlerOrder.Place {
    unsafe HandlerOrder.Place(priority: options.priority, isInterceptor: isInterceptor, sequence: record.pointee.sequence)
  }

  /// Whether it counts as a duplicate of another registration for its key.
  var counts: Bool { unsafe record.pointee.flags.isDisjoint(with: [.removed, .spent]) && isAlive }

  /// The types of the event's arguments; empty for a handler that takes boxes.
  var argumentTypes: [TypeEncoding] { plan?.argumentTypes ?? [] }

  /// Whether each argument is an optional of a type that C has no null for.
  var areOptional: [Bool] { body?.parameters.map { !($0 is any EncodedValue.Type) } ?? [] }

  /// The phases in which it receives events.
  var phases: PhaseSet { unsafe record.pointee.flags.phases }

  /// Whether it is asynchronous.
  var isAsynchronous: Bool { unsafe record.pointee.flags.contains(.asynchronous) }

  /// Whether it takes the event boxed, in addition to the handlers of its key.
  var isInterceptor: Bool { kind == .interceptor }
}

/// Methods that are looked up by their selector.
extension EventRegistration {
  /// Looks up the method again after a method table has changed.
  ///
  /// - Returns: The old plan, if it was replaced. The caller keeps it until no call uses it.
  /// - Throws: `InvocationError` when there is no method for the selector any more.
  func resolve(_ target: AnyObject) throws(InvocationError) -> HandlerPlan? {
    guard case .method(let selector) = kind else { return nil }
    let now = MethodTable.epoch
    let implementation = try MethodTable.implementation(answering: selector, of: target)
    let former = plan
    unsafe record.pointee.epoch = now
    if let old = former?.implementation, unsafe old.pointer == implementation.pointer,
      old.methodSignature == implementation.methodSignature
    {
      return nil
    }
    let plan = try HandlerPlan(implementing: implementation, selector)
    self.plan = plan
    unsafe record.pointee.follow(plan)
    return former
  }
}

extension HandlerPlan {
  /// Plans a handler that is an implementation with its signature.
  convenience init(implementing implementation: Implementation, _ selector: MethodSelector?) throws(InvocationError) {
    guard let signature = implementation.methodSignature else {
      throw InvocationError(.typeMismatch, "the implementation has no signature")
    }
    try self.init(signature, implementation, selector: selector)
  }
}

extension EventRegistration {
  /// A description of a handler, for reports and diagnostics.
  public struct Handler: Sendable, CustomStringConvertible {
    /// The kinds of handler.
    public enum Kind: Sendable, Hashable, CustomStringConvertible {
      /// A Swift closure, or a method passed by its name.
      case closure
      /// The method that the target's class has for a selector.
      case method(MethodSelector)
      /// A function, given as an implementation.
      case function
      /// A closure that takes the event boxed.
      case interceptor

      /// The kind; for a method with its selector.
      public var description: String {
        switch self {
        case .closure: "closure"
        case .method(let selector): "method \(selector.name)".asLine
        case .function: "function"
        case .interceptor: "interceptor"
        }
      }
    }

    /// The event.
    public let key: EventKey
    /// Whether the key is a prefix of the keys of the events.
    let isPrefix: Bool
    /// The kind.
    public let kind: Kind
    /// The class of the target, if there is one.
    let targetType: AnyClass?
    /// The types of the event's arguments, without the source; nil for a handler that takes any.
    public let argumentTypes: [TypeEncoding]?
    /// How it was registered.
    let options: HandlerOptions
    /// Whether it is asynchronous.
    let isAsynchronous: Bool
    /// Whether it is blocked.
    let isBlocked: Bool
    /// Whether its target, if it has one, is alive.
    let isAlive: Bool

    /// Whether each argument is an optional of a type that C has no null for.
    private let areOptional: [Bool]

    init(_ registration: EventRegistration) {
      areOptional = registration.areOptional
      key = registration.key
      isPrefix = registration.makeBody != nil
      kind = registration.kind
      targetType = registration.targetType
      argumentTypes = registration.plan?.argumentTypes
      options = registration.options
      isAsynchronous = registration.isAsynchronous
      isBlocked = registration.isBlocked
      isAlive = registration.isAlive
    }

    /// The handler's name: its kind or selector, and the class of its target.
    public var name: String {
      let name = if case .method(let selector) = kind { selector.name } else { "\(kind)" }
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
      if options.priority != 0 { marks.append("priority \(options.priority)") }
      if options.isOnce { marks.append("once") }
      if options.direction != .both { marks.append("\(options.direction) only") }
      if options.seesStopped { marks.append("sees stopped events") }
      if options.receivesLast { marks.append("receives the last event") }
      if let rewritesTo = options.rewritesTo { marks.append("sends on as \(rewritesTo)") }
      if isBlocked { marks.append("blocked") }
      if !isAlive { marks.append("target dead") }
      return ("\(key)\(isPrefix ? "*" : ""): \(name) \(types)" + (marks.isEmpty ? "" : " [" + marks.joined(separator: ", ") + "]")).asLine
    }
  }
}
