// Written by make generate from Scripts/Templates/DynamicInvocation/LentClosure+Arity.swift.template.

/// Lends C a Swift closure of no parameters; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<Answer: EncodedValue, Result>(
  types: String, _ handler: () -> Answer, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [], returning: Answer.self,
    { frame, closure in closure.answer(handler(), to: frame) }, body)
}

/// Lends C a Swift closure of no parameters without a result; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<Result>(
  types: String, _ handler: () -> Void, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [], returning: nil,
    { frame, closure in handler() }, body)
}

/// Lends C a Swift closure of one parameter; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<A: EncodedValue, Answer: EncodedValue, Result>(
  types: String, _ handler: (A) -> Answer, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self], returning: Answer.self,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(handler($0), to: frame) }
    }, body)
}

/// Lends C a Swift closure of one parameter without a result; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<A: EncodedValue, Result>(
  types: String, _ handler: (A) -> Void, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self], returning: nil,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { handler($0) }
    }, body)
}

/// Lends C a Swift closure of up to four parameters, for the time of a body.
///
///     var comparisons = 0
///     try withClosure(
///       types: "i^v^v",
///       { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in
///         comparisons += 1
///         return a.load(as: Int32.self) - b.load(as: Int32.self)
///       }
///     ) { ascending in
///       try qsort(&numbers, numbers.count, 4, ascending)
///     }
///
/// The handler need be neither `@Sendable` nor escaping: it may change local variables. Its parameters and its result are checked as for a
/// ``Closure`` are. The code pointer is good until the body returns; a call afterwards traps with a message, as of a ``Closure`` that was released.
/// A call on another thread than the body's traps with a message too: make a ``Closure`` for code that calls on threads of its own. The body
/// must not be left by `longjmp` or an exception of C++.
///
/// - Parameters:
///   - types: The return type and the argument types of the function that C calls.
///   - handler: What runs when C calls.
///   - body: What uses the code pointer.
/// - Returns: What the body returns.
/// - Throws: `InvocationError` as making a ``Closure`` does, and what the body throws.
/// - Complexity: Lending one takes a lock and allocates, as making a ``Closure`` does; a call allocates nothing.
@_alwaysEmitIntoClient
public func withClosure<A: EncodedValue, B: EncodedValue, Answer: EncodedValue, Result>(
  types: String, _ handler: (A, B) -> Answer, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self, B.self], returning: Answer.self,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(handler($0, $1), to: frame) }
    }, body)
}

/// Lends C a Swift closure of two parameters without a result; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<A: EncodedValue, B: EncodedValue, Result>(
  types: String, _ handler: (A, B) -> Void, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self, B.self], returning: nil,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { handler($0, $1) }
    }, body)
}

/// Lends C a Swift closure of three parameters; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<A: EncodedValue, B: EncodedValue, C: EncodedValue, Answer: EncodedValue, Result>(
  types: String, _ handler: (A, B, C) -> Answer, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self, B.self, C.self], returning: Answer.self,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(handler($0, $1, $2), to: frame) }
    }, body)
}

/// Lends C a Swift closure of three parameters without a result; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<A: EncodedValue, B: EncodedValue, C: EncodedValue, Result>(
  types: String, _ handler: (A, B, C) -> Void, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self, B.self, C.self], returning: nil,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { handler($0, $1, $2) }
    }, body)
}

/// Lends C a Swift closure of four parameters; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Answer: EncodedValue, Result>(
  types: String, _ handler: (A, B, C, D) -> Answer, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self, B.self, C.self, D.self], returning: Answer.self,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(handler($0, $1, $2, $3), to: frame) }
    }, body)
}

/// Lends C a Swift closure of four parameters without a result; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result>(
  types: String, _ handler: (A, B, C, D) -> Void, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  try unsafe LentClosure.lend(
    types, [A.self, B.self, C.self, D.self], returning: nil,
    { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { handler($0, $1, $2, $3) }
    }, body)
}

/// Lends C a Swift closure of five or more parameters; see the form with two.
///
/// - Complexity: As the form with two; a call retains the objects among its arguments, which one of up to four parameters borrows.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<
  A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue, Answer: EncodedValue, Result
>(
  types: String, _ handler: (A, B, C, D, E, repeat each Rest) -> Answer, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
  repeat parameters.append((each Rest).self)
  return try unsafe LentClosure.lend(
    types, parameters, returning: Answer.self,
    { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        closure.answer(
          handler(
            closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index), closure.next(C.self, of: frame, &index),
            closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
            repeat closure.next((each Rest).self, of: frame, &index)), to: frame)
      }
    }, body)
}

/// Lends C a Swift closure of five or more parameters without a result; see the form with two.
///
/// - Complexity: As the form with two; a call retains the objects among its arguments, which one of up to four parameters borrows.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<
  A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue, Result
>(
  types: String, _ handler: (A, B, C, D, E, repeat each Rest) -> Void, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
  repeat parameters.append((each Rest).self)
  return try unsafe LentClosure.lend(
    types, parameters, returning: nil,
    { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        handler(
          closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index), closure.next(C.self, of: frame, &index),
          closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
          repeat closure.next((each Rest).self, of: frame, &index))
      }
    }, body)
}
