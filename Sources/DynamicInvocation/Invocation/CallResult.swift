/// A type that the result of a call can be read as: an encoded value, a ``BoxedValue`` or ``EncodedBytes``.
///
/// An ``EncodedValue`` is read as the type of the result, or as a number type that has all its values. `Int` reads any
/// integer that fits. A ``BoxedValue`` takes a result of any type. ``EncodedBytes`` takes a result without a reference
/// of its own: a struct, for example. To make your own type a result, conform it to ``EncodedValue``.
public protocol CallResult: SendableMetatype {
  /// Returns whether the result of a signature can be read as this type.
  @_documentation(visibility: internal)
  static func isResult(of signature: MethodSignature) -> Bool

  /// Reads the result of a call that has returned, of a signature whose result can be read as this type.
  @_documentation(visibility: internal)
  static func readResult(of signature: MethodSignature, from frame: UnsafeRawPointer) throws(InvocationError) -> Self
}

extension CallResult {
  /// Reads the result as ``readResult(of:from:)`` does, in a closure that cannot throw.
  @inlinable @inline(__always)
  package static func result(of signature: MethodSignature, from frame: UnsafeRawPointer) -> Result<Self, InvocationError> {
    Result { () throws(InvocationError) in try unsafe readResult(of: signature, from: frame) }
  }
}

extension EncodedValue {
  /// Returns whether the result is of the type, a number that the type has a value for, or bytes that are read as a text.
  @_documentation(visibility: internal)
  public static func isResult(of signature: MethodSignature) -> Bool {
    let plan = signature.storage.plan
    return signature.storage.accepts(Self.self, at: plan.count) || WiderNumber(Self.self, of: plan.result.kind) != nil
      || signature.returnsText(Self.self)
  }

  /// Reads the result.
  @_documentation(visibility: internal)
  public static func readResult(of signature: MethodSignature, from frame: UnsafeRawPointer) throws(InvocationError) -> Self {
    let slot = signature.storage.plan.result
    if accepts(slot.kind) || signature.returnsText(Self.self) { return try unsafe slot.value(as: Self.self, of: frame).get() }
    return try unsafe slot.widerValue(as: Self.self, of: frame, .result).get()
  }
}

extension EncodedValue {
  /// Returns whether the type has all values of the number type of a kind, or is `Int`.
  @inline(never) @usableFromInline
  static func isWider(than kind: ValueKind) -> Bool { WiderNumber(Self.self, of: kind) != nil }
}

extension BoxedValue: CallResult {
  /// True: a box takes a value of any type, and void is null.
  @_documentation(visibility: internal)
  public static func isResult(of signature: MethodSignature) -> Bool { true }

  /// Reads the result.
  @_documentation(visibility: internal)
  public static func readResult(of signature: MethodSignature, from frame: UnsafeRawPointer) throws(InvocationError) -> BoxedValue {
    unsafe BoxedValue(in: signature.storage.plan.result, of: frame, as: signature.returnType)
  }
}

extension EncodedBytes: CallResult {
  /// Returns whether the result has a size and is no reference.
  @_documentation(visibility: internal)
  public static func isResult(of signature: MethodSignature) -> Bool {
    switch signature.returnType.kind {
    case .void, .unknown, .bitField, .cString, .atom, .object, .block, .classObject, .selector: false
    case .scalar, .complex, .vector, .pointer, .array, .structure, .union: signature.returnType.size != nil
    }
  }

  /// Copies the bytes of the result.
  @_documentation(visibility: internal)
  public static func readResult(of signature: MethodSignature, from frame: UnsafeRawPointer) throws(InvocationError) -> EncodedBytes {
    unsafe signature.storage.plan.result.withValue(in: frame) { unsafe EncodedBytes(copying: $0, as: signature.returnType) }
  }
}

/// The conversion of a number of C to a wider number type of Swift.
///
/// It mirrors the conversion of literals: an integer becomes each integer type that has all values of the integer's
/// type, and a floating-point number each wider one. `Int`, the type of Swift's integer literals, takes each integer
/// that fits. A bool is not a number, and an integer is not a floating-point number.
struct WiderNumber {
  private let source: TypeEncoding.Scalar
  private let target: TypeEncoding.Scalar

