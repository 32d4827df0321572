/// A Swift type that boxed values are converted to and from, exactly: each ``EncodedValue``, and an optional of one.
///
/// An optional represents null as nil, whatever type it wraps. Therefore optional numbers and structs are supported
/// too, although C has no null for them. Conform to ``EncodedValue``, never to this protocol alone.
public protocol _BoxConvertible: SendableMetatype {
  /// The type itself, or the wrapped type of an optional.
  static var encodedType: any EncodedValue.Type { get }

  /// Returns whether a slot of a kind can be written from, and read as, this type.
  static func accepts(_ kind: ValueKind) -> Bool

  /// Writes the value to a slot of a kind that the type accepts; see ``EncodedValue/store(in:of:keeping:)``.
  func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool

  /// Reads a value from a slot of a kind that the type accepts; see ``EncodedValue/load(from:of:)``.
  static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self?

  /// Returns the value of a box, converted as ``BoxedValue/value(as:options:)`` does.
  static func unboxed(_ box: BoxedValue, options: ConversionOptions) throws(InvocationError) -> Self

  /// Returns the value as a box.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the type's encoding does not match Swift's layout, and the
  ///   errors of an encoding that cannot be an argument.
  func boxed() throws(InvocationError) -> BoxedValue
}

extension EncodedValue {
  /// The type itself.
  @inlinable public static var encodedType: any EncodedValue.Type { Self.self }

  /// Converts a box as for an argument of the type.
  ///
  /// - Throws: `InvocationError` as `Invocation.setArgument(boxed:at:options:)` does.
  public static func unboxed(_ box: BoxedValue, options: ConversionOptions) throws(InvocationError) -> Self {
    let place = try ArgumentPlace(of: Self.self)
    guard accepts(place.slot.kind) else { throw .foreignLayout(Self.self) }
    return try unsafe place.withFrame { frame throws(InvocationError) in
      let isOwned = try unsafe place.store(box, options, in: frame)
      defer { if isOwned { unsafe place.slot.releaseOwned(of: frame) } }
      guard let value = unsafe load(from: place.slot, of: frame) ?? (valueTraits.objectClass.flatMap { box.wrapped(for: $0) } as? Self)
      else {
        throw place.failure(of: box, as: Self.self)
      }
      return value
    }
  }

  /// Creates a box by storing the value in a frame of one argument.
  ///
  /// - Throws: `InvocationError` when the type cannot be an argument.
  public func boxed() throws(InvocationError) -> BoxedValue {
    let place = try ArgumentPlace(of: Self.self)
    guard Self.accepts(place.slot.kind) else { throw .foreignLayout(Self.self) }
    return try unsafe place.withFrame { frame throws(InvocationError) in
      let isOwned = unsafe store(in: place.slot, of: frame, keeping: false)
      defer { if isOwned { unsafe place.slot.releaseOwned(of: frame) } }
      return unsafe place.load(from: frame)
    }
  }
}

extension Optional: _BoxConvertible where Wrapped: EncodedValue {
  /// The wrapped type.
  @inlinable public static var encodedType: any EncodedValue.Type { Wrapped.self }
  /// Returns whether the wrapped type has a null in C and accepts the kind: only then can an optional be stored in a slot.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { Wrapped.valueTraits.hasNull && Wrapped.accepts(kind) }

  /// Writes the value, or null.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    guard let self else {
      unsafe slot.write(word: 0, to: frame)
      return false
    }
    return unsafe self.store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the value; `.some(nil)` for null, and nil if a value other than null is not valid for the wrapped type.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Wrapped?? {
    if let value = unsafe Wrapped.load(from: slot, of: frame) { return .some(.some(value)) }
    return unsafe Wrapped.valueTraits.hasNull && slot.word(of: frame) == 0 ? .some(.none) : .none
  }

  /// Returns nil for null, otherwise the value of the wrapped type.
  ///
  /// - Throws: The errors of the wrapped type.
  public static func unboxed(_ box: BoxedValue, options: ConversionOptions) throws(InvocationError) -> Wrapped? {
    box.isNull ? nil : try Wrapped.unboxed(box, options: options)
  }

  /// Returns the value as a box, null for nil.
  ///
  /// - Throws: The errors of the wrapped type.
  public func boxed() throws(InvocationError) -> BoxedValue {
    guard let self else { return .null }
    return try self.boxed()
  }
}

