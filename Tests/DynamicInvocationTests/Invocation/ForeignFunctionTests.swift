import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct ForeignFunctionTests {
  private func function<Code: BitwiseCopyable>(_ code: Code, _ types: String) throws -> ForeignFunction {
    try ForeignFunction(Implementation(function: code), MethodSignature(types: types))
  }

  private struct Quotient: EncodedValue, Equatable {
    var quotient: Int32
    var remainder: Int32
    static let typeEncoding: TypeEncoding = "{div_t=ii}"
  }

  private struct LongQuotient: EncodedValue, Equatable {
    var quotient: Int
    var remainder: Int
    static let typeEncoding: TypeEncoding = "{ldiv_t=qq}"
  }

  @Test func realLibraries() throws {
    let libm = try DynamicLibrary(Platform.mathLibrary)
    try expectEqual(libm.function("powf", types: "fff")(Float(3), Float(2), as: Float.self), 9)
    try expectEqual(libm.function("fabsl", types: "DD")(LongDouble(-2.5), as: LongDouble.self), LongDouble(2.5))
    let divide = try DynamicLibrary.process.function("div", types: "{div_t=ii}ii")
    try expectEqual(divide(Int32(17), Int32(5), as: Quotient.self), Quotient(quotient: 3, remainder: 2))
    let longDivide = try DynamicLibrary.process.function("ldiv", types: "{ldiv_t=qq}qq")
    try expectEqual(longDivide(-17, 5, as: LongQuotient.self), LongQuotient(quotient: -3, remainder: -2))
    let sort = try DynamicLibrary.process.function("qsort", types: "v^iQQ^?")
    let compare: @convention(c) (UnsafePointer<Int32>, UnsafePointer<Int32>) -> Int32 = { $0.pointee - $1.pointee }
    var numbers: [Int32] = [3, -1, 2, 0]
    try numbers.withUnsafeMutableBufferPointer { buffer in
      try sort(buffer.baseAddress, UInt(buffer.count), UInt(4), unsafeBitCast(compare, to: UnsafeRawPointer.self))
    }
    expectEqual(numbers, [-1, 0, 2, 3])
  }

  private final class Leaf: EncodedObject {}
  private final class Stone {}

  @Test("An object of another class is not called null, and objects keep their counts") func objects() throws {
    let same: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { $0 }
    let function = try function(same, "@@")
    let (leaf, stone) = (Leaf(), Stone())
    try withExtendedLifetime((leaf, stone)) {
      try expect(function(Unmanaged.passUnretained(leaf), as: Leaf.self) === leaf)
      let wrong = expectThrows(InvocationError.self) { try function(Unmanaged.passUnretained(stone), as: Leaf.self) }
      expect(wrong?.code == .typeMismatch && wrong?.argument == .result && "\(String(describing: wrong))".contains("Stone"))
      expectError(.nullNotAllowed) { _ = try function(Unmanaged<AnyObject>?.none, as: Leaf.self) }
      try function.methodSignature.withFrame { frame in
        try frame.setArgument(stone, at: 0)
        try frame.invoke(using: function.implementation)
        expectError(.typeMismatch) { _ = try frame.returnValue(as: Leaf.self) }
      }
    }
    try LifetimeTracker.check { tracker in
      let object = tracker.object(3)
      for _ in 0..<100 {
        let result = try function(Unmanaged.passUnretained(object), as: Unmanaged<LifetimeTracked>.self)
        expectEqual(result.takeUnretainedValue().payload, 3)
      }
      expectEqual(tracker.liveCount, 1)
      withExtendedLifetime(object) {}
      try expect(function(Unmanaged<LifetimeTracked>?.none, as: Unmanaged<LifetimeTracked>?.self) == nil)
    }
  }

  /// 0 to 12 arguments, in registers and on the stack.
  @Test func numbersOfArguments() throws {
    let f0: @convention(c) () -> Int = { 42 }
    let f1: @convention(c) (Int) -> Int = { $0 }
    let f2: @convention(c) (Int, Int) -> Int = { $0 + 2 * $1 }
    let f3: @convention(c) (Int, Double, Int) -> Double = { Double($0) + 2 * $1 + Double(3 * $2) }
    let f6: @convention(c) (Int, Int, Int, Int, Int, Int) -> Int = { $0 + 2 * $1 + 3 * $2 + 4 * $3 + 5 * $4 + 6 * $5 }
    let f7: @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int = { $0 + 2 * $1 + 3 * $2 + 4 * $3 + 5 * $4 + 6 * $5 + 7 * $6 }
    let f12: @convention(c) (Int8, Double, Int16, Float, Int32, Double, Int, Float, UInt8, Double, Int, Int) -> Double = {
      let low = Double($0) + $1 + Double($2) + Double($3) + Double($4) + $5
      let middle = Double($6) + Double($7) + Double($8)
      return low + 10 * (middle + $9) + 100 * (Double($10) + 2 * Double($11))
    }
    try expectEqual(function(f0, "q")(as: Int.self), 42)
    try expectEqual(function(f1, "qq")(7, as: Int.self), 7)
    try expectEqual(function(f2, "qqq")(1, 2, as: Int.self), 5)
    try expectEqual(function(f3, "dqdq")(1, 2.5, 3, as: Double.self), 15)
    try expectEqual(function(f6, "qqqqqqq")(1, 2, 3, 4, 5, 6, as: Int.self), 91)
    try expectEqual(function(f7, "qqqqqqqq")(1, 2, 3, 4, 5, 6, 7, as: Int.self), 140)
    let result = try function(f12, "dcdsfidqfCdqq")(
      Int8(-1), 2.0, Int16(-3), Float(4), Int32(-5), 6.0, 7, Float(8), UInt8(200), 10.0, 11, 12, as: Double.self)
    expectEqual(result, 3 + 10 * 225 + 100 * 35 as Double)
    try function(f1, "qq")(7)
  }

  @Test func countsAndTypes() throws {
    let add: @convention(c) (Int32, Int32) -> Int32 = { $0 + $1 }
    let function = try function(add, "iii")
    expectErrors(
      .countMismatch, { _ = try function(Int32(1), as: Int32.self) }, { _ = try function(Int32(1), Int32(2), Int32(3), as: Int32.self) },
      { try function() })
    expectMessage("1 argument given, the signature 'iii' takes 2") { try function(Int32(1)) }
    expectMessage("argument 1 (i, Int32): Double is not Int32") { try function(Int32(1), 2.0) }
    expectMessage("return value (i, Int32): Double is not Int32; ask for Int32 or Int") {
      _ = try function(Int32(1), Int32(2), as: Double.self)
    }
    try expectEqual(function(Int32(1), Int32(2), as: Int32.self), 3)
    // A method is a function too.
    let next: @convention(c) (UnsafeRawPointer, UnsafePointer<CChar>, Int) -> Int = { _, _, number in number + 1 }
    let receiver = Receiver()
    try expectEqual(self.function(next, "q@:q")(Unmanaged.passUnretained(receiver), MethodSelector("next(_:)"), 6, as: Int.self), 7)
  }

  @Test func nulls() throws {
    let environment = try DynamicLibrary.process.function("getenv", types: "**")
    try expectNil(environment("SURELY_NO_SUCH_VARIABLE", as: String?.self))
    try expectNil(environment("SURELY_NO_SUCH_VARIABLE", as: UnsafePointer<CChar>?.self))
    let isNull: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Bool = {
      $0 == nil && $1 == nil && $2 == nil && $3 == nil
    }
    let function = try function(isNull, "B^v*@:")
    let nothing = (UnsafeRawPointer?.none, String?.none, Unmanaged<Receiver>?.none, MethodSelector?.none)
    try expect(function(nothing.0, nothing.1, nothing.2, nothing.3, as: Bool.self))
    let byte: UInt8 = 0
    try expect(withUnsafePointer(to: byte) { try !function(UnsafeRawPointer($0), nothing.1, nothing.2, nothing.3, as: Bool.self) })
  }

  @Test func errno() throws {
    let open = try DynamicLibrary.process.function("open", types: "i*i")
    let failed = try open.capturingErrno("/nonexistent/file", Int32(0), as: Int32.self)
    expect(failed.result == -1 && failed.errno == 2)
    let number = try DynamicLibrary.process.function("strtol", types: "q*^*i")
    for (text, result, code) in [("99999999999999999999", Int.max, CInt(34)), ("17", 17, 0)] {
      let outcome = try number.capturingErrno(text, UnsafeRawPointer?.none, Int32(10), as: Int.self)
      expect(outcome.result == result && outcome.errno == code, text)
    }
    expectError(.countMismatch) { _ = try open.capturingErrno("/", as: Int32.self) }
    expectErrors(
      .typeMismatch, { _ = try open.capturingErrno(1.0, Int32(2), as: Int32.self) },
      { _ = try open.capturingErrno("/", Int32(0), as: Int8.self) })
  }

  /// The function keeps its library loaded.
  @Test func libraryOutlivesItsHandle() throws {
    func makeFunction() throws -> ForeignFunction { try DynamicLibrary(Platform.mathLibrary).function("cos", types: "dd") }
    let cosine = try makeFunction()
    try expectEqual(cosine(0.0, as: Double.self), 1)
    try expectEqual(makeFunction().makeInvocation().result(0.0, as: Double.self), 1)
  }
}
