public import DynamicInvocation

/// Writes the arguments of an event into a handler's frame, in order, and checks each against its parameter.
@usableFromInline
@safe
struct ArgumentWriter {
  @usableFromInline let parameters: UnsafePointer<BoxedParameter>
  @usableFromInline let frame: UnsafeMutableRawPointer
  @usableFromInline let handler: HandlerCall
  @usableFromInline var index = 0
  /// A bit for each argument whose value the frame owns.
  @usableFromInline var owned: UInt64 = 0

  @inlinable @inline(__always)
  init(_ frame: UnsafeMutableRawPointer, _ handler: HandlerCall) {
    unsafe parameters = handler.record.pointee.layout.parameters.unsafelyUnwrapped
    unsafe self.frame = frame
    self.handler = handler
  }

  /// Writes a typed value: directly when the parameter has its type, otherwise as a box that is converted.
  @inlinable @inline(__always)
  mutating func write<Value: _BoxConvertible>(_ value: Value) throws {
    let slot = unsafe parameters[index].slot
    if Value.accepts(slot.kind) {
      if Value.hasPointee { try checkPointee(of: Value.self) }
      if unsafe value.store(in: slot, of: frame, keeping: false) { owned |= 1 << UInt64(truncatingIfNeeded: index) }
      index &+= 1
    } else {
      try write(try BoxedValue(copying: value))
    }
  }

  /// Compares what a pointer points to with what the parameter points to.
  ///
  /// - Throws: ``DeliveryFailure`` if they differ.
  @usableFromInline @inline(never)
  func checkPointee<Value: _BoxConvertible>(of value: Value.Type) throws {
    guard let pointee = value.encodedType.pointeeType else { return }
    let type = handler.registration.argumentTypes[index]
    let parameter = handler.parameterType(index)
    // The encoding of a Swift closure's parameter does not state what it points to.
    let matches = (parameter?.encodedType.pointeeType).map { $0 == pointee } ?? PointeeComparison.matches(pointee, type)
    guard !matches else { return }
    let reason = "\(value) is not \(parameter.map { "\($0)" } ?? "a pointer to what the parameter points to")"
    throw DeliveryFailure(reason: InvocationError(.typeMismatch, reason).placed(.index(index + 1), type))
  }

  /// Writes a boxed value, converted exactly.
  @usableFromInline
  mutating func write(_ box: BoxedValue) throws {
    if try unsafe handler.store(box, index, in: frame) { owned |= 1 << UInt64(truncatingIfNeeded: index) }
    index &+= 1
  }

  /// Writes a box that needs the engine's conversion.
  @inline(never)
  mutating func convert(_ box: UnsafePointer<BoxedValue>, _ index: Int) throws {
    if try unsafe handler.store(box.pointee, index, in: frame) { owned |= 1 << UInt64(truncatingIfNeeded: index) }
  }

  /// Releases the values that the frame owns.
  @inlinable @inline(__always)
  func release() {
    if owned != 0 { releaseOwned() }
  }

  @usableFromInline
  func releaseOwned() { unsafe Self.release(owned, parameters, in: frame) }

  /// Releases the values of the arguments whose bits are set.
  @inline(never) @usableFromInline
  static func release(_ owned: UInt64, _ parameters: UnsafePointer<BoxedParameter>, in frame: UnsafeRawPointer) {
    var rest = owned
    while rest != 0 {
      let slot = unsafe parameters[rest.trailingZeroBitCount].slot
      slot.releaseOwned(word: unsafe frame.load(fromByteOffset: Int(slot.offset), as: UInt64.self))
      rest &= rest - 1
    }
  }
}

extension _BoxConvertible {
  /// Whether the type is a pointer whose pointee has a type.
  @inlinable @inline(__always)
  static var hasPointee: Bool { encodedType.pointeeType != nil }
}
