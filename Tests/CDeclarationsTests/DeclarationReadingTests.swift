@testable import DeclarationReading
import TestSupport
import Testing

@testable import CDeclarations
import DynamicInvocation

/// Declarations become the encodings that clang writes.
@Suite(.measured) struct DeclarationReadingTests {
  private static func fields(_ type: TypeEncoding) -> [TypeEncoding.Field] {
    switch type.kind {
    case .structure(let record), .union(let record): record.fields ?? []
    default: []
    }
  }

  private static func types(_ declaration: String) throws -> String {
    let declarations = try CDeclarations(source: Array(declaration.utf8), target: .x86_64)
    let name = try #require(declarations.functions.names.last)
    return try #require(declarations.functions[name]).types.text(dialect: .gnu, options: [.structNames, .qualifiers])
  }

  @Test(
    "Base types, in each spelling",
    arguments: [
      ("void f(void);", "v"), ("char f(signed char, unsigned char);", "ccC"),
      ("short f(short int, unsigned short, int short unsigned);", "ssSS"),
      ("int f(signed, unsigned, unsigned int);", "iiII"), ("long f(long int, unsigned long, long unsigned int);", "qqQQ"),
      ("long long f(unsigned long long, long int long);", "qQq"), ("float f(double, long double);", "fdD"),
      ("_Bool f(bool);", "BB"), ("__int128 f(unsigned __int128, __int128_t, __uint128_t);", "tTtT"),
      ("_Complex double f(float _Complex, _Complex);", "jdjfjd"), ("size_t f(int8_t, uint16_t, int32_t, uint64_t, intptr_t);", "QcSiQq"),
      ("wchar_t f(ptrdiff_t);", "iq"), ("_Float32 f(_Float64, _Float32x, _Float64x);", "fddD"),
      ("typedef float _Float32; typedef _Complex float __cfloat32; _Float32 f(__cfloat32);", "fjf"),
    ])
  func baseTypes(declaration: String, types: String) throws {
    #expect(try Self.types(declaration) == types)
  }

  @Test(
    "Declarators",
    arguments: [
      ("const char *f(char *, const void *, void **);", "r**r^v^^v"), ("int f(const char *const *);", "ir^*"),
      ("int f(int (*)(int), int (int), char **argv);", "i^?^?^*"), ("void (*signal(int, void (*)(int)))(int);", "^?i^?"),
      ("int f(int a[], int b[3], int c[2][4], const int d[static 2]);", "i^i^i^[4i]r^i"),
      ("void f(int n, int a[n], int b[n][n + 1], int c[*]);", "vi^i^i^i"),
      ("void f(int n, int (*a)[n], int b[3][n], int c[n][3]);", "vi^i^i^[3i]"),
      ("void f(int n, int (*a)[n][4], int *b[n][n], int a2[static n][*][2], int (*c[n])[4]);", "vi^[4i]^^i^[2i]^^[4i]"),
      ("int f(const char *a, signed char *b, const unsigned char *c, uint8_t **d, unsigned char e[n]);", "ir*^cr^C^^C^C"),
      ("struct s { char *a; uint8_t *b; int8_t c[4]; }; void f(struct s);", "v{s=*^C[4c]}"), ("const uint8_t *f(char8_t *);", "r^C^C"),
      ("int (f)(int x, ...);", "ii"),
      ("typedef int fn(double); fn f;", "id"), ("typedef char *text; void f(const text, text const *);", "vr*^*"),
      ("int *const restrict f(volatile int *__restrict p) __attribute__((nonnull));", "^i^i"),
      ("int f(struct later *); struct later { int x; };", "i^{later=i}"), ("struct s *f(struct s **);", "^{s=}^^{s}"),
      ("void f(_Atomic int, _Atomic(long) *);", "vAi^Aq"), ("int f(va_list);", "i^{__va_list_tag=II^v^v}"),
      ("static inline int f(int x) { if (x) { return '}'; } return \"}\"[0]; }", "ii"),
      ("extern int f(int) __asm__(\"g\") __attribute__((__nothrow__ , __leaf__)), h;", "ii"),
      ("typedef float v4 __attribute__((vector_size(16))); v4 f(v4);", "![16,16f]![16,16f]"),
      ("typedef int word __attribute__((mode(DI))); word f(unsigned int __attribute__((__mode__(__QI__))));", "qC"),
      ("__extension__ typedef __typeof__(sizeof(int)) size; void f(__typeof__(int *) x);", "v^i"),
      ("[[nodiscard]] int f([[maybe_unused]] int x);", "ii"), ("int f(...);", "i"), ("void f(int (^)(int));", "v@?"),
      ("typedef int foo; struct s { foo foo; }; foo f(foo foo, struct s);", "ii{s=i}"),
      ("typedef unsigned char id[16]; const id *f(const id, const char (*)[3]);", "r^[16C]r^Cr^[3c]"),
      ("typedef const char row[3]; void f(row *, const char (**)[3], const char *(*)[3]);", "vr^[3c]r^^[3c]^[3*]"),
      ("void f(char *const (*)[3]);", "vr^[3*]"),
    ])
  func declarators(declaration: String, types: String) throws {
    #expect(try Self.types(declaration) == types)
  }

