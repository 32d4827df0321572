import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct InvocationResultTests {
  @Test func noneBeforeTheCall() throws {
    for types in ["i", "@", "{Rect={Point=dd}{Size=dd}}", "*", "v", "i@:"] {
      let invocation = try InvocationFixtures.invocation(types)
      var bytes = Geometry.Rect.zero
      expect(!invocation.hasReturnValue)
      expectErrors(.noReturnValue, { _ = try invocation.boxedReturnValue() }, { try invocation.getReturnValue(into: &bytes) })
    }
    let (number, object) = (try InvocationFixtures.invocation("i"), try InvocationFixtures.invocation("@"))
    expectErrors(
      .noReturnValue, { _ = try number.returnValue(as: Int32.self) }, { _ = try number.returnValue(as: Int64.self) },
      { _ = try object.objectReturnValue() })
    expectMessage("return value (i, Int32): there is none before the call") { _ = try number.returnValue(as: Int32.self) }
    expectErrors(.typeMismatch, { _ = try number.returnValue(as: Int8.self) }, { _ = try number.objectReturnValue() })
  }

  @Test func setByHand() throws {
    let number = try InvocationFixtures.invocation("i")
    var other: Int32 = -9
    let setters: [(Int32, () throws -> Void)] = [
      (7, { try number.setReturnValue(Int32(7)) }), (-9, { number.setReturnValue(from: &other) }),
      (11, { try number.setReturnValue(boxed: 11) }),
    ]
    for (value, set) in setters {
      try set()
      try expect(number.hasReturnValue && number.returnValue(as: Int32.self) == value)
    }
    expectErrors(.typeMismatch, { try number.setReturnValue(Int64(7)) }, { try number.setReturnValue(Receiver()) })
    expectErrors(.outOfRange, { try number.setReturnValue(1 << 40) }, { try number.setReturnValue(boxed: .int(1 << 40)) })
    var guarded: [UInt8] = Array(repeating: 0xEE, count: 8)
    try number.getReturnValue(into: &guarded)
    expectEqual(guarded, [11, 0, 0, 0, 0xEE, 0xEE, 0xEE, 0xEE])

    let rect = try InvocationFixtures.invocation("{CGRect={CGPoint=dd}{CGSize=dd}}")
    try rect.setReturnValue(Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
    try expectEqual(rect.returnValue(as: Geometry.Rect.self), Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
    let nothing = try InvocationFixtures.invocation("v")
    expectErrors(.typeMismatch, { try nothing.setReturnValue(Int32(1)) }, { try nothing.setReturnValue(boxed: 1) })
  }

  /// A result does not own the memory of a C string, so it cannot be set from a text.
  @Test func textsAreRefused() throws {
    let invocation = try InvocationFixtures.invocation("*")
    expectErrors(
      .typeMismatch, { try invocation.setReturnValue("x") }, { try invocation.setReturnValue(String?.some("x")) },
      { try invocation.setReturnValue(boxed: "x") })
    try "text".withCString { pointer in
      try invocation.setReturnValue(pointer)
      try expectEqual(invocation.returnValue(as: String.self), "text")
      try expectEqual(invocation.returnValue(as: UnsafePointer<CChar>.self), pointer)
    }
    try invocation.setReturnValue(boxed: nil)
    try expectNil(invocation.returnValue(as: String?.self))
    expectError(.nullNotAllowed) { _ = try invocation.returnValue(as: String.self) }
  }

  /// Nothing but the result needs a release: the function has no arguments.
  @Test func objectsAreReleasedWithTheInvocation() throws {
    try LifetimeTracker.check { tracker in
      let make = try Closure(MethodSignature(types: "@")) { call in try call.setReturnValue(tracker.object(3)) }
      for retainsArguments in [true, false] {
        do {
          let invocation = unsafe Invocation(make.methodSignature, retainsArguments: retainsArguments)
          invocation.implementation = make.implementation
          for _ in 0..<2 { try invocation.invoke() }
          try expectEqual((invocation.objectReturnValue() as? LifetimeTracked)?.payload, 3)
          expectEqual(tracker.liveCount, 1)
        }
        expectEqual(tracker.liveCount, 0)
      }
    }
  }

  @Test func descriptionsOfMessages() throws {
    let invocation = try InvocationFixtures.invocation("d@:q{Rect={Point=dd}{Size=dd}}*@:")
    expectEqual(invocation.description, "-[nil unset](unset, unset, unset, unset, unset)")
    invocation.target = Receiver()
    invocation.selector = "area(_:in:)"
    try invocation.setArguments(boxed: [
      7, .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)), "a \"b\"", .object(Receiver()), "run(_:)",
    ])
    expectEqual(invocation.description, "-[Receiver area(_:in:)](7, (1.0, 2.0, 3.0, 4.0), \"a \"b\"\", <Receiver>, run(_:))")
    try invocation.setReturnValue(19.0)
    expect(invocation.description.hasSuffix(", run(_:)) -> 19.0"))
    try invocation.setArgument(nil, at: 5)
    try invocation.setArgument(String?.none, at: 4)
    expectEqual(invocation.description, "-[Receiver area(_:in:)](7, (1.0, 2.0, 3.0, 4.0), null, null, run(_:)) -> 19.0")
  }

  @Test func descriptionsOfFunctions() throws {
    let invocation = try InvocationFixtures.invocation("vi{?=id}^v")
    expectEqual(invocation.description, "vi{?=id}^v(unset, unset, unset)")
    try invocation.setArgument(boxed: .value(EncodedBytes((Int32(1), 2.5), as: "{?=id}")), at: 1)
    try invocation.setArgument(UnsafeRawPointer(bitPattern: 0xABC), at: 2)
    expectEqual(invocation.description, "vi{?=id}^v(unset, {1, 2.5}, 0xabc)")
    let nothing: @convention(c) () -> Void = {}
    let void = try InvocationFixtures.invocation("v")
    try void.invoke(using: Implementation(function: nothing))
    expectEqual(void.description, "v()")
  }
}
