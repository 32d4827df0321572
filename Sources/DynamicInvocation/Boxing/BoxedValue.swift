/// A value with its dynamic type, for an argument whose parameter type is not known when the value is created.
///
/// The signature decides the conversion, not the box: `.int(7)` becomes a `short` for a parameter `s` and a `double`
/// for `d`. Conversion is exact. An integer converts to another integer type if it fits, to a floating-point number if
/// that represents it exactly, and back. A bool converts only to a bool. Null converts only to a pointer, an object, a
/// class, a selector or a block. Geometry converts to any struct with its layout, whatever the name of the struct.
///
/// - Complexity: The rarer and larger cases, 128-bit numbers, `long double` and transforms, store their value on the
///   heap.
@safe
public enum BoxedValue {
  /// Null.
  case null
  /// A bool.
  case bool(Bool)
  /// A signed integer.
  case int(Int)
  /// An unsigned integer.
  case uint(UInt)
  /// A signed integer of 128 bits.
  indirect case int128(Int128)
  /// An unsigned integer of 128 bits.
  indirect case uint128(UInt128)
  /// A single-precision floating-point number.
  case float(Float)
  /// A double-precision floating-point number.
  case double(Double)
  /// A number of C's `long double`.
  indirect case longDouble(LongDouble)
  /// A string: a C string, or the name of a selector.
  case string(String)
  /// An object.
  case object(AnyObject)
  /// A class.
  case type(AnyClass)
  /// A selector.
  case selector(MethodSelector)
  /// An address; it does not keep the memory alive.
  case pointer(UnsafeRawPointer)
  /// A point.
  case point(Geometry.Point)
  /// A size.
  case size(Geometry.Size)
  /// A rectangle.
  case rect(Geometry.Rect)
  /// A vector.
  case vector(Geometry.Vector)
  /// A range of indices.
  case range(Geometry.IndexRange)
  /// Edge insets.
  case insets(Geometry.EdgeInsets)
  /// An offset.
  case offset(Geometry.Offset)
  /// A two-dimensional affine transform.
  indirect case affineTransform(Geometry.Transform2D)
  /// A three-dimensional transform.
  indirect case transform3D(Geometry.Transform3D)
  /// Any value as its bytes and its type: a struct, a union, an array, a vector, a complex number.
  case value(EncodedBytes)
}

extension BoxedValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a bool.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a signed integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a double-precision number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension BoxedValue: CustomStringConvertible {
  /// The value as text: numbers as Swift prints them, strings in quotes, structs in braces, objects by their type.
  ///
  /// A union is shown as its bytes in parentheses, as hexadecimal digits. References within the bytes of a value are
  /// not followed: they are shown as addresses.
  ///
  /// - Complexity: O(bytes of the text), at most about 4,000.
  public var description: String {
    var text = ValueText()
    text.write(self)
    return text.text
  }

  /// Returns several values as text, with the length limit of one value.
  ///
  /// After the limit, each remaining value is `...`.
  package static func descriptions(of values: [BoxedValue]) -> [String] {
    var text = ValueText()
    var length = 0
    return values.map { value in
      guard !text.isFull else { return "..." }
      text.write(value)
      defer { length = text.text.utf8.count }
      return String(text.text.utf8.dropFirst(length)) ?? ""
    }
  }
}

// MARK: By case

