#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  /// What @Invocable refuses, and the fix that it proposes.
  @Suite struct InvocableDiagnosticTests {
    @Test(arguments: [
      ("func f(_ x: inout Int) {}", "_ x: inout Int", "the parameter 'x' is inout, and a message only carries values; use a pointer"),
      ("func f(a: Int, b: Int...) {}", "b: Int...", "the parameter 'b' is variadic, and its number of values is not known"),
      ("func f(then body: () -> Void) {}", "then body: () -> Void", "the parameter 'body' is a closure, which a message cannot carry"),
      (
        "func f(_ x: @escaping (Int) -> Void) {}", "_ x: @escaping (Int) -> Void",
        "the parameter 'x' is a closure, which a message cannot carry"
      ),
      (
        "func f(_ x: @autoclosure () -> Int) {}", "_ x: @autoclosure () -> Int",
        "the parameter 'x' is a closure, which a message cannot carry"
      ),
      ("func f(_ x: (() -> Void)?) {}", "_ x: (() -> Void)?", "the parameter 'x' is a closure, which a message cannot carry"),
      ("func f(_ x: (Int, Int)) {}", "_ x: (Int, Int)", "the parameter 'x' is a tuple, which C has not; use a struct"),
      ("func f(_ x: [Int]) {}", "_ x: [Int]", "the parameter 'x' is a collection, which C has not; use a pointer, or a class"),
      (
        "func f(_ x: [Int: View]?) {}", "_ x: [Int: View]?", "the parameter 'x' is a collection, which C has not; use a pointer, or a class"
      ),
      ("func f(_ x: Set<Int>) {}", "_ x: Set<Int>", "the parameter 'x' is a collection, which C has not; use a pointer, or a class"),
      (
        "func f(_ x: any Equatable) {}", "_ x: any Equatable",
        "the parameter 'x' is of any type of a protocol, which C has not; use a class that is an EncodedObject"
      ),
      ("func f(_ x: some Equatable) {}", "_ x: some Equatable", "the parameter 'x' is generic, and C has no generic functions"),
      (
        "func f(_ x: Swift.Any) {}", "_ x: Swift.Any",
        "the parameter 'x' may be anything, of which C has no form; use a class that is an EncodedObject"
      ),
      ("func f(_ x: Int.Type) {}", "_ x: Int.Type", "the parameter 'x' is a type, of which C has no form"),
      ("func f(_ x: Int?) {}", "_ x: Int?", "the parameter 'x' is an optional Int, and only pointers and objects may be null in C"),
      ("func f(_ x: View??) {}", "_ x: View??", "the parameter 'x' is an optional of an optional, which C has not"),
      ("func f(_ x: Substring) {}", "_ x: Substring", "the parameter 'x' is a text that C has not; use String"),
      (
        "func f(_ x: UInt128) {}", "_ x: UInt128",
        "the parameter 'x' is an integer of 128 bits, for which Swift does not know how C passes it"
      ),
      ("func f(_ x: isolated Store) {}", "_ x: isolated Store", "the parameter 'x' is an actor to run on, and a message does not wait"),
      (
        "func f(_ x: sending View) {}", "_ x: sending View",
        "the parameter 'x' is sent, and nobody knows who else holds what a message carries"
      ),
      ("func f<T>(_ x: T) {}", "<T>", "it is generic, and C has no generic functions"),
      ("func f() async {}", "async", "it is asynchronous, and a message does not wait"),
      (
        "func f() -> String { \"\" }", "String",
        "the result is a String, which nobody would free after the caller has read it; return an object"
      ),
      (
        "func f() -> String? { nil }", "String?",
        "the result is a String, which nobody would free after the caller has read it; return an object"
      ),
      ("func f() -> (Int, Int) { (1, 1) }", "(Int, Int)", "the result is a tuple, which C has not; use a struct"),
      ("func f() -> () -> Void { {} }", "() -> Void", "the result is a closure, which a message cannot carry"),
      ("func f() -> Double? { nil }", "Double?", "the result is an optional Double, and only pointers and objects may be null in C"),
      // The first reason in the text is the one that is told.
      ("func f<T>(_ x: inout T) async {}", "<T>", "it is generic, and C has no generic functions"),
    ])
    func refused(member: String, place: String, reason: String) throws {
      let expansion = Expansion("@Invocable class A { \(member) }")
      #expect(expansion.diagnostics.count == 1)
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(diagnostic.message.hasSuffix("' cannot be invoked by selector: \(reason)"), "\(diagnostic.message)")
      #expect(diagnostic.message.hasPrefix("'f("))
      #expect(diagnostic.diagMessage.severity == .error)
      #expect(expansion.place(of: diagnostic) == place)
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

    @Test(arguments: [
      ("@Invocable struct A {}", "@Invocable is for classes: messages are sent to objects"),
      ("@Invocable enum A {}", "@Invocable is for classes: messages are sent to objects"),
      ("@Invocable actor A {}", "@Invocable is for classes: messages are sent to objects"),
      ("@Invocable class A<T> { func f() {} }", "the methods of a generic class have no thunks, as C has no generic functions"),
      (
        "struct B<T> { @Invocable class A { func f() {} } }",
        "the methods of a class in a generic type have no thunks, as C has no generic functions"
      ),
      ("class A { @NotInvocable var x: Int { 1 } }", "only methods are excluded by @NotInvocable"),
    ])
    func misplaced(source: String, message: String) {
      let expansion = Expansion(source)
      #expect(expansion.diagnostics.map(\.message) == [message])
      #expect(!expansion.text.contains("invocableMethods"))
      #expect(!expansion.text.contains("extension"))
    }
  }
#endif
