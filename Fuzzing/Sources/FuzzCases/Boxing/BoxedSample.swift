import DynamicInvocation

/// A box, and its meaning independent of boxes.
struct BoxedSample {
  enum Meaning {
    case null
    case bool(Bool)
    case number(ExactNumber)
    case text(String)
    case selector(String)
    case object(Probe)
    case type
    case address(UnsafeRawPointer)
    case bytes([UInt8], TypeEncoding)
  }

  var box: BoxedValue
  var meaning: Meaning
}

/// An object that counts its live instances.
final class Probe {
  nonisolated(unsafe) static var living = 0
  init() { Self.living += 1 }
  deinit { Self.living -= 1 }
}

/// The pointee of pointers: a C string that is never deallocated.
nonisolated(unsafe) let probeText = probeBytes.baseAddress.unsafelyUnwrapped

private nonisolated(unsafe) let probeBytes: UnsafeRawBufferPointer = {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 8)
  bytes.copyBytes(from: Array("probe\0".utf8))
  return UnsafeRawBufferPointer(bytes)
}()

extension InputReader {
  /// Takes a box, usually of the type's own kind.
  mutating func box(for type: TypeEncoding) -> BoxedSample {
    switch number(below: 20) {
    case 0: return BoxedSample(box: .null, meaning: .null)
    case 1: return number(.int(Int(truncatingIfNeeded: wideInteger())))
    case 2: return number(.uint(UInt(truncatingIfNeeded: wideInteger())))
    case 3: return number(.int128(wideInteger()))
    case 4: return number(.uint128(UInt128(truncatingIfNeeded: wideInteger())))
    case 5: return number(.float(Float(bitPattern: integer())))
    case 6: return number(.double(floatingPoint()))
    case 7: return number(.longDouble(longDouble()))
    case 8:
      let value = flag()
      return BoxedSample(box: .bool(value), meaning: .bool(value))
    case 9:
      let text = String(decoding: bytes(number(below: 12)), as: UTF8.self)
      return BoxedSample(box: .string(text), meaning: .text(text))
    case 10:
      let object = Probe()
      return BoxedSample(box: .object(object), meaning: .object(object))
    case 11: return BoxedSample(box: .type(Probe.self), meaning: .type)
    case 12: return BoxedSample(box: .selector("probe:"), meaning: .selector("probe:"))
    case 13: return BoxedSample(box: .pointer(probeText), meaning: .address(probeText))
    case 14: return geometry()
    case 15: return scalarBytes()
    default: return fitting(type)
    }
  }

  /// Takes a box of the type's own kind.
  private mutating func fitting(_ type: TypeEncoding) -> BoxedSample {
    switch type.kind {
    case .scalar(.bool):
      let value = flag()
      return BoxedSample(box: .bool(value), meaning: .bool(value))
    case .scalar(let scalar) where scalar.isInteger: return number(.int128(wideInteger()))
    case .scalar(.longDouble): return number(.longDouble(longDouble()))
    case .scalar: return number(.double(floatingPoint()))
    case .structure, .union, .complex, .vector:
      return bytes(of: type)
    default: return BoxedSample(box: .null, meaning: .null)
    }
  }

  private func number(_ box: BoxedValue) -> BoxedSample {
    guard let number = ExactNumber(box) else { return BoxedSample(box: .null, meaning: .null) }
    return BoxedSample(box: box, meaning: .number(number))
  }

  /// Takes an integer, often close to the bounds of a type.
  mutating func wideInteger() -> Int128 {
    let shift = number(below: 160)
    guard shift < 128 else { return Int128(integer(Int8.self)) }
    let power = Int128(truncatingIfNeeded: UInt128(1) << UInt128(shift))
    let offset = Int128(integer(Int8.self))
    return flag() ? power &+ offset : 0 &- power &- offset
  }

  mutating func floatingPoint() -> Double {
    switch number(below: 4) {
    case 0: Double(wideInteger())
    case 1: Double(Float(bitPattern: integer()))
    case 2: Double(integer(Int16.self)) / 8
    default: Double(bitPattern: integer())
    }
  }

