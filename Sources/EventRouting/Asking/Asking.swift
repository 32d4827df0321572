public import DynamicInvocation

/// What a sender asks, and what its handlers have answered, in memory of the send.
@usableFromInline
@safe
struct Asking {
  /// The type of the answer.
  private let wanted: Any.Type
  /// The memory of an optional of that type.
  private let value: UnsafeMutableRawPointer
  /// The pass within which the sender asks, whose handlers are not asked.
  private let outer: UnsafeMutablePointer<ActivePass>?
  /// Takes each answer; nil if the first one ends the route.
  private let collect: ((inout Asking) throws -> Void)?
  /// An answer of another type, with the handler that gave it.
  private var other: (answer: Any, key: EventKey, handler: EventRegistration.Handler)?
  private var hasValue = false
  /// The handler whose answer comes next, while it runs.
  private var current: EventRegistration?
  /// Whether the code of a handler that answers has not begun yet.
  private var isOffered = false
  /// Whether it has begun.
  private var wasTaken = false
  /// Whether no handler is asked any more.
  private var isDone = false
  /// How many handlers have answered.
  private var count = 0
  /// How many of them a report does not have yet.
  private var unreported = 0
  /// The error that ended the route.
  private var error: (any Error)?

  /// - Parameter value: The memory for an answer, nil at the beginning.
  init<Answer>(_ value: UnsafeMutablePointer<Answer?>, collect: ((inout Asking) throws -> Void)? = nil) {
    wanted = Answer.self
    unsafe self.value = UnsafeMutableRawPointer(value)
    unsafe outer = unsafe ActivePass.innermost
    self.collect = collect
  }

  /// What the handler answers that is about to run, taken once, before its code runs; nil if nobody asks.
  @usableFromInline
  static func take() -> UnsafeMutablePointer<Asking>? {
    guard let asking = unsafe ActivePass.innermost?.pointee.asking, unsafe asking.pointee.isOffered else { return nil }
    unsafe asking.pointee.isOffered = false
    unsafe asking.pointee.wasTaken = true
    return unsafe asking
  }

  /// Stores the result of a handler; nil is no answer.
  @usableFromInline
  mutating func answer<Result>(_ result: Result) {
    if Result.self == wanted {
      unsafe value.assumingMemoryBound(to: Result?.self).pointee = result
      hasValue = true
      return
    }
    var answer: Any = result
    while let optional = answer as? any AnyOptional {
      guard let wrapped = optional.wrapped else { return }
      answer = wrapped
    }
    guard let current else { return }
    other = (answer, current.key, current.handler)
  }

  /// Takes the answer that has come last.
  ///
  /// - Throws: ``EventError`` if it is no value of the type.
  mutating func takeAnswer<Answer>(as type: Answer.Type) throws -> Answer? {
    if let other {
      self.other = nil
      do throws(InvocationError) {
        return try Self.convert(other.answer, to: Answer.self)
      } catch {
        throw EventError(key: other.key, handler: other.handler, reason: error)
      }
    }
    let place = unsafe value.assumingMemoryBound(to: Answer?.self)
    defer { unsafe place.pointee = nil }
    hasValue = false
    return unsafe place.pointee
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

  /// Throws the error that ended the route; without an answer, also the first one of the outcome.
  func check(_ outcome: SendOutcome) throws {
    if let error { throw error }
    if count == 0, let error = outcome.firstError { throw error }
  }

  /// What a report says of the node that was just visited.
  mutating func takeNotes() -> [String] {
    defer { unreported = 0 }
    return unreported == 0 ? [] : [unreported.counted("answer")]
  }

  // MARK: One handler

  /// Whether a handler of the innermost pass is asked.
  fileprivate func isAsked(in pass: UnsafeMutablePointer<ActivePass>) -> Bool { unsafe !isDone && pass != outer }

  fileprivate mutating func begin(_ handler: EventRegistration, offers: Bool) {
    current = handler
    isOffered = offers
    wasTaken = false
  }

  /// The code of a handler begins whose result is read from its frame.
  fileprivate mutating func beginCode() { wasTaken = true }

  /// Goes on after a handler; returns its reply.
  fileprivate mutating func end(_ reply: consuming EventReply?) -> EventReply? {
    isOffered = false
    current = nil
    guard hasValue || other != nil else { return reply }
    count += 1
    unreported += 1
    guard let collect else { return stop() }
    do {
      try collect(&self)
      return reply
    } catch {
      self.error = error
      return stop()
    }
  }

  /// Goes on after an error of a handler; that of a handler that was to answer ends the route.
  fileprivate mutating func end(_ error: any Error) throws -> EventReply? {
    isOffered = false
    current = nil
    guard wasTaken else { throw error }
    self.error = error
    return stop()
  }

  private mutating func stop() -> EventReply {
    isDone = true
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
@usableFromInline
@safe
struct AskingPayload<Base: EventPayload>: EventPayload {
  private let base: Base
  private let asking: UnsafeMutablePointer<Asking>?

  /// - Parameter asking: Nil for a send.
  init(_ base: Base, _ asking: UnsafeMutablePointer<Asking>?) {
    self.base = base
    unsafe self.asking = unsafe asking
  }

  @usableFromInline var boxed: [BoxedValue] { get throws { try base.boxed } }

  /// What a handler is asked; nil if it is not.
  private var asked: UnsafeMutablePointer<Asking>? {
    guard let asking = unsafe asking, let pass = unsafe ActivePass.innermost, unsafe asking.pointee.isAsked(in: pass) else { return nil }
    unsafe pass.pointee.asking = unsafe asking
    return unsafe asking
  }

  @usableFromInline
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    // An asynchronous handler that is started answers too late.
    guard unsafe !handler.record.pointee.flags.contains(.asynchronous), let asking = unsafe asked else {
      return try base.deliver(to: handler, source: source)
    }
    unsafe asking.pointee.begin(handler.registration, offers: handler.answers)
    do {
      guard handler.returnsValue else { return unsafe asking.pointee.end(try base.deliver(to: handler, source: source)) }
      try unsafe handler.answer(try base.boxed, source: source, asking)
      return unsafe asking.pointee.end(nil)
    } catch {
      return try unsafe asking.pointee.end(error)
    }
  }

  @usableFromInline
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    guard let asking = unsafe asked else { return try await base.deliverAwaiting(to: handler, source: source) }
    unsafe asking.pointee.begin(handler.registration, offers: handler.answers)
    do {
      let reply = try await base.deliverAwaiting(to: handler, source: source)
      return unsafe asking.pointee.end(reply)
    } catch {
      return try unsafe asking.pointee.end(error)
    }
  }
}

extension HandlerCall {
  /// Whether the handler is Swift code whose result is an answer.
  fileprivate var answers: Bool { unsafe record.pointee.body?._withUnsafeGuaranteedRef { $0.answers } ?? false }

