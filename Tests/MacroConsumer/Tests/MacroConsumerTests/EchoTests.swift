import InvocationMacros
import Testing

/// A struct written in Swift, which takes its form in C from one of the geometry.
private struct Interval: _CRepresentable, Equatable {
  var start: UInt
  var length: UInt

  static let typeEncoding: TypeEncoding = "{Interval=QQ}"

  init(start: UInt, length: UInt) {
    self.start = start
    self.length = length
  }

  typealias CRepresentation = Geometry.IndexRange
  init(cRepresentation range: Geometry.IndexRange) { self.init(start: UInt(range.location), length: UInt(range.length)) }
  var cRepresentation: Geometry.IndexRange { Geometry.IndexRange(location: .init(start), length: .init(length)) }
}

/// One whose form in C is not what its encoding says.
private struct Mistaken: _CRepresentable {
  var number: Int64
  static let typeEncoding: TypeEncoding = "q"
  typealias CRepresentation = Double
  init(cRepresentation number: Double) { self.number = Int64(number) }
  var cRepresentation: Double { Double(number) }
}

private final class Token: EncodedObject {
  static nonisolated(unsafe) var live = 0
  let number: Int
  init(_ number: Int) {
    self.number = number
    unsafe Token.live += 1
  }
  deinit { unsafe Token.live -= 1 }
}

@Invocable private final class Echoing {
  func bool(_ value: Bool) -> Bool { value }
  func int8(_ value: Int8) -> Int8 { value }
  func uint8(_ value: UInt8) -> UInt8 { value }
  func int16(_ value: Int16) -> Int16 { value }
  func uint16(_ value: UInt16) -> UInt16 { value }
  func int32(_ value: Int32) -> Int32 { value }
  func uint32(_ value: UInt32) -> UInt32 { value }
  func int(_ value: Int) -> Int { value }
  func uint64(_ value: UInt64) -> UInt64 { value }
  func float(_ value: Float) -> Float { value }
  func double(_ value: Double) -> Double { value }
  func point(_ value: Geometry.Point) -> Geometry.Point { value }
  func rect(_ value: Geometry.Rect) -> Geometry.Rect { value }
  func transform(_ value: Geometry.Transform3D) -> Geometry.Transform3D { value }
  func range(_ value: Geometry.IndexRange) -> Geometry.IndexRange { value }
  func selector(_ value: MethodSelector) -> MethodSelector? { value }
  func pointer(_ value: UnsafeRawPointer?) -> UnsafeRawPointer? { unsafe value }
  func interval(_ value: Interval) -> Interval { value }
  func mistaken(_ value: Mistaken) -> Mistaken { value }
  func same(_ value: Token!) -> Token! { value }
  func another(_ value: Token) throws -> Token { Token(value.number + 1) }
  func text(_ value: String?) -> Int { value?.count ?? -1 }
  func unmanaged(_ value: Unmanaged<Token>) -> Unmanaged<Token> { unsafe value.retain() }
  @unsafe func increment(_ value: UnsafeMutablePointer<Int>) { unsafe value.pointee += 1 }

  func many(
    _ a: Int8, b: Float, c: Int, d: Double, e: UInt16, f: Geometry.Point, g: Bool, h: Int32, i: Int, j: Double, k: Geometry.Rect, l: UInt8
  ) -> Double {
    let integers = Double(a) + Double(c) + Double(e) + Double(h) + Double(i) + Double(l)
    let floats = Double(b) + d + j
    return integers + floats + f.x + f.y + (g ? 1 : 0) + k.size.height
  }
}

@Suite(.serialized) struct EchoTests {
  /// A value comes back as it went in.
  private func echo<Value: EncodedValue & Equatable>(_ value: Value, _ selector: MethodSelector, _ types: String) throws {
    #expect(MethodTable.of(Echoing.self).methodSignature(for: selector)?.description == types)
    #expect(try send(selector, to: Echoing(), value).returnValue(as: Value.self) == value)
  }

