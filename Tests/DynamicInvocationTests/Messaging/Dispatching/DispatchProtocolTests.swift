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
    #expect(third.methods.map(\.selector) == ["a", "b", "c", "d"])
    #expect(third.methods.map(\.isRequired) == [false, true, true, false])
    #expect(third.method(for: "b")?.methodSignature == (try MethodSignature(types: "q@:d")))
    #expect(third.method(for: "e") == nil && third.inherited == [first, second] && third.name == "Third")
    #expect(third.conforms(to: first) && third.conforms(to: third) && !first.conforms(to: third))
    #expect(try DispatchProtocol("Empty", methods: []).method(for: "a") == nil)
  }

  @Test func equalDescriptionsAreEqual() throws {
    let make = { try DispatchProtocol("P", methods: [.optional("a", types: "v@:")]) }
    let other = try DispatchProtocol("P", methods: [.required("a", types: "v@:")])
    #expect(try make() == make() && Set([make(), make()]).count == 1 && make() != other)
    let heir = try DispatchProtocol("Heir", inheriting: [make()], methods: [])
    #expect(try heir.conforms(to: make()) && !heir.conforms(to: other))
  }

  @Test func whatContradictsItselfIsRefused() throws {
    #expect(
      InvocationFixtures.code {
        _ = try DispatchProtocol("P", methods: [.required("a", types: "v@:"), .optional("a", types: "v@:")])
      } == .duplicateMethod)
    let ancestor = try DispatchProtocol("A", methods: [.required("a", types: "v@:q")])
    #expect(
      InvocationFixtures.message { _ = try DispatchProtocol("P", inheriting: [ancestor], methods: [.required("a", types: "v@:i")]) }
        == "P has 'a' with the types 'v@:i' and with 'v@:q'")
    let other = try DispatchProtocol("B", methods: [.required("a", types: "v@:d")])
    #expect(InvocationFixtures.code { _ = try DispatchProtocol("P", inheriting: [ancestor, other], methods: []) } == .typeMismatch)
    for types in ["v", "v@", "v#:", "vq:", "v:@", "v@:("] {
      #expect(InvocationFixtures.code { _ = try DispatchProtocol.Method.required("a", types: types) } != nil, "\(types)")
    }
  }

  @Test func manyMethodsAreFound() throws {
    let methods = try (0..<500).map { try method(MethodSelector("dispatchedMethod\($0)"), "v@:", required: $0 % 2 == 0) }
    let description = try DispatchProtocol("Large", methods: methods)
    for method in methods { #expect(description.method(for: method.selector) == method) }
    #expect(description.method(for: "dispatchedMethod500") == nil)
  }
}
