// Written by make generate from Scripts/Templates/DynamicInvocation/ClosureBody+Running.swift.template.

// One overload for each number of arguments up to four.

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
}
