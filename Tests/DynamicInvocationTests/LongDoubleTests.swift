import TestSupport
import Testing

@testable import DynamicInvocation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite(.measured) struct LongDoubleTests {
  @Test func layout() {
    #if canImport(Darwin) && arch(arm64)
      expectEqual(MemoryLayout<LongDouble>.size, 8)
    #else
      expectEqual(MemoryLayout<LongDouble>.size, 16)
      expectEqual(MemoryLayout<LongDouble>.stride, 16)
      expectEqual(MemoryLayout<LongDouble>.alignment, 16)
    #endif
  }

  @Test(arguments: [
    ("0", "0.0"), ("-0", "-0.0"), ("1", "1.0"), ("-1.5", "-1.5"), ("100", "100.0"), ("0.1", "0.1"), ("3.25e2", "325.0"),
    ("12345.678", "12345.678"), ("0.0001", "0.0001"), ("0.00001", "1e-05"), ("1e19", "10000000000000000000.0"), ("1e20", "1e+20"),
    ("-1.25e-300", "-1.25e-300"), ("0x1p10", "1024.0"), ("0x1.8p1", "3.0"), ("inf", "inf"), ("-Infinity", "-inf"),
    ("nan", "nan"), ("-nan", "nan"), ("+7", "7.0"), (".5", "0.5"), ("5.", "5.0"),
  ]) func textBothWays(text: String, description: String) throws {
    let value = try require(LongDouble(text))
    expectEqual(value.description, description)
    let again = try require(LongDouble(description))
    expect(again == value || value != value)
  }

  @Test(arguments: ["", " 1", "1 ", "1x", "abc", "0x", "1,5", "1\0", "--1", "1e", "\n1", "1e99999", "-1e99999"])
  func refusesText(text: String) {
    expectNil(LongDouble(text))
  }

  @Test func tooSmallRoundsToZero() {
    expectEqual(LongDouble("1e-99999"), LongDouble(0))
  }

  @Test func integersAreExact() {
    for value in [Int64.min, .min + 1, -1, 0, 1, 1 << 53 + 1, .max - 1, .max] {
      expectEqual(Int64(exactly: LongDouble(value)), value)
    }
    for value in [UInt64.min, 1, 1 << 53 + 1, 1 << 63, .max - 1, .max] {
      expectEqual(UInt64(exactly: LongDouble(value)), value)
    }
    expectEqual(LongDouble(UInt64.max).description, "18446744073709551615.0")
    expectEqual(LongDouble(Int64.min).description, "-9223372036854775808.0")
    expectEqual(LongDouble(5), LongDouble(5.0))
  }

  @Test func integersOutOfRange() throws {
    expectNil(Int64(exactly: LongDouble(UInt64(1) << 63)))
    expectNil(UInt64(exactly: LongDouble(-1)))
    expectNil(UInt64(exactly: try require(LongDouble("18446744073709551616"))))
    expectNil(Int64(exactly: try require(LongDouble("-9223372036854775809"))))
    for text in ["0.5", "nan", "inf", "-inf"] {
      let value = try require(LongDouble(text))
      expectNil(Int64(exactly: value))
      expectNil(UInt64(exactly: value))
    }
    expectEqual(Int64(exactly: LongDouble(-0.0)), 0)
  }

  @Test func integersOf128BitsAreExact() throws {
    for shift in 0..<127 {
      let value = Int128(1) << Int128(shift)
      expect(Int128(exactly: LongDouble(value)) == value && Int128(exactly: LongDouble(-value)) == -value)
      expectEqual(UInt128(exactly: LongDouble(UInt128(value))), UInt128(value))
    }
    expect(LongDouble(Int128(-5)) == LongDouble(-5) && LongDouble(Int128(0)) == LongDouble())
    expectEqual(Int128(exactly: LongDouble(Int128.min)), .min)
    expectEqual(UInt128(exactly: LongDouble(UInt128(1) << 127)), 1 << 127)
    // The nearest numbers to the greatest integers are one past them.
    expect(Int128(exactly: LongDouble(Int128.max)) == nil && UInt128(exactly: LongDouble(UInt128.max)) == nil)
    expect(Int128(exactly: LongDouble(UInt128(1) << 127)) == nil && UInt128(exactly: LongDouble(-1)) == nil)
    expect(Int128(exactly: LongDouble(-0.0)) == 0 && UInt128(exactly: LongDouble(-0.0)) == 0)
    for value in [LongDouble(0.5), LongDouble(Double.nan), LongDouble(Double.infinity), try require(LongDouble("1e4000"))] {
      expect(Int128(exactly: value) == nil && UInt128(exactly: value) == nil)
    }
  }

  @Test func doubles() throws {
    for value in [0.1, -0.0, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity] {
      expectEqual(LongDouble(value).doubleValue, value)
      expectEqual(Double(exactly: LongDouble(value)), value)
    }
    expect(LongDouble(Double.nan).doubleValue.isNaN)
    expectNil(Double(exactly: LongDouble(Double.nan)))
    let tenth = try require(LongDouble("0.1"))
    expect(tenth != LongDouble(0.1))
    expectNil(Double(exactly: tenth))
    expectEqual(tenth.doubleValue, 0.1)
  }

  @Test func comparison() throws {
    let nan = LongDouble(Double.nan)
    expect(nan != nan)
    expect(!(nan < nan) && !(nan <= nan) && !(nan > nan) && !(nan >= nan))
    expect(LongDouble(1) < LongDouble(2) && LongDouble(2) > LongDouble(1) && LongDouble(1) <= LongDouble(1))
    expectEqual(LongDouble(0.0), LongDouble(-0.0))
    expectEqual(Set([LongDouble(0.0), LongDouble(-0.0), LongDouble(1)]).count, 2)
    let large = try require(LongDouble("1e4000"))
    expect(large > LongDouble(Double.greatestFiniteMagnitude))
    expectEqual(large.doubleValue, .infinity)
    expectEqual(large.description, "1e+4000")
  }

  #if arch(x86_64)
    @Test func float80() throws {
      for value: Float80 in [0, -1.5, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, 1 / 3] {
        expectEqual(LongDouble(value).float80Value, value)
        let text = LongDouble(value).description
        try expectEqual(require(LongDouble(text)).float80Value, value)
      }
      expectEqual(LongDouble(0.1).description, "0.10000000000000000555")
      expectEqual(LongDouble(Float80(1) / 3).description, "0.33333333333333333334")
      expect(LongDouble(Float80.nan).float80Value.isNaN)
    }

    /// The bytes that C leaves undefined: they never count, and come out of every initializer as zero.
    @Test func padding() {
      func bytes(_ value: LongDouble) -> [UInt8] { unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
      for value in [LongDouble(1.0), LongDouble(Float80.pi), LongDouble("0.1") ?? LongDouble(), LongDouble(Int64(7))] {
        expectEqual(bytes(value)[10...], [0, 0, 0, 0, 0, 0])
      }
      var soiled = LongDouble(1.5)
      unsafe withUnsafeMutableBytes(of: &soiled) { for index in 10..<16 { unsafe $0[index] = 0xA5 } }
      expectEqual(soiled, LongDouble(1.5))
      expectEqual(soiled.hashValue, LongDouble(1.5).hashValue)
      expectEqual(soiled.description, "1.5")
      expect(!(soiled < LongDouble(1.5)))
    }

    /// x87 has two representations of a few numbers: exponent zero with the integer bit set equals exponent one.
    @Test func equalNumbersOfDifferentBitsHashAlike() {
      var odd = LongDouble()
      unsafe withUnsafeMutableBytes(of: &odd) { unsafe $0[7] = 0x80 }
      let even = LongDouble(Float80.leastNormalMagnitude)
      expectEqual(odd, even)
      expectEqual(odd.hashValue, even.hashValue)
    }

    @Test func shortestTextsOfRandomNumbers() {
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      var failures = 0
      for _ in 0..<2000 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value = Float80(sign: .plus, exponent: Int(state % 2000) - 1000, significand: 1 + Float80(state) / 0x1p64)
        let text = LongDouble(value).description
        if LongDouble(text)?.float80Value != value || text.utf8.count > 30 { failures += 1 }
      }
      expectEqual(failures, 0)
    }
  #endif

  /// The decimal point is a point, whatever LC_NUMERIC says; the locale of the calling thread is left as it was.
  @Test func localeHasNoInfluence() throws {
    var own: locale_t?
    // Machines without any locale of a comma still check that the thread keeps its own.
    for name: String in ["de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", "C"] where unsafe own == nil {
      unsafe own = newlocale(numericMask, name, nil)
    }
    let previous = unsafe uselocale(own)
    let value = LongDouble("1.5")
    let text = value?.description
    let refused = LongDouble("1,5")
    let current = unsafe uselocale(previous)
    expectEqual(value, LongDouble(1.5))
    expectEqual(text, "1.5")
    expectNil(refused)
    expectEqual(unsafe current, own)
    if let own = unsafe own { unsafe freelocale(own) }
  }

  @Test func errnoIsLeftAlone() {
    errno = 77
    _ = LongDouble("1e99999")
    _ = LongDouble(0.1).description
    expectEqual(errno, 77)
  }
}

/// C's LC_NUMERIC_MASK, a macro that Swift does not import: the bit of the category.
private let numericMask: CInt = 1 << LC_NUMERIC
