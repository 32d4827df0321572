import DynamicInvocation
import DynamicInvocationFoundation
import Foundation
import TestSupport
import Testing

@Suite(.measured) struct NSNumberBoxingTests {
  @Test func holdsTheValueItWasMadeFrom() throws {
    let cases: [(NSNumber, String)] = [
      (NSNumber(value: true), "bool true"), (NSNumber(value: false), "bool false"), (true as NSNumber, "bool true"),
      (NSNumber(value: Int8(1)), "int 1"), (NSNumber(value: Int8(0)), "int 0"), (NSNumber(value: UInt8(1)), "int 1"),
      (NSNumber(value: Int8(-128)), "int -128"), (NSNumber(value: Int8.max), "int 127"), (NSNumber(value: UInt8.max), "int 255"),
      (NSNumber(value: Int16.min), "int -32768"), (NSNumber(value: UInt16.max), "int 65535"),
      (NSNumber(value: Int32.min), "int -2147483648"), (NSNumber(value: UInt32.max), "int 4294967295"),
      (NSNumber(value: Int.max), "int 9223372036854775807"), (NSNumber(value: Int.min), "int -9223372036854775808"),
      (NSNumber(value: UInt64(Int64.max)), "int 9223372036854775807"),
      (NSNumber(value: UInt64(Int64.max) + 1), "uint 9223372036854775808"), (NSNumber(value: UInt64.max), "uint 18446744073709551615"),
      (NSNumber(value: UInt(7)), "int 7"), (NSNumber(value: 0.1), "double 0.1"), (NSNumber(value: 1.0), "double 1.0"),
      (NSNumber(value: Float(0.1)), "float 0.1"), (NSNumber(value: Float(1)), "float 1.0"), (NSNumber(value: Double.nan), "double nan"),
      (NSNumber(value: -Double.infinity), "double -inf"),
    ]
    for (number, expected) in cases { try expectEqual(BoxedValue(number).shown, expected) }
  }

  /// `objCType` says `c` of both, and `as? Bool` takes both.
  @Test func tellsABoolFromAnInt8() throws {
    expectEqual(String(cString: NSNumber(value: Int8(-128)).objCType), String(cString: NSNumber(value: true).objCType))
    try expectEqual(outcome(NSNumber(value: Int8(-128)), as: "B"), "typeMismatch")
    try expectEqual(outcome(NSNumber(value: Int8(1)), as: "B"), "typeMismatch")
    try expectEqual(outcome(NSNumber(value: true), as: "B"), "true")
  }

  @Test func boolsSurviveArchivesAndJSON() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: NSNumber(value: true), requiringSecureCoding: false)
    let archived = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSNumber.self, from: data))
    try expectEqual(BoxedValue(archived).shown, "bool true")
    try expectEqual(BoxedValue(archived.copy()).shown, "bool true")
    let json = try JSONSerialization.jsonObject(with: Data("[true, false, 1, 0, 1.5, 18446744073709551615, null, \"x\"]".utf8))
    let shown = try #require(json as? [Any]).map { try BoxedValue($0).shown }
    expectEqual(
      shown, ["bool true", "bool false", "int 1", "int 0", "double 1.5", "uint 18446744073709551615", "null null", "string \"x\""])
  }

  @Test(arguments: [
    ("300", "int 300"), ("-1", "int -1"), ("0", "int 0"), ("-0", "int 0"), ("1.50", "double 1.5"), ("-0.25", "double -0.25"),
    ("9223372036854775807", "int 9223372036854775807"), ("-9223372036854775808", "int -9223372036854775808"),
    ("18446744073709551615", "uint 18446744073709551615"), ("1e20", "int128 100000000000000000000"),
    ("-1e20", "int128 -100000000000000000000"), ("-9223372036854775809", "int128 -9223372036854775809"),
    ("340282366920938463463374607431768211455", "uint128 340282366920938463463374607431768211455"),
    ("-170141183460469231731687303715884105728", "int128 -170141183460469231731687303715884105728"),
    ("1e22", "int128 10000000000000000000000"), ("1.8446744073709551616e40", "double 1.8446744073709552e+40"),
    ("0.0009765625", "double 0.0009765625"), ("NaN", "double nan"),
  ])
  func decimalsAreExact(text: String, expected: String) throws {
    let number = NSDecimalNumber(string: text)
    try expectEqual(BoxedValue(number).shown, expected)
    try expectEqual(BoxedValue(number.decimalValue).shown, expected)
  }

  @Test(arguments: ["0.1", "-3.7", "1e-20", "0.3333333333333333", "1e60", "-340282366920938463463374607431768211455"])
  func decimalsWithoutAnExactNumberAreRefused(text: String) throws {
    let number = NSDecimalNumber(string: text)
    #expect(throws: InvocationError.self) { try BoxedValue(number) }
    try expectEqual(outcome(number, as: "d"), "inexact")
    try expectEqual(outcome(number, as: "d", options: .truncating), "\(number.doubleValue)")
  }
}
