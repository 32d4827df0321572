// Written by make generate from Scripts/Templates/EventRouting/AwaitedBody+Arity.swift.template.

public import DynamicInvocation

// Classes for each number of arguments: a function that is generic over a tuple of them would copy its elements.

/// An asynchronous closure of the source and no arguments.
@usableFromInline
struct AwaitedClosure0<Source: AnyObject, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Source?) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// Creates the body of a closure with a non-optional source, which has the same calling convention.
  @inlinable
  init(requiring function: @escaping Required.Function) {
    self = unsafe unsafeBitCast(Required(function: function), to: Self.self)
  }

  @usableFromInline
  struct Required {
    @usableFromInline typealias Function = nonisolated(nonsending) (Source) async throws -> Result

    @usableFromInline let function: Function

    @inlinable
    init(function: @escaping Function) { self.function = function }
  }
}

/// The code of an asynchronous closure of the source and no arguments.
@usableFromInline
@safe
final class AwaitedBody0: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedClosure0<AnyObject, AwaitedResult>

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedClosure0<Source, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedClosure0<Source, EventReply?> { (source) in
        try await EventReply.awaited { try await closure.function(source) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedBody0.self), [], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    _ = try BoxArguments(boxed, count: 0)
    let result = try await closure.function(source)
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    _ = try BoxArguments(boxed, count: 0)
    let (closure, returnsReply) = (closure, returnsReply)
    return {
      let result = try await closure.function(source)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of the source and no arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call(
    source: AnyObject?
  ) async throws -> EventReply? where Body == AwaitedBody0 {
    let result = try await body.closure.function(source)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of a target, the source and no arguments.
@usableFromInline
struct AwaitedTargetClosure0<Target: AnyObject, Source: AnyObject, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Target, Source?) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// The same, called with the address of its target: a reference would be retained while the closure is awaited.
  @usableFromInline
  struct Borrowing {
    @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, Source?) async throws -> Result

    @usableFromInline let function: Function
  }
}

/// The code of an asynchronous closure of a target, the source and no arguments.
@usableFromInline
@safe
final class AwaitedTargetBody0: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedTargetClosure0<AnyObject, AnyObject, AwaitedResult>.Borrowing

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Target, Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedTargetClosure0<Target, Source, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedTargetClosure0<Target, Source, EventReply?> { (target, source) in
        try await EventReply.awaited { try await closure.function(target, source) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedTargetBody0.self), [], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    _ = try BoxArguments(boxed, count: 0)
    let result = try await closure.function(target, source)
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    _ = try BoxArguments(boxed, count: 0)
    let (closure, returnsReply, object) = (closure, returnsReply, target.object(as: AnyObject.self))
    return {
      defer { withExtendedLifetime(object) {} }
      let result = try await closure.function(target, source)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of a target, the source and no arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call(
    _ target: ObjectAddress, source: AnyObject?
  ) async throws -> EventReply? where Body == AwaitedTargetBody0 {
    let result = try await body.closure.function(target, source)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of the source and one argument.
@usableFromInline
struct AwaitedClosure1<Source: AnyObject, A: _BoxConvertible, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Source?, A) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// Creates the body of a closure with a non-optional source, which has the same calling convention.
  @inlinable
  init(requiring function: @escaping Required.Function) {
    self = unsafe unsafeBitCast(Required(function: function), to: Self.self)
  }

  @usableFromInline
  struct Required {
    @usableFromInline typealias Function = nonisolated(nonsending) (Source, A) async throws -> Result

    @usableFromInline let function: Function

    @inlinable
    init(function: @escaping Function) { self.function = function }
  }
}

/// The code of an asynchronous closure of the source and one argument.
@usableFromInline
@safe
final class AwaitedBody1<A: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedClosure1<AnyObject, A, AwaitedResult>

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedClosure1<Source, A, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedClosure1<Source, A, EventReply?> { (source, a) in
        try await EventReply.awaited { try await closure.function(source, a) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedBody1<A>.self), [A.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 1)
    let result = try await closure.function(source, boxes.read(0))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 1)
    let a: A = try boxes.read(0)
    let (closure, returnsReply) = (closure, returnsReply)
    return {
      let result = try await closure.function(source, a)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of the source and one argument, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A>(
    source: AnyObject?, _ a: A
  ) async throws -> EventReply? where Body == AwaitedBody1<A> {
    let result = try await body.closure.function(source, a)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of a target, the source and one argument.
@usableFromInline
struct AwaitedTargetClosure1<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Target, Source?, A) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// The same, called with the address of its target: a reference would be retained while the closure is awaited.
  @usableFromInline
  struct Borrowing {
    @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, Source?, A) async throws -> Result

    @usableFromInline let function: Function
  }
}