  /// Whether the handler is a function with a result.
  fileprivate var returnsValue: Bool {
    guard unsafe record.pointee.function != nil, let plan = registration.plan else { return false }
    if case .void = plan.methodSignature.returnType.kind { return false }
    return true
  }

  /// Calls a function, whose result is the answer.
  fileprivate func answer(_ boxes: [BoxedValue], source: AnyObject?, _ asking: UnsafeMutablePointer<Asking>) throws {
    guard let function = unsafe record.pointee.function, let plan = registration.plan else { return }
    let layout = unsafe record.pointee.layout
    guard layout.count == boxes.count else { throw countMismatch(boxes.count) }
    try unsafe withUnsafeTemporaryAllocation(byteCount: layout.frameSize, alignment: layout.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var writer = unsafe ArgumentWriter(frame, self)
      defer { writer.release() }
      for box in boxes { try writer.write(box) }
      unsafe asking.pointee.beginCode()
      try unsafe function.callKeeping(frame, target: target, source: ObjectAddress(source))
      let answer = try unsafe BoxedValue.readResult(of: plan.methodSignature, from: frame)
      unsafe function.releaseResult(in: frame)
      if case .null = answer { return }
      unsafe asking.pointee.answer(answer)
    }
  }
}

extension EventReply {
  /// The reply that an asynchronous handler returned; see the form for a synchronous one.
  @usableFromInline
  nonisolated(nonsending) static func awaited<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> EventReply? {
    // Before the code runs: what it sends is not what was asked.
    let asking = unsafe Asking.take()
    let result = try await body()
    if Result.self == EventReply.self { return unsafe unsafeBitCast(result, to: EventReply.self) }
    if Result.self == EventReply?.self { return unsafe unsafeBitCast(result, to: EventReply?.self) }
    if let asking = unsafe asking { unsafe asking.pointee.answer(result) }
    return nil
  }
}

extension EventContext {
  /// Answers the sender of the event that is being handled, if it asks.
  ///
  ///     try proxy.intercept("cart.total") { _, _, _ in
  ///       EventContext.answer(0)
  ///       return .handled
  ///     }
  ///
  /// An interceptor answers so, and any handler whose result is none. The answer counts when the handler returns.
  ///
  /// - Parameter value: The answer; nil is none.
  /// - Returns: Whether the sender asks and still waits for an answer; false for a send, and outside of handlers.
  @discardableResult
  public static func answer<Value>(_ value: Value) -> Bool {
    guard let asking = unsafe ActivePass.innermost?.pointee.asking, unsafe asking.pointee.isRunning else { return false }
    unsafe asking.pointee.answer(value)
    return true
  }
}

extension Asking {
  /// Whether a handler that may answer is running.
  fileprivate var isRunning: Bool { current != nil }
}
