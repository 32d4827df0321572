extension Invocation {
  /// Sets an argument from a boxed value, converted to the argument's type.
  ///
  /// - Parameters:
  ///   - value: The box.
  ///   - index: The index; of a method 0 is the target, 1 the selector.
  ///   - options: How to convert; exactly by default.
  /// - Throws: ``InvocationError`` with the argument, its encoding and the value: `indexOutOfRange`, `typeMismatch`, `outOfRange`, `inexact`,
  ///   `nullNotAllowed`. The argument then keeps what it had.
  /// - Complexity: O(bytes of the value). A string is copied.
  public func setArgument(boxed value: BoxedValue, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    defer { keepAlive() }
    try core.set(boxed: value, at: index, options)
  }

  /// Sets the arguments, of a method those after the target and the selector, from boxed values.
  ///
  /// - Throws: ``InvocationError`` `countMismatch` when the values are not as many as the arguments, and what setting one throws. The arguments
  ///   before the failing one are set.
  public func setArguments(boxed values: [BoxedValue], options: ConversionOptions = []) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    guard values.count == count - first else {
      throw core.named(methodSignature.countMismatch(values.count, of: count - first))
    }
    for (offset, value) in values.enumerated() { try setArgument(boxed: value, at: first + offset, options: options) }
  }

  /// Returns an argument as a boxed value.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `argumentNotSet`.
  public func boxedArgument(at index: Int) throws(InvocationError) -> BoxedValue {
    defer { keepAlive() }
    return unsafe BoxedValue(in: try core.slotOfArgument(at: index), of: frame, as: methodSignature.types.arguments[index])
  }

  /// Returns the result as a boxed value; null for void.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one.
  public func boxedReturnValue() throws(InvocationError) -> BoxedValue {
    defer { keepAlive() }
    return try core.boxedResult()
  }

  /// Sets the result from a boxed value, converted to the return type.
  ///
  /// - Throws: ``InvocationError`` as setting an argument does, and `typeMismatch` for a string, which a result does not own.
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

  /// Sets an argument from a value without references, of the type that an encoding says.
  ///
  /// This is the way for a tuple, `(1, 2.5) as (Int32, Double)` encoded as `{?=id}`, or a struct imported from C.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`, and `typeMismatch` when size or alignment differ from the encoding's, or the encoding's layout from
  ///   the argument's, and for an encoding with references, which are never made of bytes.
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

  /// Returns an argument as a value without references, of the type that an encoding says.
  ///
  /// Nothing can check that the bytes are a value of the Swift type: of an enum or a `Bool` most are none.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `argumentNotSet`, and `typeMismatch` as setting it does.
  @unsafe
  public func argument<Value: BitwiseCopyable>(
    at index: Int, as type: Value.Type, encoded encoding: TypeEncoding
  ) throws(InvocationError) -> Value {
    try value(in: core.slotOfArgument(at: index), as: type, encoded: encoding, .index(index))
  }

  /// Returns the result as a value without references, of the type that an encoding says.
  ///
  /// Nothing can check that the bytes are a value of the Swift type: of an enum or a `Bool` most are none.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue`, and `typeMismatch` as setting an argument does.
  @unsafe
  public func returnValue<Value: BitwiseCopyable>(
    as type: Value.Type, encoded encoding: TypeEncoding
  ) throws(InvocationError) -> Value {
    guard hasReturnValue else { throw core.noResult() }
    return try value(in: plan.result, as: type, encoded: encoding, .result)
  }

  private func value<Value: BitwiseCopyable>(
    in slot: Slot, as type: Value.Type, encoded encoding: TypeEncoding, _ place: InvocationError.Argument
  ) throws(InvocationError) -> Value {
    defer { keepAlive() }
    guard encoding.size == MemoryLayout<Value>.stride, encoding.alignment == MemoryLayout<Value>.alignment,
      encoding.valueKind == slot.kind, !encoding.holdsReferences
    else { throw core.mismatch(type, place) }
    return unsafe slot.withValue(in: frame) { unsafe $0.loadUnaligned(as: type) }
  }
}

extension InvocationError {
  /// The error at an argument of a type.
  package func placed(_ argument: Argument, _ type: TypeEncoding) -> InvocationError {
    InvocationError(code, reason, argument: argument, encoding: type.description, candidates: candidates)
  }
}