  @Test func valuesOfEveryKind() throws {
    try echo(true, "bool(_:)", "B@:B")
    try echo(false, "bool(_:)", "B@:B")
    try echo(Int8.min, "int8(_:)", "c@:c")
    try echo(UInt8.max, "uint8(_:)", "C@:C")
    try echo(Int16.min, "int16(_:)", "s@:s")
    try echo(UInt16.max, "uint16(_:)", "S@:S")
    try echo(Int32.min, "int32(_:)", "i@:i")
    try echo(UInt32.max, "uint32(_:)", "I@:I")
    try echo(Int.min, "int(_:)", "q@:q")
    try echo(UInt64.max, "uint64(_:)", "Q@:Q")
    try echo(-Float.pi, "float(_:)", "f@:f")
    try echo(Double.pi, "double(_:)", "d@:d")
    try echo(Geometry.Point(x: 1, y: -2), "point(_:)", "{Point=dd}@:{Point=dd}")
    try echo(Geometry.Rect(x: 1, y: 2, width: 3, height: 4), "rect(_:)", "\(Geometry.Rect.typeEncoding)@:\(Geometry.Rect.typeEncoding)")
    try echo(Geometry.IndexRange(location: 3, length: 4), "range(_:)", "{Range=QQ}@:{Range=QQ}")
    try echo("name" as MethodSelector, "selector(_:)", ":@::")
    try unsafe echo(UnsafeRawPointer(bitPattern: 4_096), "pointer(_:)", "^v@:^v")
    try unsafe echo(UnsafeRawPointer?.none, "pointer(_:)", "^v@:^v")
    try echo(Interval(start: 5, length: .max), "interval(_:)", "{Interval=QQ}@:{Interval=QQ}")
    var transform = Geometry.Transform3D()
    transform.m11 = 1
    transform.m44 = 16
    try echo(transform, "transform(_:)", "\(Geometry.Transform3D.typeEncoding)@:\(Geometry.Transform3D.typeEncoding)")
  }

  @Test func moreParametersThanRegisters() throws {
    let sum = try send(
      "many(_:b:c:d:e:f:g:h:i:j:k:l:)", to: Echoing(), Int8(-1), Float(2), 3, 4.0, UInt16(5), Geometry.Point(x: 6, y: 7), true, Int32(8), 9,
      10.5,
      Geometry.Rect(x: 0, y: 0, width: 0, height: 11), UInt8(12))
    #expect(try sum.returnValue(as: Double.self) == 77.5)
  }

  @Test func texts() throws {
    #expect(try send("text(_:)", to: Echoing(), "Grüße").returnValue(as: Int.self) == 5)
    #expect(try send("text(_:)", to: Echoing(), String?.none).returnValue(as: Int.self) == -1)
  }

  @Test func aPointerReachesItsMemory() throws {
    var number = 1
    try unsafe withUnsafeMutablePointer(to: &number) { address in _ = try unsafe send("increment(_:)", to: Echoing(), address) }
    #expect(number == 2)
  }

  @Test func objectsAreCountedRight() throws {
    let echoing = Echoing()
    unsafe Token.live = 0
    for number in 0..<20 {
      #expect(try send("same(_:)", to: echoing, Token(number)).returnValue(as: Token.self).number == number)
      #expect(try send("another(_:)", to: echoing, Token(number)).returnValue(as: Token.self).number == number + 1)
      #expect(try send("unmanaged(_:)", to: echoing, Token(number)).returnValue(as: Token.self).number == number)
      #expect(code { try send("another(_:)", to: echoing, echoing) } == .typeMismatch)
      #expect(unsafe Token.live <= 3)
    }
    #expect(try send("same(_:)", to: echoing, Token?.none).returnValue(as: Token?.self) == nil)
    #expect(unsafe Token.live == 0)
  }

  @Test func aFormThatIsNotTheEncodingsIsAnErrorOfTheMessage() throws {
    let table = MethodTable.of(Echoing.self)
    #expect(!table.responds(to: "mistaken(_:)"))
    let invocation = Invocation(try MethodSignature(types: "q@:q"))
    invocation.target = Echoing()
    invocation.selector = "mistaken(_:)"
    try invocation.setArgument(1, at: 2)
    #expect(code { try invocation.invoke() } == .typeMismatch)
  }
}
extension Echoing: EncodedObject {}
