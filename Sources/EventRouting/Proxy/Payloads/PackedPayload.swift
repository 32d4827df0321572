public import DynamicInvocation

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
