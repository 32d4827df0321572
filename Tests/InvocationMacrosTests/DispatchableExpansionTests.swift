#if Macros
  import SwiftSyntax
  import Testing

  /// The code that @Dispatchable writes.
  @Suite struct DispatchableExpansionTests {
    private func expect(_ source: String, becomes expanded: String) {
      #expect(Expansion(source).text == expanded)
    }

    /// The lines that the macro adds, without their indentation.
    private func lines(_ source: String) -> [String] {
      Expansion(source).text.split(separator: "\n").map { String($0.trimmingPrefix { $0 == " " }) }
    }

    @Test func aClassForTheProtocol() {
      expect(
        """
        @Dispatchable public protocol TableDelegate: AnyObject {
          @DispatchDefault(0) func rowCount() -> Int
          func selected(_ row: Int, `in` view: inout View) throws
          @DispatchPolicy(.first) var title: String? { get set }
        }
        """,
        becomes: """
          public protocol TableDelegate: AnyObject {
            func rowCount() -> Int
            func selected(_ row: Int, `in` view: inout View) throws
            var title: String? { get set }
          }

          /// Passes each call of `TableDelegate` on to several implementers, in order, none of which it keeps alive.
          public final class TableDelegateDispatcher: TableDelegate, DynamicInvocation.ImplementerDispatcher {
            /// The implementers.
            public let implementerList: DynamicInvocation.ImplementerList<any TableDelegate>

            /// Creates a dispatcher; nil takes a number and nothing else.
            public init(_ implementers: (any TableDelegate)?...) {
              implementerList = DynamicInvocation.ImplementerList(objects: implementers)
            }

            public func rowCount() -> Int {
              var result: (Int)? = nil
              calls: for (implementer, _) in self.implementerList.inTurn {
                result = implementer.rowCount()
              }
              guard let result = result else {
                return 0
              }
              return result
            }

            public func selected(_ argument0: Int, `in` argument1: inout View) throws {
              var failure: (any Error)? = nil
              calls: for (implementer, _) in self.implementerList.inTurn {
                do {
                  try implementer.selected(argument0, in: &argument1)
                } catch {
                  failure = failure ?? error
                }
              }
              if let failure { throw failure }
            }

            public var title: String? {
              get {
                var result: (String?)? = nil
                calls: for (implementer, _) in self.implementerList.inTurn {
                  result = implementer.title
                  break calls
                }
                guard let result = result else {
                  return nil
                }
                return result
              }
              set {
                calls: for (implementer, _) in self.implementerList.inTurn {
                  implementer.title = newValue
                  break calls
                }
              }
            }
          }
          """)
    }

    @Test(arguments: [
      ("private protocol A: AnyObject", "private final class ADispatcher: A, DynamicInvocation.ImplementerDispatcher {"),
      ("package protocol A: AnyObject", "package final class ADispatcher: A, DynamicInvocation.ImplementerDispatcher {"),
      (
        "@MainActor protocol A: AnyObject, Sendable",
        "@MainActor final class ADispatcher: A, @MainActor DynamicInvocation.ImplementerDispatcher {"
      ),
      (
        "@available(macOS 15, *) protocol A: AnyObject",
        "@available(macOS 15, *) final class ADispatcher: A, DynamicInvocation.ImplementerDispatcher {"
      ),
      ("protocol A where Self: AnyObject", "final class ADispatcher: A, DynamicInvocation.ImplementerDispatcher {"),
      ("protocol `A`: AnyObject", "final class ADispatcher: `A`, DynamicInvocation.ImplementerDispatcher {"),
    ])
    func theHeadFollowsTheProtocol(source: String, head: String) {
      let expansion = Expansion("@Dispatchable \(source) {}")
      #expect(expansion.diagnostics.isEmpty && expansion.text.contains(head), "\(expansion.text)")
    }

    @Test(arguments: [
      (".first", "result = implementer.f()", "break calls"),
      (".firstNonNil", "result = next", "if next != nil { break calls }"),
      (".anyTrue", "let next = implementer.f()", "if next { break calls }"),
      (".allTrue", "let next = implementer.f()", "if !next { break calls }"),
      (".only(2)", "calls: for (implementer, number) in self.implementerList.inTurn {", "guard number == 2 else { continue }"),
      (".primary(n)", "calls: for (implementer, number) in self.implementerList.inTurn {", "if number == n { result = next }"),
      (
        ".reduce { a, b in .next(b) }", "switch combine(result, next) {",
        "let combine: ((T)?, T) -> DynamicInvocation.ReturnPolicy<T>.Reduction = { a, b in .next(b) }"
      ),
      ("DynamicInvocation.ReturnPolicy<Any>.last", "result = implementer.f()", "return 0"),
    ])
    func policies(policy: String, first: String, second: String) {
      let type = policy == ".firstNonNil" ? "T?" : ["anyTrue", "allTrue"].contains(policy.dropFirst()) ? "Bool" : "T"
      let lines = lines("@Dispatchable protocol A: AnyObject { @DispatchPolicy(\(policy)) @DispatchDefault(0) func f() -> \(type) }")
      #expect(lines.contains(first) && lines.contains(second), "\(lines)")
    }

    @Test(arguments: [
      ("func f() throws(Refusal)", "do throws(Refusal) {"),
      ("func f() throws(Never)", "implementer.f()"),
      ("func f() async throws", "try await implementer.f()"),
      ("func f() throws -> Int", "throw DynamicInvocation.InvocationError(.unrecognizedSelector, \"nobody is there to answer 'A.f()'\")"),
      ("@DispatchRequired func f() -> Int", "Swift.fatalError(\"nobody is there to answer 'A.f()'\")"),
      ("@DispatchPolicy(.anyTrue) func f() -> Bool", "return false"),
      ("@DispatchPolicy(.allTrue) func f() -> Bool", "return true"),
      ("func f() -> View!", "var result: (View?)? = nil"),
      ("func f(_ x: @autoclosure () -> Int)", "implementer.f(argument0())"),
      ("func f(`inout` x: Int, `repeat` y: Int)", "implementer.f(`inout`: argument0, repeat: argument1)"),
      ("func f(_ x: UnsafeRawPointer)", "unsafe implementer.f(argument0)"),
      ("@discardableResult @MainActor func f() -> Int?", "@discardableResult @MainActor func f() -> Int? {"),
      ("subscript(x: Int, at y: Int) -> Int? { get }", "result = implementer[argument0, at: argument1]"),
      ("subscript(x: Int) -> Int? { get }", "subscript(_ argument0: Int) -> Int? {"),
      ("var f: Int { get async throws }", "get async throws {"),
      ("@DispatchPolicy(.primary(0)) var f: Int? { get set }", "calls: for (implementer, _) in self.implementerList.inTurn {"),
      ("typealias B = Int", "}"),
    ])
    func requirements(requirement: String, line: String) {
      let source = "@Dispatchable protocol A: AnyObject { \(requirement) }"
      #expect(lines(source).contains(line), "\(lines(source))")
      #expect(Expansion(source).diagnostics.isEmpty)
    }

    @Test func conditionsAreKept() {
      let text = lines(
        """
        @Dispatchable protocol A: AnyObject {
          #if DEBUG
          func f()
          #else
          func g()
          #endif
        }
        """
      ).drop { !$0.contains("class") }.joined(separator: "\n")
      #expect(
        text.contains("#if DEBUG\nfunc f() {\n") && text.contains("}\n#else\nfunc g() {") && text.hasSuffix("}\n#endif\n}"), "\(text)")
    }
  }
#endif