extension BoxedValue {
  /// The kind of value in one word, for messages.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int, .uint, .int128, .uint128: "integer"
    case .float, .double, .longDouble: "number"
    case .string: "string"
    case .object: "object"
    case .type: "class"
    case .selector: "selector"
    case .pointer: "pointer"
    case .point, .size, .rect, .vector, .range, .insets, .offset, .affineTransform, .transform3D:
      unsafe withGeometry { type, _ in type.names.noun } ?? ""
    case .value(let value): "value of type \(value.encoding.shortText)"
    }
  }

  /// Calls a closure with the type and the bytes of the geometry struct in the box; returns nil for any other value.
  func withGeometry<Result>(_ body: (any GeometryStruct.Type, UnsafeRawBufferPointer) -> Result) -> Result? {
    func lend<Value: GeometryStruct>(_ value: Value) -> Result { unsafe withUnsafeBytes(of: value) { unsafe body(Value.self, $0) } }
    return switch self {
    case .point(let value): lend(value)
    case .size(let value): lend(value)
    case .rect(let value): lend(value)
    case .vector(let value): lend(value)
    case .range(let value): lend(value)
    case .insets(let value): lend(value)
    case .offset(let value): lend(value)
    case .affineTransform(let value): lend(value)
    case .transform3D(let value): lend(value)
    case .null, .bool, .int, .uint, .int128, .uint128, .float, .double, .longDouble, .string, .object, .type, .selector, .pointer, .value:
      nil
    }
  }

  /// The geometry struct in the box, or nil for any other value.
  package var geometry: (any GeometryStruct)? { unsafe withGeometry { type, bytes in unsafe type.init(copying: bytes) } }
}

extension ValueText {
  /// Writes a boxed value: numbers as Swift prints them, strings in quotes, structs in braces, objects by their type.
  package mutating func write(_ value: BoxedValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append("\(value)")
    case .int(let value): append("\(value)")
    case .uint(let value): append("\(value)")
    case .int128(let value): append("\(value)")
    case .uint128(let value): append("\(value)")
    case .float(let value): append("\(value)")
    case .double(let value): append("\(value)")
    case .longDouble(let value): append("\(value)")
    case .string(let value): writeQuoted(value)
    case .object(let value): append("<\(Swift.type(of: value))>")
    case .type(let value): append("\(value)")
    case .selector(let value): write(selector: UInt(bitPattern: unsafe value.pointer))
    case .pointer(let value): write(address: UInt(bitPattern: value))
    case .point, .size, .rect, .vector, .range, .insets, .offset, .affineTransform, .transform3D:
      append(value.geometry?.description ?? "")
    case .value(let value): write(value)
    }
  }
}

// MARK: - Numbers

extension BoxedValue {
  /// Converts the value to the integer type of a scalar.
  func integer<Number: FixedWidthInteger>(
    _ scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    switch self {
    case .int(let value): return try fit(value, options)
    case .uint(let value): return try fit(value, options)
    case .int128(let value): return try fit(value, options)
    case .uint128(let value): return try fit(value, options)
    case .float(let value): return try fit(Double(value), options)
    case .double(let value): return try fit(value, options)
    case .longDouble(let value):
      if let exact = Int64(exactly: value) { return try fit(exact, options) }
      if options.contains(.truncating) {
        if !Number.isSigned, let exact = UInt64(exactly: value) { return try fit(exact, options) }
        return Self.cut(value.doubleValue)
      }
      return try fit(value)
    case .bool(let value):
      // Objective-C's BOOL is a character type on some platforms.
      guard options.contains(.truncating) || Number.bitWidth == 8 else { throw mismatch(scalar) }
      return value ? 1 : 0
    default: throw mismatch(scalar)
    }
  }

  private func fit<Value: BinaryInteger, Number: FixedWidthInteger>(
    _ value: Value, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    if options.contains(.truncating) { return Number(truncatingIfNeeded: value) }
    guard let number = Number(exactly: value) else { throw InvocationError(.outOfRange, "\(value) does not fit") }
    return number
  }

  private func fit<Number: FixedWidthInteger>(_ value: Double, _ options: ConversionOptions) throws(InvocationError) -> Number {
    if options.contains(.truncating) { return Self.cut(value) }
    if let number = Number(exactly: value) { return number }
    guard value.isFinite, value.rounded() == value else {
      throw InvocationError(.inexact, "\(value) is not a whole number")
    }
    throw InvocationError(.outOfRange, "\(value) does not fit")
  }

