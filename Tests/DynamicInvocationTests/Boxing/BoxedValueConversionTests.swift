import DynamicInvocation
import TestSupport
import Testing

/// Each case of a box for each scalar.
@Suite(.measured) struct BoxedValueConversionTests {
  static let types: [String] = ["c", "C", "s", "S", "i", "I", "q", "Q", "t", "T", " ", "f", "d", "D", "B"]

  /// Reads a box of a table.
  private static func box(_ text: String) throws -> BoxedValue {
    let parts = text.split(separator: " ").map(String.init)
    let value = parts.count > 1 ? parts[1] : ""
    let box: BoxedValue? =
      switch parts[0] {
      case "null": .null
      case "bool": .bool(value == "true")
      case "int": Int(value).map { .int($0) }
      case "uint": UInt(value).map { .uint($0) }
      case "int128": Int128(value).map { .int128($0) }
      case "uint128": UInt128(value).map { .uint128($0) }
      case "float": Float(value).map { .float($0) }
      case "double": Double(value).map { .double($0) }
      case "longDouble": LongDouble(value).map { .longDouble($0) }
      case "string": .string(value)
      default: nil
      }
    return try require(box, text)
  }

  final class Thing {}

  /// What setting an argument from a box gives: the value read back, or the code of the error.
  static func outcome(_ box: BoxedValue, as type: TypeEncoding, _ options: ConversionOptions = []) throws -> String {
    let signature = try MethodSignature(MethodTypes(result: TypeEncoding("v"), arguments: [type]))
    let invocation = Invocation(signature)
    do {
      try invocation.setArgument(boxed: box, at: 0, options: options)
    } catch {
      expect(error.argument == .index(0) && error.encoding == type.description)
      expectThrows(InvocationError.self) { try invocation.boxedArgument(at: 0) }
      return error.code.rawValue
    }
    return "\(try invocation.boxedArgument(at: 0))"
  }

  static func type(_ text: String) throws -> TypeEncoding { try TypeEncoding(text, blankIsFloat16: true) }

  @Test(arguments: TextTable("boxes.txt").rows("Scalars")) func toEveryScalar(row: TextTable.Row) throws {
    let box = try Self.box(row[0])
    let columns = row[1].split(separator: " ").map(String.init)
    try require(columns.count == Self.types.count)
    for (type, column) in zip(Self.types, columns) {
      let expected =
        switch column {
        case "-": "outOfRange"
        case "~": "inexact"
        case "!": "typeMismatch"
        case "%": "nullNotAllowed"
        default: column
        }
      let actual = try Self.outcome(box, as: Self.type(type))
      if let number = LongDouble(expected), let double = Double(expected), let own = LongDouble(actual) {
        let isSame =
          switch type {
          case " ", "f": Float(actual) == Float(expected)
          case "d": Double(actual) == double
          case "D": own == number || own == LongDouble(double)
          default: actual == expected
          }
        expect(isSame || double.isNaN && own != own, "\(box) as '\(type)' is \(actual), not \(expected)")
      } else {
        expectEqual(actual, expected, "\(box) as '\(type)'")
      }
    }
  }

  @Test func noScalars() throws {
    let boxes: [BoxedValue] = [
      .string("7"), .type(Thing.self), .object(Thing()), .selector("a"), .point(Geometry.Point(x: 1, y: 2)),
      .range(Geometry.IndexRange(location: 1, length: 2)), .affineTransform(.identity),
    ]
    for box in boxes {
      for type in Self.types { try expectEqual(Self.outcome(box, as: Self.type(type)), "typeMismatch", "\(box) as '\(type)'") }
    }
  }

  /// A scalar in bytes is converted as the case of its own.
  @Test func scalarsInBytes() throws {
    let bytes = BoxedValue.value(try EncodedBytes(Int32(300)))
    try expect(Self.outcome(bytes, as: "q") == "300" && Self.outcome(bytes, as: "d") == "300.0")
    try expect(Self.outcome(bytes, as: "c") == "outOfRange" && Self.outcome(bytes, as: "B") == "typeMismatch")
    let truth = BoxedValue.value(try EncodedBytes("B", bytes: [1]))
    try expect(Self.outcome(truth, as: "B") == "true" && Self.outcome(truth, as: "i") == "typeMismatch")
  }

