#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  /// What @Dispatchable refuses and warns of, and the fixes that it proposes.
  @Suite struct DispatchableDiagnosticTests {
    @Test(arguments: [
      ("init()", "init()", "'init' makes an object, and a dispatcher has its implementers made already"),
      ("associatedtype B", "associatedtype B", "each implementer may have another 'B'"),
      ("static func f()", "static", "'f()' is one of a type, and objects are called"),
      ("static var f: Int { get }", "static", "'f' is one of a type, and objects are called"),
      ("mutating func f()", "mutating", "'f()' is mutating, and an object in a list is not replaced"),
      ("var f: Int { mutating get }", "mutating", "'f' is mutating, and an object in a list is not replaced"),
      ("func f<T>(_ x: T)", "<T>", "'f(_:)' is generic"),
      ("func f(x: some B)", "func f(x: some B)", "'f(x:)' is generic"),
      ("func f() where A: B", "where A: B", "'f()' is generic"),
      ("func f() -> Self", "func f() -> Self", "'f()' names Self, which is another type for each implementer"),
      ("var f: [Self] { get }", "f: [Self] { get }", "'f' names Self, which is another type for each implementer"),
      ("func f(_ x: Int...)", "_ x: Int...", "'f(_:)' is variadic, and Swift cannot pass the values on"),
      ("func f(_ x: sending B)", "_ x: sending B", "'f(_:)' takes what is sent, which only one can be given"),
      ("func f(_ x: isolated B)", "_ x: isolated B", "'f(_:)' runs on an actor that it is given"),
      ("func f(_ x: consuming B)", "_ x: consuming B", "'f(_:)' says who owns its argument, which is passed to several"),
      (
        "func f(_ x: () throws -> Void) rethrows", "rethrows",
        "'f(_:)' rethrows, and a dispatcher throws after all were called; use throws"
      ),
      (
        "@DispatchPolicy(.all) func f() -> Int", "@DispatchPolicy(.all)",
        "its policies are last, first, firstNonNil, anyTrue, allTrue, only, primary and reduce, written as such"
      ),
      (
        "@DispatchPolicy(policy) func f() -> Int", "@DispatchPolicy(policy)",
        "its policies are last, first, firstNonNil, anyTrue, allTrue, only, primary and reduce, written as such"
      ),
      (
        "@DispatchPolicy(.firstNonNil) func f() -> Int", "@DispatchPolicy(.firstNonNil)",
        "the policy 'firstNonNil' is for optional results"
      ),
      (
        "@DispatchPolicy(.anyTrue) func f() -> Int", "@DispatchPolicy(.anyTrue)",
        "the policies 'anyTrue' and 'allTrue' are for results that are a Bool"
      ),
      (
        "@DispatchPolicy(.allTrue) func f()", "@DispatchPolicy(.allTrue)",
        "the policies 'anyTrue' and 'allTrue' are for results that are a Bool"
      ),
      ("@DispatchPolicy(.reduce(g)) func f()", "@DispatchPolicy(.reduce(g))", "the policy 'reduce' is for results, and there is none"),
      ("@DispatchDefault(0) func f()", "@DispatchDefault(0)", "'f()' has no result, and needs none when nobody is there"),
    ])
    func refused(requirement: String, place: String, reason: String) throws {
      let expansion = Expansion("@Dispatchable protocol A: AnyObject { \(requirement) }")
      #expect(expansion.diagnostics.map(\.message) == ["A cannot be dispatched: \(reason)"])
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(diagnostic.diagMessage.severity == .error)
      #expect(expansion.place(of: diagnostic) == place)
      #expect(!expansion.text.contains("ADispatcher"))
    }

    @Test(arguments: [
      ("@Dispatchable class A {}", "@Dispatchable is for protocols"),
      ("@Dispatchable struct A {}", "@Dispatchable is for protocols"),
      ("@Dispatchable protocol A<B>: AnyObject { }", "A cannot be dispatched: each implementer may have other types"),
      (
        "@Dispatchable protocol A: AnyObject, C.B {}",
        "the requirements of 'C.B' cannot be seen from here; repeat them in A, and say so with @Dispatchable(repeatsInherited: true)"
      ),
      (
        "@Dispatchable(repeatsInherited: false) protocol A: AnyObject, B {}",
        "the requirements of 'B' cannot be seen from here; repeat them in A, and say so with @Dispatchable(repeatsInherited: true)"
      ),
      (
        "@Dispatchable(repeatsInherited: true) protocol A: B {}",
        "only a protocol of classes can be dispatched: the implementers are not kept alive; "
          + "whether 'B' is one cannot be seen from here, so write 'AnyObject' as well"
      ),
      (
        "@MainActor @Dispatchable protocol A: AnyObject { nonisolated func f() }",
        "A cannot be dispatched: 'f()' is called anywhere, but the implementers are those of an actor; add 'Sendable'"
      ),
      ("class A { @DispatchRequired func f() {} }", "@DispatchRequired is for the methods and properties of a @Dispatchable protocol"),
      ("@DispatchPolicy(.first) func f() {}", "@DispatchPolicy is for the methods and properties of a @Dispatchable protocol"),
      (
        "protocol A { @DispatchDefault(0) associatedtype B }",
        "@DispatchDefault is for the methods and properties of a @Dispatchable protocol"
      ),
    ])
    func misplaced(source: String, message: String) {
      let expansion = Expansion(source)
      #expect(expansion.diagnostics.map(\.message) == [message])
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
