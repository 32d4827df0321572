#if Macros
  import SwiftSyntax
  import TestSupport
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

          /// Passes each call of `TableDelegate` on to several implementers, in order; it keeps none of them alive.
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

    @Test(arguments: TextTable.expansions.rows("The head of a dispatcher"))
    func theHeadFollowsTheProtocol(row: TextTable.Row) {
      let expansion = Expansion("@Dispatchable \(row[0]) {}")
      #expect(expansion.diagnostics.isEmpty && expansion.text.contains(row[1]), "\(expansion.text)")
    }

    @Test(arguments: TextTable.expansions.rows("Policies"))
    func policies(row: TextTable.Row) {
      let type = row[0] == ".firstNonNil" ? "T?" : ["anyTrue", "allTrue"].contains(row[0].dropFirst()) ? "Bool" : "T"
      let lines = lines("@Dispatchable protocol A: AnyObject { @DispatchPolicy(\(row[0])) @DispatchDefault(0) func f() -> \(type) }")
      #expect(lines.contains(row[1]) && lines.contains(row[2]), "\(lines)")
    }

    @Test(arguments: TextTable.expansions.rows("Lines for a requirement"))
    func requirements(row: TextTable.Row) {
      let source = "@Dispatchable protocol A: AnyObject { \(row[0]) }"
      #expect(lines(source).contains(row[1]), "\(lines(source))")
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
