import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// Swift types as values of C: structs, enums and types with raw values.
///
/// A Swift value is never made of bytes that are none of its type.
@Suite(.measured) struct EncodedValueTests {
  private struct Pair: EncodedValue, Equatable {
    var tag: Int32 = 7
    var weight: Double = 0.5
    static let typeEncoding: TypeEncoding = "{Pair=id}"
  }
  /// As ``Pair``, another type.
  private struct Other: EncodedValue, Equatable {
    var tag: Int32 = 8
    var weight: Double = 1.5
    static let typeEncoding: TypeEncoding = "{Other=id}"
  }
  private struct Large: EncodedValue, Equatable {
    var a: Int = 1, b: Int = 2, c: Int = 3, d: Int = 4, e: Int = 5
    static let typeEncoding: TypeEncoding = "{Large=qqqqq}"
  }
  private struct Flagged: EncodedValue, Equatable {
    var count: Int32
    var isOn: Bool
    static let typeEncoding: TypeEncoding = "{Flagged=iB}"
  }

  @Test func structs() throws {
    try expectPassed(Pair())
    try expectPassed(Pair(), as: "{Other=id}")
    try expectPassed(Large())
    try expectPassed(Flagged(count: 2, isOn: false))
    try expectRefused(Pair(), as: "{Large=qqqqq}")
    try expectRefused(Large(), as: "{Pair=id}")
  }

  /// Types that have been passed before are compared by their addresses, in each way to call.
  @Test(arguments: [false, true]) func typesThatWerePassedBefore(pointerFirst: Bool) throws {
    let take: @convention(c) (UnsafeRawPointer?) -> Int32 = { $0?.load(as: Int32.self) ?? -1 }
    let byPointer = try ForeignFunction(Implementation(function: take), MethodSignature(types: "i^{Pair=id}"))
    // A signature of its own, which no other test has called with.
    let signature = try MethodSignature(types: "{P\(pointerFirst)=id}{P\(pointerFirst)=id}i")
    let closure = try Closure(signature) { call in try call.setReturnValue(call.argument(at: 0, as: Pair.self)) }
    let byValue = try ForeignFunction(closure.implementation, signature)
    var (pair, other) = (Pair(), Other())

    func callByPointer() throws {
      try expectEqual(withUnsafePointer(to: &pair) { try byPointer($0) as Int32 }, 7)
      expectError(.typeMismatch) { _ = try byPointer(pair) as Int32 }
      expectError(nil) { _ = try withUnsafePointer(to: &other) { try byPointer($0) as Int32 } }
    }
    func callByValue() throws {
      try expectEqual(byValue(pair, 1 as Int32) as Pair, pair)
      try expectEqual(byValue(other, 1 as Int32) as Other, other)
      expectErrors(
        .typeMismatch, { _ = try withUnsafePointer(to: &pair) { try byValue($0, 1 as Int32) as Pair } },
        { _ = try byValue(Large(), 1 as Int32) as Pair }, { _ = try byValue(pair, 1 as Int32) as Large })
      let invocation = byValue.makeInvocation()
      try signature.withFrame { frame in
        for _ in 0..<2 {
          try frame.setArgument(pair, at: 0)
          try invocation.setArgument(pair, at: 0)
          expectErrors(
            .typeMismatch, { try invocation.setArgument(Large(), at: 0) },
            { try withUnsafePointer(to: &pair) { try invocation.setArgument($0, at: 0) } })
          try frame.setArgument(other, at: 0)
          try invocation.setArgument(other, at: 0)
        }
      }
      try expectEqual(invocation.argument(at: 0, as: Pair.self), Pair(tag: 8, weight: 1.5))
    }
    for _ in 0..<2 {
      if pointerFirst { try callByPointer() }
      try callByValue()
      if !pointerFirst { try callByPointer() }
    }
  }

