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

/// Arguments that are boxed when the parameters are known, for each handler anew.
package struct LatePayload: EventPayload {
  /// Boxes the argument of an index for a parameter of a type; nil stands for a handler that takes any box.
  package typealias Box = (_ index: Int, _ type: TypeEncoding?) throws(InvocationError) -> BoxedValue

  private let count: Int
  private let box: Box

  /// Creates a payload of so many arguments.
  package init(count: Int, _ box: @escaping Box) {
    self.count = count
    self.box = box
  }

  /// The arguments as a handler gets them that takes any.
  @usableFromInline package var boxed: [BoxedValue] { get throws { try boxes(for: nil) } }

  /// Boxes the arguments as the handler's parameters demand, and calls it with them.
  @usableFromInline
  package func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    let types = handler.registration.plan?.argumentTypes
    if let types, types.count != count { throw DeliveryFailure(reason: .eventCount(count, wanted: types.count)) }
    let boxes = try boxes(for: types)
    return try unsafe boxes.withUnsafeBufferPointer { try unsafe handler.call($0, source: source) }
  }

  private func boxes(for types: [TypeEncoding]?) throws -> [BoxedValue] {
    var boxes: [BoxedValue] = []
    boxes.reserveCapacity(count)
    for index in 0..<count {
      do throws(InvocationError) {
        boxes.append(try box(index, types?[index]))
      } catch {
        throw DeliveryFailure(
          reason: types.map { error.placed(.index(index + 1), $0[index]) }
            ?? InvocationError(error.code, error.reason, argument: .index(index + 1), candidates: error.candidates))
      }
    }
    return boxes
  }
}

extension BoxedValue {
  /// Boxes a typed value, for a parameter of another type.
  ///
  /// - Throws: ``DeliveryFailure`` when the type's encoding is not Swift's layout, or none that can be passed.
  @usableFromInline
  init<Value: BoxConvertible>(copying value: Value) throws {
    do throws(InvocationError) {
      self = try value.boxed()
    } catch {
      throw DeliveryFailure(reason: error)
    }
  }
}
