public import DynamicInvocation

/// Handlers that are methods and functions known at run time.
extension EventProxy {
  /// Registers the method that a target has for a selector.
  ///
  /// The method is looked up in the `MethodTable` of the target's class, or requested from the target if it is
  /// `Invocable`. It is looked up at registration, and again whenever a table has changed. Its parameters after the
  /// selector are the source, an object, and the event's arguments; its result is discarded.
  ///
  /// A target that lacks the method but provides its types, as `Forwarding` and `ProtocolDispatcher` do, receives the
  /// event as a message to forward.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - target: The object that handles it.
  ///   - selector: The selector of the method.
  ///   - options: How the target is held, the priority and other options.
  /// - Throws: `InvocationError` `unrecognizedSelector` with the nearest ones, or with the ways to give the class a method;
  ///   `typeMismatch` when the method does not take a source first, `limitExceeded` for more than 60 arguments,
  ///   `duplicateHandler`.
  @discardableResult
  public func register(
    _ key: EventKey, target: AnyObject, selector: MethodSelector, options: HandlerOptions = HandlerOptions()
  ) throws(InvocationError) -> EventRegistration {
    let epoch = MethodTable.epoch
    let implementation = try MethodTable.implementation(answering: selector, of: target)
    let plan = try HandlerPlan(implementing: implementation, selector)
    let registration = EventRegistration(key, .method(selector), target: target, options, plan: plan, body: nil, source: .any)
    // It is looked up again after changes of the method table.
    unsafe registration.record.pointee.epoch = epoch
    unsafe registration.record.pointee.flags.insert(.lookedUp)
    return try add(registration)
  }

  /// Registers an implementation with its signature.
  ///
  /// A plain function takes the source, an object, and the event's arguments; a method takes a target and a selector
  /// before them. The result is discarded.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - implementation: The code, with its signature. The signature cannot be checked against the code.
  ///   - target: The target of a method.
  ///   - selector: The selector of a method; by default the selector with the key's name.
  ///   - options: How the target is held, the priority and other options.
  /// - Throws: `InvocationError` `typeMismatch` when the implementation has no signature, does not take a source first,
  ///   or is a method of another class than the target's; `countMismatch` when the selector is given and specifies
  ///   another number of arguments; `nullNotAllowed` for a method without a target; `limitExceeded`,
  ///   `duplicateHandler`.
  @discardableResult
  public func register(
    _ key: EventKey, _ implementation: Implementation, target: AnyObject? = nil, selector: MethodSelector? = nil,
    options: HandlerOptions = HandlerOptions()
  ) throws(InvocationError) -> EventRegistration {
    let plan = try HandlerPlan(implementing: implementation, selector ?? key.selector)
    if plan.methodSignature.isMethod {
      guard let target else { throw InvocationError(.nullNotAllowed, "a method needs a target", argument: .index(0)) }
      if let selector { try plan.methodSignature.requireArgumentCount(of: selector) }
      try implementation.requireTarget(type(of: target), selector)
    }
    return try add(EventRegistration(key, .function, target: target, options, plan: plan, body: nil, source: .any))
  }

  /// Registers the message of an invocation: its target, its selector, and its implementation if it has one.
  ///
  /// The invocation itself is neither retained nor changed: each event builds its own frame. Arguments that are set in
  /// the invocation are ignored.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - invocation: The invocation with the message. An invocation of a plain function needs an implementation.
  ///   - options: How the target is held, the priority and other options; the target is weak by default, even if the
  ///     invocation retains it.
  /// - Throws: `InvocationError` `argumentNotSet` without a target or a selector, `noImplementation` for a plain
  ///   function without an implementation, `typeMismatch` when the method found cannot be called with the types of the
  ///   invocation (names of structs and pointee types need not match), and the errors of the other forms.
  @discardableResult
  public func register(
    _ key: EventKey, _ invocation: Invocation, options: HandlerOptions = HandlerOptions()
  ) throws(InvocationError) -> EventRegistration {
    let signature = invocation.methodSignature
    guard signature.isMethod else {
      guard let implementation = invocation.implementation else {
        throw InvocationError(.noImplementation, "an invocation of a plain function needs an implementation")
      }
      let plan = try HandlerPlan(signature, implementation, selector: nil)
      return try add(EventRegistration(key, .function, target: nil, options, plan: plan, body: nil, source: .any))
    }
    guard let target = invocation.target else {
      throw InvocationError(.argumentNotSet, "the invocation has no target", argument: .index(0))
    }
    guard let selector = invocation.selector else {
      throw InvocationError(.argumentNotSet, "the invocation has no selector", argument: .index(1))
    }
    if let implementation = invocation.implementation {
      let plan = try HandlerPlan(signature, implementation, selector: selector)
      try implementation.requireTarget(type(of: target), selector)
      return try add(EventRegistration(key, .function, target: target, options, plan: plan, body: nil, source: .any))
    }
    let found: MethodSignature? = try MethodTable.implementation(answering: selector, of: target).methodSignature
    if let found, !signature.carries(found) {
      throw InvocationError(
        .typeMismatch, "\(type(of: target)) implements '\(selector)' with the types '\(found)', the invocation has '\(signature)'")
    }
    return try register(key, target: target, selector: selector, options: options)
  }