  /// Says more than Swift gives it.
  private struct TooSmall: EncodedValue {
    var tag: Int32 = 1
    static let typeEncoding: TypeEncoding = "{TooSmall=id}"
  }
  /// Swift puts the second member into the first one's padding; C does not.
  private struct Tight: EncodedValue {
    struct Inner {
      var number: Int64 = 1
      var flag: Int8 = 2
    }
    var inner: Inner = Inner()
    var flag: Int8 = 3
    static let typeEncoding: TypeEncoding = "{Tight={Inner=qc}c}"
  }
  private struct Misaligned: EncodedValue {
    var bytes: (UInt32, UInt32) = (1, 2)
    static let typeEncoding: TypeEncoding = "{Misaligned=q}"
  }

  @Test func layoutsThatDisagree() throws {
    try expectRefused(TooSmall(), "TooSmall declares {TooSmall=id}, 16 bytes aligned to 8, but Swift gives it 4 aligned to 4")
    try expectRefused(Tight())
    try expectRefused(Misaligned())
    expect(TooSmall.valueKind == .unknown && !TooSmall.accepts(.unknown) && Pair.valueKind.isAggregate)
  }

  @Test func tuplesAndStructsWithoutAnEncoding() throws {
    let invocation = try InvocationFixtures.invocation("{?=id}{?=id}(U=qd)q[3i]")
    func set<Value: BitwiseCopyable>(_ value: Value, as type: TypeEncoding, at index: Int) throws {
      try invocation.setArgument(boxed: .value(EncodedBytes(value, as: type)), at: index)
    }
    func value<Value: BitwiseCopyable>(_ box: BoxedValue, as type: Value.Type) throws -> Value {
      guard case .value(let bytes) = box else { throw InvocationError(.typeMismatch, "\(box) is no bytes") }
      return try bytes.value(as: type)
    }
    try set((Int32(1), 2.5), as: "{?=id}", at: 0)
    let back = try value(invocation.boxedArgument(at: 0), as: (Int32, Double).self)
    try expect(back.0 == 1 && back.1 == 2.5 && invocation.argument(at: 0, as: Pair.self) == Pair(tag: 1, weight: 2.5))
    try set(2.5, as: "(V=qd)", at: 1)
    var number = 0.0
    try invocation.getArgument(into: &number, at: 1)
    expectEqual(number, 2.5)
    try set(7, as: "q", at: 2)
    try expectEqual(invocation.argument(at: 2, as: Int.self), 7)
    expectErrors(
      .typeMismatch, { try set((Int32(1), Int32(2)), as: "{?=id}", at: 0) }, { try set((1, 2), as: "{?=qq}", at: 0) },
      { try set((Int32(1), 2.5), as: "{?=id}", at: 1) }, { _ = try value(invocation.boxedArgument(at: 0), as: (Int32, Int32).self) })
    expectError(.argumentNotSet) { _ = try invocation.boxedArgument(at: 3) }
    expectError(.noReturnValue) { _ = try invocation.boxedReturnValue() }
    try invocation.setReturnValue(Pair(tag: 3, weight: 4))
    try expectEqual(value(invocation.boxedReturnValue(), as: (Int32, Double).self).0, 3)
  }

  /// An array argument is a pointer to its first element.
  @Test func arrays() throws {
    let sum: @convention(c) (UnsafePointer<Int32>) -> Int32 = { $0[0] + $0[1] + $0[2] }
    let invocation = try InvocationFixtures.invocation("i[3i]")
    invocation.implementation = Implementation(function: sum)
    var numbers: [Int32] = [1, 2, 3]
    try numbers.withUnsafeMutableBufferPointer { buffer in
      try invocation.setArgument(buffer.baseAddress, at: 0)
      try expectEqual(invocation.result(), 6 as Int32)
      try invocation.setArgument(boxed: .pointer(require(UnsafeRawPointer(buffer.baseAddress))), at: 0)
      try expectEqual(invocation.result(), 6 as Int32)
    }
    expectError(.typeMismatch) { try invocation.setArgument(boxed: 1, at: 0) }
  }

