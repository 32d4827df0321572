import DynamicInvocation

extension ValueReader {
  /// An argument ready for the call.
  struct Argument {
    /// The address of its value.
    var value: UnsafeMutableRawPointer
    /// The buffer that it points to, if the argument was given as an array.
    var buffer: Buffer?
  }

  /// Memory that a callee may write to, returned in the answer.
  struct Buffer {
    var address: UnsafeMutableRawPointer
    var element: TypeEncoding
    var count: Int
  }

  /// Reads an argument.
  ///
  /// An array given for a pointer becomes a buffer of the pointee type that lives for the duration of the call.
  mutating func argument(_ value: JSONValue, as type: TypeEncoding) throws(InvocationError) -> Argument {
    var isArray = false
    if case .array = type.kind { isArray = true }
    let memory = try placed(type) { [arena] () throws(InvocationError) in
      try arena.allocate(byteCount: isArray ? 8 : max(type.size ?? 0, 16), alignment: max(isArray ? 1 : type.alignment ?? 1, 16))
    }
    if case .array(let elements) = value, let element = try bufferElement(of: type) {
      if case .array(let count, _) = type.kind, count != elements.count {
        throw failure(.countMismatch, "\(elements.count.counted("value")) given, the type has \(count)", type)
      }
      let buffer = try buffer(elements, of: element, type)
      store(address: UInt64(UInt(bitPattern: buffer.address)), in: memory)
      return Argument(value: memory, buffer: buffer)
    }
    if isArray {
      store(address: try address(value, type), in: memory)
    } else if type.isText, let address = value.statedAddress {
      // Only for a whole argument: a member of a buffer is read back as a C string after the call, which the address
      // may not be.
      store(address: try self.address(address, type), in: memory)
    } else {
      try read(value, as: type, into: memory)
    }
    return Argument(value: memory, buffer: nil)
  }

  /// Returns the element type of an array given for a type, or nil if the type is passed by value or only as an
  /// address.
  private func bufferElement(of type: TypeEncoding) throws(InvocationError) -> TypeEncoding? {
    switch type.kind {
    // Characters and untyped memory are bytes.
    case .cString: return "C"
    case .array(_, let element): return element
    case .pointer(let target):
      switch target.kind {
      case .void: return "C"
      case .unknown: return nil
      default: break
      }
      guard target.size != nil else {
        throw failure(.unsupportedType, "a buffer of an incomplete type has no size; pass null or an address", type)
      }
      return target
    default: return nil
    }
  }

  private mutating func buffer(
    _ elements: [JSONValue], of element: TypeEncoding, _ type: TypeEncoding
  ) throws(InvocationError) -> Buffer {
    let limit = Caller.mostValues
    guard elements.count <= limit, elements.count * element.valueCount(limit: limit) <= limit else {
      throw failure(.limitExceeded, "a buffer of more than \(limit) values", type)
    }
    let (size, overflow) = elements.count.multipliedReportingOverflow(by: element.stride ?? 0)
    guard !overflow else { throw failure(.limitExceeded, "the buffer is too large", type) }
    let memory = try placed(type) { [arena] () throws(InvocationError) in
      try arena.allocate(byteCount: size, alignment: max(element.alignment ?? 1, 16))
    }
    if case .cString = type.kind {
      try readCharacters(elements, type, into: memory)
    } else {
      try readElements(elements, of: element, into: memory)
    }
    return Buffer(address: memory, element: element, count: elements.count)
  }

  /// Reads characters.
  ///
  /// A `char` may be signed or unsigned, so both ranges are accepted.
  private mutating func readCharacters(
    _ elements: [JSONValue], _ type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    for (index, value) in elements.enumerated() {
      path.append("[\(index)]")
      let number = try integer(value, Int.self, type)
      guard (-128...255).contains(number) else { throw failure(.outOfRange, "\(value.summary) does not fit a char", type) }
      memory.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: index, as: UInt8.self)
      path.removeLast()
    }
  }
}
