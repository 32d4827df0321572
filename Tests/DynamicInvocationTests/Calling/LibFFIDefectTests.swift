import CFFIShim
import DynamicInvocation
import TestSupport
import Testing

/// What libffi does wrong, called raw, beside the engine on the same function.
///
/// The raw outcome depends on the libffi version and is only printed; the engine must be right with each.
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
    void x87_reset(void) { __asm__ volatile("fninit"); }
    #else
    unsigned x87_tags(void) { return 0xFFFF; }
    void x87_reset(void) {}
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

  private func report(_ defect: String, isRight: Bool) {
    print("libffi, called raw: \(defect): \(isRight ? "right" : "wrong")")
  }

  private func function(_ name: String) throws -> UnsafeRawPointer { try library.symbol(name) }

  @Test("A mixed struct behind five general-purpose registers leaves its neighbour's xmm0 alone")
  func mixedStruct() throws {
    struct Mixed: EncodedValue, BitwiseCopyable {
      var c: Int8
      var d: Double
      static let typeEncoding: TypeEncoding = "{Mixed=cd}"
    }
    let expected = 1.0 + 2 + 3 + 4 + 5 + 3.5 * 8 + 7 + 600.25 * 2
    let raw = RawLibFFI()
    let char = cffi_scalar_type(.sint8)
    var arguments: [(RawLibFFI.TypePointer, any BitwiseCopyable)] = (1...5).map { (char, Int8($0)) }
    arguments.append((cffi_scalar_type(.float), Float(3.5)))
    arguments.append((raw.structure([char, cffi_scalar_type(.double)]), Mixed(c: 7, d: 600.25)))
    let got = try raw.call(try function("mixed"), cffi_scalar_type(.double), as: Double.self, arguments)
    report("a struct half in a register, behind five integers and a float (issue 574)", isRight: got == expected)

    let mixed = try library.function("mixed", types: "dcccccf{Mixed=cd}")
    let ours: Double = try mixed(Int8(1), Int8(2), Int8(3), Int8(4), Int8(5), Float(3.5), Mixed(c: 7, d: 600.25))
    expectEqual(ours, expected)
  }

  @Test("A reused invocation passes the struct it holds, not the one before")
  func argumentVector() throws {
    let raw = RawLibFFI()
    let large = raw.structure(Array(repeating: cffi_scalar_type(.sint64), count: 25))
    expectEqual(raw.prepare(cffi_scalar_type(.sint64), [large, cffi_scalar_type(.sint32)]), 0)
    let words = UnsafeMutablePointer<Int>.allocate(capacity: 25)
    defer { words.deallocate() }
    words.initialize(repeating: 1, count: 25)
    var index: CInt = 24
    withUnsafeMutablePointer(to: &index) { index in
      let given = UnsafeMutableRawPointer(words)
      var vector: [UnsafeMutableRawPointer?] = [given, UnsafeMutableRawPointer(index)]
      var result = 0
      do { try raw.call(function("last"), result: &result, vector: &vector) } catch { Issue.record(error) }
      report("the argument vector after a call with a large struct", isRight: vector[0] == given)
    }

    let invocation = Invocation(try MethodSignature(types: "q{Large=[25q]}i", backend: .libffi))
    let implementation = Implementation(try function("last"), keeping: library)
    for round in 0..<1000 {
      for word in 0..<25 { words[word] = round * 100 + word }
      try invocation.setArgument(from: words, at: 0)
      try invocation.setArgument(Int32(round % 25), at: 1)
      try invocation.invoke(using: implementation)
      try expectEqual(invocation.returnValue(as: Int.self), round * 100 + round % 25)
      // The callee overwrites its own copy; a second call must find the struct as it was set.
      try invocation.invoke(using: implementation)
      try expectEqual(invocation.returnValue(as: Int.self), round * 100 + round % 25)
    }
  }

  @Test("A struct of one long double comes back, and leaves the x87 stack as it was")
  func wideResult() throws {
    let tags = try library.function("x87_tags", types: "I")
    let reset = try library.function("x87_reset", types: "v")
    let raw = RawLibFFI()
    let wide = raw.structure([cffi_scalar_type(.longDouble)])
    let got = try raw.call(try function("wide"), wide, as: LongDouble.self, [(cffi_scalar_type(.double), 21.0)])
    let after: UInt32 = try tags()
    // What libffi left behind would make this thread's next x87 results NaN.
    try reset() as Void
    report("struct { long double } as a result", isRight: got == LongDouble(42.0))
    report("the x87 stack after it", isRight: after == 0xFFFF)

    try expectEqual(tags() as UInt32, 0xFFFF)
    let invocation = Invocation(try MethodSignature(types: "{Wide=D}d", backend: .libffi))
    let implementation = Implementation(try function("wide"), keeping: library)
    let product = try library.function("product", types: "DDD")
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    defer { memory.deallocate() }
    for round in 0..<1000 {
      try invocation.setArgument(Double(round), at: 0)
      try invocation.invoke(using: implementation)
      try invocation.getReturnValue(into: memory)
      expectEqual(memory.load(as: LongDouble.self), LongDouble(Double(2 * round)))
      if round % 100 == 99 {
        try expectEqual(tags() as UInt32, 0xFFFF)
        try expectEqual(product(LongDouble(2.0), LongDouble(3.0)) as LongDouble, LongDouble(6.0))
      }
    }
  }

  @Test("A result narrower than a word changes its own bytes only")
  func narrowResult() throws {
    let raw = RawLibFFI()
    expectEqual(raw.prepare(cffi_scalar_type(.sint8), [cffi_scalar_type(.sint32)]), 0)
    var argument: CInt = -7
    var buffer: [UInt8] = Array(repeating: 0x5A, count: 8)
    withUnsafeMutablePointer(to: &argument) { argument in
      buffer.withUnsafeMutableBytes { buffer in
        var vector: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(argument)]
        guard let address = buffer.baseAddress else { return }
        do { try raw.call(function("narrow"), result: address, vector: &vector) } catch { Issue.record(error) }
      }
    }
    report("the bytes behind a one-byte result", isRight: buffer[1...].allSatisfy { $0 == 0x5A })

    for (name, types, size) in [("narrow", "ci", 1), ("narrow16", "si", 2)] {
      let invocation = Invocation(try MethodSignature(types: types, backend: .libffi))
      try invocation.setArgument(Int32(-7), at: 0)
      try invocation.invoke(using: Implementation(try function(name), keeping: library))
      var bytes: [UInt8] = Array(repeating: 0x5A, count: 8)
      try bytes.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
      expectEqual(bytes[0], 0xF9)
      expect(bytes[size...].allSatisfy { $0 == 0x5A })
      try expectEqual(invocation.argument(at: 0, as: Int32.self), -7)
    }
  }

  @Test("A union is passed as the ABI merges its members, not as its first member")
  func union() throws {
    let raw = RawLibFFI()
    let either = raw.structure([cffi_scalar_type(.float)])
    let got = try raw.call(
      try function("either"), cffi_scalar_type(.sint64), as: Int32.self, [(either, Int32(77)), (cffi_scalar_type(.float), Float(5))])
    report("a union faked as a struct of its first member", isRight: got == 82)

    let invocation = Invocation(try MethodSignature(types: "i(Either=fi)f", backend: .libffi))
    try withUnsafeBytes(of: Int32(77)) { if let address = $0.baseAddress { try invocation.setArgument(from: address, at: 0) } }
    try invocation.setArgument(Float(5), at: 1)
    try invocation.invoke(using: Implementation(try function("either"), keeping: library))
    try expectEqual(invocation.returnValue(as: Int32.self), 82)
  }

  @Test("Bit-fields are passed in the words they share")
  func bitFields() throws {
    let raw = RawLibFFI()
    let bits = raw.structure([cffi_scalar_type(.uint64), cffi_scalar_type(.uint8)])
    let value: UInt64 = 9 << 40 | 1000
    let got = try raw.call(
      try function("bits"), cffi_scalar_type(.sint64), as: Int.self,
      [(bits, (value, UInt64(0))), (cffi_scalar_type(.sint64), 50_000)])
    report("a bit-field faked as a member of its own", isRight: got == 51_009)

    let invocation = Invocation(try MethodSignature(types: "q{Bits=b40C}q", backend: .libffi))
    try withUnsafeBytes(of: value) { if let address = $0.baseAddress { try invocation.setArgument(from: address, at: 0) } }
    try invocation.setArgument(50_000, at: 1)
    try invocation.invoke(using: Implementation(try function("bits"), keeping: library))
    try expectEqual(invocation.returnValue(as: Int.self), 51_009)
  }

  @Test("An array in a struct is passed as its elements, not as a pointer")
  func arrayInStruct() throws {
    let raw = RawLibFFI()
    let four = raw.structure([cffi_scalar_type(.pointer)])
    let value: (Int32, Int32, Int32, Int32) = (5, 1, 2, 34)
    let got = try raw.call(try function("four"), cffi_scalar_type(.sint64), as: Int32.self, [(four, value)])
    report("an array in a struct faked as a pointer", isRight: got == 5154)

    let invocation = Invocation(try MethodSignature(types: "i{Four=[4i]}", backend: .libffi))
    try withUnsafeBytes(of: value) { if let address = $0.baseAddress { try invocation.setArgument(from: address, at: 0) } }
    try invocation.invoke(using: Implementation(try function("four"), keeping: library))
    try expectEqual(invocation.returnValue(as: Int32.self), 5154)
  }

  @Test("An empty struct takes no register and is not refused")
  func emptyStruct() throws {
    let raw = RawLibFFI()
    let int = cffi_scalar_type(.sint32)
    let status = raw.prepare(int, [int, raw.structure([]), int])
    report("an empty struct", isRight: status == 0)

    let invocation = Invocation(try MethodSignature(types: "ii{Empty=}i", backend: .libffi))
    try invocation.setArgument(Int32(12), at: 0)
    try withUnsafeBytes(of: 0) { if let address = $0.baseAddress { try invocation.setArgument(from: address, at: 1) } }
    try invocation.setArgument(Int32(34), at: 2)
    try invocation.invoke(using: Implementation(try function("around"), keeping: library))
    try expectEqual(invocation.returnValue(as: Int32.self), 1234)
  }
}
