import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct InvocationResultTests {
  @Test func noneBeforeTheCall() throws {
    for types in ["i", "@", "{Rect={Point=dd}{Size=dd}}", "*", "v", "i@:"] {
      let invocation = try InvocationFixtures.invocation(types)
      var bytes = Geometry.Rect.zero
      #expect(!invocation.hasReturnValue)
      #expect(InvocationFixtures.code { _ = try invocation.boxedReturnValue() } == .noReturnValue)
      #expect(InvocationFixtures.code { try invocation.getReturnValue(into: &bytes) } == .noReturnValue)
    }
    let number = try InvocationFixtures.invocation("i")
    #expect(InvocationFixtures.code { _ = try number.returnValue(as: Int32.self) } == .noReturnValue)
    #expect(
      InvocationFixtures.message { _ = try number.returnValue(as: Int32.self) }
        == "return value (i, Int32): there is none before the call")
    #expect(InvocationFixtures.code { _ = try number.returnValue(as: Int64.self) } == .noReturnValue)
    #expect(InvocationFixtures.code { _ = try number.returnValue(as: Int8.self) } == .typeMismatch)
    #expect(InvocationFixtures.code { _ = try number.objectReturnValue() } == .typeMismatch)
    let object = try InvocationFixtures.invocation("@")
    #expect(InvocationFixtures.code { _ = try object.objectReturnValue() } == .noReturnValue)
  }

  @Test func setByHand() throws {
    let number = try InvocationFixtures.invocation("i")
    try number.setReturnValue(Int32(7))
    #expect(try number.hasReturnValue && number.returnValue(as: Int32.self) == 7)
    var other: Int32 = -9
    number.setReturnValue(from: &other)
    #expect(try number.returnValue(as: Int32.self) == -9)
    try number.setReturnValue(boxed: 11)
    #expect(try number.returnValue(as: Int32.self) == 11)
    #expect(InvocationFixtures.code { try number.setReturnValue(Int64(7)) } == .typeMismatch)
    #expect(InvocationFixtures.code { try number.setReturnValue(1 << 40) } == .outOfRange)
    #expect(InvocationFixtures.code { try number.setReturnValue(boxed: .int(1 << 40)) } == .outOfRange)
    #expect(InvocationFixtures.code { try number.setReturnValue(Receiver()) } == .typeMismatch)
    #expect(try number.returnValue(as: Int32.self) == 11)
    var guarded: [UInt8] = Array(repeating: 0xEE, count: 8)
    try number.getReturnValue(into: &guarded)
    #expect(guarded == [11, 0, 0, 0, 0xEE, 0xEE, 0xEE, 0xEE])

    let rect = try InvocationFixtures.invocation("{CGRect={CGPoint=dd}{CGSize=dd}}")
    try rect.setReturnValue(Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
    #expect(try rect.returnValue(as: Geometry.Rect.self) == Geometry.Rect(x: 1, y: 2, width: 3, height: 4))

    let nothing = try InvocationFixtures.invocation("v")
    #expect(InvocationFixtures.code { try nothing.setReturnValue(Int32(1)) } == .typeMismatch)
    #expect(InvocationFixtures.code { try nothing.setReturnValue(boxed: 1) } == .typeMismatch)
  }

  /// A result does not own the memory of a C string, so it cannot be set from a text.
  @Test func textsAreRefused() throws {
    let invocation = try InvocationFixtures.invocation("*")
    #expect(InvocationFixtures.code { try invocation.setReturnValue("x") } == .typeMismatch)
    #expect(InvocationFixtures.code { try invocation.setReturnValue(String?.some("x")) } == .typeMismatch)
    #expect(InvocationFixtures.code { try invocation.setReturnValue(boxed: "x") } == .typeMismatch)
    try "text".withCString { pointer in
      try invocation.setReturnValue(pointer)
      #expect(try invocation.returnValue(as: String.self) == "text")
      #expect(try invocation.returnValue(as: UnsafePointer<CChar>.self) == pointer)
    }
    try invocation.setReturnValue(boxed: nil)
    #expect(try invocation.returnValue(as: String?.self) == nil)
    #expect(InvocationFixtures.code { _ = try invocation.returnValue(as: String.self) } == .nullNotAllowed)
  }

  @Test func narrowResultsAreExact() throws {
    let signed: @convention(c) (Int8) -> Int8 = { $0 }
    let unsigned: @convention(c) (UInt16) -> UInt16 = { $0 }
    for value in [Int8.min, -1, 0, 1, .max] {
      let invocation = try InvocationFixtures.invocation("cc")
      try invocation.setArgument(value, at: 0)
      try invocation.invoke(using: Implementation(function: signed))
      #expect(try invocation.returnValue(as: Int8.self) == value && "\(invocation.boxedReturnValue())" == "\(value)")
    }
    for value in [UInt16.max, 32768, 0, 7] {
      let invocation = try InvocationFixtures.invocation("SS")
      try invocation.setArgument(value, at: 0)
      try invocation.invoke(using: Implementation(function: unsigned))
      #expect(try invocation.returnValue(as: UInt16.self) == value && "\(invocation.boxedReturnValue())" == "\(value)")
    }
  }
}
