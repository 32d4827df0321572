// Written by make generate from Scripts/Templates/EventRouting/AwaitedBody+Arity.swift.template.

public import DynamicInvocation

// One class for each number of arguments: a function that is generic over a tuple of them would copy its elements.

/// The code of an asynchronous closure of no arguments.
@usableFromInline
@safe
final class AwaitedBody0: AwaitedBody {
  @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, AnyObject?) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody0.self), [], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    _ = try BoxArguments(boxed, count: 0)
    return try await function(target, source)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    _ = try BoxArguments(boxed, count: 0)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of no arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call(
    _ target: ObjectAddress, source: AnyObject?
  ) async throws -> EventReply? where Body == AwaitedBody0 {
    try await body.function(target, source)
  }
}

/// The code of an asynchronous closure of one argument.
@usableFromInline
@safe
final class AwaitedBody1<A: BoxConvertible>: AwaitedBody {
  @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, AnyObject?, A) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody1<A>.self), [A.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 1)
    return try await function(target, source, boxes.read(0))
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 1)
    let a: A = try boxes.read(0)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of one argument, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A
  ) async throws -> EventReply? where Body == AwaitedBody1<A> {
    try await body.function(target, source, a)
  }
}

/// The code of an asynchronous closure of two arguments.
@usableFromInline
@safe
final class AwaitedBody2<A: BoxConvertible, B: BoxConvertible>: AwaitedBody {
  @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, AnyObject?, A, B) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody2<A, B>.self), [A.self, B.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 2)
    return try await function(target, source, boxes.read(0), boxes.read(1))
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 2)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a, b)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of two arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B
  ) async throws -> EventReply? where Body == AwaitedBody2<A, B> {
    try await body.function(target, source, a, b)
  }
}

/// The code of an asynchronous closure of three arguments.
@usableFromInline
@safe
final class AwaitedBody3<A: BoxConvertible, B: BoxConvertible, C: BoxConvertible>: AwaitedBody {
  @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, AnyObject?, A, B, C) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody3<A, B, C>.self), [A.self, B.self, C.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 3)
    return try await function(target, source, boxes.read(0), boxes.read(1), boxes.read(2))
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 3)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a, b, c)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of three arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C
  ) async throws -> EventReply? where Body == AwaitedBody3<A, B, C> {
    try await body.function(target, source, a, b, c)
  }
}

/// The code of an asynchronous closure of four arguments.
@usableFromInline
@safe
final class AwaitedBody4<A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible>: AwaitedBody {
  @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, AnyObject?, A, B, C, D) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody4<A, B, C, D>.self), [A.self, B.self, C.self, D.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 4)
    return try await function(target, source, boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3))
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 4)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let d: D = try boxes.read(3)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a, b, c, d)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of four arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C, D>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) async throws -> EventReply? where Body == AwaitedBody4<A, B, C, D> {
    try await body.function(target, source, a, b, c, d)
  }
}

/// The code of an asynchronous closure of five arguments.
@usableFromInline
@safe
final class AwaitedBody5<A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible>: AwaitedBody {
  @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, AnyObject?, A, B, C, D, E) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody5<A, B, C, D, E>.self), [A.self, B.self, C.self, D.self, E.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 5)
    return try await function(target, source, boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3), boxes.read(4))
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 5)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let d: D = try boxes.read(3)
    let e: E = try boxes.read(4)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a, b, c, d, e)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of five arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C, D, E>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) async throws -> EventReply? where Body == AwaitedBody5<A, B, C, D, E> {
    try await body.function(target, source, a, b, c, d, e)
  }
}

/// The code of an asynchronous closure of six arguments.
@usableFromInline
@safe
final class AwaitedBody6<A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible, F: BoxConvertible>:
  AwaitedBody
{
  @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, AnyObject?, A, B, C, D, E, F) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody6<A, B, C, D, E, F>.self), [A.self, B.self, C.self, D.self, E.self, F.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 6)
    return try await function(target, source, boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3), boxes.read(4), boxes.read(5))
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 6)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let d: D = try boxes.read(3)
    let e: E = try boxes.read(4)
    let f: F = try boxes.read(5)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a, b, c, d, e, f)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of six arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C, D, E, F>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) async throws -> EventReply? where Body == AwaitedBody6<A, B, C, D, E, F> {
    try await body.function(target, source, a, b, c, d, e, f)
  }
}

/// The code of an asynchronous closure of seven arguments.
@usableFromInline
@safe
final class AwaitedBody7<
  A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible, F: BoxConvertible, G: BoxConvertible
>: AwaitedBody {
  @usableFromInline typealias Function =
    nonisolated(nonsending) (ObjectAddress, AnyObject?, A, B, C, D, E, F, G) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(AwaitedBody7<A, B, C, D, E, F, G>.self), [A.self, B.self, C.self, D.self, E.self, F.self, G.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 7)
    return try await function(
      target, source, boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3), boxes.read(4), boxes.read(5), boxes.read(6))
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 7)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let d: D = try boxes.read(3)
    let e: E = try boxes.read(4)
    let f: F = try boxes.read(5)
    let g: G = try boxes.read(6)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a, b, c, d, e, f, g)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of seven arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C, D, E, F, G>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) async throws -> EventReply? where Body == AwaitedBody7<A, B, C, D, E, F, G> {
    try await body.function(target, source, a, b, c, d, e, f, g)
  }
}

/// The code of an asynchronous closure of eight arguments.
@usableFromInline
@safe
final class AwaitedBody8<
  A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible, F: BoxConvertible, G: BoxConvertible,
  H: BoxConvertible
>: AwaitedBody {
  @usableFromInline typealias Function =
    nonisolated(nonsending) (ObjectAddress, AnyObject?, A, B, C, D, E, F, G, H) async throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(
      ObjectIdentifier(AwaitedBody8<A, B, C, D, E, F, G, H>.self), [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self], actor)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 8)
    return try await function(
      target, source, boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3), boxes.read(4), boxes.read(5), boxes.read(6), boxes.read(7)
    )
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 8)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let d: D = try boxes.read(3)
    let e: E = try boxes.read(4)
    let f: F = try boxes.read(5)
    let g: G = try boxes.read(6)
    let h: H = try boxes.read(7)
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(ObjectAddress(object), source, a, b, c, d, e, f, g, h)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of eight arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C, D, E, F, G, H>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) async throws -> EventReply? where Body == AwaitedBody8<A, B, C, D, E, F, G, H> {
    try await body.function(target, source, a, b, c, d, e, f, g, h)
  }
}
