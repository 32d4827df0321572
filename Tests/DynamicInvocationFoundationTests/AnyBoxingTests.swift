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
    for (value, expected) in cases { try expectEqual(BoxedValue(value).shown, expected) }
    #if arch(x86_64)
      try expectEqual(BoxedValue(Float80(2.5)).shown, "longDouble 2.5")
    #endif
  }

  @Test func nothing() throws {
    let nested: Int?? = .some(nil)
    let values: [Any?] = [nil, NSNull(), Int?.none as Any, nested as Any, String?.none as Any, BoxedValue.null, AnyHashable(Int?.none)]
    for value in values { try expect(BoxedValue(value).isNull) }
  }

  @Test func optionalsHashablesTextsAndBoxes() throws {
    let bytes = try EncodedBytes("{P=ii}", bytes: [1, 0, 0, 0, 2, 0, 0, 0])
    let cases: [(Any, String)] = [
      (Int?.some(3) as Any, "int 3"), (Int??.some(.some(3)) as Any, "int 3"), (AnyHashable("x"), "string \"x\""),
      (AnyHashable(NSNumber(value: true)), "bool true"), ("ä", "string \"ä\""), (NSString(string: "ä"), "string \"ä\""),
      (NSMutableString(string: "m"), "string \"m\""), ("abc".dropFirst(), "string \"bc\""),
      (DynamicInvocation.MethodSelector("a:"), "selector a:"), (BoxedValue.uint(4), "uint 4"), (bytes, "value {1, 2}"),
      (Pair(tag: 7, weight: 0.5), "value {7, 0.5}"), (2..<7, "range (2, 5)"), (NSRange(location: 2, length: 5), "range (2, 5)"),
    ]
    for (value, expected) in cases { try expectEqual(BoxedValue(value).shown, expected) }
  }

  /// The object or the class that a value is boxed as.
  private func object(_ value: Any) throws -> ObjectIdentifier? {
    switch try BoxedValue(value) {
    case .object(let object): ObjectIdentifier(object)
    case .type(let type): ObjectIdentifier(type)
    default: nil
    }
  }

  @Test func objectsClassesAndPointers() throws {
    let thing = Thing()
    let objects = try ([thing, Unmanaged.passUnretained(thing), Thing.self] as [Any]).map { try object($0) }
    expectEqual(objects, [ObjectIdentifier(thing), ObjectIdentifier(thing), ObjectIdentifier(Thing.self)])
    try expect(BoxedValue(Data([1, 2])).shown.hasPrefix("object <NS"))
    for value in [NSArray(), [1, 2], ["a": 1], Date(), UUID()] as [Any] { try expect(BoxedValue(value).shown.hasPrefix("object")) }
    var number: Int32 = 4
    try withUnsafeMutablePointer(to: &number) { pointer in
      let raw = UnsafeMutableRawPointer(pointer)
      let pointers: [Any] = [
        pointer, raw, UnsafePointer(pointer), UnsafeRawPointer(raw), OpaquePointer(pointer), Optional(pointer) as Any,
      ]
      let addresses = try pointers.map { value -> UnsafeRawPointer? in
        if case .pointer(let address) = try BoxedValue(value) { address } else { nil }
      }
      expectEqual(addresses, Array(repeating: UnsafeRawPointer(raw), count: pointers.count))
    }
    try expect(BoxedValue(UnsafeRawPointer?.none as Any).isNull)
  }

  @Test func structsThatDeclareAnEncoding() throws {
    try expectEqual(outcome(Pair(tag: 7, weight: 0.5), as: "{Other=id}"), "{7, 0.5}")
    try expectEqual(outcome(Pair(tag: 7, weight: 0.5), as: "{Other=di}"), "typeMismatch")
    try expectEqual(outcome(Badly(tag: 7), as: "{Badly=id}"), "typeMismatch")
    #expect(throws: InvocationError.self) { try BoxedValue(WithReference(thing: Thing())) }
  }

  @Test func anythingElseIsRefusedByItsType() throws {
    let values: [(Any, String)] = [
      ((1, 2) as (Int, Int), "(Int, Int)"), ({ 3 } as () -> Int, "() -> Int"), (Character("x"), "Character"), (1...3, "ClosedRange<Int>"),
      (Int.self, "Int.Type"),
    ]
    for (value, name) in values {
      let error = #expect(throws: InvocationError.self) { try BoxedValue(value) }
      expect(error?.code == .typeMismatch && error?.description.contains(name) == true, name)
    }
  }

  @Test func ranges() throws {
    try expectEqual(outcome(-2..<7, as: "{_NSRange=QQ}"), "outOfRange")
    try expectEqual(outcome(NSRange(location: NSNotFound, length: 0), as: "{_NSRange=QQ}"), "(9223372036854775807, 0)")
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
      expectEqual(error?.callee, "set:")
    }
  }
}
