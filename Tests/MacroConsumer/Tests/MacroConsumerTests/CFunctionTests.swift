import InvocationMacros
import Testing

private enum Math {
  #cFunctions(
    """
    double pow(double base, double exponent);
    double frexp(double, int *exponent);
    double no_such_function(double);
    """, in: "libm.so.6")
}

private struct Text {
  #cFunctions(
    """
    size_t strlen(const char *);
    int atoi(const char *);
    typedef int (*order)(const void *, const void *);
    void qsort(void *base, size_t count, size_t size, order);
    typedef struct { long quot, rem; } *result;
    """, in: DynamicLibrary.process)
}

private enum Missing {
  #cFunctions("int nothing(void);", in: "libnothing-at-all.so")
}

/// C functions with types from declarations that were read when this file was compiled.
@Suite struct CFunctionTests {
  @Test("An expression is a function of the declared type")
  func expressions() throws {
    let pow: (Double, Double) -> Double = try unsafe #cFunction("double pow(double, double)", in: "libm.so.6")
    #expect(pow(2, 10) == 1_024)
    let name = "libm.so.6"
    let ldexp = try unsafe #cFunction("double ldexp(double, int)", in: name) as @Sendable (Double, Int32) throws -> Double
    #expect(try ldexp(0.75, 4) == 12)
    let getpid: @convention(c) () -> Int32 = try unsafe #cFunction("int getpid(void)", in: .process)
    #expect(getpid() > 0)
  }

  @Test("Pointers and strings are arguments")
  func pointers() throws {
    let atof: (UnsafePointer<CChar>?) -> Double = try unsafe #cFunction("double atof(const char *)", in: "libc.so.6")
    #expect(unsafe atof("0.5") == 0.5)
    let strtol: (UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, Int32) -> Int =
      try unsafe #cFunction("long strtol(const char *, char **, int)", in: "libc.so.6")
    #expect(unsafe strtol("ff", nil, 16) == 255)
  }

  @Test("Methods are looked up by the first call")
  func methods() throws {
    #expect(try Math.pow(2, 10) == 1_024)
    #expect(try Math.pow(3, 2) == 9)
    var exponent: Int32 = 0
    #expect(try unsafe Math.frexp(8, &exponent) == 0.5)
    #expect(exponent == 4)
    #expect(try unsafe Text.strlen("declaration") == 11)
    #expect(try unsafe Text.atoi("42") == 42)
    var numbers: [Int32] = [3, 1, 2]
    try unsafe Text.qsort(&numbers, 3, 4) { left, right in
      guard let left = unsafe left, let right = unsafe right else { return 0 }
      return unsafe left.load(as: Int32.self) - right.load(as: Int32.self)
    }
    #expect(numbers == [1, 2, 3])
  }

  @Test("What the library lacks is thrown by each call, and no other function is affected")
  func missing() throws {
    for _ in 0..<2 {
      let error = #expect(throws: InvocationError.self) { try Math.no_such_function(1) }
      #expect(error?.code == .symbolNotFound)
    }
    #expect(#expect(throws: InvocationError.self) { try Missing.nothing() }?.code == .libraryNotFound)
    let error = #expect(throws: InvocationError.self) {
      let _: () -> Int32 = try unsafe #cFunction("int nothing(void)", in: "libc.so.6")
    }
    #expect(error?.code == .symbolNotFound)
  }
}
