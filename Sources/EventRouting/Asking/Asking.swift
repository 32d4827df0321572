internal import DynamicInvocation

/// What a sender asks, and what handlers have answered, in memory of the send.
@usableFromInline
@safe
struct Asking {
  private enum State {
    /// No handler that may answer is running.
    case idle
    /// A handler that may answer is called; its code has not begun.
    case offered
    /// Its code has begun.
    case taken
    /// No handler is asked any more.
    case done
  }

  /// The type of the answer.
  private let wanted: Any.Type
  /// The memory of an optional of that type.
  private let value: UnsafeMutableRawPointer
  /// The pass within which the sender asks; handlers of that pass are not asked.
  private let outer: UnsafeMutablePointer<ActivePass>?
  /// Takes each answer; nil if the first one ends the route.
  private let collect: ((inout Asking) throws -> Void)?
  private var state: State = .idle
  /// The handler that was called last.
  private var handler: EventRegistration?
  /// The handler's answer, if it has another type.
  private var other: Any?
  private var hasAnswer = false
  /// How many handlers have answered.
  private var count = 0
  /// How many of these answers a report has.
  private var reported = 0
  /// The error that ended the route.
  private var error: (any Error)?

  /// - Parameter value: The memory for an answer, nil at the beginning.
  init<Answer>(_ value: UnsafeMutablePointer<Answer?>, collect: ((inout Asking) throws -> Void)? = nil) {
    wanted = Answer.self
    unsafe self.value = UnsafeMutableRawPointer(value)
    unsafe outer = unsafe ActivePass.innermost
    self.collect = collect
  }

  /// Takes what the next handler answers, once, before the code of the handler runs; nil if nobody asks.
  @usableFromInline
  static func take() -> UnsafeMutablePointer<Asking>? {
    guard let asking = unsafe ActivePass.innermost?.pointee.asking, unsafe asking.pointee.state == .offered else { return nil }
    unsafe asking.pointee.state = .taken
    return unsafe asking
  }

  /// Stores the result of a handler; nil is no answer.
  @usableFromInline
  mutating func answer<Result>(_ result: Result) {
    if Result.self == wanted {
      unsafe value.assumingMemoryBound(to: Result?.self).pointee = result
    } else {
      var answer: Any = result
      while let optional = answer as? any AnyOptional {
        guard let wrapped = optional.wrapped else { return }
        answer = wrapped
      }
      other = answer
    }
    hasAnswer = true
  }

  /// Takes the answer that has come last.
  ///
  /// - Throws: ``EventError`` if the answer cannot be converted to the type.
  mutating func takeAnswer<Answer>(as type: Answer.Type) throws -> Answer? {
    guard let answer = other else {
      let place = unsafe value.assumingMemoryBound(to: Answer?.self)
      defer { unsafe place.pointee = nil }
      return unsafe place.pointee
    }
    other = nil
    do throws(InvocationError) {
      return try Self.convert(answer, to: Answer.self)
    } catch {
      guard let handler else { throw error }
      throw EventError(key: handler.key, handler: handler.handler, reason: error)
    }
  }

  private static func convert<Answer>(_ answer: Any, to type: Answer.Type) throws(InvocationError) -> Answer {
    if let same = answer as? Answer { return same }
    var box = answer as? BoxedValue
    if box == nil, let answer = answer as? any _BoxConvertible { box = try answer.boxed() }
    if let box {
      if let same = box as? Answer { return same }
      if let type = Answer.self as? any _BoxConvertible.Type, let value = try box.value(as: type) as? Answer { return value }
    }
    throw InvocationError(
      .typeMismatch, "the handler answered a value of the type \(Swift.type(of: answer)), and the sender asks for \(Answer.self)")
  }

  /// Throws the error that ended the route, or, without an answer, the first error of the outcome.
  func check(_ outcome: SendOutcome) throws {
    if let error { throw error }
    if count == 0, let error = outcome.firstError { throw error }
  }

  /// What a report says of the node that was just visited.
  mutating func takeNotes() -> [String] {
    defer { reported = count }
    return count == reported ? [] : [(count - reported).counted("answer")]
  }

  // MARK: One handler

  /// Whether a handler of a pass is asked.
  fileprivate func isAsked(in pass: UnsafeMutablePointer<ActivePass>) -> Bool { unsafe state != .done && pass != outer }

  fileprivate mutating func begin(_ handler: HandlerCall) {
    self.handler = handler.registration
    state = handler.answers ? .offered : .idle
    hasAnswer = false
  }