  private func fit<Number: FixedWidthInteger>(_ value: LongDouble) throws(InvocationError) -> Number {
    if let exact = Int128(exactly: value) { return try fit(exact, []) }
    if let exact = UInt128(exactly: value) { return try fit(exact, []) }
    // No format has the precision for a fraction of a number this large.
    let isLarge = value >= LongDouble(0x1p127) || value <= LongDouble(-0x1p127)
    let isFinite = value < LongDouble(Double.infinity) && value > LongDouble(-Double.infinity)
    guard isLarge, isFinite else { throw InvocationError(.inexact, "\(value) is not a whole number") }
    throw InvocationError(.outOfRange, "\(value) does not fit")
  }

  /// Truncates the fraction as NSNumber does on Linux.
  ///
  /// The result has the low bits of a signed 64-bit integer, or of a 128-bit one for wider and unsigned 64-bit types.
  private static func cut<Number: FixedWidthInteger>(_ value: Double) -> Number {
    let whole = value.rounded(.towardZero)
    if let number = Number(exactly: whole) { return number }
    if let word = Int64(exactly: whole) { return Number(truncatingIfNeeded: word) }
    guard !value.isNaN, Number.bitWidth > 64 || Number.bitWidth == 64 && !Number.isSigned else {
      return Number(truncatingIfNeeded: Int64.min)
    }
    if let words = Int128(exactly: whole) { return Number(truncatingIfNeeded: words) }
    return Number(truncatingIfNeeded: value < 0 ? Int128.min : Int128.max)
  }

  /// Converts the value to a bool.
  func truth(_ options: ConversionOptions) throws(InvocationError) -> Bool {
    if case .bool(let value) = self { return value }
    guard options.contains(.truncating) else { throw mismatch(.bool) }
    switch self {
    case .int(let value): return value != 0
    case .uint(let value): return value != 0
    case .int128(let value): return value != 0
    case .uint128(let value): return value != 0
    case .float(let value): return value != 0
    case .double(let value): return value != 0
    case .longDouble(let value): return value != LongDouble()
    default: throw mismatch(.bool)
    }
  }