extension BoxedValue {
  /// Returns the value as a Swift type, converted exactly as for an argument of that type.
  ///
  ///     try BoxedValue.int(7).value(as: Double.self)     // 7.0
  ///     try BoxedValue.null.value(as: Int?.self)         // nil
  ///
  /// - Parameters:
  ///   - type: The type; for an optional, null becomes nil.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `InvocationError` `typeMismatch`, `outOfRange`, `inexact`, and `nullNotAllowed` for null when the type
  ///   is not an optional.
  /// - Complexity: O(bytes of the value); copies a string.
  public func value<Value: _BoxConvertible>(
    as type: Value.Type = Value.self, options: ConversionOptions = []
  ) throws(InvocationError) -> Value {
    try Value.unboxed(self, options: options)
  }
}

extension [BoxedValue] {
  /// Returns the argument at an index as a Swift type, converted exactly.
  ///
  ///     let index = try arguments.value(at: 0, as: Int.self)
  ///
  /// - Parameters:
  ///   - index: The index among these boxes, from 0.
  ///   - type: The type; for an optional, null becomes nil.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `InvocationError` `indexOutOfRange`, and the errors of ``BoxedValue/value(as:options:)``, with the
  ///   index.
  /// - Complexity: O(bytes of the value); copies a string.
  public func value<Value: _BoxConvertible>(
    at index: Int, as type: Value.Type = Value.self, options: ConversionOptions = []
  ) throws(InvocationError) -> Value {
    guard indices.contains(index) else {
      throw InvocationError(.indexOutOfRange, "there are \(count) arguments", argument: .index(index))
    }
    do throws(InvocationError) {
      return try self[index].value(as: type, options: options)
    } catch {
      throw error.placed(.index(index), Value.encodedType.typeEncoding)
    }
  }
}

extension InvocationError {
  /// Returns the error for a type that declares an encoding which does not match its layout in Swift.
  package static func foreignLayout(_ type: any EncodedValue.Type, argument: Argument? = nil) -> InvocationError {
    InvocationError(
      .typeMismatch, "\(type) declares an encoding that is not Swift's layout", argument: argument,
      encoding: type.typeEncoding.description)
  }
}