  /// Goes on after a handler; returns its reply.
  fileprivate mutating func end(_ reply: consuming EventReply?) -> EventReply? {
    state = .idle
    guard hasAnswer else { return reply }
    count += 1
    guard let collect else { return stop() }
    do {
      try collect(&self)
      return reply
    } catch {
      self.error = error
      return stop()
    }
  }

  /// Goes on after an error of a handler; if the handler was to answer, the error ends the route.
  fileprivate mutating func end(_ error: any Error) throws -> EventReply? {
    guard state == .taken else {
      state = .idle
      throw error
    }
    self.error = error
    return stop()
  }

  private mutating func stop() -> EventReply {
    state = .done
    return .handledAndStop(.pass)
  }
}

/// An optional of any type.
private protocol AnyOptional {
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { map { $0 as Any } }
}

/// The arguments of an event whose sender asks.
@safe
struct AskingPayload<Base: EventPayload>: EventPayload {
  private let base: Base
  private let asking: UnsafeMutablePointer<Asking>

  init(_ base: Base, _ asking: UnsafeMutablePointer<Asking>) {
    self.base = base
    unsafe self.asking = unsafe asking
  }

  var boxed: [BoxedValue] { get throws { try base.boxed } }

  /// Whether the handler that is called now is asked.
  private var isAsked: Bool {
    guard let pass = unsafe ActivePass.innermost, unsafe asking.pointee.isAsked(in: pass) else { return false }
    unsafe pass.pointee.asking = unsafe asking
    return true
  }

  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    // An asynchronous handler that is started answers too late.
    guard unsafe !handler.record.pointee.flags.contains(.asynchronous), isAsked else {
      return try base.deliver(to: handler, source: source)
    }
    unsafe asking.pointee.begin(handler)
    do {
      let reply =
        try handler.returnsValue
        ? handler.answer(base.boxed, source: source) : base.deliver(to: handler, source: source)
      return unsafe asking.pointee.end(reply)
    } catch {
      return try unsafe asking.pointee.end(error)
    }
  }

  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    guard isAsked else { return try await base.deliverAwaiting(to: handler, source: source) }
    unsafe asking.pointee.begin(handler)
    do {
      let reply = try await base.deliverAwaiting(to: handler, source: source)
      return unsafe asking.pointee.end(reply)
    } catch {
      return try unsafe asking.pointee.end(error)
    }
  }
}

extension HandlerCall {
  /// Whether the handler is code whose result is an answer.
  fileprivate var answers: Bool { unsafe record.pointee.body?._withUnsafeGuaranteedRef { $0.answers } ?? returnsValue }

  /// Whether the handler is a function with a result.
  fileprivate var returnsValue: Bool {
    guard unsafe record.pointee.function != nil, let plan = registration.plan else { return false }
    if case .void = plan.methodSignature.returnType.kind { return false }
    return true
  }

  /// Calls a function, whose result is the answer; it has no reply.
  fileprivate func answer(_ boxes: [BoxedValue], source: AnyObject?) throws -> EventReply? {
    guard let function = unsafe record.pointee.function, let plan = registration.plan else { return nil }
    let layout = unsafe record.pointee.layout
    guard layout.count == boxes.count else { throw countMismatch(boxes.count) }
    try unsafe withUnsafeTemporaryAllocation(byteCount: layout.frameSize, alignment: layout.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var writer = unsafe ArgumentWriter(frame, self)
      defer { writer.release() }
      for box in boxes { try writer.write(box) }
      // Taken before the code runs: an event that the code sends is not what was asked.
      let asking = unsafe Asking.take()
      try unsafe function.callKeeping(frame, target: target, source: ObjectAddress(source))
      let answer = try unsafe BoxedValue.readResult(of: plan.methodSignature, from: frame)
      unsafe function.releaseResult(in: frame)
      if case .null = answer { return }
      unsafe asking?.pointee.answer(answer)
    }
    return nil
  }
}

extension EventReply {
  /// The reply that an asynchronous handler returned; see the form for a synchronous one.
  @usableFromInline
  nonisolated(nonsending) static func awaited<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> EventReply? {
    // Taken before the code runs: an event that the code sends is not what was asked.
    let asking = unsafe Asking.take()
    let result = try await body()
    if Result.self == EventReply.self { return unsafe unsafeBitCast(result, to: EventReply.self) }
    if Result.self == EventReply?.self { return unsafe unsafeBitCast(result, to: EventReply?.self) }
    if let asking = unsafe asking { unsafe asking.pointee.answer(result) }
    return nil
  }
}
