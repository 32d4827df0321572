#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
  import TestSupport
  import Testing

  /// What @Dispatchable refuses and warns of, and the fixes that it proposes.
  @Suite struct DispatchableDiagnosticTests {
    @Test(arguments: TextTable.expansions.rows("@Dispatchable refuses"))
    func refused(row: TextTable.Row) throws {
      let expansion = Expansion("@Dispatchable protocol A: AnyObject { \(row[0]) }")
      #expect(expansion.diagnostics.map(\.message) == ["A cannot be dispatched: \(row[2])"])
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(diagnostic.diagMessage.severity == .error)
      #expect(expansion.place(of: diagnostic) == row[1])
      #expect(!expansion.text.contains("ADispatcher"))
    }

    @Test(arguments: TextTable.expansions.rows("@Dispatchable is misplaced"))
    func misplaced(row: TextTable.Row) {
      let expansion = Expansion(row[0])
      #expect(expansion.diagnostics.map(\.message) == [row[1]])
      #expect(!expansion.text.contains("Dispatcher"))
    }

    @Test func eachIsToldOf() {
      let expansion = Expansion("@Dispatchable protocol A: AnyObject { init()\n func f<T>(_ x: T)\n func g()\n func h() -> Int }")
      #expect(expansion.diagnostics.map(\.diagMessage.severity) == [.error, .error, .warning])
    }

    @Test(arguments: ["AnyObject, Sendable", "Swift.AnyObject, Swift.Sendable", "AnyObject, SendableMetatype"])
    func whatMayBeInherited(types: String) {
      let expansion = Expansion("@Dispatchable protocol A: \(types) { func f() }")
      #expect(expansion.diagnostics.isEmpty && expansion.text.contains("class ADispatcher"))
    }

    @Test(arguments: ["", "internal ", "fileprivate ", "private "])
    func aClassThatTheOptimizerDoesNotSeeIsWarnedOf(access: String) throws {
      let expansion = Expansion("/// Says it.\n@Dispatchable \(access)protocol A: AnyObject { func f() }")
      let warning = try #require(expansion.hiddenClass)
      #expect(warning.diagMessage.severity == .warning && warning.message.hasSuffix("make the protocol 'package' or 'public'"))
      #expect(expansion.text.contains("class ADispatcher"))
      guard case .replace(_, let fixed) = warning.fixIts.first?.changes.first else { throw MissingFix() }
      #expect(fixed.description == "/// Says it.\n@Dispatchable package protocol A: AnyObject { func f() }")
    }

    private struct MissingFix: Error {}

    @Test(arguments: ["@Dispatchable public", "@Dispatchable package", "@usableFromInline @Dispatchable"])
    func aClassThatOthersMayUseIsSeen(head: String) {
      #expect(Expansion("\(head) protocol A: AnyObject { func f() }").hiddenClass == nil)
    }

    @Test(arguments: [(": Sendable", ": AnyObject, Sendable"), ("", ": AnyObject")])
    func theFixMakesItAProtocolOfClasses(inherited: String, fixed: String) {
      assertMacroExpansion(
        "@Dispatchable protocol A\(inherited) {\n  func f()\n}", expandedSource: "protocol A\(inherited) {\n  func f()\n}",
        diagnostics: [
          DiagnosticSpec(
            message: "only a protocol of classes can be dispatched: the implementers are not kept alive", line: 1, column: 24,
            fixIts: [FixItSpec(message: "add 'AnyObject'")])
        ],
        macroSpecs: Expansion.macros(), fixedSource: "@Dispatchable protocol A\(fixed) {\n  func f()\n}",
        indentationWidth: .spaces(2), failureHandler: { Issue.record("\($0.message)") })
    }

    @Test(arguments: [
      ("state the result with '@DispatchDefault'", "@DispatchDefault(<#value#>)"),
      ("somebody always is there: '@DispatchRequired'", "@DispatchRequired"),
    ])
    func aResultWithoutADefaultIsWarnedOf(fix: String, attribute: String) throws {
      let source = "@Dispatchable protocol A: AnyObject {\n  /// Counts.\n  @discardableResult func f() -> Int\n}"
      let expansion = Expansion(source)
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(expansion.diagnostics.count == 1 && diagnostic.diagMessage.severity == .warning)
      #expect(diagnostic.message == "a call of 'f()' ends the program when nobody is there to answer it")
      let change = try #require(diagnostic.fixIts.first { $0.message.message == fix }?.changes.first)
      guard case .replace(_, let new) = change else {
        Issue.record("the fix replaces nothing")
        return
      }
      #expect(new.description == "\n  /// Counts.\n  \(attribute) @discardableResult func f() -> Int")
      #expect(expansion.text.contains("ADispatcher"))
    }
  }
#endif
