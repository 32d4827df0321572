import CDeclarations
import DynamicInvocation
import TestSupport
import Testing

/// What is wrong in a declaration is said with its location.
@Suite(.measured) struct DeclarationErrorTests {
  @Test(
    "An error states the line, the column and what was expected",
    arguments: [
      ("int f(", "line 1, column 7: expected a type, found the end"), ("int f(int a, b c);", "line 1, column 14: 'b' is not a type"),
      ("int x\nint y;", "line 2, column 1: expected ';' or ',', found 'int'"), ("foo f(void);", "line 1, column 1: 'foo' is not a type"),
      ("f(int);", "expected a type before 'f'"), ("unsigned float x;", "the words before 'x' are not a type"),
      ("int float x;", "two types in one declaration"), ("struct s { int a; int a; };", "a member 'a' is declared already"),
      ("enum e { A, A };", "'A' is declared already at line 1, column 10"), ("enum e { };", "at least one enumerator"),
      ("struct s { int x : 40; };", "a bit-field of 40 bits does not fit int"),
      ("struct s { float x : 4; };", "a bit-field has an integer type"),
      ("struct s { int x : 0; };", "a bit-field of no bits has no name"), ("int a[-1];", "an array cannot have -1 elements"),
      ("int a[1 / 0];", "a division by zero"), ("int a[x];", "'x' is not a constant"), ("void v;", "a variable is not void"),
      ("int f(void)[3];", "a function cannot return an array"), ("int a[3](void);", "an array has no functions"),
      ("struct s { int a[]; int b; };", "'a' is an array without a number of elements"), ("int;", "the declaration declares nothing"),
      ("\"abc", "the literal is not closed"), ("/* x", "the comment is not closed"), ("int f(void) { if (x) {", "the '{' is not closed"),
      ("# 7 \"a.h\"\nint f(;", "a.h:7:7: expected a type, found ';'"), ("#include <x.h>", "#include is read by a preprocessor only"),
      ("#pragma pack(3)\nint x;", "a packing of 3"), ("typedef int t __attribute__((vector_size(3)));", "a vector cannot have 3 bytes"),
      ("int x __attribute__((mode(ZZ)));", "the machine mode ZZ is not known"), ("int a[0x];", "'0x' is not a number"),
      ("struct { int a : 1 } x;", "expected ';' or ',', found '}'"),
      ("int f(int a, char *a);", "line 1, column 20: a parameter 'a' is declared already"),
      ("static extern int f(void);", "line 1, column 8: 'extern' follows 'static'"),
      ("typedef static int t;", "'static' follows 'typedef'"),
      ("short short x;", "the words before 'x' are not a type"), ("unsigned unsigned x;", "the words before 'x' are not a type"),
      ("int restrict x;", "line 1, column 5: 'restrict' qualifies pointers only"),
      ("typedef int t = 3;", "line 1, column 15: a type has no value"),
      ("enum e : unsigned char { A = 256 };", "line 1, column 26: the value 256 of 'A' does not fit unsigned char"),
      ("enum e : unsigned char { A = 255, B };", "the value 256 of 'B' does not fit"),
      ("enum e : float { A };", "an enum has an integer type"),
      ("int x [[gnu::aligned(3)]];", "an alignment of 3 is not a power of two"),
      ("int x [[gnu::packed);", "expected an attribute or ']]', found ')'"),
      ("__auto_type x = 1;", "expected a type, found '__auto_type'"), ("int a[0b12];", "'0b12' is not a number"),
    ])
  func syntax(text: String, reason: String) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(text) }
    #expect(error.reason.contains(reason), "\(error)")
    #expect(error.code == .malformedDeclaration)
  }

  @Test(
    "Contradictions are errors",
    arguments: [
      "typedef int a; typedef long a;", "int f(int); double f(int);", "int f(int); int f(int, int);", "int x; typedef int x;",
      "struct s { int a; }; struct s { int a; };", "struct s { int a; }; union s;", "enum e { A }; struct e;", "enum e { A }; int A;",
      "enum e : unsigned char { A }; enum e { B };", "enum e : unsigned char { A }; enum e : short;",
      "enum e { A }; enum e : char { B };",
      "extern int a[3]; extern int a[4];", "_Float32 f(void); float f(void);", "long double f(void); _Float64x f(void);",
      "int f(char *); int f(const char *);", "int f(int, ...); int f(int);",
    ])
  func contradictions(text: String) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(text) }
    #expect(error.reason.contains("line 1, column"), "\(error)")
    #expect(error.reason.contains("already") || error.reason.contains("contradicts"), "\(error)")
  }

  @Test(
    "C++ and definitions as in K&R are named",
    arguments: [
      ("extern \"C\" { int f(void); }", "C++"), ("class A {};", "C++"), ("template <class T> T f(T);", "C++"), ("namespace x {}", "C++"),
      ("std::string f(void);", "C++"), ("int f(int &x);", "C++"), ("int f(int x = 3);", "C++"), ("struct s : t {};", "C++"),
      ("struct s { virtual int f(void); };", "C++"), ("enum class e { A };", "C++"), ("int f(a, b) int a, b; {}", "K&R"),
      ("int f() int a; {}", "K&R"), ("int f(void) noexcept;", "C++"), ("int f(void) -> int;", "C++"), ("int f(void) = 0;", "C++"),
      ("vector<int> f(void);", "C++"), ("struct s { s(); };", "C++"), ("struct s { ~s(); };", "C++"),
      ("struct s { public: int x; };", "C++"),
      ("int x{3};", "C++"), ("decltype(1) x;", "C++"), ("int f(int &&x);", "C++"), ("int f(a, b) { return a; }", "K&R"),
      ("int f(a) long a; { return 1; }", "K&R"), ("using t = int;", "C++"), ("struct s { int f() const { return 1; } };", "member"),
    ])
  func languages(text: String, word: String) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(text) }
    #expect(error.reason.contains(word), "\(error)")
  }

  @Test(
    "What cannot be passed is an error when it is used only",
    arguments: [
      ("int f(struct s);", "parameter 0: 'struct s' is incomplete"), ("union u f(void);", "return value: 'union u' is incomplete"),
      ("int f();", "declared with (void)"),
      ("struct s { _Decimal64 d; }; int f(int, struct s);", "parameter 1: member 'd' of 'struct s': _Decimal64"),
      ("enum e; int f(enum e);", "parameter 0: 'enum e' is incomplete"),
      ("__attribute__((overloadable)) int f(int); __attribute__((overloadable)) int f(double);", "the attribute overloadable"),
    ] + (Platform.hasFloat128 ? [("int f(__float128);", "parameter 0: __float128 has no type encoding")] : []))
  func unusable(text: String, reason: String) throws {
    let declarations = try CDeclarations(text + " int ok(struct s *, int);")
    #expect(try declarations.functions["ok"]?.types.arguments.count == 2)
    let function = try #require(declarations.functions["f"])
    let error = try #require(throws: InvocationError.self) { try function.types }
    #expect(error.reason.contains(reason) && error.reason.contains("f("), "\(error)")
  }

  @Test(
    "Nesting and sizes are bounded",
    arguments: [
      "int " + String(repeating: "(", count: 10_000) + "x", "int " + String(repeating: "*", count: 10_000) + "x;",
      "int a[" + String(repeating: "(", count: 10_000) + "1", "int a" + String(repeating: "[1]", count: 10_000) + ";",
      String(repeating: "struct {", count: 10_000), "int f" + String(repeating: "(int (*)", count: 10_000), "int a[1 << 30][1 << 30];",
      "struct s { char a[2147483647]; char b; };", "int a[" + String(repeating: "-", count: 10_000) + "1];",
      "int a[" + String(repeating: "1 ? ", count: 10_000) + "1];", String(repeating: "typeof(", count: 10_000),
    ])
  func bounds(text: String) throws {
    // Debug builds need more of the stack than a thread of a pool has.
    let error = onLargeStack { () -> InvocationError? in
      do throws(InvocationError) {
        _ = try CDeclarations(text)
        return nil
      } catch {
        return error
      }
    }
    #expect(error?.code == .limitExceeded, "\(error as Any)")
    #expect((error?.description.utf8.count ?? 0) < 1_000)
  }

  @Test("A type of too many parts is an error when it is used")
  func parts() throws {
    var text = "struct s0 { char a; };"
    for index in 1...24 { text += "struct s\(index) { struct s\(index - 1) a, b; };" }
    let declarations = try CDeclarations(text + "void f(struct s24); void g(struct s24 *);")
    #expect(throws: InvocationError.self) { try declarations.functions["f"]?.types }
    #expect(try declarations.functions["g"]?.types.text() == "v^{s24}")
  }

  @Test("A macro that refers to itself or grows without end is not a constant")
  func macros() throws {
    var text = "#define A B\n#define B A\n#define X0 1\n#define F(x) F(x)\n#define G F(1)\n"
    for index in 1...40 { text += "#define X\(index) X\(index - 1)+X\(index - 1)\n" }
    let declarations = try CDeclarations(text)
    #expect(declarations.constants["A"] == nil && declarations.constants["X40"] == nil && declarations.constants["G"] == nil)
    #expect(declarations.constants["X4"]?.int == 16)
  }
}
