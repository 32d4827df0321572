/// Writes values as text, with limits for the whole text: the number of bytes, and the number of parts of values.
///
/// The target of a reference is shown only if it is known to be alive: objects and C strings that the engine owns,
/// classes, and interned selectors. Any other reference is shown as an address. A union is shown as its bytes, because
/// only its user knows which member is valid.
///
/// - Complexity: O(bytes of the text), whatever the values are.
package struct ValueText {
  /// The maximum number of bytes of a text, without the dots at its end.
  package static let longest: Int = 4_096
  /// The maximum number of parts of all values in a text.
  package static let mostParts: Int = 256
  /// The maximum number of parts of one struct or array, and of bytes of a union.
  package static let mostOfOne: Int = 32

  /// The text written so far.
  package private(set) var text: String = ""

  private var partsLeft = mostParts

  /// Whether a limit is reached; nothing more is written then.
  package private(set) var isFull: Bool = false

  /// Creates an empty text.
  package init() {}

  /// Appends a text, with the characters that a terminal interprets written as escapes.
  package mutating func append(_ piece: String) {
    guard !isFull else { return }
    let room = Self.longest - text.utf8.count
    // Cut first, so that a long text costs no more than the part that is shown.
    let end = piece.utf8.index(piece.startIndex, offsetBy: room, limitedBy: piece.endIndex) ?? piece.endIndex
    let shown = String(piece.unicodeScalars[..<end]).escaped
    if end == piece.endIndex, shown.utf8.count <= room {
      text += shown
    } else {
      text += String(shown.unicodeScalars[..<shown.utf8.index(shown.startIndex, offsetBy: min(room, shown.utf8.count))])
      close()
    }
  }

  /// Marks the text as shortened, and stops writing.
  private mutating func close() {
    text += "..."
    isFull = true
  }
}

// MARK: Boxes

extension ValueText {
  /// Writes a value given as bytes.
  package mutating func write(_ value: EncodedBytes) {
    unsafe value.bytes.withUnsafeBytes { bytes in
      // A value without bytes has no address, and nothing is read from it.
      let address = unsafe bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
      unsafe write(address, as: value.encoding)
    }
  }

  /// Writes a text in quotes.
  package mutating func writeQuoted(_ text: String) {
    append("\"")
    append(text)
    append("\"")
  }

  mutating func write(address: UInt) { append(address == 0 ? "null" : "0x" + String(address, radix: 16)) }

  mutating func write(selector address: UInt) {
    if let selector = MethodSelector.known(at: address) { append(selector.name) } else { write(address: address) }
  }
}

// MARK: Values in memory

extension ValueText {
  /// Writes the value of a slot.
  ///
  /// - Parameter isOwned: Whether the engine owns the object or the copy of a C string that the slot refers to. If
  ///   true, it is shown.
  mutating func write(_ slot: FrameSlot, of frame: UnsafeRawPointer, as type: TypeEncoding, isOwned: Bool) {
    switch type.kind {
    // An array argument is a pointer to its first element.
    case _ where slot.kind == .pointer: write(address: UInt(unsafe slot.word(of: frame)))
    case .cString, .atom:
      let address = UInt(unsafe slot.word(of: frame))
      guard isOwned, let string = unsafe UnsafePointer<UInt8>(bitPattern: address) else { return write(address: address) }
      unsafe write(string: string)
    case .object:
      guard isOwned, let object = unsafe ObjectReference.object(in: slot, of: frame) else {
        return write(address: UInt(unsafe slot.word(of: frame)))
      }
      append("<\(Swift.type(of: object))>")
    case .classObject: append(unsafe ClassReference.type(slot.word(of: frame)).map { "\($0)" } ?? "null")
    case .void, .scalar, .complex, .vector, .block, .selector, .pointer, .unknown, .array, .structure, .union, .bitField:
      unsafe slot.withValue(in: frame) { unsafe write($0, as: type) }
    }
  }

  private mutating func write(string: UnsafePointer<UInt8>) {
    var count = 0
    while count <= Self.longest, unsafe string[count] != 0 { count += 1 }
    writeQuoted(unsafe String(decoding: UnsafeBufferPointer(start: string, count: count), as: UTF8.self))
  }

