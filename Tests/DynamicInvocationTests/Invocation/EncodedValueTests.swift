import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct EncodedValueTests {
  private struct Pair: EncodedValue, Equatable {
    var tag: Int32
    var weight: Double
    static let typeEncoding: TypeEncoding = "{Pair=id}"
  }

  private struct Large: EncodedValue, Equatable {
    var a, b, c, d, e: Int
    static let typeEncoding: TypeEncoding = "{Large=qqqqq}"
  }

  /// Says more than Swift gives it.
  private struct TooSmall: EncodedValue {
    var tag: Int32
    static let typeEncoding: TypeEncoding = "{TooSmall=id}"
  }

  /// Swift puts the second member into the first one's padding; C does not.
  private struct Tight: EncodedValue {
    struct Inner {
      var number: Int64
      var flag: Int8
    }
    var inner: Inner
    var flag: Int8
    static let typeEncoding: TypeEncoding = "{Tight={Inner=qc}c}"
  }

  private struct Misaligned: EncodedValue {
    var bytes: (UInt32, UInt32)
    static let typeEncoding: TypeEncoding = "{Misaligned=q}"
  }

  @Test func structs() throws {
    let invocation = try InvocationFixtures.invocation("{Large=qqqqq}{Pair=id}{Other=id}{Large=qqqqq}")
    let pair = Pair(tag: 7, weight: 0.5)
    let large = Large(a: 1, b: 2, c: 3, d: 4, e: 5)
    try invocation.setArgument(pair, at: 0)
    try invocation.setArgument(pair, at: 1)
    try invocation.setArgument(large, at: 2)
    try invocation.setReturnValue(large)
    #expect(try invocation.argument(at: 0, as: Pair.self) == pair && invocation.argument(at: 1, as: Pair.self) == pair)
    #expect(try invocation.argument(at: 2, as: Large.self) == large && invocation.returnValue(as: Large.self) == large)
    #expect(InvocationFixtures.code { try invocation.setArgument(pair, at: 2) } == .typeMismatch)
    #expect(InvocationFixtures.code { try invocation.setArgument(large, at: 0) } == .typeMismatch)
    #expect(InvocationFixtures.code { _ = try invocation.returnValue(as: Pair.self) } == .typeMismatch)
  }

  /// As ``Pair``, another type.
  private struct Other: EncodedValue, Equatable {
    var tag: Int32
    var weight: Double
    static let typeEncoding: TypeEncoding = "{Other=id}"
  }

  /// Types that have been passed before are compared by their addresses, in each way to call.
  @Test(arguments: [false, true]) func typesThatWerePassedBefore(pointerFirst: Bool) throws {
    let take: @convention(c) (UnsafeRawPointer?) -> Int32 = { $0?.load(as: Int32.self) ?? -1 }
    let byPointer = try ForeignFunction(Implementation(function: take), MethodSignature(types: "i^{Pair=id}"))
    // A signature of its own, which no other test has called with.
    let signature = try MethodSignature(types: "{P\(pointerFirst)=id}{P\(pointerFirst)=id}i")
    let closure = try Closure(signature) { call in try call.setReturnValue(call.argument(at: 0, as: Pair.self)) }
    let byValue = try ForeignFunction(closure.implementation, signature)
    var (pair, other) = (Pair(tag: 7, weight: 0.5), Other(tag: 8, weight: 1.5))

    func callByPointer() throws {
      #expect(try withUnsafePointer(to: &pair) { try byPointer($0) as Int32 } == 7)
      #expect(InvocationFixtures.code { _ = try byPointer(pair) as Int32 } == .typeMismatch)
      #expect(InvocationFixtures.code { _ = try withUnsafePointer(to: &other) { try byPointer($0) as Int32 } } == nil)
    }
    func callByValue() throws {
      #expect(try byValue(pair, 1 as Int32) as Pair == pair)
      #expect(
        InvocationFixtures.code { _ = try withUnsafePointer(to: &pair) { try byValue($0, 1 as Int32) as Pair } } == .typeMismatch)
      #expect(
        InvocationFixtures.code { _ = try byValue(Large(a: 1, b: 2, c: 3, d: 4, e: 5), 1 as Int32) as Pair } == .typeMismatch)
      #expect(try byValue(other, 1 as Int32) as Other == Other(tag: 8, weight: 1.5))
      #expect(InvocationFixtures.code { _ = try byValue(pair, 1 as Int32) as Large } == .typeMismatch)
      let invocation = byValue.makeInvocation()
      try signature.withFrame { frame in
        for _ in 0..<2 {
          try frame.setArgument(pair, at: 0)
          try invocation.setArgument(pair, at: 0)
          #expect(InvocationFixtures.code { try invocation.setArgument(Large(a: 1, b: 2, c: 3, d: 4, e: 5), at: 0) } == .typeMismatch)
          withUnsafePointer(to: &pair) { pointer in
            #expect(InvocationFixtures.code { try invocation.setArgument(pointer, at: 0) } == .typeMismatch)
          }
          try frame.setArgument(other, at: 0)
          try invocation.setArgument(other, at: 0)
        }
      }
      #expect(try invocation.argument(at: 0, as: Pair.self) == Pair(tag: 8, weight: 1.5))
    }
    for _ in 0..<2 {
      if pointerFirst { try callByPointer() }
      try callByValue()
      if !pointerFirst { try callByPointer() }
    }
  }

  @Test func layoutsThatDisagree() throws {
    let invocation = try InvocationFixtures.invocation("v{TooSmall=id}{Tight={Inner=qc}c}{Misaligned=q}")
    #expect(
      InvocationFixtures.message { try invocation.setArgument(TooSmall(tag: 1), at: 0) }
        == "argument 0 ({TooSmall=id}): TooSmall declares {TooSmall=id}, 16 bytes aligned to 8, but Swift gives it 4 aligned to 4")
    #expect(
      InvocationFixtures.code { try invocation.setArgument(Tight(inner: .init(number: 1, flag: 2), flag: 3), at: 1) } == .typeMismatch)
    #expect(InvocationFixtures.code { try invocation.setArgument(Misaligned(bytes: (1, 2)), at: 2) } == .typeMismatch)
    #expect(InvocationFixtures.code { _ = try invocation.argument(at: 0, as: TooSmall.self) } == .typeMismatch)
    #expect(TooSmall.valueKind == .unknown && !TooSmall.accepts(.unknown) && Pair.valueKind.isAggregate)
  }

  @Test func tuplesAndStructsWithoutAnEncoding() throws {
    let invocation = try InvocationFixtures.invocation("{?=id}{?=id}(U=qd)q[3i]")
    try invocation.setArgument((Int32(1), 2.5), as: "{?=id}", at: 0)
    let back = try invocation.argument(at: 0, as: (Int32, Double).self, encoded: "{Any=id}")
    #expect(back.0 == 1 && back.1 == 2.5)
    #expect(try invocation.argument(at: 0, as: Pair.self) == Pair(tag: 1, weight: 2.5))
    try invocation.setArgument(2.5, as: "(V=qd)", at: 1)
    #expect(try invocation.argument(at: 1, as: Double.self, encoded: "(U=qd)") == 2.5)
    try invocation.setArgument(7, as: "q", at: 2)
    #expect(try invocation.argument(at: 2, as: Int.self, encoded: "q") == 7 && invocation.argument(at: 2, as: Int.self) == 7)
    let wrong: [() throws -> Void] = [
      { try invocation.setArgument((Int32(1), Int32(2)), as: "{?=id}", at: 0) },
      { try invocation.setArgument((1, 2), as: "{?=qq}", at: 0) },
      { try invocation.setArgument((Int32(1), 2.5), as: "{?=id}", at: 1) }, { try invocation.setArgument(Int32(7), as: "i", at: 2) },
      { try invocation.setArgument(7.0, as: "d", at: 2) }, { try invocation.setArgument(UInt(7), as: "Q", at: 2) },
      { _ = try invocation.argument(at: 0, as: (Int32, Int32).self, encoded: "{?=id}") },
      { _ = try invocation.argument(at: 0, as: (Double, Double).self, encoded: "{?=dd}") },
      { _ = try invocation.argument(at: 2, as: Double.self, encoded: "d") },
    ]
    for access in wrong { #expect(InvocationFixtures.code(access) == .typeMismatch) }
    #expect(InvocationFixtures.code { _ = try invocation.argument(at: 3, as: Int.self, encoded: "^i") } == .argumentNotSet)
    #expect(InvocationFixtures.code { _ = try invocation.returnValue(as: Pair.self, encoded: "{?=id}") } == .noReturnValue)
    try invocation.setReturnValue(Pair(tag: 3, weight: 4))
    #expect(try invocation.returnValue(as: (Int32, Double).self, encoded: "{?=id}").0 == 3)
    #expect(InvocationFixtures.code { _ = try invocation.returnValue(as: Pair.self, encoded: "{?=di}") } == .typeMismatch)
  }
}

