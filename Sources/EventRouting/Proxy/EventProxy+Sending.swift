public import DynamicInvocation

/// Sending events.
extension EventProxy {
  /// Sends an event with boxed arguments.
  ///
  /// Each is converted to the type of the handler's parameter, exactly; an object of any class goes as it is to a parameter that is an object.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - source: Who sends it, the handlers' first argument.
  ///   - arguments: The others.
  /// - Returns: How many handlers were called, what they replied and what went wrong. A reply ``EventReply/resend(_:_:)`` is not followed: a
  ///   proxy alone has nobody to send to.
  /// - Complexity: As a call of each handler; allocates nothing, save for copies of strings and for interceptors.
  @inlinable @inline(__always)
  @discardableResult
  public func send(_ key: EventKey, source: AnyObject?, _ arguments: [BoxedValue]) -> NodeAnswer {
    unsafe arguments.withUnsafeBufferPointer { unsafe send(key, source: source, boxes: $0) }
  }

  /// Sends boxes that lie in memory.
  @inlinable @inline(__always)
  func send(_ key: EventKey, source: AnyObject?, boxes: UnsafeBufferPointer<BoxedValue>) -> NodeAnswer {
    // An answer that is made here costs nothing when nobody reads it.
    if unsafe sendQuickly(key, source: source, boxes) { return NodeAnswer(calls: 1, reply: .handled, errors: []) }
    return unsafe sendCarefully(key, source: source, boxes)
  }

  /// Calls a function that is the only handler, if nothing needs care; says whether it did.
  @usableFromInline
  func sendQuickly(_ key: EventKey, source: AnyObject?, _ boxes: UnsafeBufferPointer<BoxedValue>) -> Bool {
    guard let first = unsafe state.pointee.first(key.bits), unsafe first.pointee.isQuick, let handler = unsafe begin(first, source)
    else { return false }
    let wasCalled = unsafe handler.callQuickly(boxes, source: source)
    leave(handler)
    return wasCalled
  }

  /// Sends an event with arguments of any kind.
  package func send<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, payload: Payload) -> NodeAnswer {
    sendAny(key, source: source, payload)
  }

  @usableFromInline
  func sendCarefully(_ key: EventKey, source: AnyObject?, _ boxes: UnsafeBufferPointer<BoxedValue>) -> NodeAnswer {
    guard let first = unsafe state.pointee.first(key.bits) else { return NodeAnswer() }
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

/// Puts boxes into memory as they are, without retaining what they hold: whoever calls keeps them.
@usableFromInline
enum BoxBits {
  @usableFromInline typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt8)

  @inlinable @inline(__always)
  static func store(_ box: BoxedValue, at place: UnsafeMutablePointer<BoxedValue>) {
    unsafe UnsafeMutableRawPointer(place).storeBytes(of: unsafeBitCast(box, to: Words.self), as: Words.self)
  }
}
