#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
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

    @Test(arguments: [
      ("func f()", "()", "it takes no source; add a first parameter for the object that sends"),
      ("func f(_ x: Int)", "_ x: Int", "its first parameter is the source, which is an object"),
      ("func f(_ x: String?)", "_ x: String?", "its first parameter is the source, which is an object"),
      ("func f(_ x: () -> Void)", "_ x: () -> Void", "its first parameter is the source, which is an object"),
      ("static func f(_ x: Row)", "static", "it is a method of the class, and events come to an object"),
      ("class func f(_ x: Row)", "class", "it is a method of the class, and events come to an object"),
      ("func f(_ x: Row) async", "async", "it is asynchronous, and an event does not wait"),
      ("func f<T>(_ x: T)", "<T>", "it is generic, and the types of an event are known"),
      ("func f(_ x: some Row)", "_ x: some Row", "it is generic, and the types of an event are known"),
      ("func f(_ x: Row, y: inout Int)", "y: inout Int", "the parameter 'y' is inout, and an event only carries values"),
      ("func f(_ x: Row, y: Int...)", "y: Int...", "the parameter 'y' is variadic, and its number of values is not known"),
      (
        "func f(_ x: R, _ a: I, _ b: I, _ c: I, _ d: I, _ e: I, _ f: I, _ g: I, _ h: I, _ i: I)",
        "(_ x: R, _ a: I, _ b: I, _ c: I, _ d: I, _ e: I, _ f: I, _ g: I, _ h: I, _ i: I)",
        "it takes more than eight arguments after the source"
      ),
    ])
    func refused(method: String, place: String, reason: String) throws {
      let expansion = Expansion("@EventHandling class A { @EventHandler(\"a\") \(method) {} }")
      let diagnostic = try #require(expansion.diagnostics.first)
      #expect(expansion.diagnostics.count == 1 && diagnostic.diagMessage.severity == .error)
      #expect(
        diagnostic.message.hasPrefix("'f(") && diagnostic.message.hasSuffix(" cannot handle events: \(reason)"), "\(diagnostic.message)")
      #expect(expansion.place(of: diagnostic) == place)
      #expect(!expansion.text.contains("proxy.register"))
    }

    @Test(arguments: [
      ("@EventHandling struct A {}", "@EventHandling is for classes: targets are objects"),
      ("@EventHandling class A { @EventHandler() func f(_ x: Row) {} }", "'f(_:)' is marked with no key"),
      (
        "class A { @EventHandler(\"a\") func f(_ x: Row) {} }",
        "@EventHandler is for the methods in the body of a class with @EventHandling"
      ),
      (
        "@EventHandling class A { @EventHandler(\"a\") var x: Int { 1 } }",
        "@EventHandler is for the methods in the body of a class with @EventHandling"
      ),
    ])
    func misplaced(source: String, message: String) {
      let expansion = Expansion(source)
      #expect(expansion.diagnostics.map(\.message) == [message])
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
