#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
  import TestSupport
  import Testing

  /// The code that @EventHandling writes, and what it refuses and warns of.
  @Suite struct EventHandlingTests {
    @Test func eachKeyIsRegistered() {
      assertMacroExpansion(
        """
        @EventHandling public final class Controller {
          @EventHandler("row.tapped") func tapped(_ row: Row?, index: Int) {}
          @EventHandler("row.moved", Keys.dropped) func moved(_ row: Row) throws -> EventReply { .handled }
        }
        """,
        expandedSource: """
          public final class Controller {
            func tapped(_ row: Row?, index: Int) {}
            func moved(_ row: Row) throws -> EventReply { .handled }

            /// Registers the methods of this object that handle events.
            @discardableResult
            public func registerEventHandlers(
              on proxy: EventRouting.EventProxy, options: EventRouting.HandlerOptions = EventRouting.HandlerOptions()
            ) throws(DynamicInvocation.InvocationError) -> [EventRouting.EventRegistration] {
              var registrations = [] as [EventRouting.EventRegistration]
              var errors = [] as [DynamicInvocation.InvocationError]
              do throws(DynamicInvocation.InvocationError) {
                registrations.append(
                  try proxy.register("row.tapped", target: self, options: options) { (target: Controller) in
                    { (source: Row?, argument1: Int) in target.tapped(source, index: argument1) }
                  })
              } catch {
                errors.append(error)
              }
              do throws(DynamicInvocation.InvocationError) {
                registrations.append(
                  try proxy.register("row.moved", target: self, options: options) { (target: Controller) in
                    { (source: Row) in try target.moved(source) }
                  })
              } catch {
                errors.append(error)
              }
              do throws(DynamicInvocation.InvocationError) {
                registrations.append(
                  try proxy.register(Keys.dropped, target: self, options: options) { (target: Controller) in
                    { (source: Row) in try target.moved(source) }
                  })
              } catch {
                errors.append(error)
              }
              if !errors.isEmpty { throw DynamicInvocation.InvocationError(notRegistered: errors) }
              return registrations
            }
          }

          extension Controller: EventRouting.EventHandling {}
          """,
        macroSpecs: Expansion.macros(), indentationWidth: .spaces(2), failureHandler: { Issue.record("\($0.message)") })
    }

    @Test func aSubclassBeginsWithItsSuperclass() {
      let text = Expansion(
        "@EventHandling class B: A { @EventHandler(\"b\") func b(_ source: Row?, _ memory: UnsafeRawPointer) {} }", isInherited: true
      ).text
      #expect(text.contains("  override func registerEventHandlers(") && !text.contains("extension"))
      #expect(text.contains("    registrations = try super.registerEventHandlers(on: proxy, options: options)"))
      #expect(text.contains("try unsafe proxy.register(\"b\", ") && text.contains("unsafe target.b(source, argument1)"))
    }

    @Test func withoutMarksNothingIsRegistered() {
      let text = Expansion("@EventHandling class A { func f(_ x: inout Int) async {} }").text
      #expect(text.contains("  return []\n") && !text.contains("catch"), "\(text)")
    }

    @Test func theConformanceIsOfTheActorOfTheClass() {
      #expect(Expansion("@MainActor @EventHandling class A {}").text.contains("extension A: @MainActor EventRouting.EventHandling {}"))
    }

    @Test(arguments: TextTable.expansions.rows("@EventHandling refuses"))
    func refused(row: TextTable.Row) throws {
      let expansion = Expansion("@EventHandling class A { @EventHandler(\"a\") \(row[0]) {} }")
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(expansion.diagnostics.count == 1 && diagnostic.diagMessage.severity == .error)
      #expect(
        diagnostic.message.hasPrefix("'f(") && diagnostic.message.hasSuffix(" cannot handle events: \(row[2])"), "\(diagnostic.message)")
      #expect(expansion.place(of: diagnostic) == row[1])
      #expect(!expansion.text.contains("proxy.register"))
    }

    @Test(arguments: TextTable.expansions.rows("@EventHandling is misplaced"))
    func misplaced(row: TextTable.Row) {
      let expansion = Expansion(row[0])
      #expect(expansion.diagnostics.map(\.message) == [row[1]])
      #expect(!expansion.text.contains("proxy.register"))
    }

    @Test(arguments: [
      "@EventHandler(\"a\") func f(_ x: Row) {}\n @EventHandler(\"a\") func g(_ x: Row) {}",
      "@EventHandler(\"a\") func f(_ x: Row) {}\n @EventHandler(\"b\", \"a\") func g(_ x: Row) {}",
      "@EventHandler(\"a\") @EventHandler(\"a\") func f(_ x: Row) {}",
      "#if X\n @EventHandler(\"a\") func f(_ x: Row) {}\n #endif\n @EventHandler(\"a\") func g(_ x: Row) {}",
    ])
    func aKeyGivenTwiceIsWarnedOf(members: String) throws {
      let expansion = Expansion("@EventHandling class A { \(members) }")
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(expansion.diagnostics.count == 1 && diagnostic.diagMessage.severity == .warning)
      #expect(diagnostic.message == "the class handles \"a\" with 'f(_:)' already" && expansion.place(of: diagnostic) == "\"a\"")
      #expect(expansion.text.contains("proxy.register(\"a\""))
    }

    @Test func conditionsAreKept() {
      let expansion = Expansion(
        """
        @EventHandling class A {
          #if X
          @EventHandler("a") func f(_ x: Row) {}
          #else
          @EventHandler("a") func g(_ x: Row) {}
          #endif
          #if Y
          func h() {}
          #endif
        }
        """)
      #expect(expansion.diagnostics.isEmpty)
      let lines = expansion.text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.drop { !$0.hasPrefix("var errors") }
      #expect(lines.filter { $0.hasPrefix("#") } == ["#if X", "#else", "#endif"])
    }
  }
#endif
