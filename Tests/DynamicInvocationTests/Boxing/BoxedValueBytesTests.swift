import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct BoxedValueBytesTests {
  @Test(arguments: TextTable("boxes.txt").rows("Members of bytes: the type, the bytes, the members")) func members(row: TextTable.Row)
    throws
  {
    let value = try EncodedBytes(TypeEncoding(row[0]), bytes: row[1].split(separator: " ").compactMap { UInt8($0, radix: 16) })
    expectEqual((0..<value.count).map { "\(value[$0])" }, row[2] == "none" ? [] : row.list(2, " | "))
  }

  @Test func makingAndReading() throws {
    expectThrows(InvocationError.self) { try EncodedBytes("{S=ii}", bytes: [1, 2, 3]) }
    expectThrows(InvocationError.self) { try EncodedBytes("v", bytes: []) }
    expectThrows(InvocationError.self) { try EncodedBytes("{Opaque}", bytes: []) }
    let pair = try EncodedBytes((Int32(1), 2.5), as: "{P=id}")
    expect(pair.count == 2 && "\(pair)" == "{1, 2.5}")
    let back: (Int32, Double) = try pair.value()
    expect(back.0 == 1 && back.1 == 2.5)
    expectThrows(InvocationError.self) { try EncodedBytes((Int32(1), 2.5), as: "{P=ii}") }
    expectThrows(InvocationError.self) { try EncodedBytes((Int32(1), Int32(2)), as: "q") }
    expectThrows(InvocationError.self) { try pair.value(as: Int64.self) }
    expectThrows(InvocationError.self) { try pair.value(as: Geometry.Point.self) }
    try expectEqual(EncodedBytes(Geometry.Point(x: 1, y: 2)).value(as: Geometry.Vector.self), Geometry.Vector(dx: 1, dy: 2))
    try expect(EncodedBytes("{A=i}", bytes: [1, 0, 0, 0]) != EncodedBytes("{B=i}", bytes: [1, 0, 0, 0]))
    try expectEqual(Set([EncodedBytes("i", bytes: [1, 0, 0, 0]), EncodedBytes("i", bytes: [1, 0, 0, 0])]).count, 1)
  }

  @Test func longDescriptionsAreCut() throws {
    let text = try EncodedBytes("[100C]", bytes: Array(0..<100)).description
    expect(text.hasPrefix("{0, 1, 2, ") && text.hasSuffix("31, ...}"))
  }

  @Test func asArguments() throws {
    let invocation = Invocation(try MethodSignature(types: "{S=cid}(U=id)jf{Big=[40C]}"))
    func round(_ value: EncodedBytes, at index: Int) throws -> EncodedBytes? {
      try invocation.setArgument(boxed: .value(value), at: index)
      guard case .value(let read) = try invocation.boxedArgument(at: index) else { return nil }
      return read
    }
    let union = try EncodedBytes("(Other=id)", bytes: [1, 2, 3, 4, 5, 6, 7, 8])
    try expectEqual(round(union, at: 0)?.bytes, union.bytes)
    let complex = try EncodedBytes("jf", bytes: [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40])
    try expect(round(complex, at: 1) == complex && "\(complex)" == "{1.0, 2.0}")
    let big = try EncodedBytes("{Big=[40C]}", bytes: Array(0..<40))
    try expectEqual(round(big, at: 2), big)
    expectThrows(InvocationError.self) { try round(big, at: 0) }
    expectThrows(InvocationError.self) { try round(EncodedBytes("(Other=qd)", bytes: union.bytes), at: 0) }
    expectThrows(InvocationError.self) { try round(EncodedBytes("{S=id}", bytes: Array(repeating: 0, count: 16)), at: 0) }
  }

  @Test func anAddressIsABox() throws {
    let address = BoxedValue.value(try EncodedBytes("^v", bytes: Array(repeating: 0, count: 8)))
    try expectEqual(BoxedValueConversionTests.outcome(address, as: "^v"), "null")
  }
}
