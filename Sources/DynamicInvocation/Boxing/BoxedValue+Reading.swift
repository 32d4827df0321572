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