  /// Each case for what is no scalar: kept, mismatch, or null.
  @Test func toReferences() throws {
    let types: [TypeEncoding] = ["*", "@", "#", ":", "^v", "^i", "@?", "^?", "{Point=dd}"]
    let thing = Thing()
    let pointer = try require(UnsafeRawPointer(bitPattern: 0x1000))
    let rows: [(BoxedValue, [String])] = [
      (.null, ["null", "null", "null", "null", "null", "null", "null", "null", "nullNotAllowed"]),
      (.string("a"), ["\"a\"", "!", "!", "a", "!", "!", "!", "!", "!"]),
      (.object(thing), ["!", "<Thing>", "!", "!", "!", "!", "!", "!", "!"]),
      (.type(Thing.self), ["!", "!", "Thing", "!", "!", "!", "!", "!", "!"]),
      (.selector("a"), ["!", "!", "!", "a", "!", "!", "!", "!", "!"]),
      (.pointer(pointer), ["?", "!", "!", "!", "0x1000", "0x1000", "0x1000", "0x1000", "!"]),
      (.int(1), ["!", "!", "!", "!", "!", "!", "!", "!", "!"]),
      (.bool(true), ["!", "!", "!", "!", "!", "!", "!", "!", "!"]),
      (.double(1), ["!", "!", "!", "!", "!", "!", "!", "!", "!"]),
      (.point(Geometry.Point(x: 1, y: 2)), ["!", "!", "!", "!", "!", "!", "!", "!", "(1.0, 2.0)"]),
    ]
    for (box, outcomes) in rows {
      for (type, expected) in zip(types, outcomes) where expected != "?" {
        try expectEqual(Self.outcome(box, as: type), (expected == "!" ? "typeMismatch" : expected), "\(box) as \(type)")
      }
    }
    // An address of characters is taken as it is; nothing is copied.
    let invocation = Invocation(try MethodSignature(types: "v*"))
    try invocation.setArgument(boxed: .pointer(pointer), at: 0)
    try expectEqual(invocation.argument(at: 0, as: UnsafeRawPointer.self), pointer)
  }

  /// C would see the text up to the null character alone.
  @Test func textsWithANullCharacterAreRefused() throws {
    for type: TypeEncoding in ["*", "%", ":"] {
      for text in ["\0", "a\0b", "a\0"] {
        try expectEqual(Self.outcome(.string(text), as: type), "typeMismatch", "\(text.debugDescription) as \(type)")
      }
      try expectEqual(Self.outcome(.string(""), as: type), (type == ":" ? "" : "\"\""))
    }
  }

  @Test func truncating() throws {
    for row in TextTable("boxes.txt").rows("Truncated") {
      try expectEqual(Self.outcome(Self.box(row[0]), as: Self.type(row[1]), .truncating), row[2], "\(row) as \(row[1])")
    }
  }

  @Test func messages() throws {
    let invocation = Invocation(try MethodSignature(types: "s@:is@{Point=dd}*"))
    func message(_ box: BoxedValue, at index: Int) -> String {
      do {
        try invocation.setArgument(boxed: box, at: index)
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    expectEqual(message(70000, at: 3), "argument 3 (s, Int16): 70000 does not fit")
    expectEqual(message(1.5, at: 2), "argument 2 (i, Int32): 1.5 is not a whole number")
    expectEqual(message(true, at: 2), "argument 2 (i, Int32): bool true is no Int32")
    expectEqual(message(nil, at: 2), "argument 2 (i, Int32): null is no Int32")
    expectEqual(message("x", at: 3), "argument 3 (s, Int16): string \"x\" is no Int16")
    expectEqual(message(1, at: 4), "argument 4 (@): integer 1 is not an object")
    expectEqual(message(1, at: 5), "argument 5 ({Point=dd}): integer 1 is not a value of this layout")
    expectEqual(message(nil, at: 5), "argument 5 ({Point=dd}): null is not a value of this layout")
    expectEqual(message(1, at: 6), "argument 6 (*): integer 1 is not a text or a pointer")
    expectEqual(message(1, at: 7), "argument 7: the signature has arguments 0 to 6")
    expectEqual(message(1, at: -1), "argument -1: the signature has arguments 0 to 6")
    do {
      try invocation.setReturnValue(boxed: 70000)
      Issue.record("70000 is a short")
    } catch {
      expectEqual("\(error)", "return value (s, Int16): 70000 does not fit")
    }
    expectThrows(InvocationError.self) { try invocation.setArguments(boxed: [1]) }
  }

  @Test func literals() {
    let boxes: [BoxedValue] = [nil, true, 7, 1.5, "x"]
    expectEqual(boxes.map(\.description), ["null", "true", "7", "1.5", "\"x\""])
    expect(boxes[0].isNull && !boxes[1].isNull)
  }
}
