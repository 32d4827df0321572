// Written by make generate from Scripts/Templates/EventRouting/TypedBody.swift.template.

public import DynamicInvocation

// One class for each number of arguments: a function that is generic over a tuple of them would copy its elements.

/// The code of a Swift closure of no arguments.
@usableFromInline
@safe
final class TypedBody0: HandlerBody {
  @usableFromInline typealias Function = (ObjectAddress, ObjectAddress) throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable @inline(__always)
  init(_ result: Any.Type, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(Void.self), [], result) { target, source, _ in
      try function(target, source)
    }
  }

  @usableFromInline
  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    _ = try BoxArguments(boxed, count: 0)
    return try function(target, ObjectAddress(source))
  }
}

/// The code of a Swift closure of one argument.
@usableFromInline
@safe
final class TypedBody1<A: _BoxConvertible>: HandlerBody {
  @usableFromInline typealias Function = (ObjectAddress, ObjectAddress, A) throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable @inline(__always)
  init(_ result: Any.Type, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier(A.self), [A.self], result) { target, source, arguments in
      try function(target, source, arguments.read(0))
    }
  }

  @usableFromInline
  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 1)
    return try function(target, ObjectAddress(source), boxes.read(0))
  }
}

/// The code of a Swift closure of two arguments.
@usableFromInline
@safe
final class TypedBody2<A: _BoxConvertible, B: _BoxConvertible>: HandlerBody {
  @usableFromInline typealias Function = (ObjectAddress, ObjectAddress, A, B) throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable @inline(__always)
  init(_ result: Any.Type, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier((A, B).self), [A.self, B.self], result) { target, source, arguments in
      try function(target, source, arguments.read(0), arguments.read(1))
    }
  }

  @usableFromInline
  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 2)
    return try function(target, ObjectAddress(source), boxes.read(0), boxes.read(1))
  }
}

/// The code of a Swift closure of three arguments.
@usableFromInline
@safe
final class TypedBody3<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>: HandlerBody {
  @usableFromInline typealias Function = (ObjectAddress, ObjectAddress, A, B, C) throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable @inline(__always)
  init(_ result: Any.Type, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier((A, B, C).self), [A.self, B.self, C.self], result) { target, source, arguments in
      try function(target, source, arguments.read(0), arguments.read(1), arguments.read(2))
    }
  }

  @usableFromInline
  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 3)
    return try function(target, ObjectAddress(source), boxes.read(0), boxes.read(1), boxes.read(2))
  }
}

/// The code of a Swift closure of four arguments.
@usableFromInline
@safe
final class TypedBody4<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>: HandlerBody {
  @usableFromInline typealias Function = (ObjectAddress, ObjectAddress, A, B, C, D) throws -> EventReply?

  @usableFromInline let function: Function

  @inlinable @inline(__always)
  init(_ result: Any.Type, _ function: @escaping Function) {
    self.function = function
    super.init(ObjectIdentifier((A, B, C, D).self), [A.self, B.self, C.self, D.self], result) { target, source, arguments in
      try function(target, source, arguments.read(0), arguments.read(1), arguments.read(2), arguments.read(3))
    }
  }

  @usableFromInline
  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    let boxes = try BoxArguments(boxed, count: 4)
    return try function(target, ObjectAddress(source), boxes.read(0), boxes.read(1), boxes.read(2), boxes.read(3))
  }
}
