import CDeclarations

#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Numbers of C are read as each Swift type that has all their values, and as an Int if they fit.
  @Suite(.measured) struct CallResultTests {
    /// Identity functions, and functions of another type, whose result registers keep bits above the result.
    private static func source(_ types: [(code: String, name: String)]) -> String {
      types.map { code, name in
        "\(name) same_\(code)(\(name) x) { return x; }\n"
          + "\(name) twice_\(code)(\(name) x, \(name) (*f)(\(name))) { return f(f(x)); }\n"
      }.joined() + "int low(long x) { return (int)x; }\nunsigned char byte(long x) { return (unsigned char)x; }\n"
        + "_Bool truth(int x) { return x; }\nvoid nothing(int x) {}\n"
    }

    private static let integers: [(code: String, name: String)] = [
      ("c", "signed char"), ("C", "unsigned char"), ("s", "short"), ("S", "unsigned short"), ("i", "int"), ("I", "unsigned"),
      ("q", "long"), ("Q", "unsigned long"), ("t", "__int128"), ("T", "unsigned __int128"),
    ]

    private typealias Integer = EncodedValue & FixedWidthInteger & BitwiseCopyable & Sendable
    /// The types of Swift that have the same values, in the same order.
    private static let types: [any Integer.Type] = [
      Int8.self, UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self, Int64.self, UInt64.self, Int128.self, UInt128.self,
    ]

    private func library(_ compilation: Compilation) throws -> DynamicLibrary {
      try DynamicLibrary(
        compilation.compiler.sharedLibrary(source: Self.source(Self.integers), flags: compilation.flags, name: "results"))
    }

    /// Compares what each form of a call gives for a number of a C type, read as a Swift type.
    private func check<Number: Integer, Wanted: Integer>(_ function: ForeignFunction, _ number: Number, _: Wanted.Type) throws {
      let holdsAll = Wanted.min <= Number.min && Number.max <= Wanted.max
      let isRead = holdsAll || Wanted.self == Int.self
      let expected = isRead ? Wanted(exactly: number) : nil
      let code: InvocationError.Code = isRead ? .outOfRange : .typeMismatch
      @Sendable func compare(_ form: String, _ read: () throws -> Wanted) {
        do {
          let result = try read()
          expectEqual(result, expected, "\(Number.self) \(number) as \(Wanted.self), \(form)")
        } catch {
          expect(
            expected == nil && (error as? InvocationError)?.code == code, "\(Number.self) \(number) as \(Wanted.self), \(form): \(error)")
        }
      }
      compare("typed") { try function(number) }
      compare("any number") { try function(number as (any _CallArgument)?, as: Wanted.self) }
      compare("errno") { try function.capturingErrno(number, as: Wanted.self).result }
      let call = function.makeInvocation()
      try call.setArgument(number, at: 0)
      compare("argument") { try call.argument(at: 0) }
      try call.invoke()
      compare("invocation") { try call.returnValue() }
      compare("frame") {
        try function.methodSignature.withFrame { frame in
          try frame.setArgument(number, at: 0)
          try frame.invoke(using: function.implementation)
          return try frame.returnValue(as: Wanted.self)
        }
      }
      let closure = try Closure(function.methodSignature) { call in
        compare("incoming") { try call.argument(at: 0) }
        try call.setReturnValue(number)
      }
      _ = try ForeignFunction(closure.implementation, function.methodSignature)(number, as: Number.self)
    }

    private func check<Number: Integer>(_: Number.Type, _ code: String, _ library: DynamicLibrary) throws {
      let function = try library.function("same_\(code)", types: code + code)
      for number in Set([Number.min, Number.max, 0, 1, 100, Number.max / 2 + 1, 0 &- 1]) {
        for wanted in Self.types + [Int.self, UInt.self] { try check(function, number, wanted) }
      }
    }

    @Test(
      "Each integer of C is read as each integer of Swift that has all its values, and as an Int that it fits", arguments: Compilation.all)
    func integers(_ compilation: Compilation) throws {
      let library = try library(compilation)
      for (type, (code, _)) in zip(Self.types, Self.integers) { try check(type, code, library) }
    }

    @Test("Bits above a result are not a part of it", arguments: Compilation.all)
    func above(_ compilation: Compilation) throws {
      let library = try library(compilation)
      let low = try library.function("int low(long)")
      try expectEqual(low(0x1234_5678_FFFF_FFFE, as: Int.self), -2)
      try expectEqual(low(0x1234_5678_7FFF_FFFF, as: Int64.self), 0x7FFF_FFFF)
      let byte = try library.function("unsigned char byte(long)")
      try expect(byte(-1, as: Int.self) == 255 && byte(0x1_02, as: UInt.self) == 2)
    }

    @Test("Floating-point numbers are read as wider ones, and as nothing else", arguments: Compilation.all)
    func floatingPoint(_ compilation: Compilation) throws {
      let types = [("f", "float"), ("d", "double"), ("D", "long double")]
      let library = try DynamicLibrary(
        compilation.compiler.sharedLibrary(source: Self.source(types), flags: compilation.flags, name: "floats"))
      let single = try library.function("float same_f(float)")
      try expectEqual(single(0.1 as Float, as: Double.self), Double(0.1 as Float))
      try expect(single(-Float.infinity, as: Double.self) == -.infinity && single(Float.nan, as: Double.self).isNaN)
      try expectEqual(single(1.5 as Float, as: LongDouble.self), LongDouble(1.5))
      let double = try library.function("double same_d(double)")
      try expectEqual(double(0.1, as: LongDouble.self), LongDouble(0.1))
      #if arch(x86_64)
        try expectEqual(double(0.1, as: Float80.self), Float80(0.1 as Double))
      #endif
      for read in [
        { _ = try double(1.0, as: Float.self) }, { _ = try double(1.0, as: Int.self) },
        { _ = try library.function("long double same_D(long double)")(LongDouble(1), as: Double.self) },
        { _ = try single(1 as Float, as: Int.self) }, { _ = try self.library(compilation).function("int same_i(int)")(1, as: Double.self) },
      ] as [() throws -> Void] {
        expectEqual(InvocationFixtures.code(read), .typeMismatch)
      }
    }

    private enum Small: Int32, EncodedValue { case one = 1 }
    private struct Meters: EncodedValue {
      var value: Int
      static let typeEncoding: TypeEncoding = "q"
    }

    @Test("A bool, a type with raw values and a type of one's own are not wider numbers")
    func others() throws {
      let library = try library(require(Compilation.optimized.first))
      let truth = try library.function("_Bool truth(int)")
      try expect(truth(4, as: Bool.self))
      let same = try library.function("int same_i(int)")
      let short = try library.function("short same_s(short)")
      for read in [
        { _ = try truth(1, as: Int.self) }, { _ = try truth(1, as: UInt8.self) }, { _ = try same(1, as: Bool.self) },
        { _ = try short(1, as: Small.self) }, { _ = try same(1, as: Meters.self) }, { _ = try same(1, as: UnsafeRawPointer?.self) },
        { _ = try library.function("void nothing(int)")(1, as: Int.self) },
      ] as [() throws -> Void] {
        expectEqual(InvocationFixtures.code(read), .typeMismatch)
      }
      try expectEqual(same(1, as: Small.self), .one)
    }

    @Test("An error names the types that a result can be read as")
    func messages() throws {
      let library = try library(require(Compilation.optimized.first))
      let same = try library.function("int same_i(int)")
      expectMessage("same_i: return value (i, Int32): Int8 is not Int32; ask for Int32 or Int") { _ = try same(1, as: Int8.self) }
      let wide = try library.function("unsigned long same_Q(unsigned long)")
      expectMessage("same_Q: return value (Q, UInt64): 18446744073709551615 does not fit Int; ask for UInt64") {
        _ = try wide(UInt.max, as: Int.self)
      }
      let call = wide.makeInvocation()
      try call.setArgument(UInt.max, at: 0)
      expect(
        InvocationFixtures.message { _ = try call.argument(at: 0, as: Int.self) }.hasPrefix("same_Q: argument 0 (Q, UInt64): 1844"))
      expectError(.noReturnValue) { _ = try call.returnValue(as: Int.self) }
    }

    @Test("A literal is a result of a closure as it is an argument")
    func literals() throws {
      let signature = try MethodSignature(types: "sf")
      let closure = try Closure(signature) { call in
        let half: Double = try call.argument(at: 0)
        expectError(.outOfRange) { try call.setReturnValue(70_000) }
        expectError(.typeMismatch) { try call.setReturnValue(0.5) }
        try call.setReturnValue(Int(half * 2))
      }
      try expectEqual(ForeignFunction(closure.implementation, signature)(Float(3.5), as: Int.self), 7)
      let call = Invocation(signature)
      try call.setReturnValue(-3)
      try expectEqual(call.returnValue(as: Int.self), -3)
      expectMessage("return value (s, Int16): 70000 does not fit") { try call.setReturnValue(70_000) }
      try expectEqual(call.returnValue(as: Int16.self), -3)
    }

    @Test("A condition is written as in C")
    func conditions() throws {
      let isatty = try DynamicLibrary(Platform.cLibrary).function("int isatty(int)")
      try expectEqual(isatty(-1), 0)
      let strlen = try DynamicLibrary(Platform.cLibrary).function("size_t strlen(const char *)")
      let length: Int = try strlen("four")
      expectEqual(length, 4)
    }
  }
#endif
