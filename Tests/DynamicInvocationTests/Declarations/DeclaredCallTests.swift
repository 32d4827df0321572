import DynamicInvocation
import TestSupport
import Testing

/// Functions are called with the types of declarations.
@Suite struct DeclaredCallTests {
  #if os(Linux)
    private static let libm = "libm.so.6"
    private static let libc = "libc.so.6"

    @Test("What the macros generate finds functions, and refuses a variable")
    func pointers() throws {
      typealias Pow = @convention(c) (Double, Double) -> Double
      let pow = try DeclaredFunction.pointer(to: "pow", in: Self.libm, as: Pow.self)
      #expect(pow(2, 10) == 1024)
      let error = try #require(throws: InvocationError.self) {
        try DeclaredFunction.pointer(to: "environ", in: Self.libc, as: Pow.self)
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
      let wrong = try #require(throws: InvocationError.self) { try DynamicLibrary(Self.libc).function("int abs(imt)") }
      #expect(wrong.reason.contains("line 1, column 9: 'imt' is not a type"))
    }
  #endif

  @Test("Members are read and written by name")
  func members() throws {
    let type = try #require(
      try CDeclarations("struct s { short a; int b : 3; unsigned c : 5; union { int d; float e; }; struct { double x; } f; };").types["s"]
    ).encoding
    var value = try EncodedBytes(zero: type)
    value["a"] = 7
    value["b"] = -4
    value["c"] = 31
    value["e"] = 1.5
    #expect("\(value["a"] ?? .null) \(value["b"] ?? .null) \(value["c"] ?? .null) \(value["e"] ?? .null)" == "7 -4 31 1.5")
    #expect("\(value["d"] ?? .null)" == "\(Float(1.5).bitPattern)")
    guard case .value(var inner)? = value["f"] else { return }
    inner["x"] = 2.5
    value["f"] = .value(inner)
    guard case .value(let stored)? = value["f"] else { return }
    #expect("\(stored["x"] ?? .null)" == "2.5")
    #expect(value["absent"] == nil)
    for (member, wrong) in [("a", BoxedValue.int(70_000)), ("b", 4), ("c", 32), ("c", -1), ("a", .string("x")), ("absent", 1)] {
      #expect(throws: InvocationError.self) { try value.setMember(member, to: wrong) }
    }
  }
}
