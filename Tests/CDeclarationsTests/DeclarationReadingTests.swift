@testable import DeclarationReading
import TestSupport
import Testing

@testable import CDeclarations
import DynamicInvocation

extension TextTable {
  static let declarations = TextTable("declarations.txt")
}

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
    "The types of a function", arguments: ["Base types", "Declarators", "Structs, unions and enums"].flatMap(TextTable.declarations.rows))
  func types(row: TextTable.Row) throws {
    #expect(try Self.types(row[0]) == row[1])
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
    for text in ["point f(void); int g(void)", "int x", "int f(int), g(int)", "point f(void), f(void);", "int (*f)(int), x"] {
      #expect(throws: InvocationError.self, "\(text)") { try declarations.function(declaration: text) }
      #expect(throws: InvocationError.self, "\(text)") { try Closure(declaration: text, in: declarations) { _ in } }
    }
    #expect(throws: InvocationError.self) { try declarations.variable(declaration: "int x, y") }
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