  /// Returns the error for a value that cannot be converted to a number of this type.
  func mismatch(_ scalar: TypeEncoding.Scalar) -> InvocationError {
    InvocationError(
      isNull ? .nullNotAllowed : .typeMismatch, isNull ? "null is no \(scalar.swiftName)" : "\(typeName) \(self) is no \(scalar.swiftName)")
  }

  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension BoxedValue {
  /// Converts the value to C's `long double`.
  func longDouble(_ options: ConversionOptions) throws(InvocationError) -> LongDouble {
    switch self {
    case .longDouble(let value): return value
    case .double(let value): return LongDouble(value)
    case .float(let value): return LongDouble(Double(value))
    case .int(let value): return try exact(value, options)
    case .uint(let value): return try exact(value, options)
    case .int128(let value): return try exact(value, options)
    case .uint128(let value): return try exact(value, options)
    case .bool: return LongDouble(try floatingPoint(.longDouble, options) as Double)
    default: throw mismatch(.longDouble)
    }
  }

  private func exact<Value: FixedWidthInteger>(_ value: Value, _ options: ConversionOptions) throws(InvocationError) -> LongDouble {
    let number = LongDouble(value)
    guard options.contains(.truncating) || Value(exactly: number) == value else { throw inexact }
    return number
  }

  /// Converts the value to the floating-point type of a scalar.
  func floatingPoint<Number: BinaryFloatingPoint>(
    _ scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    switch self {
    case .double(let value): return try narrow(value, options)
    case .float(let value): return try narrow(value, options)
    case .longDouble(let value):
      if let exact = Double(exactly: value) { return try narrow(exact, options) }
      guard options.contains(.truncating) || value != value else { throw inexact }
      return Number(value.doubleValue)
    case .int(let value): return try narrow(integer: value, options)
    case .uint(let value): return try narrow(integer: value, options)
    case .int128(let value): return try narrow(integer: value, options)
    case .uint128(let value): return try narrow(integer: value, options)
    case .bool(let value) where options.contains(.truncating): return value ? 1 : 0
    default: throw mismatch(scalar)
    }
  }

  private func narrow<Value: BinaryFloatingPoint, Number: BinaryFloatingPoint>(
    _ value: Value, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    if let number = Number(exactly: value) { return number }
    guard options.contains(.truncating) || value.isNaN else { throw inexact }
    return Number(value)
  }

  private func narrow<Value: BinaryInteger, Number: BinaryFloatingPoint>(
    integer value: Value, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    if let number = Number(exactly: value) { return number }
    guard options.contains(.truncating) else { throw inexact }
    return Number(value)
  }

  private var inexact: InvocationError { InvocationError(.inexact, "\(self) has no exact value of this type") }
}

// MARK: - Reading

extension BoxedValue {
  /// Reads a value of a type from memory.
  ///
  /// A C string is copied as a string; an object is retained by the box. A struct is read as geometry if it has the
  /// name and the layout of a geometry struct, as `CGRect` or `Geometry.Rect` have; any other struct is read as bytes.
  ///
  /// - Parameters:
  ///   - memory: The address of as many bytes as the type has; it need not be aligned. Pointers in it must be valid for
  ///     their types.
  ///   - type: The type. For void and other types without a size the box is null.
  public init(reading memory: UnsafeRawPointer, as type: TypeEncoding) {
    func load<Value: BitwiseCopyable>(_: Value.Type) -> Value { unsafe memory.loadUnaligned(as: Value.self) }
    switch type.kind {
    case .scalar(let scalar):
      switch scalar.numbers {
      case .bool: self = .bool(load(UInt8.self) != 0)
      case .integer(let type): self = unsafe type.box(at: memory)
      case .floatingPoint(let type): self = unsafe type.box(at: memory)
      case .longDouble: self = .longDouble(load(LongDouble.self))
      case .unavailable(let bits): self = unsafe bits.box(at: memory)
      }
    case .void, .unknown, .bitField: self = .null
    case .structure, .union, .complex, .vector, .array:
      self = unsafe GeometryStructs.type(of: type)?.box(at: memory) ?? .value(EncodedBytes(copying: memory, as: type))
    case .cString, .atom: self = unsafe Self(load(UInt.self)) { .string(unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))) }
    case .object: self = unsafe Self(load(UInt.self)) { .object(unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()) }
    case .classObject: self = ClassReference.type(load(UInt64.self)).map { .type($0) } ?? .null
    case .selector:
      self = unsafe Self(load(UInt.self)) { .selector(unsafe MethodSelector(interned: $0.assumingMemoryBound(to: CChar.self))) }
    case .block, .pointer: self = unsafe Self(load(UInt.self)) { unsafe .pointer($0) }
    }
  }

  /// Creates a box from an address, or null.
  private init(_ address: UInt, _ box: (UnsafeRawPointer) -> BoxedValue) {
    self = unsafe UnsafeRawPointer(bitPattern: address).map(box) ?? .null
  }

  /// Reads a value from a slot of a frame.
  package init(in slot: FrameSlot, of frame: UnsafeRawPointer, as type: TypeEncoding) {
    // An array argument is a pointer to its first element.
    if slot.kind == .pointer {
      self = unsafe Self(UInt(slot.word(of: frame))) { unsafe .pointer($0) }
    } else {
      self = unsafe slot.withValue(in: frame) { unsafe BoxedValue(reading: $0, as: type) }
    }
  }
}

// MARK: - Writing

extension BoxedValue {
  /// The result of converting a boxed value to a type.
  package enum Converted {
    /// A word for a slot; the value is in its low bytes.
    case word(UInt64)
    /// Two words of a 128-bit number or a `long double`.
    case words(UInt64, UInt64)
    /// Bytes in memory.
    case bytes([UInt8])
    /// A string to copy as a C string.
    case text(String)
    /// An object to store a reference to.
    case object(AnyObject)
  }

