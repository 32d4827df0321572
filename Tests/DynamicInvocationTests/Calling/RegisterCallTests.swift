import CallFrames
import DynamicInvocation
import TestSupport
import Testing

/// Typed calls of C functions whose arguments and result are all words, or all floating-point numbers, in registers.
///
/// They have no frame: a C function pointer is called.
@Suite(.measured) struct RegisterCallTests {
  @Test("Words and floating-point numbers in registers need no frame")
  func plans() throws {
    for (section, expected) in [
      ("Calls of words in registers", RegisterCall.words), ("Calls of floating-point numbers in registers", .floats),
      ("Calls with a frame", .none),
    ] {
      for row in TextTable.placements.rows(section) {
        try expectEqual(MethodSignature(types: row[0]).storage.plan.registerCall, expected, row[0])
      }
    }
  }

  @Test("A variadic call, and a call by libffi, has a frame")
  func otherPlans() throws {
    try expectEqual(MethodSignature(types: "iqq", fixedArgumentCount: 1).storage.plan.registerCall, .none)
    guard CallBackend.libffi.isAvailable else { return }
    try expectEqual(MethodSignature(types: "iqq", backend: .libffi).storage.plan.registerCall, .none)
  }

  private static let callees = """
    #include <stdint.h>
    #include <string.h>
    // The bits that a register had, by the type of the parameter and of the result.
    int8_t c(int8_t a) { return (int8_t)~a; }
    uint8_t C(uint8_t a) { return (uint8_t)~a; }
    int16_t s(int16_t a) { return (int16_t)~a; }
    uint16_t S(uint16_t a) { return (uint16_t)~a; }
    int32_t i(int32_t a) { return ~a; }
    uint32_t I(uint32_t a) { return ~a; }
    int64_t q(int64_t a) { return ~a; }
    uint64_t Q(uint64_t a) { return ~a; }
    _Bool B(_Bool a) { return !a; }
    int64_t six(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f) {
      return a + 3L * b + 5L * c + 7L * d + 11L * e + 13L * f;
    }
    double doubles(double a, double b, double c, double d, double e, double f) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f; }
    float floats(float a, double b, float c) { return a + (float)b * c; }
    uint64_t bits; // of the last argument
    double same(double a) { memcpy(&bits, &a, 8); return a; }
    float sameFloat(float a) { uint32_t b; memcpy(&b, &a, 4); bits = b; return a; }
    char *text(char *a, int64_t by) { return a ? a + by : 0; }
    int64_t calls;
    void count(int64_t by) { calls += by; }
    """

  private static func library(_ compilation: Compilation) throws -> DynamicLibrary {
    try DynamicLibrary(compilation.compiler.sharedLibrary(source: callees, flags: compilation.flags, name: "registers"))
  }

  private func check<Integer: FixedWidthInteger & EncodedValue>(_ library: DynamicLibrary, _ name: String, _: Integer.Type) throws {
    let function = try library.function(name, types: name + name)
    for value in [Integer.min, .max, 0, 1, .random(in: .min ... .max), .random(in: .min ... .max)] {
      try expectEqual(function(value, as: Integer.self), ~value, "\(name)(\(value))")
    }
  }

  @Test("Integers of all widths arrive and return whole", arguments: Compilation.all)
  func integers(_ compilation: Compilation) throws {
    let library = try Self.library(compilation)
    try check(library, "c", Int8.self)
    try check(library, "C", UInt8.self)
    try check(library, "s", Int16.self)
    try check(library, "S", UInt16.self)
    try check(library, "i", Int32.self)
    try check(library, "I", UInt32.self)
    try check(library, "q", Int.self)
    try check(library, "Q", UInt.self)
    try expectEqual(library.function("B", types: "BB")(true, as: Bool.self), false)
    try expectEqual(library.function("B", types: "BB")(false, as: Bool.self), true)
    let six = try library.function("six", types: "qcCsSiI")
    let sum: Int = try six(-1 as Int8, 200 as UInt8, -300 as Int16, 60_000 as UInt16, -70_000 as Int32, 4_000_000_000 as UInt32)
    expectEqual(sum, -1 + 600 - 1500 + 420_000 - 770_000 + 52_000_000_000)
  }

  @Test("Floating-point numbers arrive and return bit by bit", arguments: Compilation.all)
  func floats(_ compilation: Compilation) throws {
    let library = try Self.library(compilation)
    let doubles = try library.function("doubles", types: "ddddddd")
    try expectEqual(doubles(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, as: Double.self), 91)
    try expectEqual(library.function("floats", types: "ffdf")(0.5 as Float, 2.0, 0.25 as Float, as: Float.self), 1)
    let (same, sameFloat) = (try library.function("same", types: "dd"), try library.function("sameFloat", types: "ff"))
    let bits = try library.symbol("bits").assumingMemoryBound(to: UInt64.self)
    for value in [0.0, -0.0, .infinity, .leastNonzeroMagnitude, .nan, Double(nan: 5, signaling: false), -.pi] {
      try expectEqual(same(value, as: Double.self).bitPattern, value.bitPattern)
      expectEqual(bits.pointee, value.bitPattern)
    }
    for value in [0 as Float, -0.0, .infinity, .leastNonzeroMagnitude, .nan, -.pi] {
      try expectEqual(sameFloat(value, as: Float.self).bitPattern, value.bitPattern)
      expectEqual(bits.pointee, UInt64(value.bitPattern))
    }
  }

  @Test("Pointers, null, C strings and dropped results", arguments: Compilation.all)
  func pointers(_ compilation: Compilation) throws {
    let library = try Self.library(compilation)
    let text = try library.function("text", types: "^v^vq")
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { bytes.deallocate() }
    try expectEqual(text(bytes, 5, as: UnsafeMutableRawPointer.self), bytes + 5)
    try expectNil(text(UnsafeMutableRawPointer?.none, 5, as: UnsafeMutableRawPointer?.self))
    #expect { _ = try text(UnsafeMutableRawPointer?.none, 5, as: UnsafeMutableRawPointer.self) } throws: {
      "\($0)" == "text: return value: it is null; ask for an optional"
    }
    let copied = try library.function("text", types: "**q")
    try expectEqual(copied("swift", 2, as: String?.self), "ift")
    try text(bytes, 1)
    let (count, calls) = (try library.function("count", types: "vq"), try library.symbol("calls").assumingMemoryBound(to: Int.self))
    let before = calls.pointee
    try count(5)
    try count(-7)
    expectEqual(calls.pointee, before - 2)
    try library.function("same", types: "dd")(2.0)
  }

  @Test("Types and counts are compared as for a call with a frame")
  func mismatches() throws {
    let library = try Self.library(Compilation.all[0])
    let same = try library.function("same", types: "dd")
    #expect { _ = try same(2.0 as Float, as: Double.self) } throws: { "\($0)".contains("argument 0") }
    #expect { _ = try same(2.0, as: Float.self) } throws: { "\($0)".contains("return value") }
    #expect { _ = try same(2.0, 3.0, as: Double.self) } throws: { "\($0)".contains("2 arguments") }
  }
}
