import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct InvocationDescriptionTests {
  @Test func methods() throws {
    let invocation = try InvocationFixtures.invocation("d@:q{Rect={Point=dd}{Size=dd}}*@:")
    #expect(invocation.description == "-[nil unset](unset, unset, unset, unset, unset)")
    invocation.target = Receiver()
    invocation.selector = "area(_:in:)"
    try invocation.setArguments(boxed: [
      7, .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)), "a \"b\"", .object(Receiver()), "run(_:)",
    ])
    #expect(
      invocation.description == "-[Receiver area(_:in:)](7, (1.0, 2.0, 3.0, 4.0), \"a \"b\"\", <Receiver>, run(_:))")
    try invocation.setReturnValue(19.0)
    #expect(invocation.description.hasSuffix(", run(_:)) -> 19.0"))
    try invocation.setArgument(nil, at: 5)
    try invocation.setArgument(String?.none, at: 4)
    #expect(invocation.description == "-[Receiver area(_:in:)](7, (1.0, 2.0, 3.0, 4.0), null, null, run(_:)) -> 19.0")
  }

  @Test func functions() throws {
    let invocation = try InvocationFixtures.invocation("vi{?=id}^v")
    #expect(invocation.description == "vi{?=id}^v(unset, unset, unset)")
    try invocation.setArgument((Int32(1), 2.5), as: "{?=id}", at: 1)
    try invocation.setArgument(UnsafeRawPointer(bitPattern: 0xABC), at: 2)
    #expect(invocation.description == "vi{?=id}^v(unset, {1, 2.5}, 0xabc)")
    let nothing: @convention(c) () -> Void = {}
    let void = try InvocationFixtures.invocation("v")
    try void.invoke(using: Implementation(function: nothing))
    #expect(void.description == "v()")
  }
}
