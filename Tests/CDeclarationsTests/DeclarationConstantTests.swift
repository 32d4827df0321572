import CDeclarations
import DynamicInvocation
import TestSupport
import Testing

/// Enumerators and macros have the values that C gives them.
@Suite(.measured) struct DeclarationConstantTests {
  @Test(
    "Constant expressions",
    arguments: TextTable.declarations.rows("Constant expressions"))
  func expressions(row: TextTable.Row) throws {
    let declarations = try CDeclarations("enum e { A = 5 }; enum { VALUE = \(row[0]) };\n#define MACRO \(row[0])\n")
    #expect(declarations.constants["VALUE"]?.int == Int(row[1]))
    #expect(declarations.constants["MACRO"]?.int == Int(row[1]))
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

  @Test("An enumerator that fits is an int, and another has the type of its value until the enum is complete")
  func enumeratorTypes() throws {
    let declarations = try CDeclarations(
      "enum { A = 1u, B = A - 2 < 0, C = 0x80000000L, D = C - 0x80000001L < 0, E = sizeof(C) }; enum { F = sizeof(C), G = ~0xffffffffu };")
    #expect(["B", "D", "E", "F", "G"].map { declarations.constants[$0]?.int } == [1, 1, 8, 4, 0])
    #expect(declarations.constants["A"] == .integer(1) && declarations.constants["C"] == .unsigned(0x8000_0000))
  }

  @Test("A text of other elements or of other bytes than UTF-8 is no constant")
  func texts() throws {
    let declarations = try CDeclarations(
      #"""
      #define A u"a"
      #define B "\300\301"
      #define C "a" L"b"
      #define D u8"\xc3\xa9" "\x62"
      #define E ("a" "b")
      static const char F[] = "\xff";
      """#)
    for name in ["A", "B", "C", "F"] { #expect(declarations.constants[name] == nil) }
    #expect(declarations.constants["D"]?.string == "éb" && declarations.constants["E"]?.string == "ab")
  }

  @Test("Enumerators count on, and are in the order of their declarations")
  func enumerators() throws {
    let declarations = try CDeclarations("enum { A, B = 10, C, D = -2, E }; enum { F = 0x7fffffff, G }; enum { H = 'x' };")
    #expect(declarations.constants.enumerators.map { declarations.constants[$0]?.int } == [0, 10, 11, -2, -1, 2147483647, 2147483648, 120])
  }

  private static let floating = TextTable.declarations.rows("Floating-point expressions").map { $0[0] }

  @Test("Floating-point numbers are rounded to their type after each operation, as the compilers do", arguments: CCompiler.all)
  func rounding(compiler: CCompiler) throws {
    var source = "void values(long *out) {\n  double value;\n"
    var macros = ""
    for (index, text) in Self.floating.enumerated() {
      source += "  value = (\(text)); __builtin_memcpy(out + \(index), &value, 8);\n"
      macros += "#define V\(index) (\(text))\n"
    }
    let library = try CompiledNumbers(path: compiler.sharedLibrary(source: source + "}\n", name: "rounding"))
    let expected = try library.measured(by: "values", count: Self.floating.count)
    let constants = try CDeclarations(macros).constants
    for (index, text) in Self.floating.enumerated() {
      let value = Double(bitPattern: UInt64(bitPattern: Int64(expected[index])))
      #expect(constants["V\(index)"]?.double == value, "\(text)")
    }
  }

  @Test(
    "A number that a double cannot hold is no constant, and never infinity",
    arguments: TextTable.declarations.rows("Beyond double"))
  func beyondDouble(row: TextTable.Row) throws {
    let declarations = try CDeclarations(
      "#define LDBL_MAX 1.18973149535723176502e+4932L\n#define VALUE \(row[0])\nstatic const long double V = \(row[0]);\n")
    #expect(declarations.constants["VALUE"] == nil)
    if !row[0].contains("128"), !row[0].contains("ffff") { #expect(declarations.constants["V"] == nil) }
  }

  @Test(
    "The least and the greatest numbers of the types are constants",
    arguments: TextTable.declarations.rows("Extremes"))
  func extremes(row: TextTable.Row) throws {
    #expect(try CDeclarations("#define DBL (1e308 * 10)\n#define VALUE \(row[0])\n").constants["VALUE"]?.double == Double(row[1]))
  }

  private static let variables = """
    static const unsigned long long a = 0xffffffffffffffffULL; const int b = -3, c = 4 * sizeof(int); static const unsigned char d = 300;
    enum e { E = 5 }; static const enum e f = E; static const double g = .5; const float h = 0.1f; static const short i = (1 << 3) | 2;
    typedef const long constant; static constant j = 1L << 40; static int const k = 'x'; extern const int l; const int l = 7;
    static const _Bool m = 12; static const unsigned n = -1; static __inline int o(void) { return 3; } static const int64_t p = INT64_MIN;
    """

  @Test("A constant variable has the value that the compilers give it", arguments: CCompiler.all.filter(\.available))
  func constantVariables(compiler: CCompiler) throws {
    let text = Self.variables.replacing("int64_t p = INT64_MIN", with: "long p = (-9223372036854775807L - 1)")
    let names = ["a", "b", "c", "d", "f", "g", "h", "i", "j", "k", "l", "m", "n", "p"]
    var source = text + "\nvoid values(long *out) {\n"
    for (index, name) in names.enumerated() {
      source +=
        "  if (\(name) != (long)\(name)) { double x = \(name); __builtin_memcpy(out + \(index), &x, 8); } else out[\(index)] = (long)\(name);\n"
    }
    let library = try CompiledNumbers(path: compiler.sharedLibrary(source: source + "}\n", name: "variables"))
    let measured = try library.measured(by: "values", count: names.count)
    let declarations = try CDeclarations(text)
    for (name, expected) in zip(names, measured) {
      switch declarations.constants[name] {
      case .integer(let value): #expect(Int(value) == expected, "\(name)")
      case .unsigned(let value): #expect(Int(bitPattern: UInt(value)) == expected, "\(name)")
      case .floatingPoint(let value): #expect(value == Double(bitPattern: UInt64(bitPattern: Int64(expected))), "\(name)")
      default: Issue.record("\(name) is no constant")
      }
    }
    #expect(declarations.constants["a"] == .unsigned(.max) && declarations.constants["o"] == nil)
  }

  @Test("A constant text is one, and a variable that may change is no constant")
  func constantTexts() throws {
    let declarations = try CDeclarations(
      """
      static const char name[] = "a" "b\\n", *const other = "c", short_one[2] = "xyz"; const char *changing = "d"; int number = 3;
      static const volatile int port = 4; static const unsigned char bytes[] = "e"; static const int list[] = {1, 2};
      static const struct { int x; } record = {1}; static const char *const table[] = {"f"}; static const void *const nowhere = (void *)-1;
      static const wchar_t wide[] = L"g"; static const int computed = call(2), after = 6;
      """)
    let constants = declarations.constants
    #expect(constants["name"]?.string == "ab\n" && constants["other"]?.string == "c" && constants["short_one"]?.string == "xy")
    #expect(constants["nowhere"] == .address(.max) && constants["after"]?.int == 6)
    for name in ["changing", "number", "port", "bytes", "list", "record", "table", "wide", "computed"] {
      #expect(constants[name] == nil, "\(name)")
    }
    #expect(declarations.variables.names.contains("name") && declarations.variables.names.contains("after"))
  }

  @Test("The size of an array is computed in the type of its expression")
  func arraySizes() throws {
    let type = try #require(try CDeclarations("struct s { char a[(int)(16777216.0f + 1 - 16777216.0f) + 1]; };").types["s"])
    #expect(try type.encoding.size == 1)
  }

  @Test(
    "Arithmetic whose result depends on the compiler is no constant",
    arguments: TextTable.declarations.rows("Uncertain arithmetic"))
  func uncertain(row: TextTable.Row) throws {
    #expect(try CDeclarations("#define VALUE (\(row[0]))\n").constants["VALUE"] == nil)
  }

  @Test(
    "Numbers of these types are constants without arithmetic",
    arguments: TextTable.declarations.rows("Numbers without arithmetic"))
  func wide(row: TextTable.Row) throws {
    #expect(try CDeclarations("#define VALUE (\(row[0]))\n").constants["VALUE"]?.double == Double(row[1]))
  }
}
