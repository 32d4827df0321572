import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct BoxedValueGeometryTests {
  // Never changed; a box is not Sendable, as it may hold any object.
  nonisolated(unsafe) private static let boxes: [(box: BoxedValue, types: [String], kind: String)] = [
    (.point(Geometry.Point(x: 1, y: 2)), ["{Point=dd}", "{CGPoint=dd}", "{NSPoint=dd}", "{_NSPoint=dd}"], "point"),
    (.size(Geometry.Size(width: 1, height: 2)), ["{Size=dd}", "{CGSize=dd}", "{NSSize=dd}", "{_NSSize=dd}"], "size"),
    (
      .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)),
      ["{Rect={Point=dd}{Size=dd}}", "{CGRect={CGPoint=dd}{CGSize=dd}}", "{NSRect={NSPoint=dd}{NSSize=dd}}", "{_NSRect={?=dd}{?=dd}}"],
      "rect"
    ),
    (.vector(Geometry.Vector(dx: 1, dy: 2)), ["{Vector=dd}", "{CGVector=dd}"], "vector"),
    (.range(Geometry.IndexRange(location: 1, length: 2)), ["{Range=QQ}", "{NSRange=QQ}", "{_NSRange=QQ}"], "range"),
    (
      .insets(Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
      ["{EdgeInsets=dddd}", "{NSEdgeInsets=dddd}", "{UIEdgeInsets=dddd}"],
      "insets"
    ),
    (.offset(Geometry.Offset(horizontal: 1, vertical: 2)), ["{Offset=dd}", "{UIOffset=dd}"], "offset"),
    (
      .affineTransform(Geometry.Transform2D(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)),
      ["{AffineTransform=dddddd}", "{CGAffineTransform=dddddd}"],
      "affineTransform"
    ),
    (.transform3D(.identity), ["{Transform3D=dddddddddddddddd}", "{CATransform3D=dddddddddddddddd}"], "transform3D"),
  ]

  private func set(_ box: BoxedValue, _ type: String) throws -> BoxedValue {
    let invocation = Invocation(try MethodSignature(types: type + "@:q" + type))
    try invocation.setArgument(boxed: box, at: 3)
    try invocation.setReturnValue(boxed: box)
    try expectEqual("\(invocation.boxedReturnValue())", "\(invocation.boxedArgument(at: 3))")
    return try invocation.boxedArgument(at: 3)
  }

  private func kind(_ box: BoxedValue) -> String { Mirror(reflecting: box).children.first?.label ?? "null" }

  @Test(arguments: boxes.indices) func readBackByNameAndLayout(index: Int) throws {
    let (box, types, kind) = Self.boxes[index]
    for type in types {
      let read = try set(box, type)
      expect(self.kind(read) == kind && "\(read)" == "\(box)", "\(type)")
    }
  }

  @Test(arguments: boxes.indices) func matchedByLayoutWhateverTheName(index: Int) throws {
    let (box, types, _) = Self.boxes[index]
    let type = try require(types.first)
    let members = type.drop { $0 != "=" }
    for name in ["?", "", "Mine", "std::pair<double, double>"] {
      let read = try set(box, "{\(name)\(members)")
      expectEqual(kind(read), "value", "\(name)")
      guard case .value(let value) = read else { continue }
      // The bytes go on to the geometry's own name again.
      try expectEqual("\(set(.value(value), type))", "\(box)")
    }
    // A struct around it has the same layout; an array of the numbers too.
    try expectEqual(kind(set(box, "{Outer=\(type)}")), "value")
    expectThrows(InvocationError.self) { try set(box, "{Longer=\(type)c}") }
    expectThrows(InvocationError.self) { try set(box, "d") }
    expectThrows(InvocationError.self) { try set(box, "(U=\(type)q)") }
  }

  @Test func wrongLayouts() throws {
    for (box, type) in [
      (BoxedValue.point(.zero), "{Point=ff}"), (.point(.zero), "{Point=dddd}"), (.point(.zero), "{Point=qq}"),
      (.range(.zero), "{Range=qq}"),
      (.range(.zero), "{Range=II}"), (.rect(.zero), "{Rect={Point=ff}{Size=ff}}"), (.size(.zero), "{Size=d}"), (.insets(.zero), "{E=ddd}"),
    ] {
      let error = expectThrows(InvocationError.self, "\(box) as \(type)") { try set(box, type) }
      expect(error?.code == .typeMismatch && error?.argument == .index(3))
    }
    try expectEqual(set(.rect(.zero), "{Array=[4d]}").isNull, false)
  }

  /// A name with another layout is just a struct.
  @Test func namesWithAnotherLayoutAreBytes() throws {
    let bytes = try EncodedBytes("{CGRect={CGPoint=ff}{CGSize=ff}}", bytes: Array(repeating: 0, count: 16))
    try expectEqual(kind(set(.value(bytes), "{CGRect={CGPoint=ff}{CGSize=ff}}")), "value")
    try expectEqual("\(set(.value(bytes), "{Range=ffff}"))", "{0.0, 0.0, 0.0, 0.0}")
  }

  @Test func typedAccessToo() throws {
    let invocation = Invocation(try MethodSignature(types: "v{Anything={A=dd}{B=dd}}"))
    try invocation.setArgument(Geometry.Rect(x: 1, y: 2, width: 3, height: 4), at: 0)
    try expectEqual(invocation.argument(at: 0, as: Geometry.Rect.self), Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
    try expectEqual(invocation.argument(at: 0, as: Geometry.EdgeInsets.self), Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
    expectThrows(InvocationError.self) { try invocation.argument(at: 0, as: Geometry.Point.self) }
    expectThrows(InvocationError.self) { try invocation.setArgument(Geometry.Transform2D.identity, at: 0) }
  }
}
