#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacrosGenericTestSupport
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

    @Test("The symbol is that of the asm label")
    func labels() {
      let expansion = Expansion(#"let f = #cFunction("int f(void) asm(\"real_f\");", in: library)"#)
      #expect(expansion.text.contains("pointer(to: \"real_f\", in: library, "))
    }

    @Test(
      "Types of C are types of Swift",
      arguments: [
        ("void f(void)", "() -> Void"),
        ("_Bool f(char, signed char, unsigned char)", "(CChar, Int8, UInt8) -> Bool"),
        ("short f(unsigned short, int, unsigned)", "(UInt16, Int32, UInt32) -> Int16"),
        ("long f(unsigned long, long long, unsigned long long)", "(UInt, Int64, UInt64) -> Int"),
        ("float f(double, size_t, int8_t, uint64_t)", "(Double, UInt, Int8, UInt) -> Float"),
        ("void *f(const void *, void *)", "(UnsafeRawPointer?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?"),
        ("char *f(const char *, int *)", "(UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> UnsafeMutablePointer<CChar>?"),
        (
          "void f(char **, char *const *)",
          "(UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Void"
        ),
        ("void f(int v[4], const double m[2][2])", "(UnsafeMutablePointer<Int32>?, UnsafeRawPointer?) -> Void"),
        ("int f(struct db *, struct db **)", "(OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> Int32"),
        ("struct p { int x; }; int f(struct p *, const struct p *)", "(UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32"),
        ("typedef enum { A, B } e; e f(e, e *);", "(UInt32, UnsafeMutablePointer<UInt32>?) -> UInt32"),
        ("enum { A = -1 } f(void)", "() -> Int32"),
        ("void f(int (*)(const void *, const void *))", "((@convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int32)?) -> Void"),
        ("void f(void callback(int))", "((@convention(c) (Int32) -> Void)?) -> Void"),
        ("void (*f(int s, void (*h)(int)))(int)", "(Int32, (@convention(c) (Int32) -> Void)?) -> (@convention(c) (Int32) -> Void)?"),
        ("void f(int (*)(const char *, ...), struct s (*)(void))", "(OpaquePointer?, OpaquePointer?) -> Void"),
        (
          "void f(__float128 *, __int128 *, _Complex double *)",
          "(UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void"
        ),
        (
          "typedef double real; typedef real (*unary)(real); real f(unary u, real x)",
          "((@convention(c) (Double) -> Double)?, Double) -> Double"
        ),
      ])
    func types(declaration: String, expected: String) throws {
      #expect(try type(declaration) == "@convention(c) @Sendable \(expected)")
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
      arguments: [
        ("double pow(double, dubble)", 20, "'dubble' is not a type that is declared here"),
        ("double pow(double, double", 26, "expected ',' or ')', found the end"),
        ("int puts(const char *) int", 24, "expected ';', ',' or '{', found 'int'"),
        ("int x;", 7, "expected a function, found the end"),
        ("", 1, "expected a function, found the end"),
        ("int f(void); int g(void);", 18, "expected one function; #cFunctions declares several"),
        (
          "int printf(const char *, ...)", 5,
          "'printf': Swift has no type for a variadic function: use DynamicLibrary.function(_:variadic:)"
        ),
        (
          "int f()", 5,
          "'f': the parentheses are empty, so that the parameters are not known: a function without parameters is declared with (void)"
        ),
        ("static int f(void)", 12, "'f': it is static: its code is in the header, and no library exports it"),
        (
          "struct p { int x; }; int f(int, struct p)", 33,
          "'f': parameter 1: 'struct p' by value has no type in Swift: use DynamicLibrary.function(_:variadic:)"
        ),
        ("struct p; struct p f(void)", 11, "'f': return value: 'struct p' is incomplete: its definition is missing"),
        (
          "double _Complex csqrt(double _Complex)", 1,
          "'csqrt': return value: Swift has no complex type: use DynamicLibrary.function(_:variadic:)"
        ),
        ("int f(int, __int128 x)", 12, "'f': parameter 1: no function type of Swift passes __int128 as C does"),
        ("int f(_Float16)", 7, "'f': parameter 0: no function type of Swift passes _Float16 as C does"),
        ("int f(__attribute__((vector_size(16))) float v)", 7, "'f': parameter 0: no function type of Swift passes a vector as C does"),
        ("int f(__float128)", 7, "'f': parameter 0: __float128 has no type encoding"),
        ("void f(void (^)(void))", 8, "'f': parameter 0: a block needs the runtime of Objective-C"),
        ("int f(enum e)", 7, "'f': parameter 0: 'enum e' is incomplete: its definition is missing"),
      ])
    func refused(declaration: String, column: Int, message: String) {
      let source = "let f = #cFunction(\"\(declaration)\", in: \"libc.so.6\")"
      let expansion = Expansion(source)
      #expect(expansion.diagnostics.count == 1)
      guard let diagnostic = expansion.diagnostics.first else { return }
      #expect(diagnostic.message.hasPrefix(message), "\(diagnostic.message)")
      #expect(diagnostic.diagMessage.severity == .error)
      assertMacroExpansion(
        source, expandedSource: source,
        diagnostics: [DiagnosticSpec(message: diagnostic.message, line: 1, column: "let f = #cFunction(\"".utf8.count + column)],
        macroSpecs: Expansion.macros(), failureHandler: { Issue.record("\($0.message)") })
    }

    @Test("The column counts escapes, and the line those of the literal")
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

    @Test("A generic type is refused")
    func generic() {
      let expansion = Expansion("struct A<T> { #cFunctions(\"int f(void);\", in: \"libc.so.6\") }")
      #expect(expansion.diagnostics.map(\.message) == ["a generic type has no static stored properties, which #cFunctions needs"])
    }
  }
#endif
