import DynamicInvocation
import Testing

/// Enumerators and macros have the values that C gives them.
@Suite struct DeclarationConstantTests {
  @Test(
    "Constant expressions",
    arguments: [
      ("1 + 2 * 3", 7), ("(1 << 4) | 2 & ~1", 18), ("-7 / 2", -3), ("-7 % 3", -1), ("1 ? 2 : 3 / 0", 2), ("0 && 1 / 0", 0),
      ("0x10 + 010 + 0b11", 27), ("'a'", 97), ("'\\n' + '\\x41' + '\\101'", 140), ("'ab'", 24930), ("sizeof(int)", 4),
      ("sizeof(struct { char c; double d; })", 16), ("_Alignof(double)", 8), ("sizeof \"abc\"", 4), ("(unsigned char)300", 44),
      ("(signed char)200", -56), ("-1 > 0u", 1), ("-1 > 0", 0), ("1u - 2 > 0", 1), ("(int)3.9", 3), ("!0 == 1", 1), ("10 >> 1 >> 1", 2),
      ("1 == 1 != 0", 1), ("__builtin_offsetof(struct { char c; struct { int a[4]; } s; }, s.a[2])", 12), ("2147483647 + 0", 2147483647),
      ("0xffffffff > 0", 1), ("1'000", 1000), ("A + 1", 6), ("(enum e)3", 3), ("sizeof(void *) * 2", 16), ("0 ?: 4", 4),
    ])
  func expressions(text: String, value: Int) throws {
    let declarations = try CDeclarations("enum e { A = 5 }; enum { VALUE = \(text) };\n#define MACRO \(text)\n")
    #expect(declarations.constants["VALUE"]?.int == value)
    #expect(declarations.constants["MACRO"]?.int == value)
  }

  @Test("Macros of each kind")
  func macros() throws {
    let declarations = try CDeclarations(
      """
      typedef void (*destructor)(void *);
      #define PI 3.14159
      #define HALF .5f
      #define EXPONENT 1e3
      #define HEX 0x1p4
      #define TEXT "3." "40" "\\n"
      #define NAME(x) #x
      #define QUOTED NAME(a b)
      #define GLUE(a, b) a ## b
      #define LONG GLUE(1, UL)
      #define BIG 18446744073709551615ull
      #define TRANSIENT ((destructor)-1)
      #define BEFORE 1 + 1
      #define AFTER BEFORE * 2
      #define CALL printf("x")
      #define EMPTY
      #define GONE 1
      #undef GONE
      #define MAX(a, b) ((a) > (b) ? (a) : (b))
      #define LARGER MAX(3, MAX(9, 4))
      """)
    let constants = declarations.constants
    #expect(constants["PI"] == .floatingPoint(3.14159) && constants["HALF"] == .floatingPoint(0.5))
    #expect(constants["EXPONENT"]?.double == 1000 && constants["HEX"]?.double == 16)
    #expect(constants["TEXT"]?.string == "3.40\n" && constants["QUOTED"]?.string == "a b")
    #expect(constants["LONG"] == .unsigned(1) && constants["BIG"] == .unsigned(.max))
    #expect(constants["TRANSIENT"] == .address(.max))
    #expect(constants["AFTER"]?.int == 3 && constants["LARGER"]?.int == 9)
    for name in ["CALL", "EMPTY", "GONE", "MAX", "ABSENT"] { #expect(constants[name] == nil) }
    #expect(constants.macros.contains("PI") && !constants.macros.contains("MAX"))
  }

  @Test("Enumerators count on, and are in the order of their declarations")
  func enumerators() throws {
    let declarations = try CDeclarations("enum { A, B = 10, C, D = -2, E }; enum { F = 0x7fffffff, G }; enum { H = 'x' };")
    #expect(declarations.constants.enumerators.map { declarations.constants[$0]?.int } == [0, 10, 11, -2, -1, 2147483647, 2147483648, 120])
  }
}
