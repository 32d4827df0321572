#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
  import TestSupport
  import Testing

  /// What #cFunction and #cFunctions generate, and what they refuse, with the column.
  @Suite struct CFunctionTests {
    /// The type of a declaration, as the expansion states it.
    private func type(_ declaration: String) throws -> String {
      let expansion = Expansion("let f = try #cFunction(#\"\(declaration)\"#, in: \"libc.so.6\")")
      #expect(expansion.diagnostics.map(\.message).isEmpty)
      let start = try #require(expansion.text.firstRange(of: "@convention(c)"))
      return String(expansion.text[start.lowerBound...].dropLast(").self)".count))
    }

    @Test("An expression is a lookup with the type of a C function")
    func expression() {
      assertMacroExpansion(
        """
        let pow: (Double, Double) -> Double = try #cFunction("double pow(double, double)", in: names[0])
        """,
        expandedSource: """
          let pow: (Double, Double) -> Double = try InvocationMacros._DeclaredFunction.pointer(to: "pow", in: names[0], as: (@convention(c) @Sendable (Double, Double) -> Double).self)
          """,
        macroSpecs: Expansion.macros(), indentationWidth: .spaces(2), failureHandler: { Issue.record("\($0.message)") })
    }

    @Test("The symbol is the one of the asm label")
    func labels() {
      let expansion = Expansion(#"let f = #cFunction("int f(void) asm(\"real_f\");", in: library)"#)
      #expect(expansion.text.contains("pointer(to: \"real_f\", in: library, "))
    }

    @Test(
      "Types of C are types of Swift",
      arguments: TextTable.expansions.rows("Types of C in Swift"))
    func types(row: TextTable.Row) throws {
      #expect(try type(row[0]) == "@convention(c) @Sendable \(row[1])")
    }

    #if arch(x86_64)
      @Test("Types that depend on the platform")
      func platformTypes() throws {
        #expect(try type("long double f(long double *)") == "@convention(c) @Sendable (UnsafeMutablePointer<Float80>?) -> Float80")
        #expect(try type("int f(const char *, va_list)") == "@convention(c) @Sendable (UnsafePointer<CChar>?, CVaListPointer) -> Int32")
      }
    #endif

    @Test(
      "A wrong declaration is an error at its column",
      arguments: TextTable.expansions.rows("#cFunction refuses"))
    func refused(row: TextTable.Row) {
      let source = "let f = #cFunction(\"\(row[0])\", in: \"libc.so.6\")"
      let expansion = Expansion(source)
      #expect(expansion.diagnostics.count == 1)
      guard let diagnostic = expansion.diagnostics.first else { return }
      #expect(diagnostic.message.hasPrefix(row[2]), "\(diagnostic.message)")
      #expect(diagnostic.diagMessage.severity == .error)
      assertMacroExpansion(
        source, expandedSource: source,
        diagnostics: [
          DiagnosticSpec(message: diagnostic.message, line: 1, column: "let f = #cFunction(\"".utf8.count + (Int(row[1]) ?? 0))
        ],
        macroSpecs: Expansion.macros(), failureHandler: { Issue.record("\($0.message)") })
    }

    @Test("The column counts escapes, and the line counts the literal's lines")
    func positions() {
      func expect(_ source: String, line: Int, column: Int) {
        guard let message = Expansion(source).diagnostics.first?.message else {
          Issue.record("no error: \(source)")
          return
        }
        assertMacroExpansion(
          source, expandedSource: source, diagnostics: [DiagnosticSpec(message: message, line: line, column: column)],
          macroSpecs: Expansion.macros(), failureHandler: { Issue.record("\($0.message)") })
      }
      expect(#"let f = #cFunction("int f(void)\n\u{20}asm(\"f\") x", in: "")"#, line: 1, column: 51)
      expect(##"let f = #cFunction(#"int f(void) asm("f") x"#, in: "")"##, line: 1, column: 43)
      expect(
        """
        let f = #cFunction(\"\"\"
            typedef int number;
            int f(number,
              nomber x);
            \"\"\", in: "")
        """, line: 4, column: 7)
    }

    @Test("Declarations are read when the program is compiled")
    func literals() {
      for text in ["\"int \\(name)(void)\"", "declaration", "1"] {
        let expansion = Expansion("let f = #cFunction(\(text), in: \"libc.so.6\")")
        #expect(
          expansion.diagnostics.map(\.message) == [
            "declarations are read when the program is compiled: state them in a literal without interpolation"
          ])
      }
    }

    @Test("Each declared function is a static method")
    func methods() {
      let expansion = Expansion(
        """
        enum C {
          #cFunctions("typedef long number; number labs(number); void in(int in, int, const char *where);", in: "libc.so.6")
        }
        """)
      #expect(expansion.diagnostics.isEmpty)
      #expect(expansion.text.contains("static func labs(_ argument0: Int) throws(DynamicInvocation.InvocationError) -> Int {"))
      #expect(
        expansion.text.contains(
          "static func `in`(_ `in`: Int32, _ argument1: Int32, _ `where`: UnsafePointer<CChar>?) throws(DynamicInvocation.InvocationError) {"
        ))
      #expect(expansion.text.contains("pointer(to: \"labs\", in: \"libc.so.6\", as: (@convention(c) @Sendable (Int) -> Int).self)"))
    }

    @Test("The text of a type whose parts are shared is bounded")
    func bounds() {
      let types = "typedef int T0;" + (0..<60).map { "typedef T\($0) (*T\($0 + 1))(T\($0), T\($0));" }.joined()
      let expansion = Expansion("let f = #cFunction(\"\(types)int f(T60);\", in: \"libc.so.6\")")
      #expect(expansion.diagnostics.map(\.message) == ["'f': parameter 0: a type of more than 100000 parts"])
    }

    @Test("A generic type is refused")
    func generic() {
      let expansion = Expansion("struct A<T> { #cFunctions(\"int f(void);\", in: \"libc.so.6\") }")
      #expect(expansion.diagnostics.map(\.message) == ["a generic type has no static stored properties, which #cFunctions needs"])
    }
  }
#endif