/// The code of an asynchronous closure of a target, the source and one argument.
@usableFromInline
@safe
final class AwaitedTargetBody1<A: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedTargetClosure1<AnyObject, AnyObject, A, AwaitedResult>.Borrowing

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Target, Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedTargetClosure1<Target, Source, A, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedTargetClosure1<Target, Source, A, EventReply?> { (target, source, a) in
        try await EventReply.awaited { try await closure.function(target, source, a) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedTargetBody1<A>.self), [A.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 1)
    let result = try await closure.function(target, source, boxes.read(0))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 1)
    let a: A = try boxes.read(0)
    let (closure, returnsReply, object) = (closure, returnsReply, target.object(as: AnyObject.self))
    return {
      defer { withExtendedLifetime(object) {} }
      let result = try await closure.function(target, source, a)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of a target, the source and one argument, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A
  ) async throws -> EventReply? where Body == AwaitedTargetBody1<A> {
    let result = try await body.closure.function(target, source, a)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of the source and two arguments.
@usableFromInline
struct AwaitedClosure2<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Source?, A, B) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// Creates the body of a closure with a non-optional source, which has the same calling convention.
  @inlinable
  init(requiring function: @escaping Required.Function) {
    self = unsafe unsafeBitCast(Required(function: function), to: Self.self)
  }

  @usableFromInline
  struct Required {
    @usableFromInline typealias Function = nonisolated(nonsending) (Source, A, B) async throws -> Result

    @usableFromInline let function: Function

    @inlinable
    init(function: @escaping Function) { self.function = function }
  }
}

/// The code of an asynchronous closure of the source and two arguments.
@usableFromInline
@safe
final class AwaitedBody2<A: _BoxConvertible, B: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedClosure2<AnyObject, A, B, AwaitedResult>

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedClosure2<Source, A, B, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedClosure2<Source, A, B, EventReply?> { (source, a, b) in
        try await EventReply.awaited { try await closure.function(source, a, b) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedBody2<A, B>.self), [A.self, B.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 2)
    let result = try await closure.function(source, boxes.read(0), boxes.read(1))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 2)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let (closure, returnsReply) = (closure, returnsReply)
    return {
      let result = try await closure.function(source, a, b)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of the source and two arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B>(
    source: AnyObject?, _ a: A, _ b: B
  ) async throws -> EventReply? where Body == AwaitedBody2<A, B> {
    let result = try await body.closure.function(source, a, b)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of a target, the source and two arguments.
@usableFromInline
struct AwaitedTargetClosure2<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Target, Source?, A, B) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// The same, called with the address of its target: a reference would be retained while the closure is awaited.
  @usableFromInline
  struct Borrowing {
    @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, Source?, A, B) async throws -> Result

    @usableFromInline let function: Function
  }
}

