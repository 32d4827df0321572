import DynamicInvocation
import TestSupport
import Testing

/// A Swift value is never made of bytes that are none of its type.
@Suite(.measured) struct ValuesOfTypesTests {
  private enum Color: UInt8, EncodedValue, Equatable {
    case red = 1
    case green = 2
    case blue = 7
  }
  private enum Level: Int, EncodedValue {
    case low = -5
    case high = 500
  }
  private struct Options: OptionSet, EncodedValue {
    let rawValue: UInt32
    static let first: Options = Options(rawValue: 1)
  }
  private struct Handle: RawRepresentable, EncodedValue, Equatable {
    var rawValue: UInt
    static let typeEncoding: TypeEncoding = "{Handle=Q}"
  }

  private struct Called: EncodedValue {
    var code: @convention(c) (Int32) -> Int32
    static let typeEncoding: TypeEncoding = "{Called=Q}"
  }
  private struct OfTuple: EncodedValue {
    var pair: (Color, UInt8)
    static let typeEncoding: TypeEncoding = "{OfTuple=CC}"
  }
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)  // InlineArray
  private struct OfColors: EncodedValue {
    var colors: InlineArray<2, Color>
    static let typeEncoding: TypeEncoding = "{OfColors=CC}"
  }
  private struct OfClass: EncodedValue {
    var pair: (AnyClass, UInt)
    static let typeEncoding: TypeEncoding = "{OfClass=QQ}"
  }
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)  // InlineArray
  private struct OfClasses: EncodedValue {
    var classes: InlineArray<2, AnyClass>
    static let typeEncoding: TypeEncoding = "{OfClasses=QQ}"
  }
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)  // InlineArray
  private struct OfBools: EncodedValue {
    var flags: InlineArray<2, Bool>
    static let typeEncoding: TypeEncoding = "{OfBools=CC}"
  }
  private struct OfBool: EncodedValue {
    var pair: (Bool, UInt8)
    static let typeEncoding: TypeEncoding = "{OfBool=CC}"
  }
  private struct OfScalar: EncodedValue {
    var pair: (Unicode.Scalar, UInt32)
    static let typeEncoding: TypeEncoding = "{OfScalar=II}"
  }
  private struct InUnion: EncodedValue {
    var flag: Bool
    static let typeEncoding: TypeEncoding = "(InUnion=BC)"
  }
  private struct Maybe: EncodedValue {
    var number: Int32?
    static let typeEncoding: TypeEncoding = "{Maybe=ii}"
  }
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
  @Test("A struct of which a part has no value for most bytes is none, however deep the part is")
  func parts() {
    for type in [
      Called.self, OfTuple.self, OfColors.self, OfClass.self, OfClasses.self, OfBools.self, OfBool.self, OfScalar.self, InUnion.self,
      Maybe.self, Geometric.self,
    ] as [any EncodedValue.Type] {
      #expect(type.valueKind == .unknown, "\(type)")
    }
    #expect(Plain.valueKind != .unknown)
    let size = MemoryLayout<Geometric>.size
    #expect(
      InvocationFixtures.code { _ = try EncodedBytes("{Geometric=Q}", bytes: [UInt8](repeating: 65, count: size)).value(as: Color.self) }
        == .typeMismatch)
    #expect(
      InvocationFixtures.code { try Invocation(MethodSignature(types: "v{Geometric=Q}")).setArgument(Geometric(secret: Secret()), at: 0) }
        == .typeMismatch)
  }

  @Test("An enum is passed as its raw value, and a raw value that is no case is refused")
  func rawValues() throws {
    #expect(Color.typeEncoding == "C" && Level.typeEncoding == "q")
    let invocation = try InvocationFixtures.invocation("CC")
    try invocation.setArgument(Color.blue, at: 0)
    #expect(try invocation.argument(at: 0, as: UInt8.self) == 7)
    #expect(try invocation.argument(at: 0, as: Color.self) == .blue)
    for raw in [0, 3, 15, 255] as [UInt8] {
      try invocation.setArgument(raw, at: 0)
      #expect(InvocationFixtures.code { _ = try invocation.argument(at: 0, as: Color.self) } == .typeMismatch, "\(raw)")
      try invocation.setReturnValue(raw)
      #expect(InvocationFixtures.code { _ = try invocation.returnValue(as: Color.self) } == .typeMismatch, "\(raw)")
    }
    let level = try InvocationFixtures.invocation("qq")
    try level.setArgument(Level.high, at: 0)
    #expect(try level.argument(at: 0, as: Int.self) == 500)
    let options = try InvocationFixtures.invocation("vI{H=Q}")
    try options.setArgument([.first, Options(rawValue: 8)] as Options, at: 0)
    #expect(try options.argument(at: 0, as: UInt32.self) == 9 && options.argument(at: 0, as: Options.self).contains(.first))
    try options.setArgument(Handle(rawValue: 5), at: 1)
    #expect(try options.argument(at: 1, as: Handle.self) == Handle(rawValue: 5))
  }

  private enum Shape: EncodedValue {
    case round, square
    static let typeEncoding: TypeEncoding = "C"
  }
  private enum Misdeclared: Int, EncodedValue {
    case one = 1
    // One byte is its size in memory, but not that of its raw value.
    static let typeEncoding: TypeEncoding = "C"
  }
  private struct Painted: EncodedValue {
    var color: Color
    static let typeEncoding: TypeEncoding = "{Painted=C}"
  }
  private struct Flagged: EncodedValue, Equatable {
    var count: Int32
    var isOn: Bool
    static let typeEncoding: TypeEncoding = "{Flagged=iB}"
  }
  private struct Misflagged: EncodedValue {
    var count: Int32
    var isOn: Bool
    static let typeEncoding: TypeEncoding = "{Misflagged=iC}"
  }
  private struct Inner { var flag: Bool }
  private struct Outer: EncodedValue {
    var number: UInt8
    var inner: Inner
    static let typeEncoding: TypeEncoding = "{Outer=CC}"
  }
  private struct Classy: EncodedValue {
    var type: AnyObject.Type
    static let typeEncoding: TypeEncoding = "{Classy=Q}"
  }
  private struct Letter: EncodedValue {
    var scalar: Unicode.Scalar
    static let typeEncoding: TypeEncoding = "{Letter=I}"
  }

  @Test("Types that have no value for most bytes are refused, and the error says why")
  func types() throws {
    func refused<Value: EncodedValue & BitwiseCopyable>(_ value: Value, _ reason: String) throws {
      let invocation = Invocation(try MethodSignature(MethodTypes(result: Value.typeEncoding, arguments: [Value.typeEncoding])))
      let message = InvocationFixtures.message { try invocation.setArgument(value, at: 0) }
      #expect(message.contains(reason), "\(message)")
      let bytes = [UInt8](repeating: 0, count: Value.typeEncoding.size ?? 0)
      try invocation.setArgument(boxed: .value(EncodedBytes(Value.typeEncoding, bytes: bytes)), at: 0)
      #expect(InvocationFixtures.code { _ = try invocation.argument(at: 0, as: Value.self) } == .typeMismatch)
      #expect(InvocationFixtures.code { _ = try EncodedBytes(Value.typeEncoding, bytes: bytes).value(as: Value.self) } == .typeMismatch)
      #expect(InvocationFixtures.code { _ = try EncodedBytes(value) } == .typeMismatch)
    }
    try refused(Shape.round, "the enum Shape has no case for most bytes")
    try refused(Misdeclared.one, "the enum Misdeclared")
    try refused(Painted(color: .red), "the member color of Painted is an enum")
    try refused(Misflagged(count: 1, isOn: true), "the member isOn of Misflagged is a Bool")
    try refused(Outer(number: 1, inner: Inner(flag: true)), "the member flag of Outer is a Bool")
    try refused(Classy(type: Silent.self), "the member type of Classy is a class")
    try refused(Letter(scalar: "a"), "the member scalar of Letter")
  }

  @Test("Any byte of a bool but 0 is true")
  func bools() throws {
    let invocation = try InvocationFixtures.invocation("v{Flagged=iB}B")
    let bytes = try EncodedBytes("{Flagged=iB}", bytes: [1, 0, 0, 0, 200, 0, 0, 0])
    #expect(bytes.bytes == [1, 0, 0, 0, 1, 0, 0, 0])
    try invocation.setArgument(boxed: .value(bytes), at: 0)
    #expect(try invocation.argument(at: 0, as: Flagged.self) == Flagged(count: 1, isOn: true))
    #expect(try EncodedBytes("B", bytes: [200]).value(as: Bool.self) == true)
    try invocation.setArgument(boxed: .value(EncodedBytes("B", bytes: [200])), at: 1)
    #expect(try invocation.argument(at: 1, as: Bool.self) == true)
    #expect(try EncodedBytes(UInt8(200), as: "B").bytes == [1])
    #expect(try EncodedBytes("[2{F=CB}]", bytes: [9, 9, 9, 0]).bytes == [9, 1, 9, 0])
    // What may be a bool or something else stays as it is.
    #expect(try EncodedBytes("(U=BC)", bytes: [9]).bytes == [9])
    try invocation.setArgument(Flagged(count: 2, isOn: false), at: 0)
    #expect(try invocation.argument(at: 0, as: Flagged.self) == Flagged(count: 2, isOn: false))
  }

  #if arch(x86_64) || arch(arm64)
    @Test("A closure and a method get no value that is none of the type")
    func calls() throws {
      let closure = try Implementation { (_: Silent, color: Color) -> UInt8 in color.rawValue }
      let invocation = try InvocationFixtures.invocation("C@:C")
      invocation.target = Silent()
      invocation.selector = "paint(_:)"
      try invocation.setArgument(Color.green, at: 2)
      try invocation.invoke(using: closure)
      #expect(try invocation.returnValue(as: UInt8.self) == 2)
      try invocation.setArgument(UInt8(15), at: 2)
      #expect(InvocationFixtures.code { try invocation.invoke(using: closure) } == .typeMismatch)
      let echo: @convention(c) (UInt8) -> UInt8 = { $0 }
      let function = try ForeignFunction(Implementation(function: echo), MethodSignature(types: "CC"))
      #expect(try function(UInt8(7)) == Color.blue)
      #expect(InvocationFixtures.code { let _: Color = try function(UInt8(15)) } == .typeMismatch)
    }
  #endif

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
    var time: Duration
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
    func refuses<Value: EncodedValue & BitwiseCopyable>(_ type: Value.Type) throws -> Bool {
      let bytes = [UInt8](repeating: 0x10, count: MemoryLayout<Value>.stride)
      return InvocationFixtures.code { _ = try EncodedBytes(Value.typeEncoding, bytes: bytes).value(as: Value.self) } == .typeMismatch
    }
    #expect(try refuses(OfStaticString.self) && refuses(OfIndex.self))
    let value = OfAnyBytes(time: .milliseconds(1_500), lanes: [1, 2], bytes: [1, 2, 3, 4], number: -7, count: 9)
    #expect(try EncodedBytes(value).value(as: OfAnyBytes.self) == value)
  }
}
