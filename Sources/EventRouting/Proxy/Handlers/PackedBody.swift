public import DynamicInvocation

/// The code of a Swift closure of five or more arguments.
@usableFromInline
@safe
final class PackedBody<
  A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
>: HandlerBody {
  @usableFromInline typealias Function = (ObjectAddress, ObjectAddress, PackedPayload<A, B, C, D, E, repeat each Rest>) throws ->
    EventReply?

  @usableFromInline let function: Function

  @inlinable
  init(_ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier((A, B, C, D, E, repeat each Rest).self), PackedPayload<A, B, C, D, E, repeat each Rest>.types) {
      target, source, arguments in
      try function(target, source, PackedPayload<A, B, C, D, E, repeat each Rest>(arguments))
    }
  }

  @usableFromInline
  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    let arguments = try PackedPayload<A, B, C, D, E, repeat each Rest>(
      BoxArguments(boxed, count: PackedPayload<A, B, C, D, E, repeat each Rest>.count))
    return try function(target, ObjectAddress(source), arguments)
  }
}

/// The code of an asynchronous closure of five or more arguments, with a target or without one.
@usableFromInline
@safe
final class PackedAwaitedBody<
  A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
>: AwaitedBody {
  typealias Function =
    nonisolated(nonsending) (ObjectAddress, AnyObject?, PackedPayload<A, B, C, D, E, repeat each Rest>) async throws -> EventReply?

  let function: Function

  /// Creates the body of a closure.
  init(isolation actor: (any Actor)?, _ function: @escaping Function) {
    self.function = function
    super.init(
      ObjectIdentifier(PackedAwaitedBody<A, B, C, D, E, repeat each Rest>.self), PackedPayload<A, B, C, D, E, repeat each Rest>.types, actor
    )
  }

  @usableFromInline
  override nonisolated(nonsending) func awaitReply(
    _ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]
  ) async throws -> EventReply? {
    let arguments = try PackedPayload<A, B, C, D, E, repeat each Rest>(
      BoxArguments(boxed, count: PackedPayload<A, B, C, D, E, repeat each Rest>.count))
    return try await function(target, source, arguments)
  }

  @usableFromInline
  override func work(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> Work {
    let arguments = try PackedPayload<A, B, C, D, E, repeat each Rest>(
      BoxArguments(boxed, count: PackedPayload<A, B, C, D, E, repeat each Rest>.count))
    let (function, object) = (function, target.object)
    return {
      defer { withExtendedLifetime(object) {} }
      return try await function(target, source, arguments)
    }
  }
}

extension BorrowedBody {
  /// Calls a closure of five or more arguments, and waits for it.
  nonisolated(nonsending) borrowing func call<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
  >(
    _ target: ObjectAddress, source: AnyObject?, _ arguments: PackedPayload<A, B, C, D, E, repeat each Rest>
  ) async throws -> EventReply? where Body == PackedAwaitedBody<A, B, C, D, E, repeat each Rest> {
    try await body.function(target, source, arguments)
  }
}
