import DynamicInvocation
import Foundation

/// A Swift or Foundation value, and its meaning independent of boxes.
struct AnySample {
  let any: Any?
  /// The value that a parameter of a non-object type receives, or nil for a value that cannot be boxed.
  let meaning: BoxedSample.Meaning?
  /// Whether the value itself is an object, rather than bridged to one by Foundation.
  let isObject: Bool
  /// Whether the model can predict every conversion of the value.
  let isKnown: Bool

  init(_ any: Any?, _ meaning: BoxedSample.Meaning?, isObject: Bool = false, isKnown: Bool = true) {
    self.any = any
    self.meaning = meaning
    self.isObject = isObject
    self.isKnown = isKnown
  }
}

extension InputReader {
  /// Takes a value that is relevant to boxes.
  mutating func anySample() -> AnySample {
    let sample = unwrappedSample()
    // Optionals and wrappers around it do not change the meaning.
    switch number(below: 8) {
    case 0: return AnySample(Optional(sample.any) as Any, sample.meaning, isObject: sample.isObject, isKnown: sample.isKnown)
    case 1:
      guard let hashable = sample.any as? AnyHashable else { return sample }
      return AnySample(hashable as Any, sample.meaning, isObject: sample.isObject, isKnown: false)
    default: return sample
    }
  }

  private mutating func unwrappedSample() -> AnySample {
    switch number(below: 24) {
    case 0: return AnySample(nil, .null)
    case 1: return AnySample(NSNull(), .null)
    case 2: return swift(integer(Int8.self))
    case 3: return swift(integer(UInt8.self))
    case 4: return swift(integer(Int16.self))
    case 5: return swift(integer(UInt32.self))
    case 6: return swift(Int(truncatingIfNeeded: wideInteger()))
    case 7: return swift(UInt64(truncatingIfNeeded: wideInteger()))
    case 8: return swift(wideInteger())
    case 9: return swift(UInt128(truncatingIfNeeded: wideInteger()))
    case 10:
      let value = Float(bitPattern: integer())
      return AnySample(value, .number(ExactNumber(bits: UInt64(value.bitPattern), .single)))
    case 11:
      let value = floatingPoint()
      return AnySample(value, .number(ExactNumber(bits: value.bitPattern, .double)))
    case 12:
      let value = flag()
      return AnySample(value, .bool(value))
    case 13: return object(of: number(below: 8))
    case 14: return decimal()
    case 15:
      let text = String(decoding: bytes(number(below: 12)), as: UTF8.self)
      return flag() ? AnySample(NSString(string: text), .text(text), isObject: true) : AnySample(text, .text(text))
    case 16: return geometry()
    case 17: return AnySample(Probe(), nil, isObject: true, isKnown: false)
    case 18: return AnySample(Probe.self, .type, isKnown: false)
    case 19: return AnySample(DynamicInvocation.MethodSelector("probe:"), .selector("probe:"))
    case 20: return AnySample(Data(bytes(number(below: 5))), nil, isKnown: false)
    case 21: return AnySample([integer(Int16.self), 1], nil, isKnown: false)
    case 22: return AnySample(NSRange(location: Int(integer(Int16.self)), length: Int(integer(UInt8.self))), nil, isKnown: false)
    default: return AnySample(Set<String>(), nil, isKnown: false)
    }
  }

  private func swift(_ value: some FixedWidthInteger) -> AnySample { AnySample(value, .number(ExactNumber(value))) }