  /// Converts the value to a type, as the signature requires; errors do not name an argument yet.
  func converted(to type: TypeEncoding, _ options: ConversionOptions) throws(InvocationError) -> Converted {
    if case .value(let value) = self, let scalar = try value.scalar { return try scalar.converted(to: type, options) }
    switch type.kind {
    case .scalar(let scalar): return try converted(to: scalar, options)
    case .cString, .atom:
      guard case .string(let text) = self else { return .word(try address("a text or a pointer")) }
      try requireNoNull(in: text)
      return .text(text)
    case .object:
      if case .object(let object) = self { return .object(object) }
      guard isNull else { throw mismatch("an object") }
      return .word(0)
    case .classObject:
      if case .type(let type) = self { return .word(ClassReference.word(type)) }
      guard isNull else { throw mismatch("a class") }
      return .word(0)
    case .selector:
      switch self {
      case .selector(let selector): return .word(UInt64(unsafe UInt(bitPattern: selector.pointer)))
      case .string(let name):
        try requireNoNull(in: name)
        return .word(UInt64(unsafe UInt(bitPattern: MethodSelector(name).pointer)))
      case .null: return .word(0)
      default: throw mismatch("a selector")
      }
    case .pointer, .block, .array: return .word(try address())
    case .structure, .union, .complex, .vector: return .bytes(try aggregate(of: type))
    case .void, .unknown, .bitField: throw mismatch("a value of this type")
    }
  }

  /// Converts the value to the type of a result, which does not own the memory of a C string.
  func converted(toResult type: TypeEncoding, _ options: ConversionOptions) throws(InvocationError) -> Converted {
    do throws(InvocationError) {
      if case .string = self, type.valueKind == .cString {
        throw InvocationError(.typeMismatch, "a result does not own the memory of a string")
      }
      return try converted(to: type, options)
    } catch {
      throw error.placed(.result, type)
    }
  }

  private func converted(to scalar: TypeEncoding.Scalar, _ options: ConversionOptions) throws(InvocationError) -> Converted {
    switch scalar.numbers {
    case .bool: return .word(try truth(options) ? 1 : 0)
    case .integer(let type):
      let words = try type.words(of: self, as: scalar, options)
      return type.bitWidth > 64 ? .words(words.low, words.high) : .word(words.low)
    case .floatingPoint(let type): return .word(try type.word(of: self, as: scalar, options))
    case .longDouble:
      let number = try longDouble(options)
      // One word or two, as the platform says.
      var words: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &words) { unsafe $0.storeBytes(of: number, as: LongDouble.self) }
      return .words(words.0, words.1)
    case .unavailable: throw InvocationError(.unsupportedType, "Swift has no \(scalar.swiftName) on this platform")
    }
  }

  private func address(_ wanted: String = "a pointer") throws(InvocationError) -> UInt64 {
    switch self {
    case .pointer(let pointer): return UInt64(UInt(bitPattern: pointer))
    case .null: return 0
    default: throw mismatch(wanted)
    }
  }

  private func requireNoNull(in text: String) throws(InvocationError) {
    guard text.utf8.contains(0) else { return }
    throw InvocationError(.typeMismatch, "\(text.debugDescription) contains a null character, which would end the C string")
  }

  /// Returns the bytes of a struct with the layout of the type.
  private func aggregate(of type: TypeEncoding) throws(InvocationError) -> [UInt8] {
    if case .value(let value) = self, value.encoding.valueKind == type.valueKind {
      // The value was read from a call, so the objects it refers to may have been deallocated.
      try value.encoding.requireNoReferences()
      // C may have written any byte as a bool.
      return value.encoding.normalized(value.bytes)
    }
    let bytes = unsafe withGeometry { geometry, bytes in geometry.valueKind == type.valueKind ? unsafe Array(bytes) : nil }
    guard let bytes = bytes ?? nil else { throw mismatch("a value of this layout") }
    return bytes
  }

  private func mismatch(_ wanted: String) -> InvocationError {
    InvocationError(isNull ? .nullNotAllowed : .typeMismatch, isNull ? "null is not \(wanted)" : "\(typeName) \(self) is not \(wanted)")
  }

  /// Writes the value to memory, converted to a type, as a member of a struct or an element of a buffer.
  ///
  /// - Parameters:
  ///   - memory: The address of as many bytes as the type has; it need not be aligned.
  ///   - type: The type. A string is rejected, since nothing would own its copy. A bit-field is rejected, since it has
  ///     no address.
  ///   - options: The conversion options.
  /// - Throws: `InvocationError` as setting an argument does, without an argument.
  public func write(
    to memory: UnsafeMutableRawPointer, as type: TypeEncoding, options: ConversionOptions = []
  ) throws(InvocationError) {
    // As an argument an array is a pointer; in memory it is its elements.
    let converted = if case .array = type.kind { Converted.bytes(try aggregate(of: type)) } else { try converted(to: type, options) }
    switch converted {
    case .word(let word):
      unsafe withUnsafeBytes(of: word) { bytes in
        unsafe memory.copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: min(type.size ?? 0, 8))
      }
    case .words(let low, let high):
      unsafe memory.storeBytes(of: low, as: UInt64.self)
      if type.size == 16 { unsafe memory.storeBytes(of: high, toByteOffset: 8, as: UInt64.self) }
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { source in
        if let address = source.baseAddress { unsafe memory.copyMemory(from: address, byteCount: source.count) }
      }
    case .text:
      throw InvocationError(
        .typeMismatch, "a text in memory has no owner: keep a buffer of characters alive, and set its address, a pointer",
        encoding: type.description)
    case .object(let object):
      unsafe memory.storeBytes(of: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), as: UInt.self)
    }
  }

  /// Writes the value to a slot of a frame.
  ///
  /// Returns whether the frame then owns what the slot refers to.
  package func store(
    in slot: FrameSlot, of frame: UnsafeMutableRawPointer, as type: TypeEncoding, options: ConversionOptions, keeping: Bool
  ) throws(InvocationError) -> Bool {
    unsafe try converted(to: type, options).store(in: slot, of: frame, keeping: keeping)
  }
}

