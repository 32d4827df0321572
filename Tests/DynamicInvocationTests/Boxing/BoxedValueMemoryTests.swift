import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct BoxedValueMemoryTests {
  /// Writes at an odd address between guard bytes, and reads back.
  private func write(_ box: BoxedValue, as type: TypeEncoding, _ options: ConversionOptions = []) throws -> String {
    let size = type.size ?? 0
    var memory = [UInt8](repeating: 0xEE, count: size + 3)
    let text = try memory.withUnsafeMutableBytes { buffer in
      let start = try require(buffer.baseAddress) + 1
      try box.write(to: start, as: type, options: options)
      return "\(BoxedValue(reading: UnsafeRawPointer(start), as: type))"
    }
    expect(memory[0] == 0xEE && memory[size + 1] == 0xEE && memory[size + 2] == 0xEE)
    return text
  }

  @Test func scalars() throws {
    for (type, box) in [
      ("c", "-1"), ("C", "255"), ("s", "-2"), ("S", "65535"), ("i", "-3"), ("I", "4294967295"), ("q", "-4"), ("Q", "18446744073709551615"),
      ("t", "-5"), ("T", "340282366920938463463374607431768211455"), ("f", "1.5"), ("d", "0.1"), ("D", "2.5"),
    ] {
      let value: BoxedValue =
        if let number = Int(box) { .int(number) } else if let number = UInt128(box) { .uint128(number) } else { .double(Double(box) ?? 0) }
      try expectEqual(write(value, as: TypeEncoding(type)), box)
    }
    try expect(write(true, as: "B") == "true" && write(false, as: "B") == "false")
    try expectEqual(write(1.5, as: TypeEncoding(" ", blankIsFloat16: true)), "1.5")
    try expectEqual(write(300, as: "C", .truncating), "44")
  }

  @Test func aggregates() throws {
    try expectEqual(write(.point(Geometry.Point(x: 1, y: 2)), as: "{CGPoint=dd}"), "(1.0, 2.0)")
    try expectEqual(write(.value(EncodedBytes("[3s]", bytes: [1, 0, 2, 0, 3, 0])), as: "[3s]"), "{1, 2, 3}")
    try expectEqual(write(.value(EncodedBytes("(U=iq)", bytes: [1, 0, 0, 0, 0, 0, 0, 0])), as: "(V=iq)"), "(0100000000000000)")
    try expect(write(nil, as: "^v") == "null" && write(.selector("a"), as: ":") == "a")
  }

  @Test func errors() throws {
    let pointer = try require(UnsafeRawPointer(bitPattern: 16))
    for (box, type, code) in [
      (BoxedValue.int(300), "C", InvocationError.Code.outOfRange), (.string("x"), "*", .typeMismatch), (.int(1), "[3s]", .typeMismatch),
      (.null, "[3s]", .nullNotAllowed), (.pointer(pointer), "[3s]", .typeMismatch),
      (.null, "i", .nullNotAllowed), (.double(0.5), "i", .inexact), (.int(1), "v", .typeMismatch), (.int(1), "b3", .typeMismatch),
    ] {
      let error = expectThrows(InvocationError.self, "\(box) as \(type)") { try write(box, as: TypeEncoding(type)) }
      expect(error?.code == code && error?.argument == nil, "\(box) as \(type)")
    }
  }

  @Test func objectsAreNotRetained() throws {
    final class Thing {}
    let thing = Thing()
    var word: UInt = 0
    try withUnsafeMutableBytes(of: &word) { try BoxedValue.object(thing).write(to: require($0.baseAddress), as: "@") }
    expectEqual(word, UInt(bitPattern: Unmanaged.passUnretained(thing).toOpaque()))
    let read = withUnsafeBytes(of: word) { bytes in bytes.baseAddress.map { BoxedValue(reading: $0, as: "@") } }
    guard case .object(let object) = read else {
      Issue.record("it is no object")
      return
    }
    expectEqual(ObjectIdentifier(object), ObjectIdentifier(thing))
  }
}
