public import DynamicInvocation

/// The arguments of an event on its way, boxed or typed.
///
/// What routes an event is generic over its payload, so that a typed one is never boxed unless somebody asks for boxes.
@usableFromInline
package protocol EventPayload {
  /// The arguments as boxed values, without the source.
  ///
  /// - Throws: What keeps a typed argument from being boxed: a type whose encoding is not Swift's layout.
  /// - Complexity: A typed payload allocates them.
  var boxed: [BoxedValue] { get throws }

  /// Calls a handler with the arguments.
  ///
  /// The default hands them over boxed.
  ///
  /// - Returns: What the handler replied, or nil when it has no reply of its own.
  /// - Throws: What the handler throws, and what keeps it from being called.
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply?
}

extension EventPayload {
  /// Calls a handler with the arguments, boxed.
  @usableFromInline
  package func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    let boxes = try boxed
    return try unsafe boxes.withUnsafeBufferPointer { try unsafe handler.call($0, source: source) }
  }
}

/// Arguments that came boxed.
struct BoxedPayload: EventPayload {
  /// The arguments, without the source.
  let boxed: [BoxedValue]

  init(_ boxed: [BoxedValue]) { self.boxed = boxed }
}

/// Boxed arguments in memory that is somebody else's.
@safe
struct BorrowedPayload: EventPayload {
  let boxes: UnsafeBufferPointer<BoxedValue>

  init(_ boxes: UnsafeBufferPointer<BoxedValue>) { unsafe self.boxes = unsafe boxes }

  var boxed: [BoxedValue] { unsafe Array(boxes) }

  @inline(__always)
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? { try unsafe handler.call(boxes, source: source) }
}
