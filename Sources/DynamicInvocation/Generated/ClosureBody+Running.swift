// Written by make generate from Scripts/Templates/DynamicInvocation/ClosureBody+Running.swift.template.

// One overload for each number of arguments up to ten.

extension ClosureBody {
  /// Runs a call of no arguments after the target and the selector of a method.
  ///
  /// Where an argument is no value of its type, being a null or an object of another class, the call ends with an error.
  ///
  /// - Parameters:
  ///   - frame: The frame of the call.
  ///   - first: The index of the first argument: 2 for a method, 0 for a function.
  ///   - mayThrow: Whether the call may end with an error; a function's cannot, for C has none.
  ///   - body: What is called with the arguments, and writes the result.
  @_alwaysEmitIntoClient @inline(__always)
  package func run(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool, _ body: () throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard frame.isChecked || hasTarget(frame, first) else { return IncomingFrame.lookCloser(self, frame, place) }
    do { try body() } catch { fail(error, place, frame) }
  }

  /// Runs a call of one argument; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<A: EncodedValue>(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool, _ body: (borrowing A) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard frame.isChecked || (hasTarget(frame, first) && isReadable(A.self, first, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    do { try a.lend(body) } catch { fail(error, place, frame) }
  }

  /// Runs a call of two arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<A: EncodedValue, B: EncodedValue>(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool, _ body: (borrowing A, borrowing B) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard frame.isChecked || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    do { try a.lend { a in try b.lend { b in try body(a, b) } } } catch { fail(error, place, frame) }
  }

  /// Runs a call of three arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<A: EncodedValue, B: EncodedValue, C: EncodedValue>(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool, _ body: (borrowing A, borrowing B, borrowing C) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    do { try a.lend { a in try b.lend { b in try c.lend { c in try body(a, b, c) } } } } catch { fail(error, place, frame) }
  }

  /// Runs a call of four arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue>(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool, _ body: (borrowing A, borrowing B, borrowing C, borrowing D) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame) && isReadable(D.self, first + 3, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    let d = ClosureArgument<D>(first + 3, of: frame, self)
    do { try a.lend { a in try b.lend { b in try c.lend { c in try d.lend { d in try body(a, b, c, d) } } } } } catch {
      fail(error, place, frame)
    }
  }

  /// Runs a call of five arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue>(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool,
    _ body: (borrowing A, borrowing B, borrowing C, borrowing D, borrowing E) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame) && isReadable(D.self, first + 3, of: frame)
          && isReadable(E.self, first + 4, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    let d = ClosureArgument<D>(first + 3, of: frame, self)
    let e = ClosureArgument<E>(first + 4, of: frame, self)
    do { try a.lend { a in try b.lend { b in try c.lend { c in try d.lend { d in try e.lend { e in try body(a, b, c, d, e) } } } } } } catch
    { fail(error, place, frame) }
  }

  /// Runs a call of six arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue>(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool,
    _ body: (borrowing A, borrowing B, borrowing C, borrowing D, borrowing E, borrowing F) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame) && isReadable(D.self, first + 3, of: frame)
          && isReadable(E.self, first + 4, of: frame) && isReadable(F.self, first + 5, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    let d = ClosureArgument<D>(first + 3, of: frame, self)
    let e = ClosureArgument<E>(first + 4, of: frame, self)
    let f = ClosureArgument<F>(first + 5, of: frame, self)
    do {
      try a.lend { a in
        try b.lend { b in try c.lend { c in try d.lend { d in try e.lend { e in try f.lend { f in try body(a, b, c, d, e, f) } } } } }
      }
    } catch { fail(error, place, frame) }
  }

  /// Runs a call of seven arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue>(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool,
    _ body: (borrowing A, borrowing B, borrowing C, borrowing D, borrowing E, borrowing F, borrowing G) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame) && isReadable(D.self, first + 3, of: frame)
          && isReadable(E.self, first + 4, of: frame) && isReadable(F.self, first + 5, of: frame)
          && isReadable(G.self, first + 6, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    let d = ClosureArgument<D>(first + 3, of: frame, self)
    let e = ClosureArgument<E>(first + 4, of: frame, self)
    let f = ClosureArgument<F>(first + 5, of: frame, self)
    let g = ClosureArgument<G>(first + 6, of: frame, self)
    do {
      try a.lend { a in
        try b.lend { b in
          try c.lend { c in try d.lend { d in try e.lend { e in try f.lend { f in try g.lend { g in try body(a, b, c, d, e, f, g) } } } } }
        }
      }
    } catch { fail(error, place, frame) }
  }

  /// Runs a call of eight arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue
  >(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool,
    _ body: (borrowing A, borrowing B, borrowing C, borrowing D, borrowing E, borrowing F, borrowing G, borrowing H) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame) && isReadable(D.self, first + 3, of: frame)
          && isReadable(E.self, first + 4, of: frame) && isReadable(F.self, first + 5, of: frame)
          && isReadable(G.self, first + 6, of: frame) && isReadable(H.self, first + 7, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    let d = ClosureArgument<D>(first + 3, of: frame, self)
    let e = ClosureArgument<E>(first + 4, of: frame, self)
    let f = ClosureArgument<F>(first + 5, of: frame, self)
    let g = ClosureArgument<G>(first + 6, of: frame, self)
    let h = ClosureArgument<H>(first + 7, of: frame, self)
    do {
      try a.lend { a in
        try b.lend { b in
          try c.lend { c in
            try d.lend { d in
              try e.lend { e in try f.lend { f in try g.lend { g in try h.lend { h in try body(a, b, c, d, e, f, g, h) } } } }
            }
          }
        }
      }
    } catch { fail(error, place, frame) }
  }

  /// Runs a call of nine arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue
  >(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool,
    _ body: (borrowing A, borrowing B, borrowing C, borrowing D, borrowing E, borrowing F, borrowing G, borrowing H, borrowing I) throws ->
      Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame) && isReadable(D.self, first + 3, of: frame)
          && isReadable(E.self, first + 4, of: frame) && isReadable(F.self, first + 5, of: frame)
          && isReadable(G.self, first + 6, of: frame) && isReadable(H.self, first + 7, of: frame)
          && isReadable(I.self, first + 8, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    let d = ClosureArgument<D>(first + 3, of: frame, self)
    let e = ClosureArgument<E>(first + 4, of: frame, self)
    let f = ClosureArgument<F>(first + 5, of: frame, self)
    let g = ClosureArgument<G>(first + 6, of: frame, self)
    let h = ClosureArgument<H>(first + 7, of: frame, self)
    let i = ClosureArgument<I>(first + 8, of: frame, self)
    do {
      try a.lend { a in
        try b.lend { b in
          try c.lend { c in
            try d.lend { d in
              try e.lend { e in
                try f.lend { f in try g.lend { g in try h.lend { h in try i.lend { i in try body(a, b, c, d, e, f, g, h, i) } } } }
              }
            }
          }
        }
      }
    } catch { fail(error, place, frame) }
  }

  /// Runs a call of ten arguments; see the form of none.
  @_alwaysEmitIntoClient @inline(__always)
  package func run<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue
  >(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool,
    _ body: (
      borrowing A, borrowing B, borrowing C, borrowing D, borrowing E, borrowing F, borrowing G, borrowing H, borrowing I, borrowing J
    ) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard
      frame.isChecked
        || (hasTarget(frame, first) && isReadable(A.self, first, of: frame) && isReadable(B.self, first + 1, of: frame)
          && isReadable(C.self, first + 2, of: frame) && isReadable(D.self, first + 3, of: frame)
          && isReadable(E.self, first + 4, of: frame) && isReadable(F.self, first + 5, of: frame)
          && isReadable(G.self, first + 6, of: frame) && isReadable(H.self, first + 7, of: frame)
          && isReadable(I.self, first + 8, of: frame) && isReadable(J.self, first + 9, of: frame))
    else { return IncomingFrame.lookCloser(self, frame, place) }
    let a = ClosureArgument<A>(first, of: frame, self)
    let b = ClosureArgument<B>(first + 1, of: frame, self)
    let c = ClosureArgument<C>(first + 2, of: frame, self)
    let d = ClosureArgument<D>(first + 3, of: frame, self)
    let e = ClosureArgument<E>(first + 4, of: frame, self)
    let f = ClosureArgument<F>(first + 5, of: frame, self)
    let g = ClosureArgument<G>(first + 6, of: frame, self)
    let h = ClosureArgument<H>(first + 7, of: frame, self)
    let i = ClosureArgument<I>(first + 8, of: frame, self)
    let j = ClosureArgument<J>(first + 9, of: frame, self)
    do {
      try a.lend { a in
        try b.lend { b in
          try c.lend { c in
            try d.lend { d in
              try e.lend { e in
                try f.lend { f in
                  try g.lend { g in try h.lend { h in try i.lend { i in try j.lend { j in try body(a, b, c, d, e, f, g, h, i, j) } } } }
                }
              }
            }
          }
        }
      }
    } catch { fail(error, place, frame) }
  }
}
