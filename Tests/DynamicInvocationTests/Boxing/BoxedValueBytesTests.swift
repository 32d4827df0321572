import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct BoxedValueBytesTests {
  private func parts(_ encoding: TypeEncoding, _ bytes: [UInt8]) throws -> [String] {
    let value = try EncodedBytes(encoding, bytes: bytes)
    return (0..<value.count).map { "\(value[$0])" }
  }

  @Test func structs() throws {
    try expectEqual(parts("{S=cid}", [0xFF, 9, 9, 9, 7, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]), ["-1", "7", "1.5"])
    try expectEqual(parts("{S=C{In=sS}B}", [200, 0, 0xFE, 0xFF, 1, 0, 1, 0]), ["200", "{-2, 1}", "true"])
    try expectEqual(parts("{S=c[3s]}", [5, 0, 1, 0, 2, 0, 3, 0]), ["5", "{1, 2, 3}"])
    try expect(parts("{E=}", []) == [] && parts("{S=c{E=}c}", [1, 2]) == ["1", "{}", "2"])
    try expectEqual(parts("{P=^i^v}", [0x10, 0x20] + Array(repeating: 0, count: 14)), ["0x2010", "null"])
  }

  @Test func arraysVectorsAndComplexNumbers() throws {
    try expectEqual(parts("[3s]", [1, 0, 0xFF, 0xFF, 3, 0]), ["1", "-1", "3"])
    try expectEqual(parts("[2[2C]]", [1, 2, 3, 4]), ["{1, 2}", "{3, 4}"])
    try expectEqual(parts("[0i]", []), [])
    try expectEqual(parts("![16,16f]", [0, 0, 0x80, 0x3F] + Array(repeating: 0, count: 12)), ["1.0", "0.0", "0.0", "0.0"])
    try expectEqual(parts("jd", [0, 0, 0, 0, 0, 0, 0xF0, 0x3F] + [0, 0, 0, 0, 0, 0, 0, 0xC0]), ["1.0", "-2.0"])
    try expectEqual(parts("i", [1, 0, 0, 0]), [])
  }

  @Test func unions() throws {
    try expectEqual(parts("(U=iqf)", [0, 0, 0x80, 0x3F, 1, 0, 0, 0]), ["1065353216", "5360320512", "1.0"])
    try expectEqual(parts("(U={A=CC}S[2C])", [1, 2]), ["{1, 2}", "513", "{1, 2}"])
  }

  @Test func bitFieldsOfBothDialects() throws {
    // 3 in the low three bits, 21 in the next five.
    try expectEqual(parts("{S=b3b5}", [0xAB, 0, 0, 0]), ["3", "21"])
    try expectEqual(parts("{S=b0I3b3I5}", [0xAB, 0, 0, 0]), ["3", "21"])
    try expectEqual(parts("{S=b0i3b3i5}", [0xAB, 0, 0, 0]), ["3", "-11"])
    try expectEqual(parts("{S=b0B1b1B1}", [0b10]), ["false", "true"])
    try expectEqual(parts("{S=cb8I4}", [0xFF, 0x0C, 0, 0]), ["-1", "12"])
    try expectEqual(parts("{S=b0Q40b40Q24}", [1, 0, 0, 0, 1, 2, 0, 0]), ["4294967297", "2"])
    try expectEqual(parts("(U=b0I3i)", [0xFF, 0, 0, 0]), ["7", "255"])
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
