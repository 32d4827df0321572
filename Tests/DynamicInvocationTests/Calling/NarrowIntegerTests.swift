import DynamicInvocation
import TestSupport
import Testing

/// Integers narrower than their register: the psABI says nothing of the upper bits, but clang's callees rely on them.
@Suite("Narrow integers", .measured)
struct NarrowIntegerTests {
  /// Each function takes a wide register and is called as one that takes a narrow integer.
  private static let registers = """
    long first(long a) { return a; }
    long sixth(long a, long b, long c, long d, long e, long f) { return f; }
    long seventh(long a, long b, long c, long d, long e, long f, long g) { return g; }
    """

  @Test(
    "A narrow argument fills its whole register or stack word, extended as its type says",
    arguments: [
      ("c", 0x80, -128), ("C", 0x80, 128), ("s", 0x8001, -32_767), ("S", 0x8001, 0x8001), ("i", 0x8000_0001, -2_147_483_647),
      ("I", 0x8000_0001, 0x8000_0001), ("B", 1, 1), ("c", 0x7F, 127), ("s", 0x7FFF, 0x7FFF),
    ] as [(String, UInt64, Int)])
  func wholeRegister(_ type: String, _ bits: UInt64, _ extended: Int) throws {
    let library = try DynamicLibrary(CCompiler.gcc.sharedLibrary(source: Self.registers, flags: ["-O2"], name: "registers"))
    for (name, before) in [("first", 0), ("sixth", 5), ("seventh", 6)] {
      let types = "q" + String(repeating: "q", count: before) + type
      let invocation = Invocation(try MethodSignature(types: types))
      for index in 0..<before { try invocation.setArgument(Int.random(in: .min ... .max), at: index) }
      // Bytes behind the value must not get in.
      try withUnsafeBytes(of: bits | Self.noise(behind: type)) {
        if let address = $0.baseAddress { try invocation.setArgument(from: address, at: before) }
      }
      try invocation.invoke(using: Implementation(try library.symbol(name), keeping: library))
      try expectEqual(invocation.returnValue(as: Int.self), extended, "\(types), \(name)")
    }
  }

  /// Bits behind a value of the type, which setting it must not read.
  private static func noise(behind type: String) -> UInt64 {
    switch type {
    case "c", "C", "B": 0xA5A5_A5A5_A5A5_A500
    case "s", "S": 0xA5A5_A5A5_A5A5_0000
    default: 0xA5A5_A5A5_0000_0000
    }
  }

  /// clang widens without looking: `(long)c` of an argument is its register.
  private static let widening = """
    long c(signed char x) { return x; }
    long C(unsigned char x) { return x; }
    long s(short x) { return x; }
    long S(unsigned short x) { return x; }
    long i(int x) { return x; }
    long I(unsigned x) { return x; }
    long B(_Bool x) { return x; }
    long seven(long a, long b, long c, long d, long e, long f, signed char x, unsigned short y) { return x * 100000L + y; }
    int both(int (*table)[2], signed char x) { return table[1][x]; }
    """

  @Test("A callee that widens its argument sees the value", arguments: Compilation.all)
  func widening(_ compilation: Compilation) throws {
    let library = try DynamicLibrary(
      compilation.compiler.sharedLibrary(source: Self.widening, flags: compilation.flags, name: "widening"))
    func expectSame<Value: EncodedValue & FixedWidthInteger>(_ type: String, _ values: [Value]) throws {
      let widen = try library.function(type, types: "q" + type)
      for value in values {
        let widened: Int = try widen(value)
        expectEqual(widened, Int(value))
      }
    }
    try expectSame("c", [Int8.min, -1, 0, 1, Int8.max])
    try expectSame("C", [UInt8.min, 1, 0x80, UInt8.max])
    try expectSame("s", [Int16.min, -1, 1, Int16.max])
    try expectSame("S", [UInt16.min, 1, 0x8000, UInt16.max])
    try expectSame("i", [Int32.min, -1, 1, Int32.max])
    try expectSame("I", [UInt32.min, 1, 1 << 31, UInt32.max])
    let bool = try library.function("B", types: "qB")
    try expectEqual(bool(true) as Int, 1)
    try expectEqual(bool(false) as Int, 0)
    let seven = try library.function("seven", types: "qqqqqqqcS")
    try expectEqual(seven(1, 2, 3, 4, 5, 6, Int8(-3), UInt16(65_535)) as Int, -300_000 + 65_535)
    let table: [Int32] = [10, 11, 12, 13]
    let both = try library.function("both", types: "i^vc")
    let element: Int32 = try table.withUnsafeBytes { try both($0.baseAddress, Int8(-2)) }
    expectEqual(element, 10)
  }

  @Test("A narrow result is read without the bits above it")
  func narrowResult() throws {
    // The function leaves other bits in the whole of rax, which a callee may.
    let source = "unsigned long noisy(unsigned long x) { return x; }"
    let library = try DynamicLibrary(CCompiler.gcc.sharedLibrary(source: source, flags: ["-O2"], name: "noisy"))
    func noisy(_ type: String) throws -> ForeignFunction { try library.function("noisy", types: type + "Q") }
    let bits: UInt64 = 0xDEAD_BEEF_8123_F680
    try expectEqual(noisy("c")(bits) as Int8, -128)
    try expectEqual(noisy("C")(bits) as UInt8, 128)
    try expectEqual(noisy("s")(bits) as Int16, Int16(bitPattern: 0xF680))
    try expectEqual(noisy("S")(bits) as UInt16, 0xF680)
    try expectEqual(noisy("i")(bits) as Int32, Int32(bitPattern: 0x8123_F680))
    try expectEqual(noisy("I")(bits) as UInt32, 0x8123_F680)
    try expectEqual(noisy("B")(bits | 1) as Bool, true)
  }
}
