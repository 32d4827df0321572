#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// A selector that says a number of arguments has a method of just as many.
  @Suite(.measured) struct SelectorArgumentTests {
    private final class Taker: Invocable {
      var answer: Implementation?
      func implementation(for selector: MethodSelector) -> Implementation? { answer }
    }

    private static let refused: [(selector: String, count: Int)] = [
      ("two(_:_:)", 2), ("two:with:", 2), ("none()", 0), ("first(_:)", 1), ("area(of:in:scale:)", 3), ("`repeat`(in:)", 1), ("==(_:_:)", 2),
    ]

    @Test(arguments: refused)
    func counted(selector: String, count: Int) throws {
      let table = MethodTable.of(Taker.self)
      // One argument more than the selector says.
      let types = "v@:" + String(repeating: "q", count: count + 1)
      let closure = try Closure(MethodSignature(types: types)) { _ in }.implementation
      let message = InvocationFixtures.message { try table.add(MethodSelector(selector), closure) }
      expect(message.contains("is one of \(count) argument"), "\(message)")
      expect(message.contains("takes \(count + 1)"), "\(message)")
      expectErrors(
        .countMismatch, { try table.replace(MethodSelector(selector), closure) },
        { _ = try DispatchProtocol.Method.required(MethodSelector(selector), types: types) },
        { _ = try DispatchProtocol.Method.optional(MethodSelector(selector), types: types) })
      expect(!table.responds(to: MethodSelector(selector)))
      // As many as it says.
      let right = try Closure(MethodSignature(types: String(types.dropLast()))) { _ in }.implementation
      try table.add(MethodSelector(selector), right)
      expect(table.remove(MethodSelector(selector)) != nil)
    }

    @Test(arguments: [
      "two", "row.tapped", "a.b:", "with space:", "f(x)", "f(_:", ")", "(:)x", "f(_:)(_:)", "", "f(a b:)", "x)",
    ])
    func unsure(selector: String) throws {
      final class Unsure {}
      let table = MethodTable.of(Unsure.self)
      for count in 0..<3 {
        let types = try MethodSignature(types: "v@:" + String(repeating: "q", count: count))
        try table.replace(MethodSelector(selector), Closure(types) { _ in }.implementation)
      }
      expect(table.responds(to: MethodSelector(selector)))
    }

    @Test("A closure of one argument is no method of two")
    func closures() throws {
      final class Page {}
      let table = MethodTable.of(Page.self)
      let message = InvocationFixtures.message { try table.add("two(_:_:)") { (_: Page, _: Int) in } }
      expect(message.contains("'two(_:_:)' is one of 2 arguments, the method takes 1"), "\(message)")
      expectErrors(.countMismatch, { try table.add("show(_:)") { (_: Page) in } }, { try table.add("show()") { (_: Page, _: Int) in } })
    }
  }
#endif
