@testable import DeclarationReading
import DynamicInvocation
import TestSupport
import Testing

@testable import CDeclarations

/// The types of expressions, which `sizeof`, `typeof` and `_Generic` compute, are C's.
@Suite(.measured) struct DeclarationExpressionTests {
  private static let preamble = """
    struct inner { char c; short s[3]; }; struct s { struct inner in; double d; int b : 3; struct inner *next; char text[10]; };
    extern struct s one; extern const struct s *all[4]; extern char c; extern unsigned short us; extern long long ll; extern float f;
    double call(int); struct s make(void); enum e { A, BIG = 0x100000000 }; enum { ORDINARY = 3 };

    """

  @Test(
    "The size of an expression",
    arguments: TextTable.declarations.rows("Sizes of expressions"))
  func sizes(row: TextTable.Row) throws {
    let declarations = try CDeclarations(Self.preamble + "enum { VALUE = \(row[0]) };\n#define MACRO \(row[0])\n")
    #expect(declarations.constants["VALUE"]?.int == Int(row[1]))
    #expect(declarations.constants["MACRO"]?.int == Int(row[1]))
  }

  @Test(
    "A generic selection takes the expression of the type",
    arguments: TextTable.declarations.rows("Generic selections"))
  func selections(row: TextTable.Row) throws {
    let declarations = try CDeclarations(Self.preamble + "enum { VALUE = \(row[0]) }; char array[\(row[0])];")
    #expect(declarations.constants["VALUE"]?.int == Int(row[1]))
    #expect(try declarations.variables["array"]?.encoding.size == Int(row[1]))
  }

  @Test(
    "typeof has the type of its expression",
    arguments: [
      ("typeof(one.d)", "d"), ("typeof(1 + 2L)", "q"), ("__typeof__(call(1)) ", "d"), ("typeof(&one.text[0])", "*"),
      ("typeof(us + us)", "i"),
      ("typeof(make().in.c)", Platform.char), ("typeof_unqual(const unsigned)", "I"), ("typeof(nullptr)", "^v"), ("typeof(1.0f)", "f"),
      ("typeof(sizeof(int))", "Q"), ("nullptr_t", "^v"),
    ])
  func types(text: String, encoding: String) throws {
    let declarations = try CDeclarations(Self.preamble + "\(text) result(void);")
    #expect(try declarations.functions["result"]?.types.text() == encoding)
  }

  @Test(
    "An expression whose type is not computed is an error that names it",
    arguments: TextTable.declarations.rows("Errors of expressions"))
  func errors(row: TextTable.Row) throws {
    let declarations = "struct s { int a, b : 3; }; "
    let error = try #require(throws: InvocationError.self) {
      try CDeclarations((row[0].contains("struct s") ? declarations : "") + "enum e { VALUE = \(row[0])")
    }
    #expect(error.reason.contains(row[1]), "\(error)")
  }

  @Test(
    "Built-in functions of constants",
    arguments: TextTable.declarations.rows("Built-in functions"))
  func builtins(row: TextTable.Row) throws {
    #expect(try CDeclarations("extern char c; enum { VALUE = \(row[0]) };").constants["VALUE"]?.int == Int(row[1]))
  }

  @Test("Infinity and NaN are constants")
  func infinity() throws {
    let constants = try CDeclarations("#define INFINITY (__builtin_inff ())\n#define NAN (__builtin_nanf (\"\"))\n").constants
    #expect(constants["INFINITY"]?.double == .infinity && constants["NAN"]?.double?.isNaN == true)
  }

  @Test("A constant variable of C23 has its value, in bounds and by name")
  func constantVariables() throws {
    let text = """
      constexpr int limit = 1'000 + 0B11; constexpr unsigned char small = 300 - 200; constexpr double half = .5, quarter = half / 2;
      constexpr struct { int x; } pair = { 1 }; static const int other = 3; char array[limit + small];
      """
    let declarations = try CDeclarations(text)
    #expect(declarations.constants["limit"]?.int == 1003 && declarations.constants["small"]?.int == 100)
    #expect(declarations.constants["quarter"]?.double == 0.25 && declarations.constants["pair"] == nil)
    #expect(declarations.constants["other"]?.int == 3)
    #expect(try declarations.variables["array"]?.encoding.size == 1103)
    #expect(throws: InvocationError.self) { try CDeclarations("const int n = 3; char a[n];") }
  }

  @Test("A static assertion that does not hold is an error, and one that is not computed is skipped")
  func assertions() throws {
    let good =
      "struct s { int a; _Static_assert(sizeof(int) == 4, \"size\"); }; static_assert(sizeof(struct s) == 4); _Static_assert(g(), \"\");"
    #expect(try CDeclarations(good + "int f(void);").functions.names == ["f"])
    for text in ["int f(void);\n_Static_assert(sizeof(int) == 5, \"size\");", "struct s { int a;\nstatic_assert(0); };"] {
      let error = try #require(throws: InvocationError.self) { try CDeclarations(text) }
      #expect(error.reason.contains("line 2, column 1: the assertion does not hold"), "\(error)")
    }
  }
}