  @Test(
    "Structs, unions and enums",
    arguments: [
      ("struct point { double x, y; }; struct point f(struct point *);", "{point=dd}^{point=dd}"),
      ("typedef union { int i; float f[4]; } u; u f(void);", "(?=i[4f])"),
      (
        "struct node { struct node *next; int (*call)(int); char name[8]; char tail[]; }; void f(struct node *);",
        "v^{node=^{node}^?[8c][0c]}"
      ),
      ("struct b { int a : 3; unsigned : 0; unsigned c : 7; _Bool d : 1; }; void f(struct b);", "v{b=b0i3b32I0b32I7b39B1}"),
      ("struct o { struct { int a; }; union { int b; float c; } u; }; void f(struct o);", "v{o={?=i}(?=if)}"),
      ("enum e { A, B = -1 }; enum e f(enum e *);", "i^i"), ("enum big { M = 0xffffffff }; enum big f(enum big);", "II"),
      ("enum huge { H = 1ull << 40 }; void f(enum huge);", "vQ"), ("enum __attribute__((packed)) small { S }; void f(enum small);", "vC"),
      ("enum fixed : unsigned char { F }; void f(enum fixed);", "vC"), ("enum fixed : uint16_t; void f(enum fixed);", "vS"),
      ("typedef enum X : long X; enum X : long { A, B }; X f(enum X);", "qq"),
      ("typedef enum X : uint8_t X; enum X : uint8_t { A }; void f(X);", "vC"),
      ("typedef enum : unsigned short { A } X; struct s { enum X2 : char X2; X x; }; enum X2 : char { C }; void f(X);", "vS"),
      ("enum e { E }; struct u { enum e : 4; enum e x : 4; }; void f(struct u);", "v{u=b0I4b4I4}"),
      ("struct o { struct t { int a; }; union u; int b; }; struct t f(struct o);", "{t=i}{o=i}"),
      ("typedef struct { int a; } t; struct o { t; int b; }; void f(struct o);", "v{o=i}"),
      ("struct o { struct __attribute__((packed)) { char c; int i; }; }; void f(struct o);", "v{o={?=ci}}"),
      ("typedef union { int *i; float *f; } any __attribute__((transparent_union)); void f(any);", "v^i"),
    ])
  func records(declaration: String, types: String) throws {
    #expect(try Self.types(declaration) == types)
  }

