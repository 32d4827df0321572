import DynamicInvocation
import TestSupport
import Testing

/// Calls that versions of libffi make wrong, or leave to the caller, by the engine's libffi backend: right with each version.
@Suite("Defects of libffi stay inside", .measured, .enabled(if: CallBackend.libffi.isAvailable))
struct LibFFIDefectTests {
  private let library: DynamicLibrary

  init() throws { library = try DynamicLibrary(CCompiler.gcc.sharedLibrary(source: Self.source, flags: ["-O2"], name: "defects")) }

  private static let source = """
    #include <string.h>
    typedef struct { char c; double d; } Mixed;
    double mixed(char a, char b, char c, char d, char e, float f, Mixed m) { return a + b + c + d + e + f * 8 + m.c + m.d * 2; }
    typedef struct { long words[25]; } Large;
    long last(Large l, int i) { long sum = l.words[i]; memset(&l, 0xEE, sizeof l); __asm__ volatile("" :: "r"(&l) : "memory"); return sum; }
    typedef struct { long double d; } Wide;
    Wide wide(double d) { Wide w = { d * 2 }; return w; }
    long double product(long double a, long double b) { volatile long double x = a, y = b; return x * y; }
    #ifdef __x86_64__
    // The tag word of the x87 unit, without disturbing it: 0xFFFF when its stack is empty.
    unsigned x87_tags(void) { unsigned short e[14]; __asm__ volatile("fnstenv %0\\n\\tfldenv %0" : "=m"(e)); return e[4]; }
    #else
    unsigned x87_tags(void) { return 0xFFFF; }
    #endif
    signed char narrow(int i) { return (signed char)i; }
    short narrow16(int i) { return (short)i; }
    typedef union { float f; int i; } Either;
    int either(Either e, float next) { return e.i + (int)next; }
    typedef struct { unsigned long a : 40; unsigned char b; } Bits;
    long bits(Bits b, long next) { return (long)b.a + b.b + next; }
    typedef struct { int a[4]; } Four;
    int four(Four f) { return f.a[0] * 1000 + f.a[1] * 100 + f.a[2] * 10 + f.a[3]; }
    typedef struct { } Empty;
    int around(int a, Empty e, int b) { return a * 100 + b; }
    """

  private func invocation(_ name: String, _ types: String, backend: CallBackend = .libffi) throws -> Invocation {
    let invocation = Invocation(try MethodSignature(types: types, backend: backend))
    invocation.implementation = Implementation(try library.symbol(name), keeping: library)
    return invocation
  }

  /// A struct half in a register behind five integers and a float (issue 574), a union that is not passed as its first member, bit-fields
  /// that share words, an array that is no pointer, and a struct without bytes.
  @Test("Structs and unions are passed as the ABI says") func aggregates() throws {
    func bytes(_ type: TypeEncoding, _ words: UInt32...) throws -> BoxedValue {
      let bytes = words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
      return .value(try EncodedBytes(type, bytes: bytes))
    }
    let mixed = try BoxedValue.value(EncodedBytes((Int8(7), 600.25), as: "{Mixed=cd}"))
    let rows: [(name: String, types: String, arguments: [BoxedValue], result: String)] = [
      ("mixed", "dcccccf{Mixed=cd}", [1, 2, 3, 4, 5, 3.5, mixed], "\(15 + 3.5 * 8 + 7 + 600.25 * 2)"),
      ("either", "i(Either=fi)f", [try bytes("(Either=fi)", 77), 5.0], "82"),
      // 1000 and 9.
      ("bits", "q{Bits=b40C}q", [try bytes("{Bits=b40C}", 1000, 9 << 8), 50_000], "51009"),
      ("four", "i{Four=[4i]}", [try bytes("{Four=[4i]}", 5, 1, 2, 34)], "5154"),
      ("around", "ii{Empty=}i", [12, try bytes("{Empty=}"), 34], "1234"),
    ]
    for row in rows {
      for backend in [CallBackend.libffi, .automatic] where row.name != "mixed" || backend == .automatic {
        let invocation = try invocation(row.name, row.types, backend: backend)
        try invocation.setArguments(boxed: row.arguments)
        try invocation.invoke()
        try expectEqual("\(invocation.boxedReturnValue())", row.result, row.name)
      }
    }
  }

  @Test("A reused invocation passes the struct it holds, not the one before")
  func argumentVector() throws {
    let words = UnsafeMutablePointer<Int>.allocate(capacity: 25)
    defer { words.deallocate() }
    let invocation = try invocation("last", "q{Large=[25q]}i")
    for round in 0..<1000 {
      for word in 0..<25 { (words + word).initialize(to: round * 100 + word) }
      try invocation.setArgument(from: words, at: 0)
      try invocation.setArgument(Int32(round % 25), at: 1)
      // The callee overwrites its own copy; a second call must find the struct as it was set.
      for _ in 0..<2 { try expectEqual(invocation.result(), round * 100 + round % 25) }
    }
  }

  @Test("A struct of one long double comes back, and leaves the x87 stack as it was")
  func wideResult() throws {
    let tags = try library.function("x87_tags", types: "I")
    let product = try library.function("product", types: "DDD")
    let invocation = try invocation("wide", "{Wide=D}d")
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    defer { memory.deallocate() }
    for round in 0..<1000 {
      try invocation.setArgument(Double(round), at: 0)
      try invocation.invoke()
      try invocation.getReturnValue(into: memory)
      expectEqual(memory.load(as: LongDouble.self), LongDouble(Double(2 * round)))
      if round % 100 == 0 {
        // What is left behind would make this thread's next x87 results NaN.
        try expectEqual(tags() as UInt32, 0xFFFF)
        try expectEqual(product(LongDouble(2.0), LongDouble(3.0)) as LongDouble, LongDouble(6.0))
      }
    }
  }

  @Test("A result narrower than a word changes its own bytes only", arguments: [("narrow", "ci", 1), ("narrow16", "si", 2)])
  func narrowResult(name: String, types: String, size: Int) throws {
    let invocation = try invocation(name, types)
    try invocation.setArgument(Int32(-7), at: 0)
    try invocation.invoke()
    var bytes: [UInt8] = Array(repeating: 0x5A, count: 8)
    try bytes.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
    expectEqual(bytes[0], 0xF9)
    expect(bytes[size...].allSatisfy { $0 == 0x5A })
    try expectEqual(invocation.argument(at: 0, as: Int32.self), -7)
  }
}