  private mutating func longDouble() -> LongDouble {
    switch number(below: 3) {
    case 0: return LongDouble(floatingPoint())
    case 1: return LongDouble(integer(UInt64.self))
    default:
      #if arch(x86_64)
        let exponent = UInt(integer(UInt16.self))
        return LongDouble(
          Float80(sign: exponent >> 15 == 0 ? .plus : .minus, exponentBitPattern: exponent & 0x7FFF, significandBitPattern: integer()))
      #else
        return LongDouble(floatingPoint())
      #endif
    }
  }

  private mutating func geometry() -> BoxedSample {
    func sample<Value: EncodedValue & BitwiseCopyable>(_ value: Value, _ box: (Value) -> BoxedValue) -> BoxedSample {
      BoxedSample(box: box(value), meaning: .bytes(withUnsafeBytes(of: value) { Array($0) }, Value.typeEncoding))
    }
    let (x, y) = (floatingPoint(), floatingPoint())
    switch number(below: 9) {
    case 0: return sample(Geometry.Point(x: x, y: y)) { .point($0) }
    case 1: return sample(Geometry.Size(width: x, height: y)) { .size($0) }
    case 2: return sample(Geometry.Rect(origin: Geometry.Point(x: x, y: y), size: Geometry.Size(width: y, height: x))) { .rect($0) }
    case 3: return sample(Geometry.Vector(dx: x, dy: y)) { .vector($0) }
    case 4: return sample(Geometry.IndexRange(location: integer(), length: integer())) { .range($0) }
    case 5: return sample(Geometry.EdgeInsets(top: x, left: y, bottom: y, right: x)) { .insets($0) }
    case 6: return sample(Geometry.Offset(horizontal: x, vertical: y)) { .offset($0) }
    case 7: return sample(Geometry.Transform2D(a: x, b: y, c: y, d: x, tx: x, ty: y)) { .affineTransform($0) }
    default:
      var transform = Geometry.Transform3D()
      (transform.m11, transform.m23, transform.m44) = (x, y, x)
      return sample(transform) { .transform3D($0) }
    }
  }

  /// Takes a number as its bytes and its type, which is converted like the number.
  private mutating func scalarBytes() -> BoxedSample {
    let scalars: [TypeEncoding.Scalar] = [.int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .float, .double]
    let scalar = element(of: scalars)
    let bits = integer(UInt64.self)
    let bytes = withUnsafeBytes(of: bits.littleEndian) { Array($0.prefix(scalar.size)) }
    guard let encoded = try? EncodedBytes(TypeEncoding(scalar: scalar), bytes: bytes) else {
      require(false, "\(scalar) has not \(bytes.count) bytes")
      return number(.int(0))
    }
    let unused = 64 - 8 * scalar.size
    let number: ExactNumber =
      switch scalar {
      case .float: ExactNumber(bits: bits & 0xFFFF_FFFF, .single)
      case .double: ExactNumber(bits: bits, .double)
      default:
        scalar.isSigned
          ? ExactNumber((Int64(truncatingIfNeeded: bits) << unused) >> unused)
          : ExactNumber((bits << unused) >> unused)
      }
    return BoxedSample(box: .value(encoded), meaning: .number(number))
  }

  private mutating func bytes(of type: TypeEncoding) -> BoxedSample {
    let bytes = bytes(type.size ?? 0)
    // No addresses are generated: members that are pointers stay null.
    let filled = zip(type.plainBytes, bytes + Array(repeating: 0, count: (type.size ?? 0) - bytes.count)).map { $0 ? $1 : 0 }
    do {
      return BoxedSample(box: .value(try EncodedBytes(type, bytes: filled)), meaning: .bytes(filled, type))
    } catch {
      // References are never created from bytes, not even null references.
      require(error.reason.contains("a reference is never made of bytes"), "\(type) is refused: \(error)")
      return number(.int(0))
    }
  }
}
