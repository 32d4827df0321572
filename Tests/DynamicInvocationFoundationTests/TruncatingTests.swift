import DynamicInvocation
import DynamicInvocationFoundation
import Foundation
import TestSupport
import Testing

/// The `truncating` option beside NSNumber's own accessors.
@Suite(.measured) struct TruncatingTests {
  private static let accessors: [(type: String, value: @Sendable (NSNumber) -> String)] = [
    ("c", { "\($0.int8Value)" }), ("C", { "\($0.uint8Value)" }), ("s", { "\($0.int16Value)" }), ("S", { "\($0.uint16Value)" }),
    ("i", { "\($0.int32Value)" }), ("I", { "\($0.uint32Value)" }), ("q", { "\($0.int64Value)" }), ("Q", { "\($0.uint64Value)" }),
    ("q", { "\($0.intValue)" }), ("f", { "\($0.floatValue)" }), ("d", { "\($0.doubleValue)" }),
    ("B", { "\($0.boolValue)" }),
  ]

  private static let integers: [Int] = [
    0, 1, -1, 2, 127, 128, -128, -129, 255, 256, 300, 32767, 32768, 65535, 65536, -32769, 70000, 2_147_483_647, 2_147_483_648,
    4_294_967_295, 4_294_967_296, -2_147_483_649, 16_777_217, (1 << 53) + 1, .max, .min,
  ]

  private static let floats: [Double] = [
    0, -0.0, 1, -1, 1.5, 3.7, -3.0, 127, 128, 255.9, 256, 300, -129, 32768, 65536, 70000, 2_147_483_647, 2_147_483_648, 4_294_967_295,
    4_294_967_296, -2_147_483_649, 1e10, 1e15 + 0.5, 9_007_199_254_740_992, 9.2e18, 9_223_372_036_854_775_808, 1e19,
    18_446_744_073_709_549_568, 1e20, 1e300, -1e19, -1e20, .infinity, -.infinity, .nan,
  ]

  /// Whether C states what becomes of a floating-point number that is converted to a type of NSNumber's accessors.
  ///
  /// NSNumber converts as C code does, whose result is the processor's for a number out of range: x86-64's is the
  /// engine's everywhere.
  private static func isDefined(_ number: Double, as type: String) -> Bool {
    #if arch(x86_64)
      return true
    #else
      let ranges: [String: Range<Double>] = [
        "c": -0x1p7..<0x1p7, "C": 0..<0x1p8, "s": -0x1p15..<0x1p15, "S": 0..<0x1p16, "i": -0x1p31..<0x1p31, "I": 0..<0x1p32,
        "q": -0x1p63..<0x1p63, "Q": 0..<0x1p64,
      ]
      return type == "B" ? !number.isNaN : ranges[type]?.contains(number.rounded(.towardZero)) ?? true
    #endif
  }

  private func compare(_ number: NSNumber, isFloatingPoint: Bool = false, line: Int = #line) throws {
    for (type, value) in Self.accessors where !isFloatingPoint || Self.isDefined(number.doubleValue, as: type) {
      try expectEqual(outcome(number, as: type, options: .truncating), value(number), "\(number) as \(type)", line: line)
    }
  }

  @Test func numbersAreThoseOfNSNumber() throws {
    for value in Self.integers {
      try compare(NSNumber(value: value))
      try expectEqual(outcome(NSNumber(value: value), as: "Q", options: .truncating), "\(UInt(bitPattern: value))")
    }
    for value in [UInt64.max, UInt64(Int64.max) + 1, UInt64.max - 1] { try compare(NSNumber(value: value)) }
    for value in Self.floats {
      for number in [NSNumber(value: value), NSNumber(value: Float(value))] { try compare(number, isFloatingPoint: true) }
    }
    for value in [true, false] { try compare(NSNumber(value: value)) }
  }

  /// Where NSNumber on Linux is odd: it rounds down on the way to `UInt64`, and takes a fraction for false.
  @Test func differences() throws {
    let negative = NSNumber(value: -3.7)
    #if arch(x86_64)
      expectEqual(negative.uint64Value, 18_446_744_073_709_551_612)
    #endif
    try expectEqual(outcome(negative, as: "Q", options: .truncating), "18446744073709551613")
    try expectEqual(outcome(negative, as: "q", options: .truncating), "-3")
    // NSNumber disagrees with itself on the way to an unsigned integer.
    let large = NSNumber(value: 1e19)
    expectEqual(large.uint64Value, 10_000_000_000_000_000_000)
    #if arch(x86_64)
      expect(large.uintValue != large.uint64Value)
    #endif
    try expectEqual(outcome(large, as: "Q", options: .truncating), "\(large.uint64Value)")
    let half = NSNumber(value: 0.5)
    expect(!half.boolValue)
    try expectEqual(outcome(half, as: "B", options: .truncating), "true")
  }

  @Test func truncatingStillRefusesOtherTypes() throws {
    try expectEqual(outcome("7", as: "i", options: .truncating), "typeMismatch")
    try expectEqual(outcome(NSNull(), as: "i", options: .truncating), "nullNotAllowed")
    try expectEqual(outcome(NSNumber(value: 7), as: "*", options: .truncating), "typeMismatch")
    try expectEqual(outcome(NSNumber(value: 7), as: "{CGPoint=dd}", options: .truncating), "typeMismatch")
  }
}
