import CDeclarations

#if canImport(Glibc)
  import AllocationCounter
  import DynamicInvocation
  import Glibc
  import TestSupport
  import Testing

  /// C functions called as a Swift program writes them: `&variable`, nil, arrays, literals, strings.
  @Suite(.measured) struct CallingCTests {
    private let libm: DynamicLibrary
    private let libc: DynamicLibrary

    init() throws {
      libm = try DynamicLibrary(Platform.mathLibrary)
      libc = try DynamicLibrary(Platform.cLibrary)
    }

    private func function<Code: BitwiseCopyable>(_ code: Code, _ types: String) throws -> ForeignFunction {
      try ForeignFunction(Implementation(function: code), MethodSignature(types: types))
    }

    private func text(_ buffer: [CChar]) -> String {
      String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: &variable

    @Test("&x is the address of x, which the callee writes to") func outParameters() throws {
      let frexp = try libm.function("frexp", types: "dd^i")
      var exponent: Int32 = 0
      let fraction: Double = try frexp(8.0, &exponent)
      expect(fraction == 0.5 && exponent == 4)

      let sincos = try libm.function("sincos", types: "vd^d^d")
      var (sine, cosine) = (7.0, 7.0)
      try sincos(0.0, &sine, &cosine)
      expect(sine == 0 && cosine == 1)

      // The text is a buffer of the caller, so that its end can be compared with it.
      let strtol = try libc.function("strtol", types: "q*^*i")
      var text: [CChar] = Array("12abc".utf8CString)
      var end: UnsafeMutablePointer<CChar>?
      let number: Int = try strtol(&text, &end, 10)
      expectEqual(number, 12)
      try expectEqual(text.withUnsafeMutableBufferPointer { try require(end) - require($0.baseAddress) }, 2)

      var now = timespec()
      let clock = try libc.function("clock_gettime", types: "ii^{timespec=qq}")
      let status: Int32 = try clock(0, &now)
      expect(status == 0 && now.tv_sec > 1_000_000_000)
    }

    /// Each argument may be a place: all of three, two of four, one of five, and with pointers any; nil goes between.
    @Test func placesAnywhere() throws {
      typealias Place = UnsafeMutablePointer<Int>
      let add: @convention(c) (Place?, Place?, Place?, Place?, Place?) -> Int = { a, b, c, d, e in
        var count = 0
        for (index, place) in [a, b, c, d, e].enumerated() {
          guard let place else { continue }
          place.pointee += index + 1
          count += 1
        }
        return count
      }
      let four: @convention(c) (Place?, Place?, Place?, Place?) -> Int = { a, b, c, d in
        for (index, place) in [a, b, c, d].enumerated() { place?.pointee += index + 1 }
        return [a, b, c, d].filter { $0 != nil }.count
      }
      let three: @convention(c) (Place, Place, Place) -> Int = { a, b, c in
        (a.pointee, b.pointee, c.pointee) = (a.pointee + 1, b.pointee + 2, c.pointee + 3)
        return 3
      }
      let (function, ofFour, ofThree) = (try function(add, "q^q^q^q^q^q"), try function(four, "q^q^q^q^q"), try function(three, "q^q^q^q"))
      var (a, b, c, d, e) = (0, 0, 0, 0, 0)
      try expectEqual(ofThree(&a, &b, &c, as: Int.self), 3)
      try expectEqual(ofFour(nil, &b, nil, &d, as: Int.self), 2)
      try expectEqual(ofFour(&a, nil, nil, &d, as: Int.self), 2)
      try expectEqual(function(nil, nil, &c, nil, nil, as: Int.self), 1)
      try expectEqual(function(nil, nil, nil, nil, nil, as: Int.self), 0)
      try function(nil, nil, nil, nil, &e)
      try function(&a, nil, nil, nil, nil)
      try withUnsafeMutablePointer(to: &e) { e in
        try expectEqual(function(nil, &b, nil, nil, e, as: Int.self), 2)
        try function(nil, nil, nil, &d, e)
      }
      expectEqual([a, b, c, d, e], [3, 6, 6, 12, 15])
    }

    /// A property and an element of an array are places too: Swift writes them back.
    @Test func placesThatAreComputed() throws {
      final class Holder { var exponents: [Int32] = [0, 0] }
      let frexp = try libm.function("frexp", types: "dd^i")
      let holder = Holder()
      try expectEqual(frexp(32.0, &holder.exponents[1], as: Double.self), 0.5)
      expectEqual(holder.exponents, [0, 6])
    }

    private static let database = """
      #include <stdlib.h>
      #include <string.h>
      struct database { char name[16]; };
      int open_database(const char *name, struct database **database) {
        *database = calloc(1, sizeof(struct database));
        strncpy((*database)->name, name, 15);
        return 0;
      }
      int run(struct database *database, const char *command, int (*row)(void *, int, char **, char **), void *context, char **message) {
        char *values[] = {database->name, (char *)command};
        char *names[] = {"name", "command"};
        int code = row ? row(context, 2, values, names) : 0;
        if (code && message) *message = strdup("stopped");
        return code;
      }
      void close_database(struct database *database) { free(database); }
      """

    @Test("A handle comes out, goes in, and a callback runs", .enabled(if: InvocationFixtures.hasCompiler)) func database() throws {
      let open = try InvocationFixtures.function("open_database", "i*^^{database=}", Self.database)
      let run = try InvocationFixtures.function("run", "i^{database=}*^?^v^*", Self.database)
      let close = try InvocationFixtures.function("close_database", "v^{database=}", Self.database)
      var database: OpaquePointer?
      let status: Int32 = try open(":memory:", &database)
      expect(status == 0 && database != nil)
      defer { #expect(throws: Never.self) { try close(database) } }

      try expectEqual(run(database, "count", nil, nil, nil, as: Int32.self), 0)
      var rows: [String] = []
      var message: UnsafeMutablePointer<CChar>?
      let code: Int32 = try withClosure(
        types: "i^vi^*^*",
        { (_: UnsafeMutableRawPointer?, count: Int32, values: UnsafeRawPointer, _: UnsafeRawPointer) -> Int32 in
          let values = values.assumingMemoryBound(to: UnsafePointer<CChar>.self)
          rows += (0..<Int(count)).map { String(cString: values[$0]) }
          return 1
        }
      ) { row in
        try run(database, "list", row, nil, &message)
      }
      expectEqual(rows, [":memory:", "list"])
      try expect(code == 1 && String(cString: require(message)) == "stopped")
      free(message)

      // The handle itself is no place for one.
      let wrong = try requireThrows(InvocationError.self) { try open(":memory:", database) }
      expect(wrong.code == .typeMismatch && wrong.argument == .index(1) && wrong.callee == "open_database")
      expect("\(wrong)".contains("&variable"))
    }

    @Test func theTypeOfThePlaceIsCompared() throws {
      let frexp = try libm.function("frexp", types: "dd^i")
      var (small, large, real, unsigned) = (Int16(0), 0, 0.0, UInt32(0))
      expectErrors(.typeMismatch, { try frexp(8.0, &small) }, { try frexp(8.0, &large) })
      expectMessage("frexp: argument 1 (^i): UnsafeMutablePointer<Double> is not a pointer to Int32") { try frexp(8.0, &real) }
      expect(real == 0 && large == 0 && small == 0)
      // An integer of the same size holds the same bytes; a raw pointer says nothing.
      try frexp(8.0, &unsigned)
      expectEqual(unsigned, 4)
      try withUnsafeMutableBytes(of: &unsigned) { try frexp(16.0, $0.baseAddress) }
      expectEqual(unsigned, 5)
    }

    // MARK: Pointers

    /// What a pointer of a Swift type may be given for.
    @Test func pointees() throws {
      struct Pair: EncodedValue {
        var a: Int32
        var b: Int32
        static let typeEncoding: TypeEncoding = "{Pair=ii}"
      }
      enum Payload { case a(Int16), b, c }
      typealias Double1 = UnsafeMutablePointer<Double>
      let accepted: [(any EncodedValue.Type, String)] = [
        (Double1.self, "^d"), (Double1?.self, "^d"), (Double1.self, "^v"), (Double1.self, "^?"), (Double1.self, "[4d]"),
        (UnsafePointer<Int8>.self, "*"), (UnsafePointer<UInt8>.self, "*"), (UnsafePointer<UInt8>.self, "^c"),
        (UnsafePointer<Pair>.self, "^{Other=ii}"), (UnsafePointer<Pair>.self, "^{Pair}"),
        (UnsafeMutablePointer<OpaquePointer?>.self, "^^{db}"),
        (UnsafeMutablePointer<OpaquePointer?>.self, "^^{db=}"), (UnsafePointer<Double1?>.self, "^^d"), (UnsafePointer<Double1>.self, "^^v"),
        (UnsafeMutablePointer<UnsafeMutableRawPointer?>.self, "^^i"), (UnsafePointer<UnsafePointer<CChar>?>.self, "^*"),
        (OpaquePointer.self, "^{db=}"), (OpaquePointer?.self, "^v"), (OpaquePointer.self, "^i"), (UnsafeRawPointer.self, "^^^i"),
        (UnsafePointer<(Int32, Float)>.self, "^{Mixed=if}"),
        (UnsafeMutablePointer<Bool>.self, "^B"), (UnsafeMutablePointer<tm>.self, "^{tm}"), (UnsafePointer<Int>.self, "^Q"),
      ]
      let refused: [(any EncodedValue.Type, String)] = [
        (Double1.self, "^i"), (Double1.self, "^^d"), (Double1.self, "^^v"), (Double1?.self, "^*"), (Double1.self, "*"),
        (UnsafePointer<Int32>.self, "*"), (UnsafePointer<Int16>.self, "^i"), (UnsafePointer<Int>.self, "^^i"),
        (UnsafePointer<Pair>.self, "^i"),
        (UnsafePointer<Pair>.self, "^{Other=id}"), (UnsafePointer<Double>.self, "^{db}"), (OpaquePointer.self, "^^{db=}"),
        (OpaquePointer?.self, "^*"), (UnsafePointer<OpaquePointer?>.self, "^^^i"), (UnsafePointer<Double1?>.self, "^^i"),
        (UnsafePointer<OpaquePointer>.self, "^i"), (UnsafeMutablePointer<timespec>.self, "^{tm=iiiiiiiiiq*}"), (Double1.self, "[4i]"),
        (UnsafePointer<Payload>.self, "^i"), (UnsafePointer<Unicode.Scalar>.self, "^I"), (UnsafePointer<Int16?>.self, "^i"),
        (UnsafePointer<(Int32, Int16?)>.self, "^{Pair=ii}"), (UnsafePointer<AnyObject>.self, "^q"),
      ]
      for (isAccepted, cases) in [(true, accepted), (false, refused)] {
        for (type, encoding) in cases {
          let signature = try MethodSignature(types: "v" + encoding)
          // Twice: what was accepted is remembered.
          for _ in 0..<2 {
            try expectEqual(Self.takes(type, Invocation(signature)), isAccepted, "\(type) for \(encoding)")
          }
        }
      }
    }

    private static func takes<Value: EncodedValue>(_ type: Value.Type, _ invocation: Invocation) throws -> Bool {
      // A C string is copied.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
      defer { memory.deallocate() }
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: 16)
      var address = memory
      let value = withUnsafeBytes(of: &address) { $0.load(as: Value.self) }
      guard let code = InvocationFixtures.code({ try invocation.setArgument(value, at: 0) }) else { return true }
      expectEqual(code, .typeMismatch)
      return false
    }

    // MARK: nil and arrays

    @Test("nil is null for any pointer, object or C string, and an error for a number") func nulls() throws {
      let strtol = try libc.function("strtol", types: "q*^*i")
      let number: Int = try strtol("12abc", nil, 10)
      expectEqual(number, 12)
      let allNull: @convention(c) (Int, Int, Int, Int, Int, Int) -> Bool = { $0 | $1 | $2 | $3 | $4 | $5 == 0 }
      let function = try function(allNull, "B^v*@:#^?")
      try expect(function(nil, nil, nil, nil, nil, nil, as: Bool.self))
      let wrong = try requireThrows(InvocationError.self) { try strtol("1", nil, nil) }
      expect(wrong.code == .nullNotAllowed && "\(wrong)" == "strtol: argument 2 (i, Int32): null is not Int32")
      let (value, code) = try strtol.capturingErrno("99999999999999999999", nil, 10, as: Int.self)
      expect(value == .max && code == ERANGE)
    }

    @Test(.enabled(if: InvocationFixtures.hasCompiler)) func arrays() throws {
      let source = """
        #include <stddef.h>
        double sum(const double *values, size_t count) { double sum = 0; while (count--) sum += *values++; return sum; }
        void twice(int *values, size_t count) { while (count--) *values++ *= 2; }
        unsigned bytes(const unsigned char *bytes, const void *more, size_t count) {
          unsigned sum = 0;
          for (size_t i = 0; i < count; i++) sum += bytes[i] + ((const unsigned char *)more)[i];
          return sum;
        }
        """
      let sum = try InvocationFixtures.function("sum", "d^dQ", source)
      try expectEqual(sum([1.5, 2, 3], 3, as: Double.self), 6.5)
      try expectEqual(sum([Double](), 0, as: Double.self), 0)
      let integers = try requireThrows(InvocationError.self) { try sum([1, 2], 2, as: Double.self) }
      expect(integers.code == .typeMismatch && integers.callee == "sum" && "\(integers)".contains("Array<Int>"))
      expectError(.typeMismatch) { _ = try sum(["a"], 1, as: Double.self) }

      // By value an array is a copy; with & the callee writes to it.
      let twice = try InvocationFixtures.function("twice", "v^iQ", source)
      var numbers: [Int32] = [1, 2, 3]
      try twice(numbers, numbers.count)
      expectEqual(numbers, [1, 2, 3])
      try twice(&numbers, numbers.count)
      expectEqual(numbers, [2, 4, 6])

      let bytes = try InvocationFixtures.function("bytes", "Ir^Cr^vQ", source)
      try expectEqual(bytes([1, 2] as [UInt8], [3, 4] as [Int8], 2, as: UInt32.self), 10)

      // Taken for a C string it ends, whatever its last element.
      let strlen = try libc.function("strlen", types: "Qr*")
      try expectEqual(strlen([65, 66, 67] as [UInt8], as: UInt.self), 3)
    }

    @Test func buffers() throws {
      let snprintf = try libc.function("snprintf", types: "i*Q*id", fixedArgumentCount: 3)
      var buffer = [CChar](repeating: 0, count: 64)
      let length: Int32 = try snprintf(&buffer, buffer.count, "%d items, %.2f each", 3, 4.5)
      expect(length == 18 && text(buffer) == "3 items, 4.50 each")
      var bytes = [UInt8](repeating: 0, count: 8)
      try libc.function("memset", types: "^v^viQ")(&bytes, 7, 3)
      expectEqual(bytes, [7, 7, 7, 0, 0, 0, 0, 0])
    }

    @Test("An array of texts for char ** is refused with what to pass, which works") func arraysOfTexts() throws {
      let create = try libc.function("argz_create", types: "i^*^*^Q")
      let message = InvocationFixtures.message { try create(["true"], nil, nil) }
      expectEqual(
        message, "argz_create: argument 0 (^*): Array<String> is not a pointer: pass an array of pointers, [UnsafeMutablePointer<CChar>?]")
      var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), strdup("--help"), nil]
      var memory: UnsafeMutablePointer<CChar>?
      var length = 0
      let status: Int32 = try create(&words, &memory, &length)
      expect(status == 0 && length == 12)
      free(memory)
      memory = nil
      // By value, too.
      try expect(create(words, &memory, &length, as: Int32.self) == 0 && length == 12)
      for word in words + [memory] { free(word) }
    }

    @Test("A _Float16 is visible in messages, though its encoding is a blank") func halves() throws {
      let half = Invocation(try MethodSignature(declaration: "void f(_Float16, _Float16 *)"))
      expectMessage("argument 0 (' ', Float16): String is not Float16") { try half.setArgument("x", at: 0) }
      expect(InvocationFixtures.message { try half.setArgument("x", at: 1) }.hasPrefix("argument 1 ('^ '): "))
    }

    // MARK: Literals

    @Test("Literals adapt when the value fits") func literals() throws {
      try expectEqual(libm.function("pow", types: "ddd")(2, 10, as: Double.self), 1024)
      try expectEqual(libc.function("abs", types: "ii")(-5, as: Int32.self), 5)
      try expectEqual(libm.function("fabsf", types: "ff")(-0.1, as: Float.self), 0.1)
      try expectEqual(libm.function("fabsf", types: "ff")(-3, as: Float.self), 3)
      try expectEqual(libm.function("fabsl", types: "DD")(-2.5, as: LongDouble.self), LongDouble(2.5))
      try expectEqual(libm.function("fabsl", types: "DD")(-2, as: LongDouble.self), LongDouble(2))
      try expectEqual(libc.function("toupper", types: "ii")(0x61, as: Int32.self), 0x41)

      let echo: @convention(c) (UInt64) -> UInt64 = { $0 }
      func passed(_ value: Int, _ code: String) throws -> UInt64 {
        try ForeignFunction(Implementation(function: echo), MethodSignature(types: "Q" + code))(value)
      }
      // AAPCS64 does not state the bits of a register above a narrow argument.
      try expect(UInt8(truncatingIfNeeded: passed(-1, "c")) == .max && UInt8(truncatingIfNeeded: passed(255, "C")) == 255)
      try expect(UInt16(truncatingIfNeeded: passed(-2, "s")) == 0xFFFE && passed(1, "Q") == 1)
      try expect(passed(Int.max, "Q") == UInt64(Int.max) && passed(4_294_967_295, "I") == 4_294_967_295)
      for (value, code) in [
        (128, "c"), (-129, "c"), (256, "C"), (-1, "C"), (40_000, "s"), (-1, "S"), (5_000_000_000, "i"), (-1, "I"), (-1, "Q"), (-1, "T"),
      ] {
        let error = try requireThrows(InvocationError.self) { try passed(value, code) }
        expect(error.code == .outOfRange && error.argument == .index(0) && error.encoding == code && "\(error)".contains("\(value)"))
      }
      expectErrors(.typeMismatch, { _ = try passed(1, "B") }, { _ = try passed(1, "^v") }, { _ = try passed(1, "*") })
      expectMessage("abs: argument 0 (i, Int32): 5000000000 does not fit") { try libc.function("abs", types: "ii")(5_000_000_000) }
    }

    @Test func literalsThatAreNotExact() throws {
      let fabsf = try libm.function("fabsf", types: "ff")
      let fabs = try libm.function("fabs", types: "dd")
      // Written with the same digits, a number means the same in both types; otherwise digits would be lost.
      for value in [0.1, 1e-3, 3.25, 123.456, 1e30, 16_777_216, -0.7] { try expectEqual(fabsf(value, as: Float.self), abs(Float(value))) }
      for value in [1.0 / 3, 16_777_217, 0.123456789, 1.1754943508222875e-39, .pi] {
        expectError(.inexact, "\(value)") { try fabsf(value) }
      }
      expect(InvocationFixtures.message { try fabsf(1.0 / 3) }.hasSuffix("; write Float(0.3333333333333333) to round it"))
      // What would be rounded to infinity or to zero is no advice.
      for value in [1e300, -1e300, 3.4028236e38, 1e-60, -1e-60] {
        expectMessage("fabsf: argument 0 (f, Float): \(value) does not fit") { try fabsf(value) }
        expectError(.outOfRange) { try fabsf(value) }
      }
      let half = Invocation(try MethodSignature(declaration: "void f(_Float16)"))
      for call in [
        { try half.setArgument(100_000, at: 0) }, { try half.setArgument(100_000.0, at: 0) }, { try half.setArgument(1e-9, at: 0) },
      ] {
        expectEqual(InvocationFixtures.code(call), .outOfRange)
        expect(InvocationFixtures.message(call).hasSuffix(" does not fit"))
      }
      expect(InvocationFixtures.message { try half.setArgument(2049, at: 0) }.hasSuffix("; write Float16(2049) to round it"))
      try expect(fabsf(Double.infinity, as: Float.self) == .infinity && fabsf(Double.nan, as: Float.self).isNaN)
      expectErrors(.inexact, { try fabs(9_007_199_254_740_993) }, { try fabsf(16_777_217) })
      // A declared type that is another is a mistake, not a literal.
      for call in [{ try fabs(Float(1)) }, { try fabs(Int32(1)) }, { try libc.function("abs", types: "ii")(2.0) }] {
        expectEqual(InvocationFixtures.code(call), .typeMismatch)
      }
    }

    @Test func literalsOfInvocationsAndFrames() throws {
      let invocation = try InvocationFixtures.invocation("vsfdT")
      try invocation.setArguments([7, 0.1, 2, 3])
      try expect(invocation.argument(at: 0, as: Int16.self) == 7 && invocation.argument(at: 1, as: Float.self) == 0.1)
      try expect(invocation.argument(at: 2, as: Double.self) == 2 && invocation.argument(at: 3, as: UInt128.self) == 3)
      expectError(.outOfRange) { try invocation.setArgument(70_000, at: 0) }
      try expectEqual(invocation.argument(at: 0, as: Int16.self), 7)
      let result = try libm.function("pow", types: "ddd")
      let power = try result.methodSignature.withFrame { frame in
        try frame.setArgument(2, at: 0)
        try frame.setArgument(3, at: 1)
        try frame.invoke(using: result.implementation)
        return try frame.returnValue(as: Double.self)
      }
      expectEqual(power, 8)
    }

    // MARK: Boxes, strings, errors

    @Test func boxes() throws {
      let pow = try libm.function("pow", types: "ddd")
      try expectEqual(pow(BoxedValue.int(2), 10, as: Double.self), 1024)
      let error = try requireThrows(InvocationError.self) { try libc.function("abs", types: "ii")(BoxedValue.string("x")) }
      expect(error.code == .typeMismatch && error.callee == "abs" && error.argument == .index(0))
      try LifetimeTracker.check { tracker in
        let same: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { $0 }
        let function = try function(same, "@@")
        try expect(function(BoxedValue.object(tracker.object(3)), as: Unmanaged<AnyObject>?.self) != nil)
      }
    }

    @Test func strings() throws {
      let strchr = try libc.function("strchr", types: "**i")
      try expectEqual(strchr("hello", 0x6C, as: String.self), "llo")
      try expectNil(strchr("hello", 0x7A, as: String?.self))
      let error = try requireThrows(InvocationError.self) { try strchr("hello", 0x7A, as: String.self) }
      expectEqual("\(error)", "strchr: return value: it is null; ask for an optional")
      // A buffer of the callee's: read, never freed.
      let strerror = try libc.function("strerror", types: "*i")
      try expectEqual(strerror(2, as: String.self), "No such file or directory")
    }

    @Test("Every error of a call names the function") func names() throws {
      let pow = try libm.function("pow", types: "ddd")
      expectEqual(pow.name, "pow")
      expectMessage("pow: 1 argument given, the signature 'ddd' takes 2") { try pow(2) }
      expectMessage("pow: argument 1 (d, Double): String is not Double") { try pow(2, "x") }
      expectMessage("pow: return value (d, Double): Int is not Double") { _ = try pow(2, 3, as: Int.self) }
      // A look-up's, too.
      expectMessage("printf: argument 1 (f, Float): a variadic float is passed as double (d)") {
        _ = try libc.function("printf", types: "i*f", fixedArgumentCount: 1)
      }
      expect(InvocationFixtures.message { _ = try libm.function("pow", types: "d(") }.hasPrefix("pow: "))
      expect(InvocationFixtures.message { _ = try libm.function("double pow(double, ...)", variadic: "_Float32") }.hasPrefix("pow: "))
      let invocation = pow.makeInvocation()
      for call in [
        { try invocation.setArgument("x", at: 0) }, { try invocation.setArgument(1.0, at: 2) },
        { try invocation.setArgument(boxed: "x", at: 0) },
        { try invocation.invoke() }, { _ = try invocation.returnValue(as: Double.self) },
        { _ = try invocation.argument(at: 0, as: Int.self) },
        { try invocation.setArguments(boxed: [1]) },
      ] {
        expect(InvocationFixtures.message(call).hasPrefix("pow: "), "\(InvocationFixtures.message(call))")
      }
      let message = try InvocationFixtures.invocation("v@:i")
      message.selector = "move(_:)"
      expectMessage("move(_:): argument 2 (i, Int32): String is not Int32") { try message.setArgument("x", at: 2) }
      let target = Methodless()
      message.target = target
      expectMessage("-[Methodless move(_:)]: argument 2 (i, Int32): String is not Int32") { try message.setArgument("x", at: 2) }
    }

    /// Values of another type are noted and looked at later, nil at once: whichever it is, the first of them is what the error is about.
    @Test func theFirstErrorIsTheCalls() throws {
      let code: @convention(c) (Int32, Int32, Double, UnsafeMutablePointer<Int32>?) -> Double = { a, b, c, place in
        place?.pointee = 1
        return Double(a) + Double(b) + c
      }
      let sum = try function(code, "diid^i")
      var place: Int32 = 0
      func argument(_ body: (inout Int32) throws(InvocationError) -> Void) -> InvocationError.Argument? {
        do throws(InvocationError) {
          try body(&place)
          return nil
        } catch {
          return error.argument
        }
      }
      expectEqual(argument { (place) throws(InvocationError) in try sum("a", nil, 1.0, &place) }, .index(0))
      expectEqual(argument { (place) throws(InvocationError) in try sum(nil, "b", 1.0, &place) }, .index(0))
      expectEqual(argument { (place) throws(InvocationError) in try sum(1, nil, "c", &place) }, .index(1))
      expectEqual(argument { (place) throws(InvocationError) in try sum(1, "b", nil, &place) }, .index(1))
      expectEqual(argument { (place) throws(InvocationError) in try sum(1, 2, "c", &place) }, .index(2))
      expectEqual(argument { (_) throws(InvocationError) in try sum("a", "b", "c", "d") }, .index(0))
      expectEqual(argument { (_) throws(InvocationError) in try sum(1, 1 << 40, "c", "d") }, .index(1))
      expectEqual(argument { (_) throws(InvocationError) in try sum(1, 2, 0, "d") }, .index(3))
      expectEqual(place, 0, "nothing was called")
      try expect(sum(1, 2, 3, &place) as Double == 6 && place == 1)
    }

    /// The memory of a frame is of another size, and all forms of arguments go the same way.
    @Test func largeFrames() throws {
      struct Block: EncodedValue, BitwiseCopyable {
        static let typeEncoding: TypeEncoding = "{Block=[80d]}"
        var parts: (Geometry.Transform3D, Geometry.Transform3D, Geometry.Transform3D, Geometry.Transform3D, Geometry.Transform3D)
      }
      // The struct lies on the stack, or its address comes first.
      #if arch(x86_64)
        let code: @convention(c) (Int32) -> Int32 = { number in number }
      #else
        let code: @convention(c) (UnsafeRawPointer, Int32) -> Int32 = { _, number in number }
      #endif
      let pass = try function(code, "i{Block=[80d]}i")
      let part = Geometry.Transform3D.identity
      let block = Block(parts: (part, part, part, part, part))
      try expectEqual(pass(block, 5) as Int32, 5)
      try expectEqual(pass(block, Int32(6)) as Int32, 6)
      try pass(block, 5)
      for (expected, call) in [
        (InvocationError.Argument.index(1), { () throws in try pass(block, "five") }), (.index(0), { () throws in try pass(1, "five") }),
      ] {
        #expect { try call() } throws: { ($0 as? InvocationError)?.argument == expected }
      }
      #expect { try pass(block) } throws: { ($0 as? InvocationError)?.code == .countMismatch }
    }

    /// More than ten arguments, each with a copy to free.
    @Test func manyArguments() throws {
      let snprintf = try libc.function("snprintf", types: "i*Q*" + String(repeating: "*", count: 8), fixedArgumentCount: 3)
      var buffer = [CChar](repeating: 0, count: 64)
      let length: Int32 = try buffer.withUnsafeMutableBufferPointer {
        try snprintf($0.baseAddress, $0.count, "%s%s%s%s%s%s%s%s", "a", "b", "c", "d", "e", "f", "g", "h")
      }
      expect(length == 8 && text(buffer) == "abcdefgh")
      expectError(.countMismatch) { try snprintf("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", 1) }
    }

    /// A known pointer type is compared by its address.
    @Test func placesAllocateNothing() throws {
      let frexp = try libm.function("frexp", types: "dd^i")
      var exponent: Int32 = 0
      var sum = 0.0
      for _ in 0..<3 { sum += try frexp(8.0, &exponent) }
      let before = allocation_count()
      for _ in 0..<1_000 { sum += try frexp(8.0, &exponent) }
      expectEqual(allocation_count() - before, 0)
      expectEqual(sum, 1_003 * 0.5)
    }
  }
#endif