  @Test("A char is unsigned on AArch64 Linux")
  func aarch64() throws {
    let declarations = try CDeclarations(source: Array("char f(wchar_t, va_list);".utf8), target: .aarch64)
    #expect(
      try declarations.functions["f"]?.types.text(dialect: .gnu, options: .structNames) == "CI{__va_list=^v^v^vii}")
  }

  @Test("Attributes and pragmas decide the layout")
  func layout() throws {
    let declarations = try CDeclarations(
      """
      struct __attribute__((packed)) packed { char c; int i; };
      struct wide { char c; int i __attribute__((aligned(16))); };
      struct mixed { char c; int i __attribute__((packed)); };
      #pragma pack(push, 2)
      struct two { char c; double d; };
      #pragma pack(pop)
      struct after { char c; double d; };
      typedef struct { char c; } over __attribute__((aligned(32)));
      struct holder { char c; over o; };
      struct [[gnu::packed]] standard { char c; int i; };
      struct member { char c; [[gnu::packed]] int i; short s [[__gnu__::__aligned__(16)]]; };
      struct [[deprecated("x"), gnu::designated_init]] ignored { char c; int i; };
      _Alignas(64) extern int unrelated;
      """)
    func layout(_ name: String) throws -> [Int] {
      let type = try #require(declarations.types[name]).encoding
      return [type.size ?? -1, type.alignment ?? -1, Self.fields(type).last?.offset ?? -1]
    }
    #expect(try layout("packed") == [5, 1, 1])
    #expect(try layout("wide") == [32, 16, 16])
    #expect(try layout("mixed") == [5, 1, 1])
    #expect(try layout("two") == [10, 2, 2])
    #expect(try layout("after") == [16, 8, 8])
    #expect(try layout("standard") == [5, 1, 1])
    #expect(try layout("member") == [32, 16, 16])
    #expect(try layout("ignored") == [8, 4, 4])
    #expect(try layout("holder") == [64, 32, 32])
    // Types that differ in their layout only are different types.
    let packed = try #require(declarations.types["struct packed"]).encoding
    #expect(try packed == TypeEncoding("{packed=\(Platform.char)i}").packed() && packed != TypeEncoding("{packed=\(Platform.char)i}"))
    let wide = try #require(declarations.types["struct wide"]).encoding
    #expect(wide != "{wide=ci}" && wide.layoutOverride?.description == "32 bytes aligned to 16, as declared")
    #expect(throws: InvocationError.self) { try wide.packed() }
  }

  @Test("Redeclarations add to each other")
  func redeclarations() throws {
    let declarations = try CDeclarations(
      """
      typedef struct s s; typedef struct s s; int f(); int f(s *, int); int f(s *, const int);
      struct s { int x; }; extern int a[]; extern int a[4];
      """)
    #expect(try declarations.functions["f"]?.types.text(dialect: .gnu, options: .structNames) == "i^{s=i}i")
    #expect(try declarations.variables["a"]?.encoding.size == 16)
  }

  @Test("A function knows its symbol, its parameters and its declaration")
  func functions() throws {
    let declarations = try CDeclarations("extern int\n  scan(const char *format, ...) __asm__(\"__isoc99_scan\");\nstatic int own(int);")
    let scan = try #require(declarations.functions["scan"])
    #expect(scan.symbol == "__isoc99_scan" && scan.isVariadic && !scan.isStatic && scan.parameterNames == ["format"])
    #expect(scan.declaration == "extern int scan(const char *format, ...) __asm__(\"__isoc99_scan\");")
    #expect(declarations.functions["own"]?.isStatic == true)
    #expect(declarations.functions.names == ["scan", "own"] && declarations.functions["absent"] == nil)
  }

  @Test("A declaration may use the types of others, and is not stored")
  func single() throws {
    let declarations = try CDeclarations("typedef struct { int x; } point;")
    for _ in 0..<2 {
      #expect(
        try declarations.function(declaration: "point f(struct tag { point p; } t)").types.text(dialect: .gnu, options: .structNames)
          == "{?=i}{tag={?=i}}")
    }
    #expect(declarations.functions["f"] == nil)
    #expect(try declarations.encoding(ofType: "point[4]").size == 16)
    #expect(throws: InvocationError.self) { try declarations.function(declaration: "point f(void); int g(void)") }
    #expect(throws: InvocationError.self) { try declarations.function(declaration: "int x") }
  }

  @Test("The name of a typedef and an incomplete struct are encoded as by clang, and without a size")
  func namedTypes() throws {
    let declarations = try CDeclarations("typedef const void *voidpc; typedef struct handle handle; handle *open(voidpc);")
    #expect(try declarations.types["voidpc"]?.encoding.text(dialect: .gnu) == "^v")
    let handle = try #require(declarations.types["handle"]).encoding
    #expect(handle.size == nil && handle.description == "{handle}")
    #expect(try declarations.functions["open"]?.types.text() == "^{handle=}^v")
  }

  @Test("Macros, pragmas and types of a text are read together")
  func mixed() throws {
    let text = """
      #define LIMIT (BASE + 2)
      #define BASE 40
      #define TWICE(x) (2 * (x))
      typedef struct a a; typedef struct b { a *next; } b; struct a { b first; int x[LAST]; };
      """
      .replacing("LAST", with: "3")
    let more =
      "enum { ONE = 1, TWO = ONE + 1 }; #pragma pack(1)\nstruct c { char c; a a; };\nint f(struct c, b *); static inline int g(int x) { return x; }"
    let declarations = try CDeclarations(text + "\n" + more.replacing("; #pragma", with: ";\n#pragma"))
    #expect(declarations.functions.names == ["f", "g"])
    #expect(declarations.functions["f"]?.declaration == "int f(struct c, b *);")
    #expect(try declarations.functions["f"]?.types.arguments.map(\.size) == [25, 8])
    #expect(try declarations.functions["g"]?.types.text() == "ii")
    #expect(try declarations.types["c"]?.encoding.size == declarations.types["struct c"]?.encoding.size)
    let constants = declarations.constants
    #expect(constants["LIMIT"]?.int == 42 && constants["TWO"]?.int == 2 && constants["TWICE"] == nil)
  }

  @Test("The text of a function names a pointer by its typedef, on which its encoding depends")
  func texts() throws {
    let declarations = try CDeclarations(
      """
      typedef struct { int x; } value;
      typedef const value *reader;
      reader f(reader, const value *, void (*)(reader), const reader, value *restrict);
      """)
    let texts = try #require(declarations.texts(ofFunction: "f"))
    #expect(texts.function == "reader (reader, const value *, void (*)(reader), const reader, value *restrict)")
    #expect(texts.parts == ["reader", "reader", "const value *", "void (*)(reader)", "const reader", "value *restrict"])
  }
}
