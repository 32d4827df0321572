public import DynamicInvocation

/// The arguments of an event that is being routed, boxed or typed.
///
/// The routing code is generic over its payload, so that a typed one is boxed only where boxes are requested.
@usableFromInline
package protocol EventPayload {
  /// The arguments as boxed values, without the source.
  ///
  /// - Throws: An error when a typed argument cannot be boxed: the encoding of its type does not match Swift's layout.
  /// - Complexity: A typed payload allocates the boxes.
  var boxed: [BoxedValue] { get throws }

  /// Whether an argument is an object that is being deallocated, which nothing may keep.
  var hasEnding: Bool { get }

  /// Calls a handler with the arguments.
  ///
  /// The default implementation passes them boxed.
  ///
  /// - Returns: The reply of the handler, or nil when it returns none.
  /// - Throws: An error that the handler throws, or that prevents it from being called.
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply?

  /// Calls an asynchronous handler with the arguments, and waits for it.
  ///
  /// The default implementation passes them boxed.
  ///
  /// - Returns: The reply of the handler, or nil when it returns none.
  /// - Throws: An error that the handler throws, or that prevents it from being called.
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply?
}

extension EventPayload {
  /// False: a payload that is delivered at once is not asked.
  @inlinable package var hasEnding: Bool { false }

  /// Calls a handler with the arguments, boxed.
  @usableFromInline
  package func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    let boxes = try boxed
    return try unsafe boxes.withUnsafeBufferPointer { try unsafe handler.call($0, source: source) }
  }

  /// Calls an asynchronous handler with the arguments, boxed.
  @usableFromInline
  package nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    try await handler.awaitReply(boxed: try boxed, source: source)
  }
}

/// Arguments that were passed boxed.
struct BoxedPayload: EventPayload {
  /// The arguments, without the source.
  let boxed: [BoxedValue]

  init(_ boxed: [BoxedValue]) { self.boxed = boxed }

  var hasEnding: Bool { boxed.indexOfEnding != nil }
}

/// Arguments that a handler has resent, or that were kept.
///
/// They may come from `send(_:any:)`: an object is wrapped for a parameter that is a `SwiftValue`.
struct KeptPayload: EventPayload {
  /// The arguments, without the source.
  let boxed: [BoxedValue]

  init(_ boxed: [BoxedValue]) { self.boxed = boxed }

  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    try unsafe boxes(for: handler).withUnsafeBufferPointer { try unsafe handler.call($0, source: source) }
  }

  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    try await handler.awaitReply(boxed: boxes(for: handler), source: source)
  }

  private func boxes(for handler: HandlerCall) -> [BoxedValue] {
    var boxes = boxed
    for (index, box) in boxed.enumerated() {
      guard case .object = box, let type = handler.parameterClass(index), let wrapper = box.wrapped(for: type) else { continue }
      boxes[index] = .object(wrapper)
    }
    return boxes
  }
}

/// Whether a typed argument is an object that is being deallocated.
@inlinable @inline(__always)
func isEnding<Value: _BoxConvertible>(_ value: Value) -> Bool { Value.encodedType.valueTraits.isCounted && isEndingObject(value) }

@usableFromInline @inline(never)
func isEndingObject(_ value: Any) -> Bool { isDeallocating(value as AnyObject) }

extension [BoxedValue] {
  /// The index of an object that is being deallocated, which nothing may keep.
  var indexOfEnding: Int? {
    firstIndex { box in
      guard case .object(let object) = box else { return false }
      return isDeallocating(object)
    }
  }
}

/// Boxed arguments in borrowed memory.
@safe
struct BorrowedPayload: EventPayload {
  let boxes: UnsafeBufferPointer<BoxedValue>

  init(_ boxes: UnsafeBufferPointer<BoxedValue>) { unsafe self.boxes = unsafe boxes }

  var boxed: [BoxedValue] { unsafe Array(boxes) }

  @inline(__always)
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? { try unsafe handler.call(boxes, source: source) }
}

/// Arguments that are boxed once the parameters are known, again for each handler.
package struct LatePayload: EventPayload {
  /// Boxes the argument at an index for a parameter of a type and, if they are known, of objects of a class; a nil type
  /// means a handler that takes any box.
  package typealias Box = (_ index: Int, _ type: TypeEncoding?, _ objectClass: AnyClass?) throws(InvocationError) -> BoxedValue

  private let count: Int
  private let box: Box

  /// Creates a payload with a number of arguments.
  package init(count: Int, _ box: @escaping Box) {
    self.count = count
    self.box = box
  }

  /// The arguments as boxed for a handler that takes any box.
  @usableFromInline package var boxed: [BoxedValue] { get throws { try boxes(for: nil) { _ in nil } } }

  /// Boxes the arguments for the handler's parameters, and calls it with them.
  @usableFromInline
  package func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    try unsafe boxes(for: handler).withUnsafeBufferPointer { try unsafe handler.call($0, source: source) }
  }

  /// Boxes the arguments for the handler's parameters, calls it with them, and waits for it.
  @usableFromInline
  package nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    try await handler.awaitReply(boxed: try boxes(for: handler), source: source)
  }

  private func boxes(for handler: HandlerCall) throws -> [BoxedValue] {
    let types = handler.registration.plan?.argumentTypes
    if let types, types.count != count { throw DeliveryFailure(reason: .eventCount(count, wanted: types.count)) }
    return try boxes(for: types) { handler.parameterClass($0) }
  }

  private func boxes(for types: [TypeEncoding]?, _ objectClass: (Int) -> AnyClass?) throws -> [BoxedValue] {
    var boxes: [BoxedValue] = []
    boxes.reserveCapacity(count)
    for index in 0..<count {
      do throws(InvocationError) {
        boxes.append(try box(index, types?[index], objectClass(index)))
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
  /// - Throws: ``DeliveryFailure`` when the type's encoding does not match Swift's layout, or cannot be passed.
  @usableFromInline
  init<Value: _BoxConvertible>(copying value: Value) throws {
    do throws(InvocationError) {
      self = try value.boxed()
    } catch {
      throw DeliveryFailure(reason: error)
    }
  }
}

/// The payload of an event with any number of typed arguments, where the cost of a parameter pack does not count.
struct PackPayload<each Argument: _BoxConvertible>: EventPayload {
  private let arguments: (repeat each Argument)

  init(_ arguments: repeat each Argument) { self.arguments = (repeat each arguments) }

  var boxed: [BoxedValue] {
    get throws {
      var boxes: [BoxedValue] = []
      for argument in repeat each arguments {
        do throws(InvocationError) {
          boxes.append(try argument.boxed())
        } catch {
          throw DeliveryFailure(reason: error.placed(.index(boxes.count + 1), type(of: argument).encodedType.typeEncoding))
        }
      }
      return boxes
    }
  }

  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    if handler.takesBoxes { return try handler.call(boxed: boxed, source: source) }
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    return try handler.call(count, source: source) { repeat try $0.write(each arguments) }
  }
}
