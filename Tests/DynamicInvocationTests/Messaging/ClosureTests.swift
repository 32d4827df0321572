#if arch(x86_64) || arch(arm64)
  import AllocationCounter
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Typed closures: their types are checked, their values are right, and a call costs no allocation.
  @Suite(.measured) struct ClosureTests {
    private struct Pair: EncodedValue, Equatable {
      var tag: Int32
      var weight: Double
      static let typeEncoding: TypeEncoding = "{Pair=id}"
    }

    /// 20 bytes: a result in memory that is no multiple of a word.
    private struct Five: EncodedValue, Equatable {
      var a: Int32, b: Int32, c: Int32, d: Int32, e: Int32
      static let typeEncoding: TypeEncoding = "{Five=iiiii}"
    }

    @Test func closuresOfEveryArity() throws {
      func sum(_ closure: Closure, _ count: Int) throws -> Int {
        let invocation = Invocation(closure.methodSignature)
        for index in 0..<count { try invocation.setArgument(1 << index, at: index) }
        try invocation.invoke(using: closure.implementation)
        return try invocation.returnValue()
      }
      let types = (0...10).map { String(repeating: "q", count: $0 + 1) }
      try expectEqual(sum(Closure(types: types[0]) { () -> Int in 0 }, 0), 0)
      try expectEqual(sum(Closure(types: types[1]) { (a: Int) -> Int in a }, 1), 1)
      try expectEqual(sum(Closure(types: types[2]) { (a: Int, b: Int) -> Int in a + 2 * b }, 2), 5)
      try expectEqual(sum(Closure(types: types[3]) { (a: Int, b: Int, c: Int) -> Int in a + b + 2 * c }, 3), 11)
      try expectEqual(sum(Closure(types: types[4]) { (a: Int, b: Int, c: Int, d: Int) -> Int in a + b + c + 2 * d }, 4), 23)
      try expectEqual(sum(Closure(types: types[5]) { (a: Int, b: Int, c: Int, d: Int, e: Int) -> Int in a + b + c + d + 2 * e }, 5), 47)
      // Closures of more parameters are one form, whose last argument is in the last register, and on the stack.
      try expectEqual(
        sum(Closure(types: types[6]) { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) -> Int in a + b + c + d + e + 2 * f }, 6), 95)
      try expectEqual(
        sum(
          Closure(types: types[10]) { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int) -> Int in
            [a, b, c, d, e, f, g, h, i, 2 * j].reduce(0, +)
          }, 10), 1535)
    }

    @Test func resultsOfEveryPlace() throws {
      let mixed = try Closure(types: "{Pair=id}id") { (tag: Int32, weight: Double) -> Pair in Pair(tag: tag, weight: weight) }
      let pair: Pair = try ForeignFunction(mixed.implementation, mixed.methodSignature)(Int32(-3), 2.5)
      expectEqual(pair, Pair(tag: -3, weight: 2.5))
      let five = try Closure(types: "{Five=iiiii}i") { (a: Int32) -> Five in Five(a: a, b: 2, c: 3, d: 4, e: 5) }
      let got: Five = try ForeignFunction(five.implementation, five.methodSignature)(Int32(1))
      expectEqual(got, Five(a: 1, b: 2, c: 3, d: 4, e: 5))
      let long = try Closure(types: "DDD") { (_: LongDouble, a: LongDouble) -> LongDouble in a }
      let third = try require(LongDouble("0.333333333333333333"))
      let returned: LongDouble = try ForeignFunction(long.implementation, long.methodSignature)(LongDouble(1.0), third)
      expectEqual(returned, third)
      #if arch(x86_64)
        let divided = try Closure(types: "DD") { (a: Float80) -> Float80 in a / 3 }
        let quotient: Float80 = try ForeignFunction(divided.implementation, divided.methodSignature)(Float80(1))
        expectEqual(quotient, 1 / Float80(3))
      #endif
      let wide = try Closure(types: "ttt") { (a: Int128, b: Int128) -> Int128 in a * b }
      let product: Int128 = try ForeignFunction(wide.implementation, wide.methodSignature)(Int128(1) << 80, Int128(-5))
      expectEqual(product, -5 << 80)
    }

    @Test func upperBitsOfNarrowArgumentsDoNotCount() throws {
      let closure = try Closure(types: "qcCsSiIB") {
        (a: Int8, b: UInt8, c: Int16, d: UInt16, e: Int32, f: UInt32, g: Bool) -> Int in
        [Int(a), Int(b), Int(c), Int(d), Int(e), Int(f), g ? 1 : 0].reduce(0) { $0 * 3 + $1 }
      }
      // The same code, told to take whole words, six in registers and one on the stack.
      let caller = try ForeignFunction(Implementation(closure.pointer, keeping: closure), MethodSignature(types: "qQQQQQQQ"))
      let clean: Int = try caller(
        UInt64(bitPattern: -1) & 0xFF, UInt64(200), UInt64(0x8000), UInt64(0xFFFF), UInt64(0x8000_0000), UInt64(0xFFFF_FFFF), UInt64(1))
      let dirt: UInt64 = 0xDEAD_BEEF_0000_0000
      let dirty: Int = try caller(
        dirt | 0x1234_56FF, dirt | 0x1234_56C8, dirt | 0x1234_8000, dirt | 0x1234_FFFF, dirt | 0x8000_0000, dirt | 0xFFFF_FFFF, dirt | 1)
      let expected = [-1, 200, -0x8000, 0xFFFF, -0x8000_0000, 0xFFFF_FFFF, 1].reduce(0) { $0 * 3 + $1 }
      expectEqual(clean, expected)
      expectEqual(dirty, expected)
    }

    @Test func wrongTypesAreRefusedByName() throws {
      let argument = expectThrows(InvocationError.self) { try Closure(types: "iid") { (_: Int32, _: Float) -> Int32 in 0 } }
      expect(argument?.code == .typeMismatch && argument?.argument == .index(1))
      expectEqual(argument?.description, "argument 1 (d, Double): Float is not Double")
      let results: [() throws -> Closure] = [
        { try Closure(types: "qi") { (_: Int32) -> Int32 in 0 } }, { try Closure(types: "ii") { (_: Int32) in } },
        { try Closure(types: "vi") { (_: Int32) -> Int32 in 0 } },
      ]
      for make in results {
        let error = expectThrows(InvocationError.self) { try make() }
        expect(error?.code == .typeMismatch && error?.argument == .result)
      }
      // Nobody would free the text.
      expectErrors(
        .typeMismatch, { _ = try Closure(types: "*i") { (_: Int32) -> String in "" } },
        { _ = try Closure(types: "*i") { (_: Int32) -> String? in nil } })
      expectErrors(
        .countMismatch, { _ = try Closure(types: "ii") { (_: Int32, _: Int32) -> Int32 in 0 } },
        { _ = try Closure(types: "ii") { () -> Int32 in 0 } })
      expectMessage("the closure has 1 parameter, the signature 'vqq' takes 2") { _ = try Closure(types: "vqq") { (_: Int) in } }
      expectError(.malformedEncoding) { _ = try Closure(types: "i{") { (_: Int32) -> Int32 in 0 } }
      let variadic = try MethodSignature(types: "i*i", fixedArgumentCount: 1)
      expectError(.unsupportedType) { _ = try Closure(variadic) { try $0.setReturnValue(Int32(0)) } }
    }

    @Test func textsAndNullsArrive() throws {
      let length = try Closure(types: "q*") { (text: String?) -> Int in text?.utf8.count ?? -1 }
      let function = try ForeignFunction(length.implementation, length.methodSignature)
      try expectEqual(function("grüße") as Int, 7)
      try expectEqual(function(String?.none) as Int, -1)
    }

    @Test func aCallAllocatesNothing() throws {
      let scale = 3
      let closure = try Closure(types: "d@:idfc^vs{Pair=id}d") {
        (
          _: Unmanaged<AnyObject>?, _: MethodSelector?, a: Int32, b: Double, c: Float, d: Int8, e: UnsafeRawPointer?, f: Int16, g: Pair,
          h: Double
        ) -> Double in
        let integers = Int(a) + Int(d) + Int(f) + Int(g.tag) + (e == nil ? 0 : 1)
        return Double(integers * scale) + b + Double(c) + g.weight + h
      }
      let handled = try Closure(MethodSignature(types: "qqq")) { call in
        let (a, b): (Int, Int) = (try call.argument(at: 0), try call.argument(at: 1))
        try call.setReturnValue(a * b)
      }
      let function = try ForeignFunction(closure.implementation, closure.methodSignature)
      let product = try ForeignFunction(handled.implementation, handled.methodSignature)
      func round() throws -> Double {
        let first: Double = try function(
          Unmanaged<AnyObject>?.none, MethodSelector?.none, Int32(1), 2.0, Float(3), Int8(4), UnsafeRawPointer?.none, Int16(5),
          Pair(tag: 6, weight: 7), 8.0)
        let second: Int = try product(6, 7)
        return first + Double(second)
      }
      try expectEqual(round(), 48 + 20 + 42)
      let before = allocation_count()
      for _ in 0..<1_000 { _ = try round() }
      expectEqual(allocation_count(), before)
    }

    @Test func aNullForATypeWithoutNullTraps() async {
      await #expect(processExitsWith: .failure) {
        let closure = try Closure(types: "v^v") { (_: UnsafeRawPointer) in }
        try ForeignFunction(closure.implementation, closure.methodSignature)(UnsafeRawPointer?.none) as Void
      }
    }
  }
#endif