extension BoxedValue.Converted {
  /// Writes the value to a slot of a frame.
  ///
  /// Returns whether the frame then owns what the slot refers to.
  func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    switch self {
    case .word(let word):
      unsafe slot.write(word: word, to: frame)
      return false
    case .words(let low, let high):
      unsafe slot.write(word: low, to: frame)
      unsafe frame.storeBytes(of: high, toByteOffset: Int(slot.offset) + 8, as: UInt64.self)
      return false
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { unsafe slot.write($0, to: frame) }
      return false
    case .text(let text): return unsafe text.store(in: slot, of: frame, keeping: keeping)
    case .object(let object): return unsafe ObjectReference.store(object, in: slot, of: frame, keeping: keeping)
    }
  }
}

/// Options for converting a boxed value to the parameter's type.
public struct ConversionOptions: OptionSet, Sendable, CustomStringConvertible {
  /// One bit for each option.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Converts between numbers as NSNumber does, without an error.
  ///
  /// Integers wrap, fractions are truncated, and precision is lost. A bool becomes 0 or 1, and any number other than 0
  /// becomes true.
  ///
  /// A floating-point number that is NaN or outside the range of a signed 64-bit integer becomes the smallest such
  /// integer, whose low bits are used for narrower types. For an unsigned 64-bit type it is converted through 128 bits
  /// and wraps: 1e20 becomes 1e20 modulo 2 to the power of 64. NSNumber on x86-64 Linux gives the same results;
  /// elsewhere it gives what the processor makes of a number out of range. There are two exceptions. For an unsigned
  /// 64-bit type the fraction of a negative number is truncated here as well, where NSNumber rounds down. Every number
  /// other than 0 is true here, where NSNumber converts 0.5 to false.
  public static let truncating: ConversionOptions = ConversionOptions(rawValue: 1)

  /// The names of the options: `[truncating]`.
  public var description: String { text([(.truncating, "truncating")]) }
}