  @Test func structsArriveInC() throws {
    try require(InvocationFixtures.hasCompiler)
    let source = """
      struct pair { int tag; double weight; };
      struct large { long a, b, c, d, e; };
      struct pair swap(struct pair p, struct large l) { struct pair r = { (int)(p.weight + l.e), p.tag + l.a }; return r; }
      """
    let swap = try InvocationFixtures.function("swap", "{pair=id}{pair=id}{large=qqqqq}", source)
    let result = try swap(Pair(tag: 7, weight: 3), Large(a: 10, b: 0, c: 0, d: 0, e: 20), as: Pair.self)
    expectEqual(result, Pair(tag: 23, weight: 17))
  }

  // MARK: Raw values

  private enum Color: UInt8, EncodedValue { case red = 1, green, blue = 7 }
  private enum Level: Int, EncodedValue { case low = -5, high = 500 }
  private enum Step: Double, EncodedValue { case one = 1, two }
  private enum Code: Int32, EncodedValue { case one = 1, two }
  private enum Greeting: String, EncodedValue { case hello }
  private struct Flags: OptionSet, EncodedValue { let rawValue: Int32 }
  private struct Handle: RawRepresentable, EncodedValue, Equatable {
    var rawValue: UInt
    static let typeEncoding: TypeEncoding = "{Handle=Q}"
  }
  /// As large as its raw value, but not equal to it.
  private struct Degrees: RawRepresentable, EncodedValue, Equatable {
    var radians: Double
    var rawValue: Double { radians * 180 / .pi }
    init(rawValue: Double) { radians = rawValue * .pi / 180 }
  }
  private struct Numbers: RawRepresentable, EncodedValue { var rawValue: UnsafePointer<Double> }
  private struct Opaque: RawRepresentable, EncodedValue { var rawValue: OpaquePointer }
  private final class Box: EncodedObject {}
  private enum Boxed: RawRepresentable, EncodedValue {
    case only
    init?(rawValue: Box) { self = .only }
    var rawValue: Box { Box() }
  }

  @Test("An enum is passed as its raw value, and a raw value that is no case is refused")
  func rawValues() throws {
    expect(Color.typeEncoding == "C" && Level.typeEncoding == "q")
    try expectPassed(Color.blue)
    try expectPassed(Level.high)
    try expectPassed(Step.two)
    try expectPassed([Flags(rawValue: 1), Flags(rawValue: 8)] as Flags)
    try expectPassed(Handle(rawValue: 5), as: "{H=Q}")
    let invocation = try InvocationFixtures.invocation("CC")
    try invocation.setArgument(Color.blue, at: 0)
    try expectEqual(invocation.argument(at: 0, as: UInt8.self), 7)
    for raw in [0, 3, 15, 255] as [UInt8] {
      try invocation.setArgument(raw, at: 0)
      try invocation.setReturnValue(raw)
      expectErrors(
        .typeMismatch, { _ = try invocation.argument(at: 0, as: Color.self) }, { _ = try invocation.returnValue(as: Color.self) })
    }
    try expectEqual(DynamicLibrary(Platform.mathLibrary).function("fabs", types: "dd")(Degrees(rawValue: -2.5)) as Double, 2.5)
  }

  /// Functions that read and write integers in memory.
  private static func sums() throws -> DynamicLibrary {
    let source = """
      int sum(const int *numbers, int count) { int all = 0; while (count) all += numbers[--count]; return all; }
      void set(int *place) { *place = 7; }
      signed char two(void) { return 2; }
      """
    let compiler = try require(CCompiler.all.first { $0.available })
    return try DynamicLibrary(compiler.sharedLibrary(source: source, name: "raw-values"))
  }