  /// Registers a closure that receives an event whole: its source, its key, and its arguments boxed.
  ///
  ///     try proxy.intercept("row.tapped") { source, key, arguments in
  ///       try arguments.value(at: 0, as: Int.self) < count ? .handledAndContinue : .handledAndStop(.node)
  ///     }
  ///
  /// It takes any number of arguments of any types, and reads them with `value(at:as:)`. It is called before the
  /// handlers of the key that have the same priority, and can prevent the event from reaching them:
  /// ``EventReply/handledAndStop(_:)`` ends the node's other handlers, and ``EventReply/resend(_:_:)`` resends the
  /// event with changes. After any other reply they are called as well.
  ///
  /// Interceptors and handlers do not count as duplicates of each other, and ``HandlerOptions/duplicates`` applies to
  /// other interceptors only. The default options allow several interceptors.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - options: The priority and other options. Unlike for handlers, by default a second interceptor is not an error.
  ///   - body: Takes the source, the key and the arguments. An error that it throws is an error of the event, as for
  ///     any handler. A dry run shows the route for the reply in the options, and the route if the closure ignores the event.
  /// - Throws: `InvocationError` `duplicateHandler` if the options ask for it and the key has another interceptor.
  /// - Complexity: Each call allocates the boxes.
  @discardableResult
  public func intercept(
    _ key: EventKey, options: HandlerOptions = HandlerOptions(duplicates: .append),
    _ body: @escaping (_ source: AnyObject?, _ key: EventKey, _ arguments: [BoxedValue]) throws -> EventReply
  ) throws(InvocationError) -> EventRegistration {
    let interceptor = InterceptorBody { source, arguments in try body(source, key, arguments) }
    return try add(EventRegistration(key, .interceptor, target: nil, options, plan: nil, body: interceptor, source: .any))
  }

  /// Registers an asynchronous closure that receives an event whole; see the form with a synchronous closure.
  ///
  /// ``Responder/sendAwaiting(_:arguments:rules:)`` waits for its reply.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - options: The priority and other options, among them what a synchronous send does.
  ///   - actor: The actor on which a synchronous send starts the handler; the default is the isolation of the caller.
  ///   - body: Takes the source, the key and the arguments.
  @discardableResult
  public func intercept(
    _ key: EventKey, options: HandlerOptions = HandlerOptions(duplicates: .append), isolation actor: isolated (any Actor)? = #isolation,
    _ body:
      nonisolated(nonsending) @escaping (
        _ source: AnyObject?, _ key: EventKey, _ arguments: [BoxedValue]
      ) async throws -> EventReply
  ) throws(InvocationError) -> EventRegistration {
    let interceptor = AwaitedInterceptor(key, isolation: actor, body)
    return try add(EventRegistration(key, .interceptor, target: nil, options, plan: nil, body: interceptor, source: .any))
  }

  /// Adds a handler that is Swift code.
  @usableFromInline
  func add(
    _ key: EventKey, source: SourceRule, target: AnyObject?, _ options: HandlerOptions, _ body: HandlerBody
  ) throws(InvocationError) -> EventRegistration {
    let plan = try HandlerPlan(of: body.parameters.map { $0.encodedType })
    return try add(EventRegistration(key, .closure, target: target, options, plan: plan, body: body, source: source))
  }
}
