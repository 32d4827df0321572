import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct GeometryTests {
  /// The kinds are constants, so that a call need not look them up.
  @Test func kindsAreThoseOfTheEncodings() {
    func check<Value: EncodedValue>(_ type: Value.Type) {
      expect(type.valueKind == type.typeEncoding.valueKind && type.valueKind.isAggregate, "\(type)")
    }
    let types: [any EncodedValue.Type] = [
      Geometry.Point.self, Geometry.Size.self, Geometry.Rect.self, Geometry.Vector.self, Geometry.IndexRange.self, Geometry.EdgeInsets.self,
      Geometry.Offset.self, Geometry.Transform2D.self, Geometry.Transform3D.self,
    ]
    for type in types { check(type) }
    expectEqual(MemoryLayout<Geometry.IndexRange>.size, 16)
    expectEqual(
      Set([
        Geometry.Point.valueKind, Geometry.Rect.valueKind, Geometry.IndexRange.valueKind, Geometry.Transform2D.valueKind,
        Geometry.Transform3D.valueKind,
      ]).count, 5)
  }

  @Test func descriptions() {
    expectEqual(Geometry.Point(x: 1, y: 2).description, "(1.0, 2.0)")
    expectEqual(Geometry.Size(width: 3, height: 4).description, "(3.0, 4.0)")
    expectEqual(Geometry.Rect(x: 0, y: -1, width: 3, height: 4.5).description, "(0.0, -1.0, 3.0, 4.5)")
    expectEqual(Geometry.Vector(dx: 1, dy: 2).description, "(1.0, 2.0)")
    expectEqual(Geometry.IndexRange(location: 7, length: 3).description, "(7, 3)")
    expectEqual(Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4).description, "(1.0, 2.0, 3.0, 4.0)")
    expectEqual(Geometry.Offset(horizontal: 5, vertical: 6).description, "(5.0, 6.0)")
    expectEqual(Geometry.Transform2D.identity.description, "(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)")
    expectEqual(
      Geometry.Transform3D.identity.description, "(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)")
  }

  @Test func constants() {
    expectEqual(Geometry.Point.zero, Geometry.Point(x: 0, y: 0))
    expectEqual(Geometry.Size.zero, Geometry.Size(width: 0, height: 0))
    expectEqual(Geometry.Rect.zero, Geometry.Rect(origin: .zero, size: .zero))
    expectEqual(Geometry.Vector.zero, Geometry.Vector(dx: 0, dy: 0))
    expectEqual(Geometry.IndexRange.zero, Geometry.IndexRange(location: 0, length: 0))
    expectEqual(Geometry.EdgeInsets.zero, Geometry.EdgeInsets(top: 0, left: 0, bottom: 0, right: 0))
    expectEqual(Geometry.Offset.zero, Geometry.Offset(horizontal: 0, vertical: 0))
    expectEqual(
      Geometry.Rect(x: 1, y: 2, width: 3, height: 4),
      Geometry.Rect(origin: Geometry.Point(x: 1, y: 2), size: Geometry.Size(width: 3, height: 4)))
  }

  @Test func everyMemberCounts() {
    checkMembers(of: Geometry.Point.zero, [\.x, \.y])
    checkMembers(of: Geometry.Size.zero, [\.width, \.height])
    checkMembers(of: Geometry.Rect.zero, [\.origin.x, \.origin.y, \.size.width, \.size.height])
    checkMembers(of: Geometry.Vector.zero, [\.dx, \.dy])
    checkMembers(of: Geometry.EdgeInsets.zero, [\.top, \.left, \.bottom, \.right])
    checkMembers(of: Geometry.Offset.zero, [\.horizontal, \.vertical])
    checkMembers(of: Geometry.Transform2D.identity, [\.a, \.b, \.c, \.d, \.tx, \.ty])
    checkMembers(
      of: Geometry.Transform3D.identity,
      [
        \.m11, \.m12, \.m13, \.m14, \.m21, \.m22, \.m23, \.m24, \.m31, \.m32, \.m33, \.m34, \.m41, \.m42, \.m43, \.m44,
      ])
    expect(Geometry.IndexRange(location: 1, length: 0) != .zero && Geometry.IndexRange(location: 0, length: 1) != .zero)
    expectEqual(
      Set([Geometry.IndexRange.zero, Geometry.IndexRange(location: 1, length: 0), Geometry.IndexRange(location: 0, length: 1), .zero])
        .count, 3)
  }

  /// Changing any one member makes another value, in comparison, hash and text; changing its zero's sign does not.
  private func checkMembers<Value: Hashable & CustomStringConvertible>(
    of value: Value, _ members: [WritableKeyPath<Value, Double>], line: Int = #line
  ) {
    expect(MemoryLayout<Value>.size == members.count * MemoryLayout<Double>.size, line: line)
    var all: Set<Value> = [value]
    var texts: Set<String> = [value.description]
    for member in members {
      var other = value
      other[keyPath: member] = 7
      expect(other != value, line: line)
      all.insert(other)
      texts.insert(other.description)
      var negated = value
      if value[keyPath: member] == 0 { negated[keyPath: member] = -0.0 }
      expect(negated == value && negated.hashValue == value.hashValue, line: line)
      other[keyPath: member] = .nan
      expect(other != other, line: line)
    }
    expect(all.count == members.count + 1 && texts.count == members.count + 1, line: line)
  }

  @Test func crossesTasks() async {
    let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
    #expect(await Task.detached { rect.size }.value == Geometry.Size(width: 3, height: 4))
  }
}
