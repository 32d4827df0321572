#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacrosGenericTestSupport
  import TestSupport
  import Testing

  /// The code that @Invocable writes.
  @Suite struct InvocableExpansionTests {
    private func expect(_ source: String, isInherited: Bool = false, becomes expanded: String) {
      assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: Expansion.macros(isInherited: isInherited), indentationWidth: .spaces(2),
        failureHandler: { Issue.record("\($0.message)") })
    }

    /// The first line of the list, with its modifiers.
    private func head(_ source: String, isInherited: Bool = false) -> String? {
      Expansion(source, isInherited: isInherited).text.split(separator: "\n").first { $0.contains("var invocableMethods") }
        .map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
    }

    @Test func oneThunkForEachMethod() {
      expect(
        """
        @Invocable final class Controller {
          func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) -> Bool { tag > 0 }
          func reset() {}
        }
        """,
        becomes: """
          final class Controller {
            func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) -> Bool { tag > 0 }
            func reset() {}

            nonisolated class var invocableMethods: DynamicInvocation._InvocableMethods {
              var methods = DynamicInvocation._InvocableMethods(of: Controller.self)
              DynamicInvocation._MethodThunk.check(Bool.self)
              DynamicInvocation._MethodThunk.check(Geometry.Rect.self)
              DynamicInvocation._MethodThunk.check(Int.self)
              DynamicInvocation._MethodThunk.check(View?.self)
              unsafe methods.add(
                "tapped(_:tag:frame:)",
                { target, _, argument2, argument3, argument4 in
                  unsafe DynamicInvocation._MethodThunk.call(
                    Controller.self, target, mayFail: DynamicInvocation._MethodThunk.mayFail(View?.self) || DynamicInvocation._MethodThunk.mayFail(Int.self) || DynamicInvocation._MethodThunk.mayFail(Geometry.Rect.self)
                  ) { target in
                    try unsafe DynamicInvocation._MethodThunk.lend(View?.self, 2, argument2) { argument2 in
                      try unsafe DynamicInvocation._MethodThunk.lend(Int.self, 3, argument3) { argument3 in
                        try unsafe DynamicInvocation._MethodThunk.lend(Geometry.Rect.self, 4, argument4) { argument4 in
                          DynamicInvocation._MethodThunk.result(target.tapped(argument2, tag: argument3, frame: argument4))
                        }
                      }
                    }
                  }
                } as @convention(c) (UInt, UInt, DynamicInvocation._MethodThunk.Form<View?>, DynamicInvocation._MethodThunk.Form<Int>, DynamicInvocation._MethodThunk.Form<Geometry.Rect>) -> DynamicInvocation._MethodThunk.Form<Bool>,
                parameters: [View?.self, Int.self, Geometry.Rect.self], returning: Bool.self,
                isThrowing: false)
              unsafe methods.add(
                "reset()",
                { target, _ in
                  unsafe DynamicInvocation._MethodThunk.call(
                    Controller.self, target, mayFail: false
                  ) { target in
                    target.reset()
                  }
                } as @convention(c) (UInt, UInt) -> Void,
                parameters: [], returning: nil,
                isThrowing: false)
              return methods
            }
          }

          extension Controller: DynamicInvocation._InvocableClass {}
          """)
    }

    @Test func aSubclassOverridesTheList() {
      expect(
        "@Invocable class Derived: Base {}", isInherited: true,
        becomes: """
          class Derived: Base {

            nonisolated override class var invocableMethods: DynamicInvocation._InvocableMethods {
              let methods = DynamicInvocation._InvocableMethods(of: Derived.self)
              return methods
            }
          }
          """)
    }

    @Test(arguments: ["open", "public", "package"]) func theListIsAsAccessibleAsTheClass(access: String) {
      #expect(
        head("@Invocable \(access) class A {}") == "\(access) nonisolated class var invocableMethods: DynamicInvocation._InvocableMethods {"
      )
    }

    /// A class that names the protocol by itself inherits it from nobody.
    @Test func theListIsInheritedOnlyFromASuperclass() {
      #expect(head("@Invocable class A: _InvocableClass {}", isInherited: true)?.contains("override") == false)
      #expect(head("@Invocable private final class A: B {}", isInherited: true)?.hasPrefix("nonisolated override class var") == true)
    }

    @Test(arguments: [
      "private func f() {}", "fileprivate func f() {}", "static func f() {}", "class func f<T>(_ x: T) {}", "init() {}", "var f: Int { 1 }",
      "subscript(index: Int) -> Int { 1 }", "@NotInvocable func f<T>(_ x: T) async {}",
      "@InvocationMacros.NotInvocable func f(_ x: Any) {}",
      "@available(*, unavailable) func f() {}",
    ])
    func whatIsLeftOut(member: String) {
      let expansion = Expansion("@Invocable class A { \(member) }")
      #expect(expansion.diagnostics.isEmpty)
      #expect(!expansion.text.contains("methods.add"))
    }

    @Test(arguments: TextTable.expansions.rows("Parts of a thunk"))
    func partsOfAThunk(row: TextTable.Row) {
      let expansion = Expansion("@Invocable class A { \(row[0]) }")
      #expect(expansion.diagnostics.isEmpty)
      for part in [row[1], row[2], row[3]] { #expect(expansion.text.contains(part), "\(expansion.text)") }
    }

    @Test func theMainActorOfAClassIsThatOfItsMethods() {
      let text = Expansion("@MainActor @Invocable class A { func f() {}\n nonisolated func g() {} }").text
      #expect(text.components(of: "_MethodThunk.callOnMainActor(") == 1)
      #expect(text.components(of: "_MethodThunk.call(") == 1)
    }

    @Test func conditionsAreKept() {
      let expansion = Expansion(
        """
        @Invocable class A {
          #if os(Linux)
          func f() {}
          #elseif os(macOS)
          func f() {}
          #else
          func g() {}
          #endif
        }
        """)
      #expect(expansion.diagnostics.isEmpty)
      #expect(expansion.text.components(of: "\"f()\"") == 2)
      #expect(expansion.text.components(of: "#elseif os(macOS)") == 2)
      #expect(expansion.text.components(of: "#endif") == 2)
    }
  }

  extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
  }
#endif
