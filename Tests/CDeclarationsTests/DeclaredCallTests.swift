@testable import DeclarationReading
import InvocationMacros
import TestSupport
import Testing

@testable import CDeclarations
import DynamicInvocation

/// Functions are called with the types of declarations.
@Suite(.measured) struct DeclaredCallTests {
  #if os(Linux)
    private static let libm = Platform.mathLibrary
    private static let libc = Platform.cLibrary

    @Test("What the macros generate finds functions, and refuses a variable")
    func pointers() throws {
      typealias Pow = @convention(c) (Double, Double) -> Double
      let pow = try _DeclaredFunction.pointer(to: "pow", in: Self.libm, as: Pow.self)
      #expect(pow(2, 10) == 1024)
      let error = try #require(throws: InvocationError.self) {
        try _DeclaredFunction.pointer(to: "environ", in: Self.libc, as: Pow.self)
      }
      #expect(error.code == .typeMismatch && error.reason.contains("'environ'") && error.reason.contains("is a variable"))
    }

    @Test("A declaration is enough to call a function")
    func calls() throws {
      let pow = try DynamicLibrary(Self.libm).function("double pow(double, double)")
      let y: Double = try pow(2.0, 10.0)
      #expect(y == 1024)
      let declarations = try CDeclarations(
        "typedef struct { int quot, rem; } div_t; div_t div(int n, int d); int absent(void); extern char **environ; unsigned abs(int);")
      let libc = try DynamicLibrary(Self.libc, declarations: declarations)
      let call = try libc.function("div").makeInvocation()
      try call.setArgument(boxed: 17, at: 0)
      try call.setArgument(boxed: 5, at: 1)
      try call.invoke()
      guard case .value(let result) = try call.boxedReturnValue() else { return }
      #expect("\(result["quot"] ?? .null) \(result["rem"] ?? .null)" == "3 2")
      #expect(result["other"] == nil)
      #expect(throws: Never.self) { try libc.variable("environ") }
      // Its absence is an error when it is used.
      #expect(try #require(throws: InvocationError.self) { try libc.function("absent") }.code == .symbolNotFound)
      let error = try #require(throws: InvocationError.self) { try libc.function("dib") }
      #expect(error.reason.contains("no function 'dib' is declared") && error.candidates.contains("div"))
      #expect(throws: InvocationError.self) { try libc.function("int abs(int)") }
    }

    @Test("The arguments after an ellipsis have stated types, which C promotes")
    func variadic() throws {
      let printf = try DynamicLibrary(Self.libc).function("int snprintf(char *, size_t, const char *, ...)", variadic: "int, float")
      #expect(printf.methodSignature.fixedArgumentCount == 3)
      #expect(printf.methodSignature.types.text(options: .structNames) == "i*Q*id")
      #expect(throws: InvocationError.self) { try MethodSignature(declaration: "int f(int)", variadic: "int") }
      let fixed = try MethodSignature(declaration: "int printf(const char *, ...)")
      #expect(fixed.numberOfArguments == 1 && fixed.fixedArgumentCount == 1)
      // C23: no parameter precedes the ellipsis.
      let absolute = try DynamicLibrary(Self.libc).function("int abs(...)", variadic: "int")
      #expect(absolute.methodSignature.fixedArgumentCount == 0)
      let three: Int32 = try absolute(Int32(-3))
      #expect(three == 3)
    }

    private static let halves = """
      #include <stdarg.h>
      double sum16(int n, ...) {
        va_list l; va_start(l, n); double s = 0;
        for (int i = 0; i < n; i += 1) { s = s * 2 + (double)va_arg(l, _Float16); }
        va_end(l); return s;
      }
      double mixed16(int n, ...) {
        va_list l; va_start(l, n);
        double a = va_arg(l, _Float16), b = va_arg(l, double); int c = va_arg(l, int); double d = va_arg(l, _Float16);
        va_end(l); return a + 10 * b + 100 * c + 1000 * d;
      }
      """

    @Test("C promotes no _Float16 after an ellipsis", arguments: Compilation.all) func halves(_ compilation: Compilation) throws {
      let library = try DynamicLibrary(
        compilation.compiler.sharedLibrary(source: Self.halves, flags: compilation.flags, name: "halves"))
      for count in 0...12 {
        let types = Array(repeating: "_Float16", count: count).joined(separator: ", ")
        let call = try library.function("double sum16(int, ...)", variadic: types).makeInvocation()
        try call.setArgument(Int32(count), at: 0)
        var sum = 0.0
        for index in 0..<count {
          try call.setArgument(Double(index) + 0.5, at: index + 1)
          sum = sum * 2 + Double(index) + 0.5
        }
        try call.invoke()
        #expect(try call.returnValue(as: Double.self) == sum, "\(count)")
      }
      let mixed = try library.function("double mixed16(int, ...)", variadic: "const _Float16, float, short, _Float16")
      #expect(try mixed(4, 1.5, 2.25, 3, 4.5, as: Double.self) == 4824)
    }

    @Test("A _Float32 after an ellipsis, which C does not promote either, is told apart from a float")
    func unpromoted() throws {
      let error = try #require(throws: InvocationError.self) {
        try DynamicLibrary(Self.libc).function("int printf(const char *, ...)", variadic: "int, const _Float32")
      }
      #expect(error.code == .unsupportedType && error.reason.contains("_Float32") && error.callee == "printf")
      #expect(try MethodSignature(declaration: "int f(int, ...)", variadic: "float, _Float64").types.text() == "iidd")
    }

    @Test("A closure has the types of a declaration")
    func closures() throws {
      let declarations = try CDeclarations(
        "typedef int (*compare)(const void *, const void *); void qsort(void *, size_t, size_t, compare);")
      let libc = try DynamicLibrary(Self.libc, declarations: declarations)
      let closure = try Closure(declaration: "compare", in: declarations) { call in
        let left: UnsafePointer<Int32> = try call.argument(at: 0)
        let right: UnsafePointer<Int32> = try call.argument(at: 1)
        try call.setReturnValue(left.pointee - right.pointee)
      }
      var values: [Int32] = [3, 1, 2]
      try libc.function("qsort")(&values, 3, 4, closure.pointer)
      #expect(values == [1, 2, 3])
      let other = try Closure(declaration: "double (*)(double)".replacing("(*)", with: "(*twice)")) { call in
        let value: Double = try call.argument(at: 0)
        try call.setReturnValue(2 * value)
      }
      let doubled: Double = try ForeignFunction(other.implementation, other.methodSignature)(1.5)
      #expect(doubled == 3)
    }

    @Test("A static function and a name without a declaration cannot be called")
    func refused() throws {
      let libc = try DynamicLibrary(Self.libc, declarations: CDeclarations("static inline int f(int x) { return x; }"))
      #expect(try #require(throws: InvocationError.self) { try libc.function("f") }.reason.contains("static"))
      let error = try #require(throws: InvocationError.self) { try DynamicLibrary(Self.libc).function("abs") }
      #expect(error.reason.contains("'abs' is a name without a declaration"))
      let inline = try DynamicLibrary(
        Self.libc,
        declarations: CDeclarations("inline int g(int x) { return x; } __attribute__((always_inline)) static int h(void) { return 1; }"))
      let absent = try #require(throws: InvocationError.self) { try inline.function("g") }
      #expect(absent.code == .symbolNotFound && absent.reason.contains("the header defines it as inline"))
      #expect(try #require(throws: InvocationError.self) { try inline.function("h") }.reason.contains("defines it as static: no library"))
      let wrong = try #require(throws: InvocationError.self) { try DynamicLibrary(Self.libc).function("int abs(imt)") }
      #expect(wrong.reason.contains("line 1, column 9: 'imt' is not a type"))
    }
  #endif

  @Test("An error says what a name is that is no function")
  func otherNames() throws {
    let declarations = try CDeclarations(
      """
      extern int *__errno_location(void);
      #define errno (*__errno_location ())
      #define SET(fd,  set) \\
        __SET (fd, set)
      #define EMPTY
      #define GONE 1
      #undef GONE
      typedef int number; struct tag { int x; }; enum { ONE }; extern int variable;

      """)
    for (name, reason) in [
      ("errno", "it is a macro: (*__errno_location ())"), ("SET", "it is a macro with the parameters (fd, set): __SET (fd, set)"),
      ("EMPTY", "it is a macro without a value"), ("ONE", "it is an enumerator"), ("variable", "it is a variable"),
      ("tag", "it is a type"),
    ] {
      #expect(declarations.reasonWithoutFunction(name) == reason)
    }
    #expect(declarations.reasonWithoutFunction("GONE") == nil && declarations.reasonWithoutFunction("__errno_location") == nil)
    let error = try #require(throws: InvocationError.self) { try MethodSignature(declaration: "errno", in: declarations) }
    #expect(error.reason == "no function 'errno' is declared: it is a macro: (*__errno_location ())")
  }

  private static let bytes = """
    #include <stddef.h>
    #include <stdint.h>
    struct data { uint8_t *start; int count; };
    unsigned sum(const unsigned char *bytes, size_t count) { unsigned s = 0; while (count--) s = 31 * s + *bytes++; return s; }
    const unsigned char *text(int isThere) { return isThere ? (const unsigned char *)"caf\\xc3\\xa9" : 0; }
    struct data make(void) { struct data d = {(uint8_t *)0x10, 3}; return d; }
    signed char *odd(void) { return (signed char *)0x11; }
    """

  @Test("Bytes are a text only where the program says so", arguments: CCompiler.all.filter(\.available)) func bytes(compiler: CCompiler)
    throws
  {
    let declarations = try CDeclarations(
      """
      struct data { uint8_t *start; int count; };
      unsigned sum(const unsigned char *bytes, size_t count); const unsigned char *text(int); struct data make(void); signed char *odd(void);
      """)
    let library = try DynamicLibrary(compiler.sharedLibrary(source: Self.bytes, name: "bytes"), declarations: declarations)
    let sum = try library.function("sum")
    let expected = "a\u{E9}".utf8.reduce(UInt32(0)) { 31 * $0 + UInt32($1) }
    #expect(sum.methodSignature.types.text() == "Ir^CQ")
    // Texts, arrays and addresses are passed.
    let text: UInt32 = try sum("a\u{E9}", 3)
    let optional: UInt32 = try sum("a\u{E9}" as String?, 3)
    let boxed: UInt32 = try sum(BoxedValue.string("a\u{E9}"), BoxedValue.int(3))
    let array: UInt32 = try sum(Array("a\u{E9}".utf8), 3)
    let characters: UInt32 = try sum("a\u{E9}".utf8.map { CChar(bitPattern: $0) }, 3)
    let pointer: UInt32 = try Array("a\u{E9}".utf8).withUnsafeBufferPointer { try sum($0.baseAddress, 3) }
    let null: UInt32 = try sum(nil as String?, 0)
    #expect([text, optional, boxed, array, characters, pointer] == Array(repeating: expected, count: 6) && null == 0)
    let many: UInt32 = try sum.capturingErrno("a\u{E9}", 3).result
    #expect(many == expected)
    let zero = try #require(throws: InvocationError.self) { try sum(BoxedValue.string("a\0b"), 3) as UInt32 }
    #expect(zero.reason.contains("null character"))
    // A result is an address, unless the program asks for its text.
    let there: String = try library.function("text")(1)
    let absent: String? = try library.function("text")(0)
    #expect(there == "caf\u{E9}" && absent == nil)
    #expect(throws: InvocationError.self) { try library.function("text")(0) as String }
    let call = try library.function("text").makeInvocation()
    #expect(throws: InvocationError.self) { try call.returnValue(as: String.self) }
    try call.setArgument(Int32(1), at: 0)
    try call.invoke()
    #expect(try call.returnValue(as: String.self) == "caf\u{E9}")
    guard case .pointer = try call.boxedReturnValue() else { Issue.record("it was read as a text"); return }
    let made = try library.function("make").makeInvocation()
    try made.invoke()
    guard case .value(let data) = try made.boxedReturnValue() else { return }
    #expect("\(data["count"] ?? .null)" == "3")
    guard case .pointer(let start)? = data["start"] else { Issue.record("it was read as a text"); return }
    #expect(UInt(bitPattern: start) == 0x10)
    // An invocation owns no copy for it.
    let kept = sum.makeInvocation()
    #expect(throws: InvocationError.self) { try kept.setArgument("abc", at: 0) }
    #expect(throws: InvocationError.self) { try kept.setArgument(boxed: "abc", at: 0) }
    let odd: UnsafePointer<Int8> = try library.function("odd")()
    #expect(UInt(bitPattern: odd) == 0x11)
  }

  @Test("Members are read and written by name")
  func members() throws {
    let type = try #require(
      try CDeclarations("struct s { short a; int b : 3; unsigned c : 5; union { int d; float e; }; struct { double x; } f; };").types["s"]
    ).encoding
    var value = try EncodedBytes(zero: type)
    try value.setMember("a", to: 7)
    try value.setMember("b", to: -4)
    try value.setMember("c", to: 31)
    try value.setMember("e", to: 1.5)
    #expect("\(value["a"] ?? .null) \(value["b"] ?? .null) \(value["c"] ?? .null) \(value["e"] ?? .null)" == "7 -4 31 1.5")
    #expect("\(value["d"] ?? .null)" == "\(Float(1.5).bitPattern)")
    guard case .value(var inner)? = value["f"] else { return }
    try inner.setMember("x", to: 2.5)
    try value.setMember("f", to: .value(inner))
    guard case .value(let stored)? = value["f"] else { return }
    #expect("\(stored["x"] ?? .null)" == "2.5")
    #expect(value["absent"] == nil)
    for (member, wrong) in [("a", BoxedValue.int(70_000)), ("b", 4), ("c", 32), ("c", -1), ("a", .string("x")), ("absent", 1)] {
      #expect(throws: InvocationError.self) { try value.setMember(member, to: wrong) }
    }
  }
}