  /// Writes a value in memory.
  ///
  /// References in it are not followed.
  ///
  /// - Parameter memory: The address of as many bytes as the type has; it need not be aligned.
  package mutating func write(_ memory: UnsafeRawPointer, as type: TypeEncoding) {
    guard !isFull else { return }
    guard partsLeft > 0 else { return close() }
    partsLeft -= 1
    switch type.kind {
    case .scalar: write(unsafe BoxedValue(reading: memory, as: type))
    case .void, .unknown, .bitField: append("null")
    case .cString, .atom, .object, .block, .classObject, .pointer: write(address: unsafe memory.loadUnaligned(as: UInt.self))
    case .selector: write(selector: unsafe memory.loadUnaligned(as: UInt.self))
    case .structure(let record):
      if let geometry = GeometryStructs.type(of: type) { return unsafe write(geometry.box(at: memory)) }
      unsafe write(record, at: memory)
    case .union:
      let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: type.size ?? 0)
      unsafe append("(" + HexadecimalText.text(of: bytes.prefix(Self.mostOfOne)) + (bytes.count > Self.mostOfOne ? "..." : "") + ")")
    case .array(let count, let element):
      let stride = element.stride ?? 0
      writeParts(count) { text, index in unsafe text.write(memory + index * stride, as: element) }
    case .vector(let element, let count, _, _):
      writeParts(count) { text, index in unsafe text.write(memory + index * element.size, as: TypeEncoding(.scalar(element))) }
    case .complex(let part):
      writeParts(2) { text, index in unsafe text.write(memory + index * part.size, as: TypeEncoding(.scalar(part))) }
    }
  }

  private mutating func write(_ record: TypeEncoding.Record, at memory: UnsafeRawPointer) {
    let fields = record.fields ?? []
    writeParts(fields.count) { text, index in
      let field = fields[index]
      guard case .bitField(let bitField) = field.type.kind else { return unsafe text.write(memory + field.offset, as: field.type) }
      text.write(unsafe bitField.value(of: field.bits ?? 0..<0, in: memory))
    }
  }

  private mutating func writeParts(_ count: Int, _ write: (inout ValueText, Int) -> Void) {
    append("{")
    for index in 0..<count where !isFull {
      if index > 0 { append(", ") }
      if index == Self.mostOfOne {
        append("...")
        break
      }
      write(&self, index)
    }
    append("}")
  }
}

extension TypeEncoding.BitField {
  /// Reads bits in little-endian order: the first bit is the lowest.
  @_spi(Tools) public func value(of bits: Range<Int>, in bytes: UnsafeRawPointer) -> BoxedValue {
    func bit(_ index: Int) -> Bool { unsafe bytes.load(fromByteOffset: index / 8, as: UInt8.self) >> UInt8(index % 8) & 1 != 0 }
    var value: UInt128 = 0
    for (index, place) in bits.enumerated() where bit(place) { value |= 1 << UInt128(index) }
    if container == .bool { return .bool(value != 0) }
    if container.isSigned, let last = bits.last, bit(last) { value |= ~UInt128(0) << UInt128(bits.count) }
    return switch (container.isSigned, container.size <= 8) {
    case (true, true): .int(Int(truncatingIfNeeded: value))
    case (false, true): .uint(UInt(truncatingIfNeeded: value))
    case (true, false): .int128(Int128(truncatingIfNeeded: value))
    case (false, false): .uint128(value)
    }
  }

  /// Stores a number in bits, the lowest in the first one.
  ///
  /// - Throws: `InvocationError` `outOfRange` with the range of the bit-field.
  @_spi(Tools) public func store(
    _ number: some FixedWidthInteger, in bits: Range<Int>, of bytes: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let greatest = UInt128.max >> UInt128(128 - width + (container.isSigned ? 1 : 0))
    let least = container.isSigned ? -Int128(greatest) - 1 : 0
    guard number <= greatest, number >= least else {
      throw InvocationError(.outOfRange, "\(number) does not fit \(width) bits, \(least) to \(greatest)")
    }
    let pattern = UInt128(truncatingIfNeeded: number)
    for (index, bit) in bits.enumerated() {
      let mask = UInt8(1) << UInt8(bit & 7)
      let byte = unsafe bytes.load(fromByteOffset: bit >> 3, as: UInt8.self)
      let isSet = pattern >> UInt128(index) & 1 != 0
      unsafe bytes.storeBytes(of: isSet ? byte | mask : byte & ~mask, toByteOffset: bit >> 3, as: UInt8.self)
    }
  }
}