/// An argument of a frame, with the case of the boxes that are written to it without a conversion.
///
/// It is the fast path of a call with boxed arguments: most boxes contain a value of the parameter's own type.
@usableFromInline
@safe
package struct BoxedParameter {
  /// The case of a box whose payload is stored directly, and how it is stored.
  @usableFromInline
  enum Match: UInt8 {
    case int, narrowInt, uint, narrowUInt, double, bool, object, point, range, rect
    /// No case: every box is converted.
    case none
  }

  /// The slot of the argument.
  @usableFromInline
  package let slot: FrameSlot
  @usableFromInline let match: Match
  /// Whether null is a value of the argument.
  @usableFromInline let hasNull: Bool

  /// Creates a parameter from a slot; the slot's kind determines the match.
  package init(_ slot: FrameSlot) {
    self.slot = slot
    hasNull = slot.kind.hasNull
    // Layouts with the same members, such as a point's and a size's, have the same kind.
    let isContiguous = slot.storage == .bytes
    match =
      switch slot.kind {
      case ValueKind(.int64): .int
      case ValueKind(.int8), ValueKind(.int16), ValueKind(.int32): .narrowInt
      case ValueKind(.uint64): .uint
      case ValueKind(.uint8), ValueKind(.uint16), ValueKind(.uint32): .narrowUInt
      case ValueKind(.double): .double
      case ValueKind(.bool): .bool
      case .object: .object
      case Geometry.Rect.valueKind where isContiguous: .rect
      case Geometry.Point.valueKind where isContiguous: .point
      case Geometry.IndexRange.valueKind where isContiguous: .range
      default: .none
      }
  }

  /// Writes a box to a frame if its value has the argument's type.
  ///
  /// Returns whether it did.
  ///
  /// An object is not retained: the caller must keep the box alive.
  @inlinable @inline(__always)
  package func write(_ box: UnsafePointer<BoxedValue>, to frame: UnsafeMutableRawPointer) -> Bool {
    let place = unsafe frame + Int(slot.offset)
    switch match {
    case .int:
      guard case .int(let number) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: number, as: Int.self)
    case .narrowInt:
      guard case .int(let number) = unsafe box.pointee else { return false }
      let unused = 64 - 8 * Int(slot.size)
      guard (number &<< unused) &>> unused == number else { return false }
      unsafe place.storeBytes(of: number, as: Int.self)
    case .uint:
      guard case .uint(let number) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: number, as: UInt.self)
    case .narrowUInt:
      guard case .uint(let number) = unsafe box.pointee, number &>> (8 * UInt(slot.size)) == 0 else { return false }
      unsafe place.storeBytes(of: number, as: UInt.self)
    case .double:
      guard case .double(let number) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: number, as: Double.self)
    case .bool:
      guard case .bool(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value ? 1 : 0, as: UInt64.self)
    case .object:
      guard case .object(let object) = unsafe box.pointee else { return unsafe writeNull(box, to: place) }
      unsafe place.storeBytes(of: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), as: UInt.self)
    case .point:
      guard case .point(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value, as: Geometry.Point.self)
    case .range:
      guard case .range(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value, as: Geometry.IndexRange.self)
    case .rect:
      guard case .rect(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value, as: Geometry.Rect.self)
    case .none: return unsafe writeNull(box, to: place)
    }
    return true
  }

  /// Writes null if the box is null and the argument has a null.
  ///
  /// Returns whether it did.
  @inlinable @inline(__always)
  func writeNull(_ box: UnsafePointer<BoxedValue>, to place: UnsafeMutableRawPointer) -> Bool {
    guard hasNull, case .null = unsafe box.pointee else { return false }
    unsafe place.storeBytes(of: 0, as: UInt64.self)
    return true
  }
}

/// A frame of one argument, in which a value is converted.
///
/// Its functions are not generic, and so exist once for all types.
@safe
struct ArgumentPlace {
  private let type: TypeEncoding
  private let signature: MethodSignature
  let slot: FrameSlot

  @inline(never)
  init(of type: any EncodedValue.Type) throws(InvocationError) {
    self.type = type.typeEncoding
    signature = try MethodSignature(MethodTypes(result: "v", arguments: [self.type]))
    slot = unsafe signature.storage.plan.slots[0]
  }

  /// Calls a function with an uninitialized frame.
  func withFrame<Result>(
    _ body: (UnsafeMutableRawPointer) throws(InvocationError) -> Result
  ) throws(InvocationError) -> Result {
    defer { withExtendedLifetime(signature) {} }
    let plan = signature.storage.plan
    return try unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) {
      memory -> Swift.Result<Result, InvocationError> in
      do throws(InvocationError) {
        return .success(try unsafe body(memory.baseAddress.unsafelyUnwrapped))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Stores a box in a frame, and returns whether the frame owns what it stored.
  @inline(never)
  func store(_ box: BoxedValue, _ options: ConversionOptions, in frame: UnsafeMutableRawPointer) throws(InvocationError) -> Bool {
    do throws(InvocationError) {
      return try unsafe box.store(in: slot, of: frame, as: type, options: options, keeping: false)
    } catch {
      throw InvocationError(error.code, error.reason, encoding: type.description, candidates: error.candidates)
    }
  }

  /// Returns the box of the value in a frame.
  @inline(never)
  func load(from frame: UnsafeRawPointer) -> BoxedValue { unsafe BoxedValue(in: slot, of: frame, as: type) }

  /// Returns the error for a box that was stored and is no value of a type.
  @inline(never)
  func failure(of box: BoxedValue, as type: any EncodedValue.Type) -> InvocationError {
    if case .object(let object) = box {
      return InvocationError(
        .typeMismatch, "an object of the class \(Swift.type(of: object)) is no \(type)", encoding: self.type.description)
    }
    return InvocationError(.nullNotAllowed, "null is no \(type); ask for an optional", encoding: self.type.description)
  }
}
