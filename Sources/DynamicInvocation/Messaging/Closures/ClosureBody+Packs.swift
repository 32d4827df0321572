// The calls of closures whose parameters are a pack. Those of up to ten are in Generated/ClosureBody+Running.swift: there objects are borrowed.

extension ClosureBody {
  /// Runs a call of any number of arguments after the target and the selector of a method; see the form of none.
  ///
  /// - Parameters:
  ///   - frame: The frame of the call.
  ///   - first: The index of the first argument: 2 for a method, 0 for a function.
  ///   - mayThrow: Whether the call may end with an error.
  ///   - isRefusable: Whether an argument may be no value of its type, such as a null.
  ///   - body: What reads the arguments in order, calls the closure, and writes the result.
  func run(
    _ frame: IncomingFrame, from first: Int, mayThrow: Bool, isRefusable: Bool, reading body: (inout ArgumentReader) throws -> Void
  ) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard frame.isChecked || (!isRefusable && hasTarget(frame, first)) else { return IncomingFrame.lookCloser(self, frame, place) }
    var reader = ArgumentReader(self, frame, from: first)
    do { try body(&reader) } catch { fail(error, place, frame) }
  }
}

extension Closure {
  /// Creates a closure of any number of parameters.
  ///
  /// - Parameters:
  ///   - types: The signature.
  ///   - parameters: The types of the parameters.
  ///   - returnType: The type of the result, or nil for a closure without one.
  ///   - body: What reads the arguments of a call in order, calls the Swift closure, and writes the result. What it captures must be Sendable.
  @usableFromInline
  convenience init(
    _ types: String, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    reading body: @escaping (inout ArgumentReader) -> Void
  ) throws(InvocationError) {
    let isRefusable = parameters.contains { $0.mayBeRefused }
    try self.init(types, parameters, returning: returnType) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false, isRefusable: isRefusable, reading: body)
    }
  }
}

extension LentClosure {
  /// Creates a closure of any number of parameters for the duration of `body`; see the form of a closure that is kept.
  @usableFromInline
  static func lend<Result>(
    _ types: String, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    reading handler: (inout ArgumentReader) -> Void, _ body: (UnsafeRawPointer) throws -> Result
  ) throws -> Result {
    let isRefusable = parameters.contains { $0.mayBeRefused }
    return try withoutActuallyEscaping(handler) { handler in
      try unsafe lend(
        types, parameters, returning: returnType,
        { frame, closure in closure.run(frame, from: 0, mayThrow: false, isRefusable: isRefusable, reading: handler) }, body
      )
    }
  }
}

extension Implementation {
  /// Creates the implementation of a method of any number of parameters.
  ///
  /// - Parameters:
  ///   - targetType: The class of the target.
  ///   - parameters: The types of the parameters after the selector.
  ///   - returnType: The type of the result, or nil if there is no result.
  ///   - throwsError: Whether the method itself may throw an error.
  ///   - body: What reads the arguments of a call in order, calls the method, and writes the result. What it captures must be Sendable.
  @usableFromInline
  init<Target: AnyObject>(
    _ targetType: Target.Type, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    throwing throwsError: Bool,
    reading body: @escaping (Target, inout ArgumentReader) throws -> Void
  ) throws(InvocationError) {
    let isRefusable = parameters.contains { $0.mayBeRefused }
    let mayThrow = throwsError || isRefusable
    try self.init(targetType, parameters, returning: returnType, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow, isRefusable: isRefusable) { (reader: inout ArgumentReader) in
        try closure.withTarget(of: frame) { (target: Target) in try body(target, &reader) }
      }
    }
  }
}

/// Reads the arguments of an incoming call in order, after they were checked to be values of their types.
@usableFromInline
@safe
struct ArgumentReader {
  @usableFromInline let closure: ClosureBody
  @usableFromInline let frame: IncomingFrame
  @usableFromInline var index: Int

  /// Creates a reader that begins at an argument.
  @inlinable @inline(__always)
  init(_ closure: ClosureBody, _ frame: IncomingFrame, from first: Int) {
    self.closure = closure
    self.frame = frame
    index = first
  }

  /// Returns the next argument, as a value of a type.
  @inlinable @inline(__always)
  mutating func next<Value: EncodedValue>(_ type: Value.Type = Value.self) -> Value {
    let slot = unsafe FrameSlot(inOnePiece: closure.slots[index])
    index += 1
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame.memory)) else {
      preconditionFailure("the type \(Value.self) has no value for an argument, but says that it always has")
    }
    return value
  }

  /// Writes the result of the call.
  @inlinable @inline(__always)
  func answer<Value: EncodedValue>(_ value: Value) { closure.answer(value, to: frame) }
}