  @Test("The memory of an enum is no memory of its raw values: not in an array, and not as a variable")
  func memory() throws {
    let library = try Self.sums()
    let (sum, set) = (try library.function("sum", types: "i^ii"), try library.function("set", types: "v^i"))
    try expectEqual(sum([1, 2] as [Int32], 2) as Int32, 3)
    try expectEqual(sum([Flags(rawValue: 1), Flags(rawValue: 4)], 2) as Int32, 5)
    var code = Code.one
    expectErrors(.typeMismatch, { _ = try sum([Code.one, .two], 2) as Int32 }, { try set(&code) })
    expectEqual(code, .one)
    var flag = Flags(rawValue: 0)
    try set(&flag)
    expectEqual(flag.rawValue, 7)
    // A Bool in memory is C's bool only.
    let memchr = try DynamicLibrary(Platform.cLibrary).function("memchr", types: "^C^CiQ")
    var truth = true
    expectError(.typeMismatch) { _ = try memchr(&truth, Int32(1), 1 as UInt) as UnsafeMutablePointer<UInt8>? }
  }

  @Test("A raw value that is an object, a text or a pointer: nothing keeps it, and what it points to is compared")
  func references() throws {
    let invocation = Invocation(try MethodSignature(types: "@@"))
    expectErrors(
      .typeMismatch, { try invocation.setArgument(Boxed.only, at: 0) }, { try invocation.setReturnValue(Boxed.only) },
      { _ = try Closure(types: "@") { () -> Boxed in .only } })
    let strlen = try DynamicLibrary(Platform.cLibrary).function("strlen", types: "Q*")
    try expectEqual(strlen(Greeting.hello) as UInt, 5)
    let length = strlen.makeInvocation()
    try length.setArgument(Greeting.hello, at: 0)
    try expect(length.result(as: UInt.self) == 5 && length.argument(at: 0, as: Greeting.self) == .hello)
    let text = Invocation(try MethodSignature(types: "*"))
    expectErrors(
      .typeMismatch, { _ = try Closure(types: "*") { () -> Greeting in .hello } }, { try text.setReturnValue(Greeting.hello) })
    try [2.5].withUnsafeBufferPointer { numbers in
      let start = try require(numbers.baseAddress)
      let invocation = Invocation(try MethodSignature(types: "v^d^i^^i"))
      try invocation.setArgument(Numbers(rawValue: start), at: 0)
      expectErrors(
        .typeMismatch, { try invocation.setArgument(Numbers(rawValue: start), at: 1) },
        { try invocation.setArgument(Opaque(rawValue: OpaquePointer(start)), at: 2) })
    }
  }

  @Test("A C function pointer has no parameter that a call would convert")
  func functionPointers() throws {
    let two = try Self.sums().function("two", types: "c")
    try expectEqual(two() as Bool, true)
    try expectEqual(two.pointer(as: (@convention(c) () -> Int8).self)(), 2)
    expectErrors(
      .typeMismatch, { _ = try two.pointer(as: (@convention(c) () -> Bool).self) },
      { _ = try two.pointer(as: (@convention(c) () -> Int32).self) })
  }

  // MARK: Types that have no value for most bytes

  private enum Shape: EncodedValue {
    case round, square
    static let typeEncoding: TypeEncoding = "C"
  }
  private enum Misdeclared: Int, EncodedValue {
    case one = 1
    // One byte is its size in memory, but not its raw value's.
    static let typeEncoding: TypeEncoding = "C"
  }
  private struct Painted: EncodedValue {
    var color: Color = .red
    static let typeEncoding: TypeEncoding = "{Painted=C}"
  }
  private struct Misflagged: EncodedValue {
    var count: Int32 = 1
    var isOn: Bool = true
    static let typeEncoding: TypeEncoding = "{Misflagged=iC}"
  }
  private struct Inner { var flag: Bool }
  private struct Outer: EncodedValue {
    var number: UInt8 = 1
    var inner: Inner = Inner(flag: true)
    static let typeEncoding: TypeEncoding = "{Outer=CC}"
  }
  private struct Classy: EncodedValue {
    var type: AnyObject.Type = Methodless.self
    static let typeEncoding: TypeEncoding = "{Classy=Q}"
  }
  private struct Letter: EncodedValue {
    var scalar: Unicode.Scalar = "a"
    static let typeEncoding: TypeEncoding = "{Letter=I}"
  }

