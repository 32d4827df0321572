import DynamicInvocation
import DynamicInvocationFoundation
import Foundation
import TestSupport
import Testing

@Suite(.measured) struct GeometryBridgeTests {
  private let point = CGPoint(x: 1, y: 2)
  private let size = CGSize(width: 3, height: 4)
  private let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
  private let range = NSRange(location: 5, length: 6)
  private let insets = NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
  private let transform = AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)

  @Test func layoutsAreThoseOfC() {
    expect(MemoryLayout<CGPoint>.size == 16 && MemoryLayout<CGSize>.size == 16 && MemoryLayout<CGRect>.size == 32)
    expect(MemoryLayout<NSRange>.size == 16 && MemoryLayout<NSEdgeInsets>.size == 32 && MemoryLayout<AffineTransform>.size == 48)
    expectEqual(MemoryLayout<CGFloat>.size, 8)
  }

  @Test func conversionsBothWays() {
    expect(Geometry.Point(point) == Geometry.Point(x: 1, y: 2) && CGPoint(Geometry.Point(x: 1, y: 2)) == point)
    expect(Geometry.Size(size) == Geometry.Size(width: 3, height: 4) && CGSize(Geometry.Size(width: 3, height: 4)) == size)
    expect(
      Geometry.Rect(rect) == Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
        && CGRect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)) == rect)
    expect(
      Geometry.IndexRange(range) == Geometry.IndexRange(location: 5, length: 6)
        && NSRange(Geometry.IndexRange(location: 5, length: 6)) == range)
    expectEqual(Geometry.IndexRange(5..<11), Geometry.IndexRange(range))
    expect(Geometry.IndexRange(NSRange(location: -1, length: 0)) == nil && NSRange(Geometry.IndexRange(location: .max, length: 0)) == nil)
    expectEqual(Geometry.EdgeInsets(insets), Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
    expectEqual(Geometry.EdgeInsets(NSEdgeInsets(Geometry.EdgeInsets(insets))), Geometry.EdgeInsets(insets))
    expectEqual(Geometry.Transform2D(transform), Geometry.Transform2D(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6))
    expectEqual(AffineTransform(Geometry.Transform2D(transform)), transform)
  }

  /// Sets, reads back as the same type, as the engine's own and as bytes.
  private func roundTrip<Value: EncodedValue, Own: EncodedValue & Equatable>(_ value: Value, _ own: Own, _ types: [String]) throws -> Value
  {
    var last = value
    for type in types + [Value.typeEncoding.description] {
      let invocation = Invocation(try MethodSignature(types: "\(type)q\(type)"))
      try invocation.setArgument(value, at: 1)
      try invocation.setReturnValue(value)
      try expectEqual(invocation.argument(at: 1, as: Own.self), own)
      try expectEqual(invocation.returnValue(as: Own.self), own)
      last = try invocation.argument(at: 1, as: Value.self)
      #expect(throws: InvocationError.self) { try invocation.setArgument(value, at: 0) }
      #expect(throws: InvocationError.self) { try invocation.argument(at: 0, as: Value.self) }
    }
    return last
  }

  @Test func typedAccess() throws {
    try expectEqual(roundTrip(point, Geometry.Point(x: 1, y: 2), ["{Point=dd}", "{?=dd}", "{CGSize=dd}"]), point)
    try expectEqual(roundTrip(size, Geometry.Size(width: 3, height: 4), ["{NSSize=dd}", "{?=dd}"]), size)
    try expectEqual(roundTrip(rect, Geometry.Rect(x: 1, y: 2, width: 3, height: 4), ["{Rect={Point=dd}{Size=dd}}", "{?=dddd}"]), rect)
    try expectEqual(roundTrip(range, Geometry.IndexRange(location: 5, length: 6), ["{Range=QQ}"]), range)
    let own = Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    expectEqual(Geometry.EdgeInsets(try roundTrip(insets, own, ["{UIEdgeInsets=dddd}"])), own)
    try expectEqual(
      roundTrip(transform, Geometry.Transform2D(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6), ["{AffineTransform=dddddd}"]), transform)
    let invocation = Invocation(try MethodSignature(types: "vd"))
    try invocation.setArgument(CGFloat(2.5), at: 0)
    try expect(invocation.argument(at: 0, as: CGFloat.self) == 2.5 && invocation.argument(at: 0, as: Double.self) == 2.5)
  }

  @Test func negativeRangesKeepTheirBits() throws {
    let invocation = Invocation(try MethodSignature(types: "v{_NSRange=QQ}"))
    try invocation.setArgument(NSRange(location: -1, length: 2), at: 0)
    try expectEqual(invocation.argument(at: 0, as: Geometry.IndexRange.self), Geometry.IndexRange(location: .max, length: 2))
    try expectEqual(invocation.argument(at: 0, as: NSRange.self), NSRange(location: -1, length: 2))
    try expect(invocation.boxedArgument(at: 0).nsValue == nil)
  }

  @Test func calledByCCode() throws {
    let middle: @convention(c) (Geometry.Rect, Geometry.Point) -> Geometry.Point = { rect, offset in
      Geometry.Point(x: rect.origin.x + rect.size.width / 2 + offset.x, y: rect.origin.y + rect.size.height / 2 + offset.y)
    }
    let function = try ForeignFunction(
      Implementation(function: middle), try MethodSignature(types: "{CGPoint=dd}{CGRect={CGPoint=dd}{CGSize=dd}}{CGPoint=dd}"))
    let result: CGPoint = try function(rect, CGPoint(x: 10, y: 20))
    expectEqual(result, CGPoint(x: 12.5, y: 24))
  }

  @Test func valuesOfFoundation() throws {
    let boxes: [(Any, String)] = [
      (NSValue(point: point), "point (1.0, 2.0)"), (NSValue(size: size), "size (3.0, 4.0)"),
      (NSValue(rect: rect), "rect (1.0, 2.0, 3.0, 4.0)"),
      (NSValue(range: range), "range (5, 6)"), (NSValue(edgeInsets: insets), "insets (1.0, 2.0, 3.0, 4.0)"),
      (NSAffineTransform(transform: transform), "affineTransform (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)"),
      (point, "point (1.0, 2.0)"), (size, "size (3.0, 4.0)"), (rect, "rect (1.0, 2.0, 3.0, 4.0)"), (range, "range (5, 6)"),
      (insets, "insets (1.0, 2.0, 3.0, 4.0)"), (transform, "affineTransform (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)"),
      (Geometry.Point(point), "point (1.0, 2.0)"), (Geometry.Size(size), "size (3.0, 4.0)"),
      (Geometry.Rect(rect), "rect (1.0, 2.0, 3.0, 4.0)"),
      (Geometry.Vector(dx: 1, dy: 2), "vector (1.0, 2.0)"), (Geometry.IndexRange(location: 5, length: 6), "range (5, 6)"),
      (Geometry.EdgeInsets(insets), "insets (1.0, 2.0, 3.0, 4.0)"), (Geometry.Offset(horizontal: 1, vertical: 2), "offset (1.0, 2.0)"),
      (Geometry.Transform2D(transform), "affineTransform (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)"),
      (Geometry.Transform3D.identity, "transform3D \(Geometry.Transform3D.identity)"),
    ]
    for (value, expected) in boxes { try expectEqual(BoxedValue(value).shown, expected) }
  }

  @Test func valuesOfScalarsAndArrays() throws {
    var number: Int32 = -7
    try expectEqual(BoxedValue(NSValue(bytes: &number, objCType: "i")).shown, "int -7")
    var real = 2.5
    try expectEqual(BoxedValue(NSValue(bytes: &real, objCType: "d")).shown, "double 2.5")
    var numbers: (Int32, Int32, Int32) = (1, 2, 3)
    let array = try BoxedValue(NSValue(bytes: &numbers, objCType: "[3i]"))
    expectEqual(array.shown, "value {1, 2, 3}")
    // Foundation's `l` has four bytes, as on Apple's platforms.
    var long: Int32 = 9
    try expectEqual(BoxedValue(NSValue(bytes: &long, objCType: "l")).shown, "int 9")
  }

  @Test func matchedByLayoutWhateverTheName() throws {
    try expectEqual(outcome(NSValue(rect: rect), as: "{Anything={A=dd}{B=dd}}"), "{{1.0, 2.0}, {3.0, 4.0}}")
    try expectEqual(outcome(NSValue(point: point), as: "{CGSize=dd}"), "(1.0, 2.0)")
    try expectEqual(outcome(NSValue(point: point), as: "{CGPoint=ff}"), "typeMismatch")
    try expectEqual(outcome(NSValue(range: range), as: "{R=qq}"), "typeMismatch")
    try expectEqual(outcome(NSValue(point: point), as: "d"), "typeMismatch")
    try expectEqual(outcome(NSValue(rect: rect), as: "{CGPoint=dd}"), "typeMismatch")
  }
}
