// Written by make generate from Scripts/Templates/EventRouting/TypedPayload.swift.template.

public import DynamicInvocation

/// The payload of an event with no typed arguments.
@usableFromInline
struct TypedPayload0: EventPayload {
  @_alwaysEmitIntoClient init() {}

  @_alwaysEmitIntoClient var boxed: [BoxedValue] { [] }

  @_alwaysEmitIntoClient @inline(__always)
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    if handler.takes(ObjectIdentifier(Void.self)) {
      return try handler.withBody(as: TypedBody0.self) { try $0.function(handler.target, ObjectAddress(source)) }
    }
    if handler.takesBoxes { return try handler.call(boxed: boxed, source: source) }
    return try handler.call(0, source: source) { _ in }
  }

  @_alwaysEmitIntoClient @inline(__always)
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    if handler.takes(ObjectIdentifier(AwaitedBody0.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedBody0.self).pointee.call(source: source)
    }
    if handler.takes(ObjectIdentifier(AwaitedTargetBody0.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedTargetBody0.self).pointee.call(
        handler.target, source: source)
    }
    return try await handler.awaitReply(boxed: boxed, source: source)
  }
}

/// The payload of an event with one typed argument.
@usableFromInline
struct TypedPayload1<A: _BoxConvertible>: EventPayload {
  @usableFromInline let a: A

  @_alwaysEmitIntoClient @inline(__always)
  init(_ a: A) {
    self.a = a
  }

  @_alwaysEmitIntoClient var boxed: [BoxedValue] { get throws { try [BoxedValue(copying: a)] } }

  @_alwaysEmitIntoClient var hasEnding: Bool { isEnding(a) }

  @_alwaysEmitIntoClient @inline(__always)
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    if handler.takes(ObjectIdentifier(A.self)) {
      return try handler.withBody(as: TypedBody1<A>.self) { try $0.function(handler.target, ObjectAddress(source), a) }
    }
    if handler.takesBoxes { return try handler.call(boxed: boxed, source: source) }
    return try handler.call(1, source: source) { try $0.write(a) }
  }

  @_alwaysEmitIntoClient @inline(__always)
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    if handler.takes(ObjectIdentifier(AwaitedBody1<A>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedBody1<A>.self).pointee.call(source: source, a)
    }
    if handler.takes(ObjectIdentifier(AwaitedTargetBody1<A>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedTargetBody1<A>.self).pointee.call(
        handler.target, source: source, a)
    }
    return try await handler.awaitReply(boxed: boxed, source: source)
  }
}

/// The payload of an event with two typed arguments.
@usableFromInline
struct TypedPayload2<A: _BoxConvertible, B: _BoxConvertible>: EventPayload {
  @usableFromInline let a: A
  @usableFromInline let b: B

  @_alwaysEmitIntoClient @inline(__always)
  init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  @_alwaysEmitIntoClient var boxed: [BoxedValue] { get throws { try [BoxedValue(copying: a), BoxedValue(copying: b)] } }

  @_alwaysEmitIntoClient var hasEnding: Bool { isEnding(a) || isEnding(b) }

  @_alwaysEmitIntoClient @inline(__always)
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    if handler.takes(ObjectIdentifier((A, B).self)) {
      return try handler.withBody(as: TypedBody2<A, B>.self) { try $0.function(handler.target, ObjectAddress(source), a, b) }
    }
    if handler.takesBoxes { return try handler.call(boxed: boxed, source: source) }
    return try handler.call(2, source: source) {
      try $0.write(a)
      try $0.write(b)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    if handler.takes(ObjectIdentifier(AwaitedBody2<A, B>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedBody2<A, B>.self).pointee.call(source: source, a, b)
    }
    if handler.takes(ObjectIdentifier(AwaitedTargetBody2<A, B>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedTargetBody2<A, B>.self).pointee.call(
        handler.target, source: source, a, b)
    }
    return try await handler.awaitReply(boxed: boxed, source: source)
  }
}

/// The payload of an event with three typed arguments.
@usableFromInline
struct TypedPayload3<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>: EventPayload {
  @usableFromInline let a: A
  @usableFromInline let b: B
  @usableFromInline let c: C

  @_alwaysEmitIntoClient @inline(__always)
  init(_ a: A, _ b: B, _ c: C) {
    self.a = a
    self.b = b
    self.c = c
  }

  @_alwaysEmitIntoClient var boxed: [BoxedValue] {
    get throws { try [BoxedValue(copying: a), BoxedValue(copying: b), BoxedValue(copying: c)] }
  }

  @_alwaysEmitIntoClient var hasEnding: Bool { isEnding(a) || isEnding(b) || isEnding(c) }

  @_alwaysEmitIntoClient @inline(__always)
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    if handler.takes(ObjectIdentifier((A, B, C).self)) {
      return try handler.withBody(as: TypedBody3<A, B, C>.self) { try $0.function(handler.target, ObjectAddress(source), a, b, c) }
    }
    if handler.takesBoxes { return try handler.call(boxed: boxed, source: source) }
    return try handler.call(3, source: source) {
      try $0.write(a)
      try $0.write(b)
      try $0.write(c)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    if handler.takes(ObjectIdentifier(AwaitedBody3<A, B, C>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedBody3<A, B, C>.self).pointee.call(source: source, a, b, c)
    }
    if handler.takes(ObjectIdentifier(AwaitedTargetBody3<A, B, C>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedTargetBody3<A, B, C>.self).pointee.call(
        handler.target, source: source, a, b, c)
    }
    return try await handler.awaitReply(boxed: boxed, source: source)
  }
}

/// The payload of an event with four typed arguments.
@usableFromInline
struct TypedPayload4<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>: EventPayload {
  @usableFromInline let a: A
  @usableFromInline let b: B
  @usableFromInline let c: C
  @usableFromInline let d: D

  @_alwaysEmitIntoClient @inline(__always)
  init(_ a: A, _ b: B, _ c: C, _ d: D) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  @_alwaysEmitIntoClient var boxed: [BoxedValue] {
    get throws { try [BoxedValue(copying: a), BoxedValue(copying: b), BoxedValue(copying: c), BoxedValue(copying: d)] }
  }

  @_alwaysEmitIntoClient var hasEnding: Bool { isEnding(a) || isEnding(b) || isEnding(c) || isEnding(d) }

  @_alwaysEmitIntoClient @inline(__always)
  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    if handler.takes(ObjectIdentifier((A, B, C, D).self)) {
      return try handler.withBody(as: TypedBody4<A, B, C, D>.self) { try $0.function(handler.target, ObjectAddress(source), a, b, c, d) }
    }
    if handler.takesBoxes { return try handler.call(boxed: boxed, source: source) }
    return try handler.call(4, source: source) {
      try $0.write(a)
      try $0.write(b)
      try $0.write(c)
      try $0.write(d)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  nonisolated(nonsending) func deliverAwaiting(to handler: HandlerCall, source: AnyObject?) async throws -> EventReply? {
    if handler.takes(ObjectIdentifier(AwaitedBody4<A, B, C, D>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedBody4<A, B, C, D>.self).pointee.call(source: source, a, b, c, d)
    }
    if handler.takes(ObjectIdentifier(AwaitedTargetBody4<A, B, C, D>.self)) {
      return try unsafe await handler.awaitedBody(as: AwaitedTargetBody4<A, B, C, D>.self).pointee.call(
        handler.target, source: source, a, b, c, d)
    }
    return try await handler.awaitReply(boxed: boxed, source: source)
  }
}