extension EncodedValueTests {
  /// An array argument is a pointer to its first element.
  @Test func arrays() throws {
    let sum: @convention(c) (UnsafePointer<Int32>) -> Int32 = { $0[0] + $0[1] + $0[2] }
    let invocation = try InvocationFixtures.invocation("i[3i]")
    var numbers: [Int32] = [1, 2, 3]
    try numbers.withUnsafeMutableBufferPointer { buffer in
      try invocation.setArgument(buffer.baseAddress, at: 0)
      try invocation.invoke(using: Implementation(function: sum))
      #expect(try invocation.returnValue(as: Int32.self) == 6)
      try invocation.setArgument(boxed: .pointer(#require(UnsafeRawPointer(buffer.baseAddress))), at: 0)
      try invocation.invoke(using: Implementation(function: sum))
      #expect(try invocation.returnValue(as: Int32.self) == 6)
    }
    #expect(InvocationFixtures.code { try invocation.setArgument(boxed: 1, at: 0) } == .typeMismatch)
  }

  @Test func structsArriveInC() throws {
    try #require(InvocationFixtures.hasCompiler)
    let source = """
      struct pair { int tag; double weight; };
      struct large { long a, b, c, d, e; };
      struct pair swap(struct pair p, struct large l) { struct pair r = { (int)(p.weight + l.e), p.tag + l.a }; return r; }
      """
    let swap = try InvocationFixtures.function("swap", "{pair=id}{pair=id}{large=qqqqq}", source)
    let result = try swap(Pair(tag: 7, weight: 3), Large(a: 10, b: 0, c: 0, d: 0, e: 20), as: Pair.self)
    #expect(result == Pair(tag: 23, weight: 17))
  }
}
