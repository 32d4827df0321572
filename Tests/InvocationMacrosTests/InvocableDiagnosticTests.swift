#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
  import TestSupport
  import Testing

  /// What @Invocable refuses, and the fix that it proposes.
  @Suite struct InvocableDiagnosticTests {
    @Test(arguments: TextTable.expansions.rows("@Invocable refuses"))
    func refused(row: TextTable.Row) throws {
      let expansion = Expansion("@Invocable class A { \(row[0]) }")
      #expect(expansion.diagnostics.count == 1)
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(diagnostic.message.hasSuffix("' cannot be invoked by selector: \(row[2])"), "\(diagnostic.message)")
      #expect(diagnostic.message.hasPrefix("'f("))
      #expect(diagnostic.diagMessage.severity == .error)
      #expect(expansion.place(of: diagnostic) == row[1])
      #expect(diagnostic.fixIts.map(\.message.message) == ["exclude the method with '@NotInvocable'"])
      #expect(!expansion.text.contains("methods.add"))
    }

    @Test func theFixExcludesTheMethod() {
      assertMacroExpansion(
        """
        @Invocable class A {
          /// Sorts.
          @discardableResult func sort(by body: (Int, Int) -> Bool) -> Int { 1 }
        }
        """,
        expandedSource: """
          class A {
            /// Sorts.
            @discardableResult func sort(by body: (Int, Int) -> Bool) -> Int { 1 }

            nonisolated class var invocableMethods: DynamicInvocation._InvocableMethods {
              let methods = DynamicInvocation._InvocableMethods(of: A.self)
              return methods
            }
          }

          extension A: DynamicInvocation._InvocableClass {}
          """,
        diagnostics: [
          DiagnosticSpec(
            message: "'sort(by:)' cannot be invoked by selector: the parameter 'body' is a closure, which a message cannot carry", line: 3,
            column: 32, fixIts: [FixItSpec(message: "exclude the method with '@NotInvocable'")])
        ],
        macroSpecs: Expansion.macros(),
        fixedSource: """
          @Invocable class A {
            /// Sorts.
            @NotInvocable @discardableResult func sort(by body: (Int, Int) -> Bool) -> Int { 1 }
          }
          """,
        indentationWidth: .spaces(2), failureHandler: { Issue.record("\($0.message)") })
    }

    @Test func overloadsOfOneName() throws {
      let expansion = Expansion("@Invocable class A { func set(_ x: Int) {}\n func set(_ y: Double) {}\n func set(to x: Int) {} }")
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(expansion.diagnostics.count == 1)
      #expect(
        diagnostic.message == "'set(_:)' cannot be invoked by selector: another method of the class has the selector 'set(_:)' already")
      #expect(diagnostic.fixIts.count == 1)
      // Excluded, it is no trouble.
      let fixed = Expansion("@Invocable class A { func set(_ x: Int) {}\n @NotInvocable func set(_ y: Double) {} }")
      #expect(fixed.diagnostics.isEmpty)
    }

    @Test func eachMethodIsToldOf() {
      let expansion = Expansion("@Invocable class A { func f(_ x: inout Int, y: Any) {}\n func g() {}\n func h() async {} }")
      #expect(expansion.diagnostics.count == 2)
      #expect(expansion.text.contains("\"g()\""))
    }

    @Test(arguments: TextTable.expansions.rows("@Invocable is misplaced"))
    func misplaced(row: TextTable.Row) {
      let expansion = Expansion(row[0])
      #expect(expansion.diagnostics.map(\.message) == [row[1]])
      #expect(!expansion.text.contains("invocableMethods"))
      #expect(!expansion.text.contains("extension"))
    }
  }
#endif
