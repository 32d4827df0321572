public import DynamicInvocation

/// Sending events.
extension EventProxy {
  /// Sends an event with boxed arguments.
  ///
  /// Each argument is converted exactly to the type of the handler's parameter. An object of any class is passed
  /// unchanged to a parameter that is an object.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - source: The source of the event, the handlers' first argument.
  ///   - arguments: The other arguments.
  /// - Returns: The number of handlers called, their combined reply and the errors. A reply ``EventReply/resend(_:_:)``
  ///   is not followed: a proxy alone cannot route the event.
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @inlinable @inline(__always)
  @discardableResult
  public func send(_ key: EventKey, source: AnyObject?, arguments: [BoxedValue]) -> Answer {
    unsafe arguments.withUnsafeBufferPointer { unsafe send(key, source: source, boxes: $0) }
  }

  /// Sends boxes from a buffer.
  @inlinable @inline(__always)
  func send(_ key: EventKey, source: AnyObject?, boxes: UnsafeBufferPointer<BoxedValue>) -> Answer {
    // A result that is created here costs nothing when the caller ignores it.
    if unsafe sendQuickly(key, source: source, boxes) { return Answer(calls: 1, reply: .handled, errors: []) }
    return unsafe sendCarefully(key, source: source, boxes)
  }

  /// Calls the only handler by the fast path, if it is a function that allows it; returns whether it did.
  @usableFromInline
  func sendQuickly(_ key: EventKey, source: AnyObject?, _ boxes: UnsafeBufferPointer<BoxedValue>) -> Bool {
    guard let first = unsafe state.pointee.first(key.bits), unsafe first.pointee.isQuick, let handler = unsafe begin(first, source)
    else { return false }
    let wasCalled = unsafe handler.callQuickly(boxes, source: source)
    leave(handler)
    return wasCalled
  }

  /// Sends an event with arguments of any kind.
  package func send<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, payload: Payload) -> Answer {
    sendCarefully(key, source: source, payload)
  }

  @usableFromInline
  func sendCarefully(_ key: EventKey, source: AnyObject?, _ boxes: UnsafeBufferPointer<BoxedValue>) -> Answer {
    guard let first = unsafe state.pointee.first(key.bits) else { return Answer() }
    guard let handler = unsafe begin(first, source) else {
      return told(unsafe runAll(first, upTo: state.pointee.sequence, skipping: [], source: source, BorrowedPayload(boxes)))
    }
    do {
      return answer(try unsafe handler.call(boxes, source: source), of: handler)
    } catch {
      return told(answer(error, of: handler))
    }
  }
}

/// Copies boxes into memory bitwise, without retaining their contents: the caller keeps them alive.
@usableFromInline
enum BoxBits {
  @usableFromInline typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt8)

  @inlinable @inline(__always)
  static func store(_ box: BoxedValue, at place: UnsafeMutablePointer<BoxedValue>) {
    unsafe UnsafeMutableRawPointer(place).storeBytes(of: unsafeBitCast(box, to: Words.self), as: Words.self)
  }
}
