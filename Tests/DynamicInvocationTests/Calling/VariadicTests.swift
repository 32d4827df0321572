import DynamicInvocation
import TestSupport
import Testing

/// Calls of variadic functions, whose number of fixed arguments the caller states.
@Suite("Variadic functions", .measured)
struct VariadicTests {
  private struct Pair: EncodedValue, BitwiseCopyable {
    var a: Int32
    var b: Double
    static let typeEncoding: TypeEncoding = "{Pair=id}"
  }

  private struct Triple: EncodedValue, BitwiseCopyable {
    var a: Double
    var b: Double
    var c: Double
    static let typeEncoding: TypeEncoding = "{Triple=ddd}"
  }

  private func printed(_ format: String, _ types: String, _ set: (Invocation) throws -> Void) throws -> String {
    let invocation = Invocation(try MethodSignature(types: "i^cQ*" + types, fixedArgumentCount: 3))
    var text = [CChar](repeating: 1, count: 256)
    try text.withUnsafeMutableBufferPointer { buffer in
      try invocation.setArguments([buffer.baseAddress, UInt64(buffer.count), format])
      try set(invocation)
      try invocation.invoke(using: Implementation(try DynamicLibrary.process.symbol("snprintf")))
    }
    let length = Int(try invocation.returnValue(as: Int32.self))
    expectEqual(text[length], 0)
    return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("snprintf prints integers, strings, doubles and long doubles")
  func snprintf() throws {
    try expectEqual(printed("nothing", "") { _ in }, "nothing")
    let mixed = try printed("%d %s %.2f %ld %Lg %c %u %x", "i*dqDiII") { invocation in
      try invocation.setArgument(Int32(-5), at: 3)
      try invocation.setArgument("text", at: 4)
      try invocation.setArgument(2.75, at: 5)
      try invocation.setArgument(Int.min, at: 6)
      try invocation.setArgument(LongDouble(0.5), at: 7)
      try invocation.setArgument(Int32(65), at: 8)
      try invocation.setArgument(boxed: .uint(4_000_000_000), at: 9)
      try invocation.setArgument(boxed: 255, at: 10)
    }
    expectEqual(mixed, "-5 text 2.75 -9223372036854775808 0.5 A 4000000000 ff")
  }

  @Test("More doubles than there are vector registers arrive", arguments: [1, 7, 8, 9, 14])
  func manyDoubles(_ count: Int) throws {
    let format = Array(repeating: "%g", count: count).joined(separator: ",")
    let text = try printed(format, String(repeating: "d", count: count)) { invocation in
      for index in 0..<count { try invocation.setArgument(Double(index) + 0.5, at: 3 + index) }
    }
    expectEqual(text, (0..<count).map { "\($0).5" }.joined(separator: ","))
  }

  private static let callees = """
    #include <stdarg.h>
    typedef struct { int a; double b; } Pair;
    typedef struct { double a, b, c; } Triple;
    double pairs(int n, ...) { va_list l; va_start(l, n); double s = 0;
      for (int i = 0; i < n; i += 1) { Pair p = va_arg(l, Pair); s += p.a * 1000 + p.b; } va_end(l); return s; }
    double blend(int n, ...) { va_list l; va_start(l, n); double s = 0;
      for (int i = 0; i < n; i += 1) { Triple t = va_arg(l, Triple); long double d = va_arg(l, long double); int k = va_arg(l, int);
        s += t.a + t.b * 10 + t.c * 100 + (double)d * 1000 + k; } va_end(l); return s; }
    Triple result(double first, int n, ...) { va_list l; va_start(l, n); Triple t = { first, 0, n };
      for (int i = 0; i < n; i += 1) t.b += va_arg(l, double); va_end(l); return t; }
    """

  @Test("Structs and long doubles arrive through va_arg, in registers and on the stack", arguments: Compilation.all)
  func structs(_ compilation: Compilation) throws {
    let library = try DynamicLibrary(compilation.compiler.sharedLibrary(source: Self.callees, flags: compilation.flags, name: "va"))
    for count in 0...12 {
      let pairs = Invocation(try MethodSignature(types: "di" + String(repeating: "{Pair=id}", count: count), fixedArgumentCount: 1))
      try pairs.setArgument(Int32(count), at: 0)
      for index in 0..<count { try pairs.setArgument(Pair(a: Int32(index), b: Double(index) + 0.25), at: 1 + index) }
      try pairs.invoke(using: Implementation(try library.symbol("pairs"), keeping: library))
      let sum = (0..<count).reduce(0.0) { (sum: Double, index: Int) -> Double in sum + Double(index) * 1001 + 0.25 }
      try expectEqual(pairs.returnValue(as: Double.self), sum, "\(count) pairs")
    }
    let blend = Invocation(try MethodSignature(types: "di{Triple=ddd}Di{Triple=ddd}Di", fixedArgumentCount: 1))
    try blend.setArgument(Int32(2), at: 0)
    for (start, number) in [(1, 1.0), (4, 2.0)] {
      try blend.setArgument(Triple(a: number, b: number, c: number), at: start)
      try blend.setArgument(LongDouble(number), at: start + 1)
      try blend.setArgument(Int32(7), at: start + 2)
    }
    try blend.invoke(using: Implementation(try library.symbol("blend"), keeping: library))
    try expectEqual(blend.returnValue(as: Double.self), 3 * 1111 + 14)

    let result = try library.function("result", types: "{Triple=ddd}di" + String(repeating: "d", count: 10), fixedArgumentCount: 2)
    let triple: Triple = try result(0.5, Int32(10), 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
    expect(triple.a == 0.5 && triple.b == 55 && triple.c == 10)
  }
}
