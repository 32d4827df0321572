import DynamicInvocation
import DynamicInvocationFoundation
import Foundation
import TestSupport
import Testing

@Suite(.measured) struct NumberConversionTests {
  private static let types: [Character] = ["c", "C", "s", "S", "i", "I", "q", "Q", "t", "T", "f", "d", "D", "B"]

  /// Each number for each type above: the value, or `-` out of range, `~` inexact, `!` mismatch.
  private static let rows: [(NSNumber, String)] = [
    (NSNumber(value: Int8(1)), "1 1 1 1 1 1 1 1 1 1 1.0 1.0 1.0 !"),
    (NSNumber(value: UInt8(200)), "- 200 200 200 200 200 200 200 200 200 200.0 200.0 200.0 !"),
    (NSNumber(value: 300), "- - 300 300 300 300 300 300 300 300 300.0 300.0 300.0 !"),
    (NSNumber(value: -1), "-1 - -1 - -1 - -1 - -1 - -1.0 -1.0 -1.0 !"),
    (NSNumber(value: 70000), "- - - - 70000 70000 70000 70000 70000 70000 70000.0 70000.0 70000.0 !"),
    (NSNumber(value: 16_777_217), "- - - - 16777217 16777217 16777217 16777217 16777217 16777217 ~ 16777217.0 16777217.0 !"),
    (
      NSNumber(value: UInt32.max),
      "- - - - - 4294967295 4294967295 4294967295 4294967295 4294967295 ~ 4294967295.0 4294967295.0 !"
    ),
    (
      NSNumber(value: (1 << 53) + 1),
      "- - - - - - 9007199254740993 9007199254740993 9007199254740993 9007199254740993 ~ ~ 9007199254740993.0 !"
    ),
    (
      NSNumber(value: UInt64.max),
      "- - - - - - - 18446744073709551615 18446744073709551615 18446744073709551615 ~ ~ 1.8446744073709551615e+19 !"
    ),
    (NSNumber(value: true), "1 1 ! ! ! ! ! ! ! ! ! ! ! true"),
    (NSNumber(value: false), "0 0 ! ! ! ! ! ! ! ! ! ! ! false"),
    (NSNumber(value: 2.0), "2 2 2 2 2 2 2 2 2 2 2.0 2.0 2.0 !"),
    (NSNumber(value: 3.7), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 3.7 3.7000000000000001776 !"),
    (NSNumber(value: 0.1), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 0.1 0.10000000000000000555 !"),
    (NSNumber(value: Float(0.1)), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ 0.1 0.10000000149011612 0.10000000149011611938 !"),
    (NSNumber(value: Double.nan), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ nan nan nan !"),
    (NSNumber(value: Double.infinity), "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ inf inf inf !"),
    (NSNumber(value: 1e20), "- - - - - - - - 100000000000000000000 100000000000000000000 ~ 1e+20 1e+20 !"),
    (NSNumber(value: 1e300), "- - - - - - - - - - ~ 1e+300 1.0000000000000000525e+300 !"),
  ]

  @Test(arguments: rows.indices) func toEveryScalar(row: Int) throws {
    let (number, expected) = Self.rows[row]
    let columns = expected.split(separator: " ").map { column in
      switch column {
      case "-": "outOfRange"
      case "~": "inexact"
      case "!": "typeMismatch"
      default: String(column)
      }
    }
    try #require(columns.count == Self.types.count)
    for (type, column) in zip(Self.types, columns) {
      let actual = try outcome(number, as: String(type))
      if type == "f" || type == "D", Double(column) != nil {
        expect(LongDouble(actual)?.doubleValue == Double(column) || actual == column, "\(number) as \(type)")
      } else {
        expectEqual(actual, column, "\(number) as \(type)")
      }
    }
  }

  @Test func messages() throws {
    try expectEqual(failure(NSNumber(value: 70000), at: 3, of: "v@:is")?.description, "argument 3 (s, Int16): 70000 does not fit")
    try expectEqual(failure(NSNumber(value: 300), at: 2, of: "v@:c")?.description, "argument 2 (c, Int8): 300 does not fit")
    try expectEqual(failure(NSNumber(value: 1), at: 0, of: "vB")?.description, "argument 0 (B, Bool): integer 1 is no Bool")
    try expectEqual(failure(NSNull(), at: 2, of: "v@:i")?.description, "argument 2 (i, Int32): null is no Int32")
    try expectEqual(failure("7", at: 2, of: "v@:i")?.description, "argument 2 (i, Int32): string \"7\" is no Int32")
    try expectEqual(failure(NSNumber(value: 1), at: 2, of: "v@:{CGPoint=dd}")?.code, .typeMismatch)
    try expectEqual(failure(Date(), at: 0, of: "vd")?.code, .typeMismatch)
  }

  @Test func nullIsNoScalarAndNoStruct() throws {
    for type in ["c", "q", "T", "f", "D", "B", "{CGRect={CGPoint=dd}{CGSize=dd}}", "(u=iq)", "jd"] {
      try expectEqual(outcome(NSNull(), as: type), "nullNotAllowed")
      try expectEqual(outcome(nil, as: type), "nullNotAllowed")
      try expectEqual(outcome(Int?.none as Any, as: type), "nullNotAllowed")
    }
    for type in ["*", "@", "#", ":", "^v", "^i", "@?"] {
      try expectEqual(outcome(NSNull(), as: type), "null")
      try expectEqual(outcome(nil, as: type), "null")
    }
  }
}
