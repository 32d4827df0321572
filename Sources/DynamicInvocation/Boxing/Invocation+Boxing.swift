extension Invocation {
  /// Sets an argument from a boxed value, converted to the argument's type.
  ///
  /// - Parameters:
  ///   - value: The box.
  ///   - index: The index. For a method, 0 is the target and 1 is the selector.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `InvocationError` with the argument, its encoding and the value: `indexOutOfRange`, `typeMismatch`,
  ///   `outOfRange`, `inexact`, `nullNotAllowed`. The argument is then unchanged.
  /// - Complexity: O(bytes of the value). A string is copied.
  public func setArgument(boxed value: BoxedValue, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    defer { keepAlive() }
    try core.set(boxed: value, at: index, options)
  }

  /// Sets the arguments from boxed values; for a method, those after the target and the selector.
  ///
  /// - Throws: `InvocationError` `countMismatch` when the number of values is not the number of arguments, and the
  ///   errors of setting an argument. The arguments before the failing one are set.
  public func setArguments(boxed values: [BoxedValue], options: ConversionOptions = []) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    guard values.count == count - first else {
      throw core.named(methodSignature.countMismatch(values.count, of: count - first))
    }
    for (offset, value) in values.enumerated() { try setArgument(boxed: value, at: first + offset, options: options) }
  }

  /// Returns an argument as a boxed value.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`.
  public func boxedArgument(at index: Int) throws(InvocationError) -> BoxedValue {
    defer { keepAlive() }
    return unsafe BoxedValue(in: try core.slotOfArgument(at: index), of: frame, as: methodSignature.types.arguments[index])
  }

  /// Returns the result as a boxed value; a void result is returned as null.
  ///
  /// - Throws: `InvocationError` `noReturnValue` before there is a result.
  public func boxedReturnValue() throws(InvocationError) -> BoxedValue {
    defer { keepAlive() }
    return try core.boxedResult()
  }

  /// Sets the result from a boxed value, converted to the return type.
  ///
  /// - Throws: `InvocationError` as setting an argument does, and `typeMismatch` for a string, because a result does
  ///   not own the memory of its C string.
  public func setReturnValue(boxed value: BoxedValue, options: ConversionOptions = []) throws(InvocationError) {
    let type = methodSignature.returnType
    if case .string = value, plan.result.kind == .cString {
      throw core.named(InvocationError(.typeMismatch, "a result does not own the memory of a string").placed(.result, type))
    }
    do {
      _ = unsafe try value.store(in: plan.result, of: frame, as: type, options: options, keeping: false)
    } catch {
      throw core.named(error.placed(.result, type))
    }
    core.keepResult()
  }

  // MARK: Tuples and structs that declare no encoding

  /// Sets an argument from a value without references, with the type that an encoding specifies.
  ///
  /// Use this for a tuple, `(1, 2.5) as (Int32, Double)` encoded as `{?=id}`, or for a struct imported from C.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, and `typeMismatch` when the value's size or alignment differs
  ///   from that of the encoding, when the encoding's layout differs from that of the argument, and for an encoding
  ///   with references, which are never created from bytes.
  public func setArgument<Value: BitwiseCopyable>(
    _ value: Value, as encoding: TypeEncoding, at index: Int
  ) throws(InvocationError) {
    guard index >= 0, index < count else { throw core.indexOutOfRange(index) }
    guard unsafe slots[index].kind == encoding.valueKind else { throw core.mismatch(Value.self, .index(index)) }
    do {
      try setArgument(boxed: .value(EncodedBytes(value, as: encoding)), at: index)
    } catch {
      throw core.named(error.at(.index(index)))
    }
  }

  /// Returns an argument as a value without references, with the type that an encoding specifies.
  ///
  /// The bytes must be a valid value of the Swift type, which cannot be checked: most byte patterns are invalid for an
  /// enum or a `Bool`.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`, and `typeMismatch` as setting it does.
  @unsafe
  public func argument<Value: BitwiseCopyable>(
    at index: Int, as type: Value.Type, encoded encoding: TypeEncoding
  ) throws(InvocationError) -> Value {
    try value(in: core.slotOfArgument(at: index), as: type, encoded: encoding, .index(index))
  }

  /// Returns the result as a value without references, with the type that an encoding specifies.
  ///
  /// The bytes must be a valid value of the Swift type, which cannot be checked: most byte patterns are invalid for an
  /// enum or a `Bool`.
  ///
  /// - Throws: `InvocationError` `noReturnValue`, and `typeMismatch` as setting an argument does.
  @unsafe
  public func returnValue<Value: BitwiseCopyable>(
    as type: Value.Type, encoded encoding: TypeEncoding
  ) throws(InvocationError) -> Value {
    guard hasReturnValue else { throw core.noResult() }
    return try value(in: plan.result, as: type, encoded: encoding, .result)
  }

  private func value<Value: BitwiseCopyable>(
    in slot: FrameSlot, as type: Value.Type, encoded encoding: TypeEncoding, _ place: InvocationError.Argument
  ) throws(InvocationError) -> Value {
    defer { keepAlive() }
    guard encoding.size == MemoryLayout<Value>.stride, encoding.alignment == MemoryLayout<Value>.alignment,
      encoding.valueKind == slot.kind, !encoding.holdsReferences
    else { throw core.mismatch(type, place) }
    return unsafe slot.withValue(in: frame) { unsafe $0.loadUnaligned(as: type) }
  }
}

extension InvocationError {
  /// Returns the error with an argument and the argument's type.
  package func placed(_ argument: Argument, _ type: TypeEncoding) -> InvocationError {
    InvocationError(code, reason, argument: argument, encoding: type.description, candidates: candidates)
  }
}
