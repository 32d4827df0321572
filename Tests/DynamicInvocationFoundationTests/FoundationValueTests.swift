import DynamicInvocation
import DynamicInvocationFoundation
import Foundation
import TestSupport
import Testing

@Suite(.measured) struct FoundationValueTests {
  @Test func numbers() throws {
    func number(_ box: BoxedValue) -> NSNumber? { box.foundationValue as? NSNumber }
    expect(number(.bool(true)) === NSNumber(value: true) && number(.bool(false)) === NSNumber(value: false))
    expect(number(.int(.min))?.int64Value == .min && number(.int(1)) !== NSNumber(value: true))
    expectEqual(number(.uint(.max))?.uint64Value, .max)
    expect(number(.float(0.1))?.floatValue == 0.1 && number(.double(0.1))?.doubleValue == 0.1)
    expectEqual(number(.double(.nan))?.doubleValue.isNaN, true)
    expect(number(.int128(.min))?.stringValue == "\(Int128.min)" && number(.uint128(.max))?.stringValue == "\(UInt128.max)")
    expectEqual(number(.longDouble(LongDouble(1.5)))?.doubleValue, 1.5)
    expectEqual(number(.longDouble(LongDouble(Int64.max)))?.int64Value, .max)
    expectEqual(number(.longDouble(LongDouble(UInt64.max)))?.uint64Value, .max)
    expectEqual(number(.longDouble(LongDouble(Double.nan)))?.doubleValue.isNaN, true)
    let third = try #require(LongDouble("0.3333333333333333333"))
    let bytes = try #require(BoxedValue.longDouble(third).foundationValue as? EncodedBytes)
    try expectEqual(bytes.value(as: LongDouble.self), third)
  }

  /// What comes out goes in again as the same value.
  @Test func roundTrips() throws {
    let boxes: [BoxedValue] = [
      .null, .bool(true), .bool(false), .int(0), .int(1), .int(-128), .int(.max), .int(.min), .uint(.max), .int128(.min), .int128(.max),
      .uint128(.max), .float(0.1), .double(0.1), .double(-0.0), .double(.infinity), .string(""), .string("ä"),
      .point(Geometry.Point(x: 1, y: 2)),
      .size(Geometry.Size(width: 1, height: 2)), .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)),
      .range(Geometry.IndexRange(location: 1, length: 2)),
      .range(Geometry.IndexRange(location: .max, length: 2)), .insets(Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
      .offset(Geometry.Offset(horizontal: 1, vertical: 2)), .vector(Geometry.Vector(dx: 1, dy: 2)), .affineTransform(.identity),
      .transform3D(.identity),
      .selector("a:"), .value(try EncodedBytes("(u=iq)", bytes: [1, 0, 0, 0, 0, 0, 0, 0])),
    ]
    for box in boxes { try expectEqual(BoxedValue(box.foundationValue).shown, box.shown) }
  }

  @Test func texts() {
    expectEqual(BoxedValue.string("x").foundationValue as? String, "x")
    expect(BoxedValue.null.foundationValue == nil)
    expectEqual(BoxedValue.selector("a").foundationValue as? DynamicInvocation.MethodSelector, "a")
  }

  @Test func geometry() throws {
    let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
    expectEqual((BoxedValue.rect(rect).foundationValue as? NSValue)?.rectValue, CGRect(rect))
    try expect(BoxedValue.rect(rect).nsValue?.rectValue == CGRect(rect) && BoxedValue.rect(rect).value() == CGRect(rect))
    expectEqual(BoxedValue.point(rect.origin).nsValue?.pointValue, CGPoint(rect.origin))
    try expectEqual(BoxedValue.point(rect.origin).value(), CGPoint(rect.origin))
    expectEqual(BoxedValue.size(rect.size).nsValue?.sizeValue, CGSize(rect.size))
    try expectEqual(BoxedValue.size(rect.size).value(), CGSize(rect.size))
    let range = BoxedValue.range(Geometry.IndexRange(location: 1, length: 2))
    expectEqual(range.nsValue?.rangeValue, NSRange(location: 1, length: 2))
    try expectEqual(range.value(), NSRange(location: 1, length: 2))
    let insets = Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    expectEqual((BoxedValue.insets(insets).nsValue?.edgeInsetsValue).map { Geometry.EdgeInsets($0) }, insets)
    try expectEqual(Geometry.EdgeInsets(BoxedValue.insets(insets).value(as: NSEdgeInsets.self)), insets)
    try expectEqual(BoxedValue.affineTransform(.identity).value(), AffineTransform.identity)
    // What Foundation has no value of is never tried: it would end the process.
    for box in [
      BoxedValue.vector(.zero), .offset(.zero), .affineTransform(.identity), .transform3D(.identity),
      .range(Geometry.IndexRange(location: .max, length: 0)),
      .int(1), .null, .pointer(UnsafeRawPointer(bitPattern: 16) ?? UnsafeRawPointer(Unmanaged.passUnretained(NSNull()).toOpaque())),
    ] { expect(box.nsValue == nil) }
    expect(BoxedValue.affineTransform(.identity).foundationValue is NSAffineTransform)
  }

  @Test func bytesOfALayoutAreGeometry() throws {
    let bytes = BoxedValue.value(try EncodedBytes(Geometry.Rect(x: 1, y: 2, width: 3, height: 4), as: "{Mine=dddd}"))
    try expectEqual(bytes.value(), CGRect(x: 1, y: 2, width: 3, height: 4))
    try expectEqual(Geometry.EdgeInsets(bytes.value(as: NSEdgeInsets.self)), Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(throws: InvocationError.self) { try bytes.value(as: CGPoint.self) }
    #expect(throws: InvocationError.self) { try bytes.value(as: NSRange.self) }
    #expect(throws: InvocationError.self) { try bytes.value(as: AffineTransform.self) }
  }
}
