import DynamicInvocation
import TestSupport
import Testing

/// Descriptions of protocols.
@Suite(.measured) struct DispatchProtocolTests {
  private func method(_ selector: MethodSelector, _ types: String, required: Bool) throws -> DispatchProtocol.Method {
    try DispatchProtocol.Method(selector, MethodSignature(types: types), isRequired: required)
  }

  @Test func methodsAreInOrderAndEachOnce() throws {
    let first = try DispatchProtocol("First", methods: [.optional("a", types: "v@:"), .optional("b", types: "q@:d")])
    let second = try DispatchProtocol("Second", inheriting: [first], methods: [.required("c", types: "v@:")])
    let third = try DispatchProtocol(
      "Third", inheriting: [first, second], methods: [.optional("d", types: "v@:"), .required("b", types: "q@:d")])
    expectEqual(third.methods.map(\.selector), ["a", "b", "c", "d"])
    expectEqual(third.methods.map(\.isRequired), [false, true, true, false])
    try expectEqual(third.method(for: "b")?.methodSignature, (MethodSignature(types: "q@:d")))
    expect(third.method(for: "e") == nil && third.inherited == [first, second] && third.name == "Third")
    expect(third.conforms(to: first) && third.conforms(to: third) && !first.conforms(to: third))
    try expectNil(DispatchProtocol("Empty", methods: []).method(for: "a"))
  }

  @Test func equalDescriptionsAreEqual() throws {
    let make = { try DispatchProtocol("P", methods: [.optional("a", types: "v@:")]) }
    let other = try DispatchProtocol("P", methods: [.required("a", types: "v@:")])
    try expect(make() == make() && Set([make(), make()]).count == 1 && make() != other)
    let heir = try DispatchProtocol("Heir", inheriting: [make()], methods: [])
    try expect(heir.conforms(to: make()) && !heir.conforms(to: other))
  }

  @Test func whatContradictsItselfIsRefused() throws {
    expectError(.duplicateMethod) {
      _ = try DispatchProtocol("P", methods: [.required("a", types: "v@:"), .optional("a", types: "v@:")])
    }
    let ancestor = try DispatchProtocol("A", methods: [.required("a", types: "v@:q")])
    expectMessage("P has 'a' with the types 'v@:i' and with 'v@:q'") {
      _ = try DispatchProtocol("P", inheriting: [ancestor], methods: [.required("a", types: "v@:i")])
    }
    let other = try DispatchProtocol("B", methods: [.required("a", types: "v@:d")])
    expectError(.typeMismatch) { _ = try DispatchProtocol("P", inheriting: [ancestor, other], methods: []) }
    for types in ["v", "v@", "v#:", "vq:", "v:@", "v@:("] {
      expect(InvocationFixtures.code { _ = try DispatchProtocol.Method.required("a", types: types) } != nil, "\(types)")
    }
  }

  @Test func manyMethodsAreFound() throws {
    let methods = try (0..<500).map { try method(MethodSelector("dispatchedMethod\($0)"), "v@:", required: $0 % 2 == 0) }
    let description = try DispatchProtocol("Large", methods: methods)
    for method in methods { expectEqual(description.method(for: method.selector), method) }
    expectNil(description.method(for: "dispatchedMethod500"))
  }
}
