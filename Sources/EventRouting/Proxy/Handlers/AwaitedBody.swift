internal import DynamicInvocation

/// The code of an asynchronous handler.
@usableFromInline
@safe
class AwaitedBody: HandlerBody {
  /// A call of the handler whose arguments have been read.
  @usableFromInline typealias Work = nonisolated(nonsending) () async throws -> EventReply?

  /// The actor on which it was registered, and on which a synchronous send starts it.
  ///
  /// Weak, as the actor may own the tree.
  private let owner: WeakObject?
  /// Its registration, which owns it.
  @safe @exclusivity(unchecked)
  unowned(unsafe) var registration: EventRegistration?

  @usableFromInline
  init(_ types: ObjectIdentifier, _ parameters: [any _BoxConvertible.Type], _ owner: (any Actor)?, _ result: Any.Type = Void.self) {
    self.owner = owner.map { WeakObject($0) }
    super.init(types, parameters, result) { _, _, _ in preconditionFailure("an asynchronous handler has no frame") }
  }

  override final var fitsFrame: Bool { false }

  /// Calls the handler with boxes, and waits for it.
  ///
  /// - Throws: ``DeliveryFailure`` when it was not called, and any error that it throws.
  @usableFromInline
  nonisolated(nonsending) func awaitReply(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) async throws -> EventReply? {
    preconditionFailure("each kind of handler overrides it")
  }

  /// Reads the arguments of a call that is started.
  ///
  /// - Throws: ``DeliveryFailure`` when the handler cannot be called with them.
  @usableFromInline
  func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    preconditionFailure("each kind of handler overrides it")
  }

  /// Starts the handler, for a send that calls the next handler while this one is suspended.
  ///
  /// - Returns: Nil: the reply is not known yet.
  @usableFromInline
  override final func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    let waiting = StartedHandlers.take()
    guard let registration, waiting != nil || registration.options.synchronousSend == .starts else {
      throw DeliveryFailure(
        reason: InvocationError(
          .asynchronousHandler, "the handler is asynchronous, and its options refuse a synchronous send; use sendAwaiting"))
    }
    if source.map({ isDeallocating($0) }) == true || boxed.indexOfEnding != nil {
      throw DeliveryFailure(
        reason: InvocationError(.asynchronousHandler, "the handler is asynchronous, and an object of the event is being deallocated"))
    }
    let work = try work(target, source: source, boxed: boxed)
    if let waiting {
      try waiting.start(registration, work)
    } else {
      StartedHandler(registration, work, nil).start(on: try liveOwner())
    }
    return nil
  }

  /// The actor on which a synchronous send starts the handler.
  private func liveOwner() throws -> any Actor {
    if let actor = unsafe owner?.retain()?.takeRetainedValue() as? any Actor { return actor }
    let cause =
      owner == nil
      ? "was registered outside of an actor on which it could be started" : "the actor on which it was registered was deallocated"
    throw DeliveryFailure(
      reason: InvocationError(.asynchronousHandler, "the handler is asynchronous, and \(cause); use sendAwaiting"))
  }
}

/// The result of an asynchronous closure: an ``EventReply`` or nothing.
///
/// An optional that contains a reply is equal to that reply in memory. This type stands for any result of a stored closure. A
/// generic result is returned in memory; a closure without a result leaves that memory unset.
@usableFromInline
struct AwaitedResult {
  @usableFromInline let words: (UInt, UInt)

  /// Takes the reply of a closure that returns one or nil, once: a cast of the words would retain it again.
  @inlinable
  func takeReply(if isReply: Bool) -> EventReply? {
    guard isReply else { return nil }
    var words = words
    return unsafe withUnsafeMutablePointer(to: &words) { words in
      unsafe UnsafeMutableRawPointer(words).assumingMemoryBound(to: EventReply?.self).move()
    }
  }
}

/// The code of an asynchronous handler that takes an event boxed.
@safe
final class AwaitedInterceptor: AwaitedBody {
  typealias Function =
    nonisolated(nonsending) (
      _ source: AnyObject?, _ key: EventKey, _ arguments: [BoxedValue]
    ) async throws -> EventReply

  private let key: EventKey
  private let intercept: Function

  init(_ key: EventKey, isolation actor: (any Actor)?, _ intercept: @escaping Function) {
    self.key = key
    self.intercept = intercept
    super.init(ObjectIdentifier(AwaitedInterceptor.self), [], actor)
  }

  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    try await intercept(source, key, boxed)
  }

  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let (intercept, key) = (intercept, key)
    return { try await intercept(source, key, boxed) }
  }
}

/// The body of an asynchronous handler in its ``HandlerRecord``.
///
/// A method of a noncopyable value borrows the value, so the body is not retained while a call is awaited: the registration
/// keeps the body until the last of the calls that began has ended.
@usableFromInline
struct BorrowedBody<Body: AwaitedBody>: ~Copyable {
  @usableFromInline let body: Body
}

extension BorrowedBody {
  /// Calls the handler with boxes, and waits for it.
  nonisolated(nonsending) borrowing func call(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? where Body == AwaitedBody {
    try await body.awaitReply(target, source: source, boxed: boxed)
  }
}

extension HandlerCall {
  /// Calls an asynchronous handler with boxes, and waits for it.
  @usableFromInline
  nonisolated(nonsending) func awaitReply(boxed boxes: [BoxedValue], source: AnyObject?) async throws -> EventReply? {
    try unsafe await awaitedBody(as: AwaitedBody.self).pointee.call(target, source: source, boxed: boxes)
  }

  /// The address of the body of an asynchronous handler, in its record.
  @inlinable @inline(__always)
  func awaitedBody<Body: AwaitedBody>(as type: Body.Type) -> UnsafePointer<BorrowedBody<Body>> {
    let offset = unsafe MemoryLayout<HandlerRecord>.offset(of: \.body).unsafelyUnwrapped
    return unsafe (UnsafeRawPointer(record) + offset).assumingMemoryBound(to: BorrowedBody<Body>.self)
  }
}
