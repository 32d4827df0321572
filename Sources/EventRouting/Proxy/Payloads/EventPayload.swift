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

/// The payload of an event with five or more typed arguments, and the arguments of a handler that takes as many.
///
/// The code of a handler takes this struct: in Swift 6.3 a closure has no parameter pack.
@usableFromInline
struct PackedPayload<
  A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
>: EventPayload {
  @usableFromInline let a: A
  @usableFromInline let b: B
  @usableFromInline let c: C
  @usableFromInline let d: D
  @usableFromInline let e: E
  @usableFromInline let rest: (repeat each Rest)

  /// Creates the payload of arguments.
  @inlinable
  init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.rest = (repeat each rest)
  }

  /// Reads the arguments of an event for a handler.
  ///
  /// - Throws: ``DeliveryFailure`` when an argument is no value of its type.
  @inlinable
  init<Arguments: EventArguments>(_ arguments: Arguments) throws {
    a = try arguments.read(0)
    b = try arguments.read(1)
    c = try arguments.read(2)
    d = try arguments.read(3)
    e = try arguments.read(4)
    var index = 5
    rest = (repeat try arguments.next((each Rest).self, &index))
  }

  /// The number of arguments.
  @inlinable
  static var count: Int {
    var count = 5
    for _ in repeat (each Rest).self { count += 1 }
    return count
  }

  /// The types of the arguments.
  @inlinable
  static var types: [any _BoxConvertible.Type] {
    var types: [any _BoxConvertible.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat types.append((each Rest).self)
    return types
  }

  @usableFromInline var boxed: [BoxedValue] {
    get throws {
      var boxes = try [
        BoxedValue(copying: a), BoxedValue(copying: b), BoxedValue(copying: c), BoxedValue(copying: d), BoxedValue(copying: e),
      ]
      repeat boxes.append(try BoxedValue(copying: each rest))
      return boxes
    }
  }

  @usableFromInline
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    if handler.takes(ObjectIdentifier((A, B, C, D, E, repeat each Rest).self)) {
      return try handler.withBody(as: PackedBody<A, B, C, D, E, repeat each Rest>.self) {
        try $0.function(handler.target, ObjectAddress(source), self)
      }
    }
    if handler.takesBoxes { return try handler.call(boxed: boxed, source: source) }
    return try handler.call(Self.count, source: source) {
      try $0.write(a)
      try $0.write(b)
      try $0.write(c)
      try $0.write(d)
      try $0.write(e)
      repeat try $0.write(each rest)
    }
  }

  @usableFromInline
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    if handler.takes(ObjectIdentifier(PackedAwaitedBody<A, B, C, D, E, repeat each Rest>.self)) {
      return try unsafe await handler.awaitedBody(as: PackedAwaitedBody<A, B, C, D, E, repeat each Rest>.self).pointee.call(
        handler.target, source: source, self)
    }
    return try await handler.awaitReply(boxed: boxed, source: source)
  }
}

/// The arguments of an event, which a handler reads by index.
@usableFromInline
protocol EventArguments {
  /// Reads an argument.
  ///
  /// - Throws: ``DeliveryFailure`` when it is no value of the type.
  func read<Value: _BoxConvertible>(_ index: Int) throws -> Value
}

extension FrameArguments: EventArguments {}
extension BoxArguments: EventArguments {}

extension EventArguments {
  /// Reads the argument at an index, and counts the index up.
  @inlinable
  func next<Value: _BoxConvertible>(_ type: Value.Type, _ index: inout Int) throws -> Value {
    defer { index += 1 }
    return try read(index)
  }
}
