// Calls of five and more arguments, whose types are a parameter pack. Those of fewer are in Generated/SwiftFunction+Arity.swift.

extension SwiftFunction {
  /// Calls the function with five or more arguments and returns its result.
  ///
  /// A variable that is passed with `&` after the fifth argument is copied: Swift has no way to refuse that. If the parameter is `inout`, the
  /// call throws.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  /// - Complexity: The call; arguments of the exact types allocate nothing if the frame has at most 512 bytes.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E, each Rest, Result>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest, as type: Result.Type = Result.self
  ) throws -> Result {
    guard plan.smallCount == count(repeat (each Rest).self), plan.accepts(A.self, 0), plan.accepts(B.self, 1), plan.accepts(C.self, 2),
      plan.accepts(D.self, 3),
      plan.accepts(E.self, 4),
      accepts(repeat each rest), plan.returns(type)
    else {
      var arguments: [Any] = [a, b, c, d, e]
      repeat arguments.append(each rest)
      return try callConverting(arguments, as: type)
    }
    func writeRest(_ values: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer) {
      unsafe write(repeat (each Rest).self, in: values, frame)
    }
    let values = (repeat each rest)
    return try unsafe withUnsafePointer(to: a) { a in
      try unsafe callInFrame(b, c, d, e, values, { unsafe plan.write(a, 0, $0) }, writeRest) { unsafe plan.takeResult($0, as: type) }
    }
  }

  /// Calls the function with five or more arguments and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E, each Rest>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest
  ) throws {
    guard plan.smallCount == count(repeat (each Rest).self), plan.accepts(A.self, 0), plan.accepts(B.self, 1), plan.accepts(C.self, 2),
      plan.accepts(D.self, 3),
      plan.accepts(E.self, 4),
      accepts(repeat each rest)
    else {
      var arguments: [Any] = [a, b, c, d, e]
      repeat arguments.append(each rest)
      return try callConverting(arguments)
    }
    func writeRest(_ values: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer) {
      unsafe write(repeat (each Rest).self, in: values, frame)
    }
    let values = (repeat each rest)
    return try unsafe withUnsafePointer(to: a) { a in
      try unsafe callInFrame(b, c, d, e, values, { unsafe plan.write(a, 0, $0) }, writeRest) { unsafe plan.discardResult($0) }
    }
  }

  /// Calls the function with five or more arguments, the first of which it may change, and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E, each Rest, Result>(
    _ a: inout A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest, as type: Result.Type = Result.self
  ) throws -> Result {
    guard plan.smallCount == count(repeat (each Rest).self), plan.acceptsInOut(A.self, 0), plan.accepts(B.self, 1), plan.accepts(C.self, 2),
      plan.accepts(D.self, 3),
      plan.accepts(E.self, 4),
      accepts(repeat each rest), plan.returns(type)
    else {
      var arguments: [Any] = [b, c, d, e]
      repeat arguments.append(each rest)
      return try callConverting(&a, arguments, as: type)
    }
    func writeRest(_ values: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer) {
      unsafe write(repeat (each Rest).self, in: values, frame)
    }
    let values = (repeat each rest)
    return try unsafe withUnsafeMutablePointer(to: &a) { a in
      try unsafe callInFrame(b, c, d, e, values, { unsafe plan.writeInOut(a, 0, $0) }, writeRest) { unsafe plan.takeResult($0, as: type) }
    }
  }

  /// Calls the function with five or more arguments, the first of which it may change, and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E, each Rest>(
    _ a: inout A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest
  ) throws {
    guard plan.smallCount == count(repeat (each Rest).self), plan.acceptsInOut(A.self, 0), plan.accepts(B.self, 1), plan.accepts(C.self, 2),
      plan.accepts(D.self, 3),
      plan.accepts(E.self, 4),
      accepts(repeat each rest)
    else {
      var arguments: [Any] = [b, c, d, e]
      repeat arguments.append(each rest)
      return try callConverting(&a, arguments)
    }
    func writeRest(_ values: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer) {
      unsafe write(repeat (each Rest).self, in: values, frame)
    }
    let values = (repeat each rest)
    return try unsafe withUnsafeMutablePointer(to: &a) { a in
      try unsafe callInFrame(b, c, d, e, values, { unsafe plan.writeInOut(a, 0, $0) }, writeRest) { unsafe plan.discardResult($0) }
    }
  }

  // Only the rest is passed as a pack: Swift 6.3 crashes in the caller's module where a pack begins with other types.

  /// The number of arguments.
  @_alwaysEmitIntoClient @inline(__always)
  func count<each Rest>(_ rest: repeat (each Rest).Type) -> Int {
    var count = 5
    for _ in repeat each rest { count += 1 }
    return count
  }

  /// Returns whether the arguments after the fifth have the types that are passed.
  @_alwaysEmitIntoClient @inline(__always)
  func accepts<each Rest>(_ rest: repeat each Rest) -> Bool {
    var (index, isAccepted) = (5, true)
    for type in repeat (each Rest).self {
      isAccepted = isAccepted && plan.accepts(type, index)
      index += 1
    }
    return isAccepted
  }

  /// Calls the function in a frame.
  ///
  /// The arguments stay at their addresses until the call has returned, since some are passed by address.
  ///
  /// - Parameters:
  ///   - rest: The arguments after the fifth, as a tuple.
  ///   - writeFirst: Writes the first argument.
  ///   - writeRest: Writes the rest, which is at an address.
  ///   - end: Takes the result.
  /// - Throws: What the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  func callInFrame<B, C, D, E, Rest, Value>(
    _ b: B, _ c: C, _ d: D, _ e: E, _ rest: Rest, _ writeFirst: (UnsafeMutableRawPointer) -> Void,
    _ writeRest: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void, _ end: (UnsafeMutableRawPointer) -> Value
  ) throws -> Value {
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafePointer(to: b) { b in
        try unsafe withUnsafePointer(to: c) { c in
          try unsafe withUnsafePointer(to: d) { d in
            try unsafe withUnsafePointer(to: e) { e in
              try unsafe withUnsafePointer(to: rest) { rest in
                unsafe writeFirst(frame)
                unsafe plan.write(b, 1, frame)
                unsafe plan.write(c, 2, frame)
                unsafe plan.write(d, 3, frame)
                unsafe plan.write(e, 4, frame)
                unsafe writeRest(UnsafeRawPointer(rest), frame)
                try unsafe plan.call(frame)
                return unsafe end(frame)
              }
            }
          }
        }
      }
    }
  }

  /// Writes the elements of a tuple to a frame, as the arguments after the fifth.
  @_alwaysEmitIntoClient @inline(__always)
  func write<each Rest>(_ types: repeat (each Rest).Type, in values: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer) {
    var (index, offset) = (5, 0)
    for type in repeat each types {
      unsafe write(type, in: values, at: &offset, index, frame)
      index += 1
    }
  }

  /// Writes the element of a tuple after an offset to a frame, and moves the offset to its end.
  @_alwaysEmitIntoClient @inline(__always)
  func write<Value>(
    _ type: Value.Type, in values: UnsafeRawPointer, at offset: inout Int, _ index: Int, _ frame: UnsafeMutableRawPointer
  ) {
    let alignment = MemoryLayout<Value>.alignment
    offset = (offset + alignment - 1) & ~(alignment - 1)
    unsafe plan.write((values + offset).assumingMemoryBound(to: Value.self), index, frame)
    offset += MemoryLayout<Value>.size
  }
}
