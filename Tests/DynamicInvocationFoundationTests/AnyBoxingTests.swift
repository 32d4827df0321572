import DynamicInvocation
import DynamicInvocationFoundation
import Foundation
import TestSupport
import Testing

@Suite(.measured) struct AnyBoxingTests {
  private final class Thing {}

  private struct Pair: EncodedValue {
    var tag: Int32
    var weight: Double
    static let typeEncoding: TypeEncoding = "{Pair=id}"
  }

  private struct Badly: EncodedValue {
    var tag: Int32
    static let typeEncoding: TypeEncoding = "{Badly=id}"
  }

  private struct WithReference: EncodedValue {
    var thing: Thing
    static let typeEncoding: TypeEncoding = "{WithReference=^v}"
    func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool { false }
    static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> WithReference? { nil }
  }

  @Test func numbersOfSwift() throws {
    let cases: [(Any, String)] = [
      (true, "bool true"), (1, "int 1"), (Int8(-1), "int -1"), (Int16(-2), "int -2"), (Int32(-3), "int -3"),
      (Int64.min, "int \(Int64.min)"),
      (UInt8(255), "uint 255"), (UInt16(1), "uint 1"), (UInt32.max, "uint 4294967295"), (UInt64.max, "uint \(UInt64.max)"),
      (UInt(3), "uint 3"), (Int128(5), "int 5"), (Int128.min, "int128 \(Int128.min)"), (UInt128.max, "uint128 \(UInt128.max)"),
      (Float(0.1), "float 0.1"), (0.1, "double 0.1"), (CGFloat(2.5), "double 2.5"), (Float16(1.5), "float 1.5"),
      (LongDouble(1.5), "longDouble 1.5"), (Decimal(string: "1.5") ?? 0, "double 1.5"),
    ]
    for (value, expected) in cases { #expect(try BoxedValue(value).shown == expected) }
    #if arch(x86_64)
      #expect(try BoxedValue(Float80(2.5)).shown == "longDouble 2.5")
    #endif
  }

  @Test func nothing() throws {
    let nested: Int?? = .some(nil)
    let values: [Any?] = [nil, NSNull(), Int?.none as Any, nested as Any, String?.none as Any, BoxedValue.null, AnyHashable(Int?.none)]
    for value in values { #expect(try BoxedValue(value).isNull) }
  }

  @Test func optionalsAndHashablesAreOpened() throws {
    #expect(try BoxedValue(Int?.some(3) as Any).shown == "int 3")
    #expect(try BoxedValue(Int??.some(.some(3)) as Any).shown == "int 3")
    #expect(try BoxedValue(AnyHashable("x")).shown == "string \"x\"")
    #expect(try BoxedValue(AnyHashable(NSNumber(value: true))).shown == "bool true")
  }

  @Test func textsAndObjects() throws {
    #expect(try BoxedValue("ä" as Any).shown == "string \"ä\"")
    #expect(try BoxedValue(NSString(string: "ä")).shown == "string \"ä\"")
    #expect(try BoxedValue(NSMutableString(string: "m")).shown == "string \"m\"")
    #expect(try BoxedValue("abc".dropFirst()).shown == "string \"bc\"")
    let thing = Thing()
    guard case .object(let object) = try BoxedValue(thing) else {
      Issue.record("an object is not boxed as one")
      return
    }
    #expect(ObjectIdentifier(object) == ObjectIdentifier(thing))
    guard case .object(let unmanaged) = try BoxedValue(Unmanaged.passUnretained(thing)) else {
      Issue.record("a reference is not boxed as an object")
      return
    }
    #expect(ObjectIdentifier(unmanaged) == ObjectIdentifier(thing))
    #expect(try BoxedValue(Data([1, 2])).shown.hasPrefix("object <NS"))
    #expect(try BoxedValue(NSArray()).shown.hasPrefix("object"))
    #expect(try BoxedValue([1, 2]).shown.hasPrefix("object"))
    #expect(try BoxedValue(["a": 1]).shown.hasPrefix("object"))
    #expect(try BoxedValue(Date()).shown.hasPrefix("object"))
    #expect(try BoxedValue(UUID()).shown.hasPrefix("object"))
  }

  @Test func classesSelectorsAndPointers() throws {
    guard case .type(let type) = try BoxedValue(Thing.self) else {
      Issue.record("a class is not boxed as one")
      return
    }
    #expect(ObjectIdentifier(type) == ObjectIdentifier(Thing.self))
    #expect(try BoxedValue(DynamicInvocation.MethodSelector("a:")).shown == "selector a:")
    var number: Int32 = 4
    try withUnsafeMutablePointer(to: &number) { pointer in
      let raw = UnsafeMutableRawPointer(pointer)
      let pointers: [Any] = [
        pointer, raw, UnsafePointer(pointer), UnsafeRawPointer(raw), OpaquePointer(pointer), Optional(pointer) as Any,
      ]
      for value in pointers {
        guard case .pointer(let address) = try BoxedValue(value) else {
          Issue.record("\(value) is not boxed as a pointer")
          continue
        }
        #expect(address == UnsafeRawPointer(raw))
      }
    }
    #expect(try BoxedValue(UnsafeRawPointer?.none as Any).isNull)
  }

  @Test func boxesAndBytesAreThemselves() throws {
    #expect(try BoxedValue(BoxedValue.uint(4)).shown == "uint 4")
    let bytes = try EncodedBytes("{P=ii}", bytes: [1, 0, 0, 0, 2, 0, 0, 0])
    #expect(try BoxedValue(bytes).shown == "value {1, 2}")
  }

  @Test func structsThatDeclareAnEncoding() throws {
    #expect(try BoxedValue(Pair(tag: 7, weight: 0.5)).shown == "value {7, 0.5}")
    #expect(try outcome(Pair(tag: 7, weight: 0.5), as: "{Other=id}") == "{7, 0.5}")
    #expect(try outcome(Pair(tag: 7, weight: 0.5), as: "{Other=di}") == "typeMismatch")
    #expect(try outcome(Badly(tag: 7), as: "{Badly=id}") == "typeMismatch")
    #expect(throws: InvocationError.self) { try BoxedValue(WithReference(thing: Thing())) }
  }

  @Test func anythingElseIsRefusedByItsType() throws {
    let values: [(Any, String)] = [
      ((1, 2) as (Int, Int), "(Int, Int)"), ({ 3 } as () -> Int, "() -> Int"), (Character("x"), "Character"), (1...3, "ClosedRange<Int>"),
      (Int.self, "Int.Type"),
    ]
    for (value, name) in values {
      do {
        _ = try BoxedValue(value)
        Issue.record("\(value) is boxed")
      } catch {
        #expect(error.code == .typeMismatch)
        #expect(error.description.contains(name), "\(error)")
      }
    }
  }

  @Test func ranges() throws {
    #expect(try BoxedValue(2..<7).shown == "range (2, 5)")
    #expect(try BoxedValue(NSRange(location: 2, length: 5)).shown == "range (2, 5)")
    #expect(try outcome(-2..<7, as: "{_NSRange=QQ}") == "outOfRange")
    #expect(try outcome(NSRange(location: NSNotFound, length: 0), as: "{_NSRange=QQ}") == "(9223372036854775807, 0)")
    #expect(throws: InvocationError.self) { try BoxedValue(NSRange(location: -1, length: 5)) }
  }

  @Test("An error of any value names the message") func errorsNameTheMessage() throws {
    let invocation = Invocation(try MethodSignature(types: "v@:s"))
    invocation.selector = "set:"
    for failing in [
      { try invocation.setArgument(any: "x", at: 2) }, { try invocation.setArgument(any: 1, at: 3) },
      { try invocation.setArguments(any: []) },
    ] {
      let error = #expect(throws: InvocationError.self) { try failing() }
      #expect(error?.callee == "set:")
    }
  }
}