/// The code of an asynchronous closure of a target, the source and two arguments.
@usableFromInline
@safe
final class AwaitedTargetBody2<A: _BoxConvertible, B: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedTargetClosure2<AnyObject, AnyObject, A, B, AwaitedResult>.Borrowing

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Target, Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedTargetClosure2<Target, Source, A, B, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedTargetClosure2<Target, Source, A, B, EventReply?> { (target, source, a, b) in
        try await EventReply.awaited { try await closure.function(target, source, a, b) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedTargetBody2<A, B>.self), [A.self, B.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 2)
    let result = try await closure.function(target, source, boxes.read(0), boxes.read(1))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 2)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let (closure, returnsReply, object) = (closure, returnsReply, target.object(as: AnyObject.self))
    return {
      defer { withExtendedLifetime(object) {} }
      let result = try await closure.function(target, source, a, b)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of a target, the source and two arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B
  ) async throws -> EventReply? where Body == AwaitedTargetBody2<A, B> {
    let result = try await body.closure.function(target, source, a, b)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of the source and three arguments.
@usableFromInline
struct AwaitedClosure3<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Source?, A, B, C) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// Creates the body of a closure with a non-optional source, which has the same calling convention.
  @inlinable
  init(requiring function: @escaping Required.Function) {
    self = unsafe unsafeBitCast(Required(function: function), to: Self.self)
  }

  @usableFromInline
  struct Required {
    @usableFromInline typealias Function = nonisolated(nonsending) (Source, A, B, C) async throws -> Result

    @usableFromInline let function: Function

    @inlinable
    init(function: @escaping Function) { self.function = function }
  }
}

/// The code of an asynchronous closure of the source and three arguments.
@usableFromInline
@safe
final class AwaitedBody3<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedClosure3<AnyObject, A, B, C, AwaitedResult>

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedClosure3<Source, A, B, C, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedClosure3<Source, A, B, C, EventReply?> { (source, a, b, c) in
        try await EventReply.awaited { try await closure.function(source, a, b, c) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedBody3<A, B, C>.self), [A.self, B.self, C.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 3)
    let result = try await closure.function(source, boxes.read(0), boxes.read(1), boxes.read(2))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 3)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let (closure, returnsReply) = (closure, returnsReply)
    return {
      let result = try await closure.function(source, a, b, c)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of the source and three arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C>(
    source: AnyObject?, _ a: A, _ b: B, _ c: C
  ) async throws -> EventReply? where Body == AwaitedBody3<A, B, C> {
    let result = try await body.closure.function(source, a, b, c)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of a target, the source and three arguments.
@usableFromInline
struct AwaitedTargetClosure3<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Target, Source?, A, B, C) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// The same, called with the address of its target: a reference would be retained while the closure is awaited.
  @usableFromInline
  struct Borrowing {
    @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, Source?, A, B, C) async throws -> Result

    @usableFromInline let function: Function
  }
}

/// The code of an asynchronous closure of a target, the source and three arguments.
@usableFromInline
@safe
final class AwaitedTargetBody3<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedTargetClosure3<AnyObject, AnyObject, A, B, C, AwaitedResult>.Borrowing

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Target, Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedTargetClosure3<Target, Source, A, B, C, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedTargetClosure3<Target, Source, A, B, C, EventReply?> { (target, source, a, b, c) in
        try await EventReply.awaited { try await closure.function(target, source, a, b, c) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedTargetBody3<A, B, C>.self), [A.self, B.self, C.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 3)
    let result = try await closure.function(target, source, boxes.read(0), boxes.read(1), boxes.read(2))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 3)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let (closure, returnsReply, object) = (closure, returnsReply, target.object(as: AnyObject.self))
    return {
      defer { withExtendedLifetime(object) {} }
      let result = try await closure.function(target, source, a, b, c)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of a target, the source and three arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C
  ) async throws -> EventReply? where Body == AwaitedTargetBody3<A, B, C> {
    let result = try await body.closure.function(target, source, a, b, c)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of the source and four arguments.
@usableFromInline
struct AwaitedClosure4<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Source?, A, B, C, D) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// Creates the body of a closure with a non-optional source, which has the same calling convention.
  @inlinable
  init(requiring function: @escaping Required.Function) {
    self = unsafe unsafeBitCast(Required(function: function), to: Self.self)
  }

  @usableFromInline
  struct Required {
    @usableFromInline typealias Function = nonisolated(nonsending) (Source, A, B, C, D) async throws -> Result

    @usableFromInline let function: Function

    @inlinable
    init(function: @escaping Function) { self.function = function }
  }
}

