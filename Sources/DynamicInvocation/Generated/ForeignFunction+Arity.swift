// Written by make generate from Scripts/Templates/DynamicInvocation/ForeignFunction+Arity.swift.template.

// One overload for each number of arguments up to ten, which the optimizer sees through: a parameter pack costs about ten nanoseconds an argument
// more, 65 against 14 for two integers and a target.

extension ForeignFunction {
  /// Calls the function with no arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<Result: EncodedValue>(
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(0) && takes(type, at: 0) {
      if isCalledWithWords && Result.mayBeWord {
        return try self.result(callWithWords(), as: type)
      }
      if isCalledWithFloats && Result.mayBeFloat {
        return try self.result(callWithFloats(), as: type)
      }
      return try callQuickly(returning: type) { _ in }
    }
    return try callSlowly(as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<Result: EncodedValue>(
    as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(0, returning: type) { _ in }
  }

  /// Calls the function with no arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction() throws(InvocationError) -> DiscardedResult {
    if isQuick(0) {
      if isCalledWithWords {
        _ = callWithWords()
        return
      }
      if isCalledWithFloats {
        _ = callWithFloats()
        return
      }
      return unsafe withQuickFrame({ _ in }, { _ in })
    }
    return try callSlowly()
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly() throws(InvocationError) {
    _ = try callWithPlaces(0, returning: NoResult.self) { _ in }
  }

  /// Calls the function with one argument and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, Result: EncodedValue>(
    _ a: A, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(1) && takes(type, at: 1) && takes(A.self, at: 0) {
      if isCalledWithWords && A.mayBeWord && Result.mayBeWord {
        return try self.result(callWithWords(a.registerWord), as: type)
      }
      if isCalledWithFloats && A.mayBeFloat && Result.mayBeFloat {
        return try self.result(callWithFloats(a.registerWord), as: type)
      }
      return try callQuickly(returning: type) { $0.write(a, at: 0) }
    }
    return try callSlowly(a, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, Result: EncodedValue>(
    _ a: A, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(1, returning: type) { $0.write(a) }
  }

  /// Calls the function with one argument and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue>(
    _ a: A
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(1) && takes(A.self, at: 0) {
      if isCalledWithWords && A.mayBeWord {
        _ = callWithWords(a.registerWord)
        return
      }
      if isCalledWithFloats && A.mayBeFloat {
        _ = callWithFloats(a.registerWord)
        return
      }
      return unsafe withQuickFrame({ $0.write(a, at: 0) }, { _ in })
    }
    return try callSlowly(a)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue>(
    _ a: A
  ) throws(InvocationError) {
    _ = try callWithPlaces(1, returning: NoResult.self) { $0.write(a) }
  }

  /// Calls the function with two arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(2) && takes(type, at: 2) && takes(A.self, at: 0) && takes(B.self, at: 1) {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && Result.mayBeWord {
        return try self.result(callWithWords(a.registerWord, b.registerWord), as: type)
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && Result.mayBeFloat {
        return try self.result(callWithFloats(a.registerWord, b.registerWord), as: type)
      }
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1)
      }
    }
    return try callSlowly(a, b, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(2, returning: type) {
      $0.write(a); $0.write(b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue>(
    _ a: A, _ b: B
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(2) && takes(A.self, at: 0) && takes(B.self, at: 1) {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord {
        _ = callWithWords(a.registerWord, b.registerWord)
        return
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat {
        _ = callWithFloats(a.registerWord, b.registerWord)
        return
      }
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1)
        }, { _ in })
    }
    return try callSlowly(a, b)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue>(
    _ a: A, _ b: B
  ) throws(InvocationError) {
    _ = try callWithPlaces(2, returning: NoResult.self) {
      $0.write(a); $0.write(b)
    }
  }

  /// Calls the function with three arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(3) && takes(type, at: 3) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord && Result.mayBeWord {
        return try self.result(callWithWords(a.registerWord, b.registerWord, c.registerWord), as: type)
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat && Result.mayBeFloat {
        return try self.result(callWithFloats(a.registerWord, b.registerWord, c.registerWord), as: type)
      }
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2)
      }
    }
    return try callSlowly(a, b, c, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      $0.write(a); $0.write(b); $0.write(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue>(
    _ a: A, _ b: B, _ c: C
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(3) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord {
        _ = callWithWords(a.registerWord, b.registerWord, c.registerWord)
        return
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat {
        _ = callWithFloats(a.registerWord, b.registerWord, c.registerWord)
        return
      }
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2)
        }, { _ in })
    }
    return try callSlowly(a, b, c)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue>(
    _ a: A, _ b: B, _ c: C
  ) throws(InvocationError) {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c)
    }
  }

  /// Calls the function with four arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(4) && takes(type, at: 4) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord && D.mayBeWord && Result.mayBeWord {
        return try self.result(callWithWords(a.registerWord, b.registerWord, c.registerWord, d.registerWord), as: type)
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat && D.mayBeFloat && Result.mayBeFloat {
        return try self.result(callWithFloats(a.registerWord, b.registerWord, c.registerWord, d.registerWord), as: type)
      }
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3)
      }
    }
    return try callSlowly(a, b, c, d, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(4) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord && D.mayBeWord {
        _ = callWithWords(a.registerWord, b.registerWord, c.registerWord, d.registerWord)
        return
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat && D.mayBeFloat {
        _ = callWithFloats(a.registerWord, b.registerWord, c.registerWord, d.registerWord)
        return
      }
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3)
        }, { _ in })
    }
    return try callSlowly(a, b, c, d)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) throws(InvocationError) {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d)
    }
  }

  /// Calls the function with five arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(5) && takes(type, at: 5) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3)
      && takes(E.self, at: 4)
    {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord && D.mayBeWord && E.mayBeWord && Result.mayBeWord {
        return try self.result(callWithWords(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord), as: type)
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat && D.mayBeFloat && E.mayBeFloat && Result.mayBeFloat {
        return try self.result(callWithFloats(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord), as: type)
      }
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4)
      }
    }
    return try callSlowly(a, b, c, d, e, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(5) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) && takes(E.self, at: 4) {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord && D.mayBeWord && E.mayBeWord {
        _ = callWithWords(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord)
        return
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat && D.mayBeFloat && E.mayBeFloat {
        _ = callWithFloats(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord)
        return
      }
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4)
        }, { _ in })
    }
    return try callSlowly(a, b, c, d, e)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) throws(InvocationError) {
    _ = try callWithPlaces(5, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e)
    }
  }

  /// Calls the function with six arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(6) && takes(type, at: 6) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3)
      && takes(E.self, at: 4) && takes(F.self, at: 5)
    {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord && D.mayBeWord && E.mayBeWord && F.mayBeWord && Result.mayBeWord {
        return try self.result(
          callWithWords(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord, f.registerWord), as: type)
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat && D.mayBeFloat && E.mayBeFloat && F.mayBeFloat
        && Result.mayBeFloat
      {
        return try self.result(
          callWithFloats(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord, f.registerWord), as: type)
      }
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5)
      }
    }
    return try callSlowly(a, b, c, d, e, f, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(6, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f)
    }
  }

  /// Calls the function with six arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(6) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) && takes(E.self, at: 4)
      && takes(F.self, at: 5)
    {
      if isCalledWithWords && A.mayBeWord && B.mayBeWord && C.mayBeWord && D.mayBeWord && E.mayBeWord && F.mayBeWord {
        _ = callWithWords(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord, f.registerWord)
        return
      }
      if isCalledWithFloats && A.mayBeFloat && B.mayBeFloat && C.mayBeFloat && D.mayBeFloat && E.mayBeFloat && F.mayBeFloat {
        _ = callWithFloats(a.registerWord, b.registerWord, c.registerWord, d.registerWord, e.registerWord, f.registerWord)
        return
      }
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5)
        }, { _ in })
    }
    return try callSlowly(a, b, c, d, e, f)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) throws(InvocationError) {
    _ = try callWithPlaces(6, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f)
    }
  }

  /// Calls the function with seven arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue,
    Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(7) && takes(type, at: 7) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3)
      && takes(E.self, at: 4) && takes(F.self, at: 5) && takes(G.self, at: 6)
    {
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
        $0.write(g, at: 6)
      }
    }
    return try callSlowly(a, b, c, d, e, f, g, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue,
    Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(7, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g)
    }
  }

  /// Calls the function with seven arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(7) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) && takes(E.self, at: 4)
      && takes(F.self, at: 5) && takes(G.self, at: 6)
    {
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
          $0.write(g, at: 6)
        }, { _ in })
    }
    return try callSlowly(a, b, c, d, e, f, g)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) throws(InvocationError) {
    _ = try callWithPlaces(7, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g)
    }
  }

  /// Calls the function with eight arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(8) && takes(type, at: 8) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3)
      && takes(E.self, at: 4) && takes(F.self, at: 5) && takes(G.self, at: 6) && takes(H.self, at: 7)
    {
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
        $0.write(g, at: 6); $0.write(h, at: 7)
      }
    }
    return try callSlowly(a, b, c, d, e, f, g, h, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(8, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h)
    }
  }

  /// Calls the function with eight arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(8) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) && takes(E.self, at: 4)
      && takes(F.self, at: 5) && takes(G.self, at: 6) && takes(H.self, at: 7)
    {
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
          $0.write(g, at: 6); $0.write(h, at: 7)
        }, { _ in })
    }
    return try callSlowly(a, b, c, d, e, f, g, h)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) throws(InvocationError) {
    _ = try callWithPlaces(8, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h)
    }
  }

  /// Calls the function with nine arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(9) && takes(type, at: 9) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3)
      && takes(E.self, at: 4) && takes(F.self, at: 5) && takes(G.self, at: 6) && takes(H.self, at: 7) && takes(I.self, at: 8)
    {
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
        $0.write(g, at: 6); $0.write(h, at: 7); $0.write(i, at: 8)
      }
    }
    return try callSlowly(a, b, c, d, e, f, g, h, i, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(9, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i)
    }
  }

  /// Calls the function with nine arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(9) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) && takes(E.self, at: 4)
      && takes(F.self, at: 5) && takes(G.self, at: 6) && takes(H.self, at: 7) && takes(I.self, at: 8)
    {
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
          $0.write(g, at: 6); $0.write(h, at: 7); $0.write(i, at: 8)
        }, { _ in })
    }
    return try callSlowly(a, b, c, d, e, f, g, h, i)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
  ) throws(InvocationError) {
    _ = try callWithPlaces(9, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i)
    }
  }

  /// Calls the function with ten arguments and returns its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    if isQuick(10) && takes(type, at: 10) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3)
      && takes(E.self, at: 4) && takes(F.self, at: 5) && takes(G.self, at: 6) && takes(H.self, at: 7) && takes(I.self, at: 8)
      && takes(J.self, at: 9)
    {
      return try callQuickly(returning: type) {
        $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
        $0.write(g, at: 6); $0.write(h, at: 7); $0.write(i, at: 8); $0.write(j, at: 9)
      }
    }
    return try callSlowly(a, b, c, d, e, f, g, h, i, j, as: type)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J, as type: Result.Type
  ) throws(InvocationError) -> Result {
    try callWithPlaces(10, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i); $0.write(j)
    }
  }

  /// Calls the function with ten arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J
  ) throws(InvocationError) -> DiscardedResult {
    if isQuick(10) && takes(A.self, at: 0) && takes(B.self, at: 1) && takes(C.self, at: 2) && takes(D.self, at: 3) && takes(E.self, at: 4)
      && takes(F.self, at: 5) && takes(G.self, at: 6) && takes(H.self, at: 7) && takes(I.self, at: 8) && takes(J.self, at: 9)
    {
      return unsafe withQuickFrame(
        {
          $0.write(a, at: 0); $0.write(b, at: 1); $0.write(c, at: 2); $0.write(d, at: 3); $0.write(e, at: 4); $0.write(f, at: 5);
          $0.write(g, at: 6); $0.write(h, at: 7); $0.write(i, at: 8); $0.write(j, at: 9)
        }, { _ in })
    }
    return try callSlowly(a, b, c, d, e, f, g, h, i, j)
  }

  // A function, so that the arguments are in memory on this path only.
  @_alwaysEmitIntoClient @inline(never)
  func callSlowly<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J
  ) throws(InvocationError) {
    _ = try callWithPlaces(10, returning: NoResult.self) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i); $0.write(j)
    }
  }
}
