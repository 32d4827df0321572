import DynamicInvocation
import TestSupport
import Testing

/// Each case of a box for each scalar.
@Suite(.measured) struct BoxedValueConversionTests {
  static let types: [String] = ["c", "C", "s", "S", "i", "I", "q", "Q", "t", "T", " ", "f", "d", "D", "B"]

  /// A box, and what it becomes for each type above: the value, `-` out of range, `~` inexact, `!` mismatch, `%` null.
  // Never changed; a box is not Sendable, as it may hold any object.
  nonisolated(unsafe) static let rows: [(box: BoxedValue, outcomes: String)] = [
    (.null, "% % % % % % % % % % % % % % %"),
    (.bool(true), "1 1 ! ! ! ! ! ! ! ! ! ! ! ! true"),
    (.bool(false), "0 0 ! ! ! ! ! ! ! ! ! ! ! ! false"),
    (.int(0), "0 0 0 0 0 0 0 0 0 0 0.0 0.0 0.0 0.0 !"),
    (.int(1), "1 1 1 1 1 1 1 1 1 1 1.0 1.0 1.0 1.0 !"),
    (.int(-1), "-1 - -1 - -1 - -1 - -1 - -1.0 -1.0 -1.0 -1.0 !"),
    (.int(127), "127 127 127 127 127 127 127 127 127 127 127.0 127.0 127.0 127.0 !"),
    (.int(128), "- 128 128 128 128 128 128 128 128 128 128.0 128.0 128.0 128.0 !"),
    (.int(-128), "-128 - -128 - -128 - -128 - -128 - -128.0 -128.0 -128.0 -128.0 !"),
    (.int(-129), "- - -129 - -129 - -129 - -129 - -129.0 -129.0 -129.0 -129.0 !"),
    (.int(255), "- 255 255 255 255 255 255 255 255 255 255.0 255.0 255.0 255.0 !"),
    (.int(256), "- - 256 256 256 256 256 256 256 256 256.0 256.0 256.0 256.0 !"),
    (.int(2049), "- - 2049 2049 2049 2049 2049 2049 2049 2049 ~ 2049.0 2049.0 2049.0 !"),
    (.int(32768), "- - - 32768 32768 32768 32768 32768 32768 32768 32768.0 32768.0 32768.0 32768.0 !"),
    (.int(-32769), "- - - - -32769 - -32769 - -32769 - ~ -32769.0 -32769.0 -32769.0 !"),
    (.int(65536), "- - - - 65536 65536 65536 65536 65536 65536 ~ 65536.0 65536.0 65536.0 !"),
    (.int(70000), "- - - - 70000 70000 70000 70000 70000 70000 ~ 70000.0 70000.0 70000.0 !"),
    (.int(16_777_217), "- - - - 16777217 16777217 16777217 16777217 16777217 16777217 ~ ~ 16777217.0 16777217.0 !"),
    (.int(2_147_483_648), "- - - - - 2147483648 2147483648 2147483648 2147483648 2147483648 ~ 2147483648.0 2147483648.0 2147483648.0 !"),
    (.int(4_294_967_296), "- - - - - - 4294967296 4294967296 4294967296 4294967296 ~ 4294967296.0 4294967296.0 4294967296.0 !"),
    (
      .int((1 << 53) + 1),
      "- - - - - - 9007199254740993 9007199254740993 9007199254740993 9007199254740993 ~ ~ ~ 9007199254740993 !"
    ),
    (
      .int(.max),
      "- - - - - - 9223372036854775807 9223372036854775807 9223372036854775807 9223372036854775807 ~ ~ ~ 9223372036854775807 !"
    ),
    (
      .int(.min),
      "- - - - - - -9223372036854775808 - -9223372036854775808 - ~ -9223372036854775808 -9223372036854775808 -9223372036854775808 !"
    ),
    (.uint(200), "- 200 200 200 200 200 200 200 200 200 200.0 200.0 200.0 200.0 !"),
    (
      .uint(.max), "- - - - - - - 18446744073709551615 18446744073709551615 18446744073709551615 ~ ~ ~ 18446744073709551615 !"
    ),
    (.int128(-5), "-5 - -5 - -5 - -5 - -5 - -5.0 -5.0 -5.0 -5.0 !"),
    (
      .int128((1 << 53) + 1),
      "- - - - - - 9007199254740993 9007199254740993 9007199254740993 9007199254740993 ~ ~ ~ 9007199254740993 !"
    ),
    (
      .int128(1 << 64),
      "- - - - - - - - 18446744073709551616 18446744073709551616 ~ 18446744073709551616 18446744073709551616 "
        + "18446744073709551616 !"
    ),
    (.int128(.max), "- - - - - - - - 170141183460469231731687303715884105727 170141183460469231731687303715884105727 ~ ~ ~ ~ !"),
    (.uint128(7), "7 7 7 7 7 7 7 7 7 7 7.0 7.0 7.0 7.0 !"),
    (.uint128(.max), "- - - - - - - - - 340282366920938463463374607431768211455 ~ ~ ~ ~ !"),
    (.float(0.1), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 0.1 0.10000000149011612 0.10000000149011612 !"),
    (.float(2), "2 2 2 2 2 2 2 2 2 2 2.0 2.0 2.0 2.0 !"),
    (.float(.infinity), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ inf inf inf inf !"),
    (.float(.nan), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ nan nan nan nan !"),
    (.double(-0.0), "0 0 0 0 0 0 0 0 0 0 -0.0 -0.0 -0.0 -0.0 !"),
    (.double(0.1), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 0.1 0.1 !"),
    (.double(1.5), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 1.5 1.5 1.5 1.5 !"),
    (.double(300), "- - 300 300 300 300 300 300 300 300 300.0 300.0 300.0 300.0 !"),
    (.double(-1), "-1 - -1 - -1 - -1 - -1 - -1.0 -1.0 -1.0 -1.0 !"),
    (.double(.nan), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ nan nan nan nan !"),
    (.double(-.infinity), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ -inf -inf -inf -inf !"),
    (.double(1e20), "- - - - - - - - 100000000000000000000 100000000000000000000 ~ ~ 1e+20 1e+20 !"),
    (.double(1e300), "- - - - - - - - - - ~ ~ 1e+300 1e+300 !"),
    (.double(.leastNonzeroMagnitude), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 5e-324 5e-324 !"),
    (.longDouble(LongDouble(2)), "2 2 2 2 2 2 2 2 2 2 2.0 2.0 2.0 2.0 !"),
    (.longDouble(LongDouble(0.1)), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 0.1 0.1 !"),
    (
      .longDouble(LongDouble(UInt64.max)),
      "- - - - - - - 18446744073709551615 18446744073709551615 18446744073709551615 ~ ~ ~ 18446744073709551615 !"
    ),
    // A long double of x87 has 64 bits of precision and reaches past 128-bit integers: such numbers were said to be no whole ones.
    (
      .int128(147_573_952_589_676_412_920),
      "- - - - - - - - 147573952589676412920 147573952589676412920 ~ ~ ~ 1.4757395258967641292e+20 !"
    ),
    (
      .longDouble(LongDouble(UInt128(147_573_952_589_676_412_920))),
      "- - - - - - - - 147573952589676412920 147573952589676412920 ~ ~ ~ 1.4757395258967641292e+20 !"
    ),
    (
      .longDouble(LongDouble(0x1p127)),
      "- - - - - - - - - \(UInt128(1) << 127) ~ 1.7014118e+38 1.7014118346046923e+38 1.7014118346046923173e+38 !"
    ),
    (.longDouble(LongDouble("-1e4000") ?? LongDouble()), "- - - - - - - - - - ~ ~ ~ -1e+4000 !"),
    (.longDouble(LongDouble(-Double.infinity)), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ -inf -inf -inf -inf !"),
    (.longDouble(LongDouble(Double.nan)), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ nan nan nan nan !"),
    (.string("7"), "! ! ! ! ! ! ! ! ! ! ! ! ! ! !"),
    (.type(Thing.self), "! ! ! ! ! ! ! ! ! ! ! ! ! ! !"),
    (.object(Thing()), "! ! ! ! ! ! ! ! ! ! ! ! ! ! !"),
    (.selector("a"), "! ! ! ! ! ! ! ! ! ! ! ! ! ! !"),
    (.point(Geometry.Point(x: 1, y: 2)), "! ! ! ! ! ! ! ! ! ! ! ! ! ! !"),
    (.range(Geometry.IndexRange(location: 1, length: 2)), "! ! ! ! ! ! ! ! ! ! ! ! ! ! !"),
    (.affineTransform(.identity), "! ! ! ! ! ! ! ! ! ! ! ! ! ! !"),
  ]

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

  @Test(arguments: rows.indices) func toEveryScalar(row: Int) throws {
    let (box, outcomes) = Self.rows[row]
    let columns = outcomes.split(separator: " ").map(String.init)
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
    func cut(_ box: BoxedValue, _ type: String) throws -> String { try Self.outcome(box, as: Self.type(type), .truncating) }
    try expect(cut(.int(300), "c") == "44" && cut(.int(-1), "I") == "4294967295" && cut(.double(3.7), "i") == "3")
    try expect(cut(.double(-3.7), "i") == "-3" && cut(.uint(.max), "q") == "-1" && cut(.double(1e20), "q") == "\(Int.min)")
    try expect(
      cut(.double(.nan), "q") == "\(Int.min)" && cut(.double(.nan), "i") == "0" && cut(.double(1e19), "Q") == "10000000000000000000")
    try expect(cut(.double(1e20), "Q") == "7766279631452241920" && cut(.double(.infinity), "Q") == "\(UInt.max)")
    try expect(cut(.double(1e20), "t") == "100000000000000000000" && cut(.double(1e300), "t") == "\(Int128.max)")
    try expect(cut(.double(-1e300), "t") == "\(Int128.min)" && cut(.double(-1), "T") == "\(UInt128.max)")
    try expect(cut(.bool(true), "i") == "1" && cut(.bool(true), "d") == "1.0" && cut(.bool(true), "D") == "1.0")
    try expect(cut(.int(2), "B") == "true" && cut(.int(0), "B") == "false" && cut(.double(0.5), "B") == "true")
    try expect(cut(.longDouble(LongDouble()), "B") == "false" && cut(.uint128(1 << 100), "B") == "true")
    try expect(cut(.double(0.1), "f") == "0.1" && cut(.int((1 << 53) + 1), "d") == "9007199254740992.0")
    try expect(
      cut(.longDouble(LongDouble(Int64.max)), "q") == "\(Int.max)" && cut(.longDouble(LongDouble(UInt64.max)), "Q") == "\(UInt.max)")
    try expect(cut(.longDouble(LongDouble(UInt64.max)), "q") == "\(Int.min)" && cut(.longDouble(LongDouble(2.9)), "i") == "2")
    try expectEqual(cut(.int128((1 << 64) + 5), "i"), "5")
    try expect(cut(.double(300.7), "c") == "44" && cut(.double(-300.7), "c") == "-44" && cut(.double(-1), "Q") == "\(UInt.max)")
    try expect(cut(.null, "i") == "nullNotAllowed" && cut(.string("1"), "i") == "typeMismatch" && cut(.int(1), "@") == "typeMismatch")
    try expect(cut(.int(1), "{Point=dd}") == "typeMismatch" && cut(.null, "{Point=dd}") == "nullNotAllowed")
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