/// The code of an asynchronous closure of the source and four arguments.
@usableFromInline
@safe
final class AwaitedBody4<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedClosure4<AnyObject, A, B, C, D, AwaitedResult>

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedClosure4<Source, A, B, C, D, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedClosure4<Source, A, B, C, D, EventReply?> { (source, a, b, c, d) in
        try await EventReply.awaited { try await closure.function(source, a, b, c, d) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedBody4<A, B, C, D>.self), [A.self, B.self, C.self, D.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 4)
    let result = try await closure.function(source, boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 4)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let d: D = try boxes.read(3)
    let (closure, returnsReply) = (closure, returnsReply)
    return {
      let result = try await closure.function(source, a, b, c, d)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of the source and four arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C, D>(
    source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) async throws -> EventReply? where Body == AwaitedBody4<A, B, C, D> {
    let result = try await body.closure.function(source, a, b, c, d)
    return result.takeReply(if: body.returnsReply)
  }
}

/// An asynchronous closure of a target, the source and four arguments.
@usableFromInline
struct AwaitedTargetClosure4<
  Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result
> {
  @usableFromInline typealias Function = nonisolated(nonsending) (Target, Source?, A, B, C, D) async throws -> Result

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) { self.function = function }

  /// The same, called with the address of its target: a reference would be retained while the closure is awaited.
  @usableFromInline
  struct Borrowing {
    @usableFromInline typealias Function = nonisolated(nonsending) (ObjectAddress, Source?, A, B, C, D) async throws -> Result

    @usableFromInline let function: Function
  }
}

/// The code of an asynchronous closure of a target, the source and four arguments.
@usableFromInline
@safe
final class AwaitedTargetBody4<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>: AwaitedBody {
  /// Any such closure whose result is a reply, an optional one or `Void`.
  @usableFromInline typealias Closure = AwaitedTargetClosure4<AnyObject, AnyObject, A, B, C, D, AwaitedResult>.Borrowing

  @usableFromInline let closure: Closure
  @usableFromInline let returnsReply: Bool

  /// Creates the body of a closure.
  @inlinable
  init<Target, Source, Result>(isolation actor: (any Actor)?, _ closure: AwaitedTargetClosure4<Target, Source, A, B, C, D, Result>) {
    returnsReply = Result.self != Void.self
    // Objects of all classes are passed alike, and a generic result is returned in memory, so no async thunk is needed to
    // convert a closure of these types.
    if Result.self == EventReply.self || Result.self == EventReply?.self || Result.self == Void.self {
      self.closure = unsafe unsafeBitCast(closure, to: Closure.self)
    } else {
      let replying = AwaitedTargetClosure4<Target, Source, A, B, C, D, EventReply?> { (target, source, a, b, c, d) in
        try await EventReply.awaited { try await closure.function(target, source, a, b, c, d) }
      }
      self.closure = unsafe unsafeBitCast(replying, to: Closure.self)
    }
    super.init(ObjectIdentifier(AwaitedTargetBody4<A, B, C, D>.self), [A.self, B.self, C.self, D.self], actor, Result.self)
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 4)
    let result = try await closure.function(target, source, boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3))
    return result.takeReply(if: returnsReply)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let boxes = try BoxArguments(boxed, count: 4)
    let a: A = try boxes.read(0)
    let b: B = try boxes.read(1)
    let c: C = try boxes.read(2)
    let d: D = try boxes.read(3)
    let (closure, returnsReply, object) = (closure, returnsReply, target.object(as: AnyObject.self))
    return {
      defer { withExtendedLifetime(object) {} }
      let result = try await closure.function(target, source, a, b, c, d)
      return result.takeReply(if: returnsReply)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of a target, the source and four arguments, and waits for it.
  @inlinable @inline(__always)
  nonisolated(nonsending) borrowing func call<A, B, C, D>(
    _ target: ObjectAddress, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) async throws -> EventReply? where Body == AwaitedTargetBody4<A, B, C, D> {
    let result = try await body.closure.function(target, source, a, b, c, d)
    return result.takeReply(if: body.returnsReply)
  }
}