  /// Creates the conversion of numbers of a kind to a type; nil if there is none.
  init?(_ type: any EncodedValue.Type, of kind: ValueKind) {
    // A type that is passed as its raw value is none.
    guard let source = kind.scalar, let target = (type as? any _ScalarValue.Type)?.scalar else { return nil }
    if case .unavailable = source.numbers { return nil }
    let isWider =
      switch (source.traits.format, target.traits.format) {
      case (.signedInteger, .signedInteger), (.unsignedInteger, .unsignedInteger): source.size < target.size
      case (.unsignedInteger, .signedInteger): source.size < target.size
      case (.floatingPoint, .floatingPoint): source.size < target.size
      case (.floatingPoint, .longDouble): true
      default: false
      }
    guard isWider || type == Int.self && source.isInteger && source != .bool else { return nil }
    self.source = source
    self.target = target
  }

  /// The names of the types that a result of a scalar can be read as, for messages; nil for a bool and a `long double`.
  static func names(_ scalar: TypeEncoding.Scalar) -> String? {
    switch scalar.traits.format {
    case .signedInteger, .unsignedInteger: scalar == .int64 ? "Int" : "\(scalar.swiftName) or Int"
    case .floatingPoint: scalar == .double ? nil : "\(scalar.swiftName) or Double"
    case .bool, .longDouble: nil
    }
  }

  /// Converts the number in a slot to the two words of the wider type; nil if an `Int` is too small for it.
  ///
  /// Bytes above the number are not read: C leaves anything there.
  fileprivate func words(of slot: FrameSlot, in frame: UnsafeRawPointer) -> (UInt64, UInt64)? {
    unsafe slot.withValue(in: frame) { memory in
      switch source.numbers {
      case .integer(let type): unsafe Self.words(type, at: memory, fitsInt: target == .int64)
      case .floatingPoint(let type): unsafe Self.words(type, at: memory, as: target)
      case .bool, .longDouble, .unavailable: nil
      }
    }
  }

  private static func words<Number: ScalarInteger>(_: Number.Type, at memory: UnsafeRawPointer, fitsInt: Bool) -> (UInt64, UInt64)? {
    let number = unsafe memory.loadUnaligned(as: Number.self)
    if fitsInt, Int(exactly: number) == nil { return nil }
    return (UInt64(truncatingIfNeeded: number), UInt64(truncatingIfNeeded: Int128(truncatingIfNeeded: number) >> 64))
  }

  private static func words<Number: ScalarFloatingPoint>(
    _: Number.Type, at memory: UnsafeRawPointer, as target: TypeEncoding.Scalar
  ) -> (UInt64, UInt64)? {
    let number = Double(unsafe memory.loadUnaligned(as: Number.self))
    func word<Wider: ScalarFloatingPoint>(_: Wider.Type) -> UInt64 { Wider(number).word }
    guard case .floatingPoint(let type) = target.numbers else {
      var words: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &words) { unsafe $0.storeBytes(of: LongDouble(number), as: LongDouble.self) }
      return words
    }
    return (word(type), 0)
  }

  /// The error for a number that an `Int` is too small for.
  fileprivate func outOfRange(_ slot: FrameSlot, in frame: UnsafeRawPointer, _ place: InvocationError.Argument) -> InvocationError {
    let type = TypeEncoding(.scalar(source))
    let number = unsafe BoxedValue(in: slot, of: frame, as: type)
    return InvocationError(
      .outOfRange, "\(number) does not fit Int; ask for \(source.swiftName)", argument: place, encoding: type.description)
  }
}

extension FrameSlot {
  /// Reads the number of a slot as a wider number type, for which the slot's kind has a ``WiderNumber``.
  ///
  /// Not inlined: it is the path of a value that is not of the slot's own type.
  @inline(never) @usableFromInline
  func widerValue<Value: EncodedValue>(
    as type: Value.Type, of frame: UnsafeRawPointer, _ place: InvocationError.Argument
  ) -> Result<Value, InvocationError> {
    guard let wider = WiderNumber(type, of: kind) else { preconditionFailure("\(type) is no wider number") }
    guard let words = unsafe wider.words(of: self, in: frame) else { return .failure(unsafe wider.outOfRange(self, in: frame, place)) }
    return unsafe withUnsafePointer(to: words) { unsafe FrameSlot(wordOf: type.valueKind).value(as: type, of: UnsafeRawPointer($0)) }
  }
}
