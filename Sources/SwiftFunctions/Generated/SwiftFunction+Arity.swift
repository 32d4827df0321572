// Written by make generate from Scripts/Templates/SwiftFunctions/SwiftFunction+Arity.swift.template.

// One overload for each number of arguments up to six, which the optimizer sees through. The arguments stay at their
// addresses until the call has returned, since some are passed by address.

extension SwiftFunction {
  /// Calls the function with no arguments and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<Result>(
    as type: Result.Type = Result.self
  ) throws -> Result {
    if SwiftCallPlan.isWordResult(type) && plan.smallCount == 0 && plan.returns(type) {
      if plan.form == .words {
        return plan.result(try plan.callWords(), as: type)
      }
    }
    return try callInFrame(as: type)
  }

  /// Calls the function with no arguments in a frame and returns its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<Result>(
    as type: Result.Type
  ) throws -> Result {
    guard plan.smallCount == 0 && plan.returns(type) else {
      return try callConverting([], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe plan.call(frame)
      return unsafe plan.takeResult(frame, as: type)
    }
  }

  /// Calls the function with no arguments and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction() throws {
    if plan.smallCount == 0 {
      if plan.form == .words {
        return plan.discardWord(try plan.callWords())
      }
    }
    try callInFrame()
  }

  /// Calls the function with no arguments in a frame and drops its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame() throws {
    guard plan.smallCount == 0 else {
      return try callConverting([])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe plan.call(frame)
      unsafe plan.discardResult(frame)
    }
  }

  /// Calls the function with one argument and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, Result>(
    _ a: A, as type: Result.Type = Result.self
  ) throws -> Result {
    if SwiftCallPlan.isWord(A.self) && SwiftCallPlan.isWordResult(type) && plan.smallCount == 1 && plan.accepts(A.self, 0)
      && plan.returns(type)
    {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a)) {} }
      if plan.form == .words {
        return plan.result(try plan.callWords(SwiftCallPlan.word(a)), as: type)
      }
      if plan.form == .method {
        return plan.result(try plan.callMethod(SwiftCallPlan.word(a)), as: type)
      }
    }
    return try callInFrame(a, as: type)
  }

  /// Calls the function with one argument in a frame and returns its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, Result>(
    _ a: A, as type: Result.Type
  ) throws -> Result {
    guard plan.smallCount == 1 && plan.accepts(A.self, 0) && plan.returns(type) else {
      return try callConverting([a], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafePointer(to: a) { a in
        unsafe plan.write(a, 0, frame)
        try unsafe plan.call(frame)
        return unsafe plan.takeResult(frame, as: type)
      }
    }
  }

  /// Calls the function with one argument and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A>(
    _ a: A
  ) throws {
    if SwiftCallPlan.isWord(A.self) && plan.smallCount == 1 && plan.accepts(A.self, 0) {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a)) {} }
      if plan.form == .words {
        return plan.discardWord(try plan.callWords(SwiftCallPlan.word(a)))
      }
      if plan.form == .method {
        return plan.discardWord(try plan.callMethod(SwiftCallPlan.word(a)))
      }
    }
    try callInFrame(a)
  }

  /// Calls the function with one argument in a frame and drops its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A>(
    _ a: A
  ) throws {
    guard plan.smallCount == 1 && plan.accepts(A.self, 0) else {
      return try callConverting([a])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafePointer(to: a) { a in
        unsafe plan.write(a, 0, frame)
        try unsafe plan.call(frame)
        unsafe plan.discardResult(frame)
      }
    }
  }

  /// Calls the function with two arguments and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, Result>(
    _ a: A, _ b: B, as type: Result.Type = Result.self
  ) throws -> Result {
    if SwiftCallPlan.isWord(A.self) && SwiftCallPlan.isWord(B.self) && SwiftCallPlan.isWordResult(type) && plan.smallCount == 2
      && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.returns(type)
    {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a, b)) {} }
      if plan.form == .words {
        return plan.result(try plan.callWords(SwiftCallPlan.word(a), SwiftCallPlan.word(b)), as: type)
      }
      if plan.form == .method {
        return plan.result(try plan.callMethod(SwiftCallPlan.word(a), SwiftCallPlan.word(b)), as: type)
      }
    }
    return try callInFrame(a, b, as: type)
  }

  /// Calls the function with two arguments in a frame and returns its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, Result>(
    _ a: A, _ b: B, as type: Result.Type
  ) throws -> Result {
    guard plan.smallCount == 2 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.returns(type) else {
      return try callConverting([a, b], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          unsafe plan.write(a, 0, frame)
          unsafe plan.write(b, 1, frame)
          try unsafe plan.call(frame)
          return unsafe plan.takeResult(frame, as: type)
        }
      }
    }
  }

  /// Calls the function with two arguments and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B>(
    _ a: A, _ b: B
  ) throws {
    if SwiftCallPlan.isWord(A.self) && SwiftCallPlan.isWord(B.self) && plan.smallCount == 2 && plan.accepts(A.self, 0)
      && plan.accepts(B.self, 1)
    {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a, b)) {} }
      if plan.form == .words {
        return plan.discardWord(try plan.callWords(SwiftCallPlan.word(a), SwiftCallPlan.word(b)))
      }
      if plan.form == .method {
        return plan.discardWord(try plan.callMethod(SwiftCallPlan.word(a), SwiftCallPlan.word(b)))
      }
    }
    try callInFrame(a, b)
  }

  /// Calls the function with two arguments in a frame and drops its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B>(
    _ a: A, _ b: B
  ) throws {
    guard plan.smallCount == 2 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) else {
      return try callConverting([a, b])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          unsafe plan.write(a, 0, frame)
          unsafe plan.write(b, 1, frame)
          try unsafe plan.call(frame)
          unsafe plan.discardResult(frame)
        }
      }
    }
  }

  /// Calls the function with three arguments and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C, Result>(
    _ a: A, _ b: B, _ c: C, as type: Result.Type = Result.self
  ) throws -> Result {
    if SwiftCallPlan.isWord(A.self) && SwiftCallPlan.isWord(B.self) && SwiftCallPlan.isWord(C.self) && SwiftCallPlan.isWordResult(type)
      && plan.smallCount == 3 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.returns(type)
    {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a, b, c)) {} }
      if plan.form == .words {
        return plan.result(try plan.callWords(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c)), as: type)
      }
      if plan.form == .method {
        return plan.result(try plan.callMethod(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c)), as: type)
      }
    }
    return try callInFrame(a, b, c, as: type)
  }

  /// Calls the function with three arguments in a frame and returns its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C, Result>(
    _ a: A, _ b: B, _ c: C, as type: Result.Type
  ) throws -> Result {
    guard plan.smallCount == 3 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.returns(type) else {
      return try callConverting([a, b, c], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            unsafe plan.write(a, 0, frame)
            unsafe plan.write(b, 1, frame)
            unsafe plan.write(c, 2, frame)
            try unsafe plan.call(frame)
            return unsafe plan.takeResult(frame, as: type)
          }
        }
      }
    }
  }

  /// Calls the function with three arguments and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C>(
    _ a: A, _ b: B, _ c: C
  ) throws {
    if SwiftCallPlan.isWord(A.self) && SwiftCallPlan.isWord(B.self) && SwiftCallPlan.isWord(C.self) && plan.smallCount == 3
      && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2)
    {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a, b, c)) {} }
      if plan.form == .words {
        return plan.discardWord(try plan.callWords(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c)))
      }
      if plan.form == .method {
        return plan.discardWord(try plan.callMethod(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c)))
      }
    }
    try callInFrame(a, b, c)
  }

  /// Calls the function with three arguments in a frame and drops its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C>(
    _ a: A, _ b: B, _ c: C
  ) throws {
    guard plan.smallCount == 3 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) else {
      return try callConverting([a, b, c])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            unsafe plan.write(a, 0, frame)
            unsafe plan.write(b, 1, frame)
            unsafe plan.write(c, 2, frame)
            try unsafe plan.call(frame)
            unsafe plan.discardResult(frame)
          }
        }
      }
    }
  }

  /// Calls the function with four arguments and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C, D, Result>(
    _ a: A, _ b: B, _ c: C, _ d: D, as type: Result.Type = Result.self
  ) throws -> Result {
    if SwiftCallPlan.isWord(A.self) && SwiftCallPlan.isWord(B.self) && SwiftCallPlan.isWord(C.self) && SwiftCallPlan.isWord(D.self)
      && SwiftCallPlan.isWordResult(type) && plan.smallCount == 4 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1)
      && plan.accepts(C.self, 2) && plan.accepts(D.self, 3) && plan.returns(type)
    {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a, b, c, d)) {} }
      if plan.form == .words {
        return plan.result(
          try plan.callWords(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c), SwiftCallPlan.word(d)), as: type)
      }
      if plan.form == .method {
        return plan.result(
          try plan.callMethod(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c), SwiftCallPlan.word(d)), as: type)
      }
    }
    return try callInFrame(a, b, c, d, as: type)
  }

  /// Calls the function with four arguments in a frame and returns its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C, D, Result>(
    _ a: A, _ b: B, _ c: C, _ d: D, as type: Result.Type
  ) throws -> Result {
    guard
      plan.smallCount == 4 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.returns(type)
    else {
      return try callConverting([a, b, c, d], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              unsafe plan.write(a, 0, frame)
              unsafe plan.write(b, 1, frame)
              unsafe plan.write(c, 2, frame)
              unsafe plan.write(d, 3, frame)
              try unsafe plan.call(frame)
              return unsafe plan.takeResult(frame, as: type)
            }
          }
        }
      }
    }
  }

  /// Calls the function with four arguments and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C, D>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) throws {
    if SwiftCallPlan.isWord(A.self) && SwiftCallPlan.isWord(B.self) && SwiftCallPlan.isWord(C.self) && SwiftCallPlan.isWord(D.self)
      && plan.smallCount == 4 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
    {
      // An argument lives until the call has returned.
      defer { withExtendedLifetime((a, b, c, d)) {} }
      if plan.form == .words {
        return plan.discardWord(
          try plan.callWords(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c), SwiftCallPlan.word(d)))
      }
      if plan.form == .method {
        return plan.discardWord(
          try plan.callMethod(SwiftCallPlan.word(a), SwiftCallPlan.word(b), SwiftCallPlan.word(c), SwiftCallPlan.word(d)))
      }
    }
    try callInFrame(a, b, c, d)
  }

  /// Calls the function with four arguments in a frame and drops its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C, D>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) throws {
    guard plan.smallCount == 4 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
    else {
      return try callConverting([a, b, c, d])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              unsafe plan.write(a, 0, frame)
              unsafe plan.write(b, 1, frame)
              unsafe plan.write(c, 2, frame)
              unsafe plan.write(d, 3, frame)
              try unsafe plan.call(frame)
              unsafe plan.discardResult(frame)
            }
          }
        }
      }
    }
  }

  /// Calls the function with five arguments and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C, D, E, Result>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, as type: Result.Type = Result.self
  ) throws -> Result {
    return try callInFrame(a, b, c, d, e, as: type)
  }

  /// Calls the function with five arguments in a frame and returns its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C, D, E, Result>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, as type: Result.Type
  ) throws -> Result {
    guard
      plan.smallCount == 5 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4) && plan.returns(type)
    else {
      return try callConverting([a, b, c, d, e], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                unsafe plan.write(a, 0, frame)
                unsafe plan.write(b, 1, frame)
                unsafe plan.write(c, 2, frame)
                unsafe plan.write(d, 3, frame)
                unsafe plan.write(e, 4, frame)
                try unsafe plan.call(frame)
                return unsafe plan.takeResult(frame, as: type)
              }
            }
          }
        }
      }
    }
  }

  /// Calls the function with five arguments and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C, D, E>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) throws {
    try callInFrame(a, b, c, d, e)
  }

  /// Calls the function with five arguments in a frame and drops its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C, D, E>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) throws {
    guard
      plan.smallCount == 5 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4)
    else {
      return try callConverting([a, b, c, d, e])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                unsafe plan.write(a, 0, frame)
                unsafe plan.write(b, 1, frame)
                unsafe plan.write(c, 2, frame)
                unsafe plan.write(d, 3, frame)
                unsafe plan.write(e, 4, frame)
                try unsafe plan.call(frame)
                unsafe plan.discardResult(frame)
              }
            }
          }
        }
      }
    }
  }

  /// Calls the function with six arguments and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C, D, E, F, Result>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, as type: Result.Type = Result.self
  ) throws -> Result {
    return try callInFrame(a, b, c, d, e, f, as: type)
  }

  /// Calls the function with six arguments in a frame and returns its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C, D, E, F, Result>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, as type: Result.Type
  ) throws -> Result {
    guard
      plan.smallCount == 6 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4) && plan.accepts(F.self, 5) && plan.returns(type)
    else {
      return try callConverting([a, b, c, d, e, f], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                try unsafe withUnsafePointer(to: f) { f in
                  unsafe plan.write(a, 0, frame)
                  unsafe plan.write(b, 1, frame)
                  unsafe plan.write(c, 2, frame)
                  unsafe plan.write(d, 3, frame)
                  unsafe plan.write(e, 4, frame)
                  unsafe plan.write(f, 5, frame)
                  try unsafe plan.call(frame)
                  return unsafe plan.takeResult(frame, as: type)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Calls the function with six arguments and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction<A, B, C, D, E, F>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) throws {
    try callInFrame(a, b, c, d, e, f)
  }

  /// Calls the function with six arguments in a frame and drops its result.
  ///
  /// - Throws: As the call does.
  @_alwaysEmitIntoClient @inline(never)
  func callInFrame<A, B, C, D, E, F>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) throws {
    guard
      plan.smallCount == 6 && plan.accepts(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4) && plan.accepts(F.self, 5)
    else {
      return try callConverting([a, b, c, d, e, f])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafePointer(to: a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                try unsafe withUnsafePointer(to: f) { f in
                  unsafe plan.write(a, 0, frame)
                  unsafe plan.write(b, 1, frame)
                  unsafe plan.write(c, 2, frame)
                  unsafe plan.write(d, 3, frame)
                  unsafe plan.write(e, 4, frame)
                  unsafe plan.write(f, 5, frame)
                  try unsafe plan.call(frame)
                  unsafe plan.discardResult(frame)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Calls the function with one argument, may change the first one, and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, Result>(
    _ a: inout A, as type: Result.Type = Result.self
  ) throws -> Result {
    guard plan.smallCount == 1 && plan.acceptsInOut(A.self, 0) && plan.returns(type) else {
      return try callConverting(&a, [], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafeMutablePointer(to: &a) { a in
        unsafe plan.writeInOut(a, 0, frame)
        try unsafe plan.call(frame)
        return unsafe plan.takeResult(frame, as: type)
      }
    }
  }

  /// Calls the function with one argument, may change the first one, and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A>(
    _ a: inout A
  ) throws {
    guard plan.smallCount == 1 && plan.acceptsInOut(A.self, 0) else {
      return try callConverting(&a, [])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafeMutablePointer(to: &a) { a in
        unsafe plan.writeInOut(a, 0, frame)
        try unsafe plan.call(frame)
        unsafe plan.discardResult(frame)
      }
    }
  }

  /// Calls the function with two arguments, may change the first one, and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, Result>(
    _ a: inout A, _ b: B, as type: Result.Type = Result.self
  ) throws -> Result {
    guard plan.smallCount == 2 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.returns(type) else {
      return try callConverting(&a, [b], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          unsafe plan.writeInOut(a, 0, frame)
          unsafe plan.write(b, 1, frame)
          try unsafe plan.call(frame)
          return unsafe plan.takeResult(frame, as: type)
        }
      }
    }
  }

  /// Calls the function with two arguments, may change the first one, and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B>(
    _ a: inout A, _ b: B
  ) throws {
    guard plan.smallCount == 2 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) else {
      return try callConverting(&a, [b])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          unsafe plan.writeInOut(a, 0, frame)
          unsafe plan.write(b, 1, frame)
          try unsafe plan.call(frame)
          unsafe plan.discardResult(frame)
        }
      }
    }
  }

  /// Calls the function with three arguments, may change the first one, and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, Result>(
    _ a: inout A, _ b: B, _ c: C, as type: Result.Type = Result.self
  ) throws -> Result {
    guard plan.smallCount == 3 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.returns(type)
    else {
      return try callConverting(&a, [b, c], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            unsafe plan.writeInOut(a, 0, frame)
            unsafe plan.write(b, 1, frame)
            unsafe plan.write(c, 2, frame)
            try unsafe plan.call(frame)
            return unsafe plan.takeResult(frame, as: type)
          }
        }
      }
    }
  }

  /// Calls the function with three arguments, may change the first one, and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C>(
    _ a: inout A, _ b: B, _ c: C
  ) throws {
    guard plan.smallCount == 3 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) else {
      return try callConverting(&a, [b, c])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            unsafe plan.writeInOut(a, 0, frame)
            unsafe plan.write(b, 1, frame)
            unsafe plan.write(c, 2, frame)
            try unsafe plan.call(frame)
            unsafe plan.discardResult(frame)
          }
        }
      }
    }
  }

  /// Calls the function with four arguments, may change the first one, and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, Result>(
    _ a: inout A, _ b: B, _ c: C, _ d: D, as type: Result.Type = Result.self
  ) throws -> Result {
    guard
      plan.smallCount == 4 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.returns(type)
    else {
      return try callConverting(&a, [b, c, d], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              unsafe plan.writeInOut(a, 0, frame)
              unsafe plan.write(b, 1, frame)
              unsafe plan.write(c, 2, frame)
              unsafe plan.write(d, 3, frame)
              try unsafe plan.call(frame)
              return unsafe plan.takeResult(frame, as: type)
            }
          }
        }
      }
    }
  }

  /// Calls the function with four arguments, may change the first one, and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D>(
    _ a: inout A, _ b: B, _ c: C, _ d: D
  ) throws {
    guard
      plan.smallCount == 4 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
    else {
      return try callConverting(&a, [b, c, d])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              unsafe plan.writeInOut(a, 0, frame)
              unsafe plan.write(b, 1, frame)
              unsafe plan.write(c, 2, frame)
              unsafe plan.write(d, 3, frame)
              try unsafe plan.call(frame)
              unsafe plan.discardResult(frame)
            }
          }
        }
      }
    }
  }

  /// Calls the function with five arguments, may change the first one, and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E, Result>(
    _ a: inout A, _ b: B, _ c: C, _ d: D, _ e: E, as type: Result.Type = Result.self
  ) throws -> Result {
    guard
      plan.smallCount == 5 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4) && plan.returns(type)
    else {
      return try callConverting(&a, [b, c, d, e], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                unsafe plan.writeInOut(a, 0, frame)
                unsafe plan.write(b, 1, frame)
                unsafe plan.write(c, 2, frame)
                unsafe plan.write(d, 3, frame)
                unsafe plan.write(e, 4, frame)
                try unsafe plan.call(frame)
                return unsafe plan.takeResult(frame, as: type)
              }
            }
          }
        }
      }
    }
  }

  /// Calls the function with five arguments, may change the first one, and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E>(
    _ a: inout A, _ b: B, _ c: C, _ d: D, _ e: E
  ) throws {
    guard
      plan.smallCount == 5 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4)
    else {
      return try callConverting(&a, [b, c, d, e])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                unsafe plan.writeInOut(a, 0, frame)
                unsafe plan.write(b, 1, frame)
                unsafe plan.write(c, 2, frame)
                unsafe plan.write(d, 3, frame)
                unsafe plan.write(e, 4, frame)
                try unsafe plan.call(frame)
                unsafe plan.discardResult(frame)
              }
            }
          }
        }
      }
    }
  }

  /// Calls the function with six arguments, may change the first one, and returns its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E, F, Result>(
    _ a: inout A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, as type: Result.Type = Result.self
  ) throws -> Result {
    guard
      plan.smallCount == 6 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4) && plan.accepts(F.self, 5) && plan.returns(type)
    else {
      return try callConverting(&a, [b, c, d, e, f], as: type)
    }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      return try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                try unsafe withUnsafePointer(to: f) { f in
                  unsafe plan.writeInOut(a, 0, frame)
                  unsafe plan.write(b, 1, frame)
                  unsafe plan.write(c, 2, frame)
                  unsafe plan.write(d, 3, frame)
                  unsafe plan.write(e, 4, frame)
                  unsafe plan.write(f, 5, frame)
                  try unsafe plan.call(frame)
                  return unsafe plan.takeResult(frame, as: type)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Calls the function with six arguments, may change the first one, and drops its result.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`, and what the function throws.
  @_alwaysEmitIntoClient
  public func callAsFunction<A, B, C, D, E, F>(
    _ a: inout A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) throws {
    guard
      plan.smallCount == 6 && plan.acceptsInOut(A.self, 0) && plan.accepts(B.self, 1) && plan.accepts(C.self, 2) && plan.accepts(D.self, 3)
        && plan.accepts(E.self, 4) && plan.accepts(F.self, 5)
    else {
      return try callConverting(&a, [b, c, d, e, f])
    }
    try unsafe withUnsafeTemporaryAllocation(byteCount: SwiftCallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      try unsafe withUnsafeMutablePointer(to: &a) { a in
        try unsafe withUnsafePointer(to: b) { b in
          try unsafe withUnsafePointer(to: c) { c in
            try unsafe withUnsafePointer(to: d) { d in
              try unsafe withUnsafePointer(to: e) { e in
                try unsafe withUnsafePointer(to: f) { f in
                  unsafe plan.writeInOut(a, 0, frame)
                  unsafe plan.write(b, 1, frame)
                  unsafe plan.write(c, 2, frame)
                  unsafe plan.write(d, 3, frame)
                  unsafe plan.write(e, 4, frame)
                  unsafe plan.write(f, 5, frame)
                  try unsafe plan.call(frame)
                  unsafe plan.discardResult(frame)
                }
              }
            }
          }
        }
      }
    }
  }
}