  /// Takes an NSNumber.
  private mutating func object(of kind: Int) -> AnySample {
    func number(_ value: NSNumber, _ number: ExactNumber) -> AnySample { AnySample(value, .number(number), isObject: true) }
    let wide = wideInteger()
    switch kind {
    case 0:
      let value = flag()
      return AnySample(NSNumber(value: value), .bool(value), isObject: true)
    case 1: return number(NSNumber(value: Int8(truncatingIfNeeded: wide)), ExactNumber(Int8(truncatingIfNeeded: wide)))
    case 2: return number(NSNumber(value: UInt16(truncatingIfNeeded: wide)), ExactNumber(UInt16(truncatingIfNeeded: wide)))
    case 3: return number(NSNumber(value: Int32(truncatingIfNeeded: wide)), ExactNumber(Int32(truncatingIfNeeded: wide)))
    case 4: return number(NSNumber(value: Int64(truncatingIfNeeded: wide)), ExactNumber(Int64(truncatingIfNeeded: wide)))
    case 5: return number(NSNumber(value: UInt64(truncatingIfNeeded: wide)), ExactNumber(UInt64(truncatingIfNeeded: wide)))
    case 6:
      let value = Float(bitPattern: integer())
      return number(NSNumber(value: value), ExactNumber(bits: UInt64(value.bitPattern), .single))
    default:
      let value = floatingPoint()
      return number(NSNumber(value: value), ExactNumber(bits: value.bitPattern, .double))
    }
  }

  /// Takes a decimal number: digits times a power of ten.
  private mutating func decimal() -> AnySample {
    let digits = integer(UInt64.self) >> UInt64(number(below: 64))
    let exponent = number(below: 50) - 25
    let isNegative = flag()
    let value = Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(digits))
    let isObject = flag()
    let any: Any = isObject ? NSDecimalNumber(decimal: value) : value
    let meaning = Self.exact(UInt128(digits), exponent, isNegative: isNegative).map { BoxedSample.Meaning.number($0) }
    return AnySample(any, meaning, isObject: isObject)
  }

  /// Returns a decimal number that a box represents exactly: a 128-bit integer or a double-precision number.
  private static func exact(_ digits: UInt128, _ exponent: Int, isNegative: Bool) -> ExactNumber? {
    guard digits != 0 else { return ExactNumber(0) }
    var magnitude = digits
    for _ in 0..<abs(exponent) {
      if exponent > 0 {
        let (product, overflow) = magnitude.multipliedReportingOverflow(by: 5)
        guard !overflow else { return nil }
        magnitude = product
      } else {
        guard magnitude % 5 == 0 else { return nil }
        magnitude /= 5
      }
    }
    let number = ExactNumber(isNegative: isNegative, magnitude: magnitude, exponent: exponent)
    let isInteger = number.fits(bits: 128, isSigned: true) || number.fits(bits: 128, isSigned: false)
    return isInteger || number.fits(.double) ? number : nil
  }

  /// Takes a Foundation struct, as itself or as an object.
  private mutating func geometry() -> AnySample {
    func sample<Value: EncodedValue & BitwiseCopyable>(_ any: Any, _ value: Value, isObject: Bool) -> AnySample {
      AnySample(any, .bytes(withUnsafeBytes(of: value) { Array($0) }, Value.typeEncoding), isObject: isObject)
    }
    let (x, y) = (floatingPoint(), floatingPoint())
    let isObject = flag()
    switch number(below: 5) {
    case 0:
      let point = CGPoint(x: x, y: y)
      return sample(isObject ? NSValue(point: point) : point, Geometry.Point(x: x, y: y), isObject: isObject)
    case 1:
      let size = CGSize(width: x, height: y)
      return sample(isObject ? NSValue(size: size) : size, Geometry.Size(width: x, height: y), isObject: isObject)
    case 2:
      let rect = CGRect(x: x, y: y, width: y, height: x)
      return sample(isObject ? NSValue(rect: rect) : rect, Geometry.Rect(x: x, y: y, width: y, height: x), isObject: isObject)
    case 3:
      let range = NSRange(location: Int(integer(UInt16.self)), length: Int(integer(UInt8.self)))
      let same = Geometry.IndexRange(location: UInt64(range.location), length: UInt64(range.length))
      return sample(isObject ? NSValue(range: range) : range, same, isObject: isObject)
    default: return sample(Geometry.Vector(dx: x, dy: y), Geometry.Vector(dx: x, dy: y), isObject: false)
    }
  }
}