  @Test("Types that have no value for most bytes are refused, and the error says why")
  func types() throws {
    func refused<Value: EncodedValue & BitwiseCopyable>(_ value: Value, _ reason: String) throws {
      let type = Value.typeEncoding
      try expectRefused(value, reason)
      let bytes = try EncodedBytes(type, bytes: [UInt8](repeating: 0, count: type.size ?? 0))
      let invocation = Invocation(try MethodSignature(MethodTypes(result: "v", arguments: [type])))
      try invocation.setArgument(boxed: .value(bytes), at: 0)
      expectErrors(
        .typeMismatch, { _ = try invocation.argument(at: 0, as: Value.self) }, { _ = try bytes.value(as: Value.self) },
        { _ = try EncodedBytes(value) })
    }
    try refused(Shape.round, "the enum Shape has no case for most bytes")
    try refused(Misdeclared.one, "the enum Misdeclared")
    try refused(Painted(), "the member color of Painted is an enum")
    try refused(Misflagged(), "the member isOn of Misflagged is a Bool")
    try refused(Outer(), "the member flag of Outer is a Bool")
    try refused(Classy(), "the member type of Classy is a class")
    try refused(Letter(), "the member scalar of Letter")
  }

  private struct Of<Member: BitwiseCopyable, Encoding: EncodingName>: EncodedValue, BitwiseCopyable {
    var member: Member
    static var typeEncoding: TypeEncoding { Encoding.typeEncoding }
  }
  private protocol EncodingName { static var typeEncoding: TypeEncoding { get } }
  private enum TwoBytes: EncodingName { static let typeEncoding: TypeEncoding = "{S=CC}" }
  private enum TwoInts: EncodingName { static let typeEncoding: TypeEncoding = "{S=II}" }
  private enum TwoWords: EncodingName { static let typeEncoding: TypeEncoding = "{S=QQ}" }
  private enum Word: EncodingName { static let typeEncoding: TypeEncoding = "{S=Q}" }
  private enum AUnion: EncodingName { static let typeEncoding: TypeEncoding = "(U=BC)" }
  private final class Secret {}
  private struct Geometric: _GeometryValue {
    typealias Number = Double
    var secret: Secret
    static let typeEncoding: TypeEncoding = "{Geometric=Q}"
  }
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)  // InlineArray
  private struct Plain: EncodedValue {
    var pair: (UInt8, Bool)
    var numbers: InlineArray<2, Int16>
    var flags: InlineArray<2, Bool>
    var place: UnsafeRawPointer?
    static let typeEncoding: TypeEncoding = "{Plain=CB[2s][2B]^v}"
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("A struct with a part that has no value for most bytes is none, however deep the part is")
  func parts() {
    let none: [any EncodedValue.Type] = [
      Of<@convention(c) (Int32) -> Int32, Word>.self, Of<(Color, UInt8), TwoBytes>.self, Of<InlineArray<2, Color>, TwoBytes>.self,
      Of<(AnyClass, UInt), TwoWords>.self, Of<InlineArray<2, AnyClass>, TwoWords>.self, Of<InlineArray<2, Bool>, TwoBytes>.self,
      Of<(Bool, UInt8), TwoBytes>.self, Of<(Unicode.Scalar, UInt32), TwoInts>.self, Of<Bool, AUnion>.self, Of<Int32?, TwoInts>.self,
      Geometric.self,
    ]
    for type in none { expectEqual(type.valueKind, .unknown, "\(type)") }
    expect(Plain.valueKind != .unknown)
    expectErrors(
      .typeMismatch, { _ = try EncodedBytes("{Geometric=Q}", bytes: [UInt8](repeating: 65, count: 8)).value(as: Color.self) },
      { try Invocation(MethodSignature(types: "v{Geometric=Q}")).setArgument(Geometric(secret: Secret()), at: 0) })
  }

  private struct OfStaticString: EncodedValue {
    var text: StaticString
    static let typeEncoding: TypeEncoding = "{OfStaticString=QQc}"
  }
  private struct OfIndex: EncodedValue {
    var index: String.Index
    static let typeEncoding: TypeEncoding = "{OfIndex=Q}"
  }
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)  // InlineArray
  private struct OfAnyBytes: EncodedValue, Equatable {
    var time: Swift.Duration
    var lanes: SIMD2<Float>
    var bytes: InlineArray<4, UInt8>
    var number: Int32
    var count: Int64
    static let typeEncoding: TypeEncoding = "{OfAnyBytes={D=Qq}{S=ff}[4C]iq}"
    static func == (one: OfAnyBytes, other: OfAnyBytes) -> Bool {
      one.time == other.time && one.lanes == other.lanes && one.number == other.number && one.count == other.count
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("A type of the standard library with conditions on its bytes is no value of bytes") func standardTypes() throws {
    func expectNoValue<Value: EncodedValue & BitwiseCopyable>(_ type: Value.Type) {
      let bytes = [UInt8](repeating: 0x10, count: MemoryLayout<Value>.stride)
      expectError(.typeMismatch, "\(type)") { _ = try EncodedBytes(Value.typeEncoding, bytes: bytes).value(as: Value.self) }
    }
    expectNoValue(OfStaticString.self)
    expectNoValue(OfIndex.self)
    let value = OfAnyBytes(time: .milliseconds(1_500), lanes: [1, 2], bytes: [1, 2, 3, 4], number: -7, count: 9)
    try expectEqual(EncodedBytes(value).value(as: OfAnyBytes.self), value)
  }

  @Test("Any byte of a bool but 0 is true")
  func bools() throws {
    let invocation = try InvocationFixtures.invocation("v{Flagged=iB}B")
    let bytes = try EncodedBytes("{Flagged=iB}", bytes: [1, 0, 0, 0, 200, 0, 0, 0])
    expectEqual(bytes.bytes, [1, 0, 0, 0, 1, 0, 0, 0])
    try invocation.setArguments(boxed: [.value(bytes), .value(EncodedBytes("B", bytes: [200]))])
    try expectEqual(invocation.argument(at: 0, as: Flagged.self), Flagged(count: 1, isOn: true))
    try expect(invocation.argument(at: 1, as: Bool.self) && EncodedBytes("B", bytes: [200]).value(as: Bool.self))
    try expectEqual(EncodedBytes(UInt8(200), as: "B").bytes, [1])
    try expectEqual(EncodedBytes("[2{F=CB}]", bytes: [9, 9, 9, 0]).bytes, [9, 1, 9, 0])
    // What may be a bool or something else stays as it is.
    try expectEqual(EncodedBytes("(U=BC)", bytes: [9]).bytes, [9])
  }

  #if arch(x86_64) || arch(arm64)
    @Test("A closure, a method and a function get no value that is none of the type")
    func calls() throws {
      let method = try Implementation { (_: Methodless, color: Color) -> UInt8 in color.rawValue }
      let invocation = try Invocation.message("C@:C", to: Methodless(), "paint(_:)", Color.green)
      try invocation.invoke(using: method)
      try expectEqual(invocation.returnValue(as: UInt8.self), 2)
      try invocation.setArgument(UInt8(15), at: 2)
      expectError(.typeMismatch) { try invocation.invoke(using: method) }
      let echo: @convention(c) (UInt8) -> UInt8 = { $0 }
      let function = try ForeignFunction(Implementation(function: echo), MethodSignature(types: "CC"))
      try expectEqual(function(UInt8(7)), Color.blue)
      expectError(.typeMismatch) { let _: Color = try function(UInt8(15)) }
    }
  #endif
}
