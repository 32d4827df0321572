@testable import DeclarationReading
import DynamicInvocation
import TestSupport
import Testing

@testable import CDeclarations

/// The types of expressions, which `sizeof`, `typeof` and `_Generic` compute, are those of C.
@Suite(.measured) struct DeclarationExpressionTests {
  private static let preamble = """
    struct inner { char c; short s[3]; }; struct s { struct inner in; double d; int b : 3; struct inner *next; char text[10]; };
    extern struct s one; extern const struct s *all[4]; extern char c; extern unsigned short us; extern long long ll; extern float f;
    double call(int); struct s make(void); enum e { A, BIG = 0x100000000 }; enum { ORDINARY = 3 };

    """

  @Test(
    "The size of an expression",
    arguments: [
      ("sizeof(((struct s *)0)->d)", 8), ("sizeof(((struct s *)0)->text)", 10), ("sizeof((*(struct s *)0).in.s)", 6), ("sizeof one", 48),
      ("sizeof one.in.s[0]", 2), ("sizeof(one.next->c)", 1), ("sizeof(all) / sizeof(all[0])", 4), ("sizeof(*all)", 8),
      ("sizeof(**all)", 48),
      ("sizeof(c)", 1), ("sizeof(+c)", 4), ("sizeof(c + us)", 4), ("sizeof(c + ll)", 8), ("sizeof(f * 2)", 4), ("sizeof(f * 2.0)", 8),
      ("sizeof(1 ? c : c)", 4), ("sizeof(call(1))", 8), ("sizeof(make().in)", 8), ("sizeof(&one)", 8), ("sizeof(c, c)", 1),
      ("sizeof(!ll)", 4),
      ("sizeof(ll == ll)", 4), ("sizeof(us << 40)", 4), ("sizeof(1L << 1)", 8), ("sizeof \"abc\" \"d\"", 5), ("sizeof L\"ab\"", 12),
      ("sizeof 'a'", 4), ("sizeof((char)1)", 1), ("sizeof(char){1}", 1), ("sizeof(struct inner){ 0 }.s", 6), ("sizeof 1.0L", 16),
      ("sizeof 1.0f", 4), ("sizeof(ORDINARY)", 4), ("sizeof(BIG)", 8), ("sizeof(all[1] - all[0])", 8), ("sizeof(one.text + 1)", 8),
      ("sizeof(sizeof(int))", 8), ("sizeof(&one.text)", 8), ("sizeof(0 ? one.text : (void *)0)", 8), ("sizeof(c = 3)", 1),
      ("_Alignof(one.in)", 2), ("__alignof__(((struct s *)0)->d)", 8), ("sizeof(true)", 1), ("sizeof(nullptr)", 8), ("sizeof(u8\"é\")", 3),
      ("sizeof __extension__ (c)", 1), ("sizeof(-1 ? 0x80000000 : 1)", 4), ("sizeof(u\"a\")", 4),
    ])
  func sizes(text: String, size: Int) throws {
    let declarations = try CDeclarations(Self.preamble + "enum { VALUE = \(text) };\n#define MACRO \(text)\n")
    #expect(declarations.constants["VALUE"]?.int == size)
    #expect(declarations.constants["MACRO"]?.int == size)
  }

  @Test(
    "A generic selection takes the expression of the type",
    arguments: [
      ("_Generic(1, int: 3, default: 4)", 3), ("_Generic(1L, int: 3, default: 4)", 4), ("_Generic(c, char: 1, int: 2)", 1),
      ("_Generic(+c, char: 1, int: 2)", 2), ("_Generic(one.text, char *: 5, default: 6)", 5),
      ("_Generic(\"x\", const char *: 1, char *: 2)", 2),
      ("_Generic(1.0f, double: 1, float: 2)", 2), ("_Generic(ll, long: 1, long long: 2)", 2),
      ("_Generic(1ull, unsigned long: 1, default: 2)", 2),
      ("_Generic(c + 1u, unsigned: 7)", 7), ("_Generic(&c, char *: 1, void *: 2)", 1),
      ("_Generic(call, double (*)(int): 1, default: 2)", 1),
      ("_Generic((const int)1, int: 1, default: 2)", 1), ("_Generic(all[0], const struct s *: 1, struct s *: 2)", 1),
      ("_Generic(1, default: g(1, 2), int: 2) + 1", 3), ("_Generic(1, int: _Generic(1u, int: 1, unsigned: 2), default: 3)", 2),
      ("_Generic(1 + 1.0, double: 1, default: 2)", 1), ("_Generic(ll + 1ul, unsigned long long: 1, unsigned long: 2)", 1),
      ("_Generic(1l + 1u, long: 1, default: 2)", 1),
    ])
  func selections(text: String, value: Int) throws {
    let declarations = try CDeclarations(Self.preamble + "enum { VALUE = \(text) }; char array[\(text)];")
    #expect(declarations.constants["VALUE"]?.int == value)
    #expect(try declarations.variables["array"]?.encoding.size == value)
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
    arguments: [
      ("sizeof(x)", "line 1, column 25: 'x' is not declared here"), ("sizeof(((struct s *)0)->y)", "'struct s' has no member 'y'"),
      ("sizeof(((struct s *)0)->b)", "'b' is a bit-field"), ("sizeof(1.x)", "'1.x' is not a number"),
      ("sizeof(*1)", "the operand is not a pointer"),
      ("sizeof(1())", "only a function is called"), ("sizeof(({ 1; }))", "a statement in an expression"),
      ("_Generic(1, long: 1)", "no type of the selection"), ("_Generic(1, int: 1", "expected ')', found the end"),
      ("__builtin_offsetof(struct s, b)", "'b' is a bit-field, which has no offset"),
      ("sizeof(struct later)", "an incomplete type has no size"),
    ])
  func errors(text: String, reason: String) throws {
    let declarations = "struct s { int a, b : 3; }; "
    let error = try #require(throws: InvocationError.self) {
      try CDeclarations((text.contains("struct s") ? declarations : "") + "enum e { VALUE = \(text)")
    }
    #expect(error.reason.contains(reason), "\(error)")
  }

  @Test(
    "Built-in functions of constants",
    arguments: [
      ("__builtin_types_compatible_p(int, const int)", 1), ("__builtin_types_compatible_p(int, long)", 0),
      ("__builtin_constant_p(3 + 4)", 1),
      ("__builtin_constant_p(c)", 0), ("__builtin_choose_expr(1, 5, g(1, 2))", 5), ("__builtin_choose_expr(0, g(1, 2), 6)", 6),
      ("__builtin_expect(7, 0)", 7),
    ])
  func builtins(text: String, value: Int) throws {
    #expect(try CDeclarations("extern char c; enum { VALUE = \(text) };").constants["VALUE"]?.int == value)
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
