@testable import DeclarationReading
import DynamicInvocation
import Foundation
import TestSupport
import Testing

@testable import CDeclarations

/// Attributes and pragmas that change a call, a layout or a type are honoured, or refuse what has them.
@Suite(.measured) struct RefusedAttributeTests {
  private static let changing = [
    "ms_abi", "vectorcall", "regcall", "swiftcall", "swiftasynccall", "preserve_all", "preserve_most", "preserve_none", "intel_ocl_bicc",
    "aarch64_vector_pcs", "aarch64_sve_pcs", "pcs(\"aapcs\")", "interrupt", "no_caller_saved_registers", "strub", "__ms_abi__",
    "some_new_thing(1, (2))", "nonnull, ms_abi, cold",
  ]

  /// The reason for which the function `f` has no types, if it has none.
  private func refusal(_ text: String, of name: String = "f") throws -> String? {
    let declarations = try CDeclarations(text)
    let function = try #require(declarations.functions[name])
    do {
      _ = try function.types
      return nil
    } catch {
      #expect(error.code == .unsupportedType)
      return error.reason
    }
  }

  @Test("A function with another convention is listed with the reason, wherever the attribute stands", arguments: changing)
  func conventions(attribute: String) throws {
    let name = attribute.contains("ms_abi") ? "ms_abi" : String(attribute.prefix { $0 != "(" })
    for text in [
      "A int f(int);", "int A f(int);", "int f(int) A;", "int *A f(int);", "int (A f)(int);", "typedef int fn(int) A; fn f;",
      "int f(int); A int f(int);", "A int f(int); int f(int x) { return x; }", "static inline A int f(int x) { return x; }",
      "int g(void), f(int) A, h(void);", "typedef int fn(int); fn f A;",
    ] {
      let reason = try refusal(text.replacing("A", with: "__attribute__((\(attribute)))"))
      #expect(reason?.contains("the attribute \(name)") == true, "\(text): \(reason ?? "read")")
    }
    // The other declarators of a declaration have it not.
    for other in ["g", "h"] { #expect(try refusal("int g(void), f(int) __attribute__((\(attribute))), h(void);", of: other) == nil) }
    for prefix in ["gnu", "__gnu__", "clang"] where !attribute.contains(",") {
      #expect(try refusal("[[\(prefix)::\(attribute)]] int f(int);")?.contains("the attribute \(name)") == true)
    }
  }

  @Test("A pointer to such a function is an address, and no closure is made from its type")
  func functionPointers() throws {
    for text in [
      "typedef int (A *fn)(int);", "typedef int (*A fn)(int);", "typedef int (*fn)(int) A;", "A typedef int (*fn)(int);",
      "typedef int A (*fn)(int);", "typedef int fn(int) A;", "typedef int (**fn)(int) A;",
    ] {
      let declarations = try CDeclarations(text.replacing("A", with: "__attribute__((ms_abi))") + " int f(fn *callback);")
      #expect(try declarations.functions["f"]?.types.text(options: .structNames).hasPrefix("i^") == true, "\(text)")
      let error = try #require(throws: InvocationError.self) { try Closure(declaration: "fn", in: declarations) { _ in } }
      #expect(error.reason.contains("ms_abi") || error.reason.contains("is no function"), "\(text): \(error)")
    }
    let stated = try #require(throws: InvocationError.self) {
      try MethodSignature(declaration: "int (__attribute__((ms_abi)) *callback)(int)")
    }
    #expect(stated.code == .unsupportedType && stated.reason.contains("ms_abi"))
    #expect(
      try refusal("int f(int (__attribute__((ms_abi)) *callback)(int), struct s { int (__attribute__((ms_abi)) *g)(void); } s);") == nil)
    for keyword in ["__vectorcall", "__regcall"] { #expect(try refusal("int \(keyword) f(int);")?.contains(keyword.dropFirst(2)) == true) }
    for keyword in ["__cdecl", "__stdcall", "__fastcall", "__thiscall"] {
      #expect(try CDeclarations("int \(keyword) f(int (\(keyword) *g)(void));").functions["f"]?.types.text() == "i^?")
    }
  }

  @Test(
    "What else is changed is refused by value, and a pointer to it is not",
    arguments: TextTable.declarations.rows("Refused layouts"))
  func layouts(row: TextTable.Row) throws {
    let text =
      "\(row[0]) int f(struct s); struct s g(void); int p(struct s *, struct s **); struct after { int x; }; int h(struct after);"
    for name in ["f", "g"] {
      let stated = try refusal(text, of: name)
      #expect(stated?.contains(row[1]) == true, "\(stated ?? "read")")
    }
    for name in ["p", "h"] { #expect(try refusal(text, of: name) == nil) }
    #expect(throws: InvocationError.self) { try CDeclarations(text).types["struct s"]?.encoding }
    #expect(throws: InvocationError.self) { try CDeclarations(text).function(declaration: "int f2(struct { struct s s; } t)").types }
  }

  @Test(
    "Parameters, results, typedefs, enums and variables are refused by value",
    arguments: TextTable.declarations.rows("Refused values"))
  func values(row: TextTable.Row) throws {
    let stated = try refusal(row[0])
    #expect(stated?.contains(row[1]) == true, "\(stated ?? "read")")
    #expect(throws: InvocationError.self) { try MethodSignature(declaration: "f", in: CDeclarations(row[0])) }
  }

  @Test("A pointer to what is refused by value is passed")
  func pointers() throws {
    for text in [
      "typedef int t __attribute__((unheard_of)); int f(t *);", "enum __attribute__((unheard_of)) e { E }; int f(enum e *);",
      "int f(__fp16 *);", "int f(int __seg_fs **);",
      "typedef float v __attribute__((ext_vector_type(3))); int f(v *);",
    ] + (Platform.hasFloat128 ? ["int f(__float128 (*)[2]);"] : []) {
      #expect(try CDeclarations(text).functions["f"]?.types.text() == "i^v", "\(text)")
    }
    #expect(try CDeclarations("struct s { char c; int __seg_gs *p; char d; };").constants["x"] == nil)
    #expect(try CDeclarations("struct s { char c; int __seg_gs *p; char d; }; enum { N = sizeof(struct s) };").constants["N"]?.int == 24)
  }

  // MARK: What is honoured

  private static let layouts = """
    struct a { char c; __declspec(align(16)) int x; }; struct __declspec(align(32)) b { char c; };
    struct c { char c; int x __attribute__((aligned(16))), y; }; struct d { char c; __attribute__((packed)) int x, y; };
    struct e { char c; int __attribute__((aligned(16))) *p; }; struct f { char c; int x[2] __attribute__((aligned(16))); };
    #pragma pack(push, 2)
    struct g { char c; double d; };
    #pragma unknown pack(8)
    #pragma pack(pop)
    #pragma ms_struct off
    #pragma scalar_storage_order default
    struct h { char c; double d; };
    """

  @Test("The compilers give the same alignments and packings", arguments: CCompiler.all.filter(\.available)) func aligned(
    compiler: CCompiler
  ) throws {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"]
    let source =
      Self.layouts + "\nlong sizes[] = {" + names.map { "sizeof(struct \($0)), _Alignof(struct \($0))" }.joined(separator: ", ") + "};\n"
    let flags = compiler == .clang ? ["-fdeclspec"] : ["-D__declspec(x)=__attribute__((x))", "-Dalign=aligned"]
    let library = try CompiledNumbers(path: compiler.sharedLibrary(source: source, flags: flags, name: "aligned"))
    let types = try CDeclarations(Self.layouts).types
    let read = try names.flatMap { name in [try types[name]?.encoding.size ?? 0, try types[name]?.encoding.alignment ?? 0] }
    #expect(try read == library.numbers("sizes", count: 2 * names.count))
  }

  @Test("A vector of clang's attribute is passed as one of gcc's")
  func extendedVectors() throws {
    let text = """
      typedef float f4 __attribute__((ext_vector_type(4))); typedef double d2 __attribute__((__ext_vector_type__(2)));
      typedef short s4 [[clang::ext_vector_type(4)]];
      struct holder { f4 v; d2 w; };
      f4 scale(f4 v, float by); d2 swap(d2 v); s4 add(s4 a, s4 b); struct holder hold(f4 v, d2 w);
      """
    let source =
      text.replacing("typedef short s4 [[clang::ext_vector_type(4)]]", with: "typedef short s4 __attribute__((ext_vector_type(4)))") + """

        f4 scale(f4 v, float by) { return v * by; } d2 swap(d2 v) { return v.yx; } s4 add(s4 a, s4 b) { return a + b; }
        struct holder hold(f4 v, d2 w) { struct holder h = {v, w}; return h; }
        """
    guard CCompiler.clang.available else { return }
    let declarations = try CDeclarations(text)
    let library = try DynamicLibrary(CCompiler.clang.sharedLibrary(source: source, name: "extended"), declarations: declarations)
    #expect(try declarations.functions["scale"]?.types.text() == "![16,16f]![16,16f]f")
    #expect(try declarations.types["struct holder"]?.encoding.size == 32)
    let values: SIMD4<Float> = [1, 2, 3, 4]
    let scaled: EncodedBytes = try library.function("scale")(EncodedBytes(values, as: declarations.encoding(ofType: "f4")), Float(2))
    #expect(try scaled.value(as: SIMD4<Float>.self) == [2, 4, 6, 8])
    let shorts = try EncodedBytes([1, 2, 3, 4] as SIMD4<Int16>, as: declarations.encoding(ofType: "s4"))
    let sum: EncodedBytes = try library.function("add")(shorts, shorts)
    #expect(try sum.value(as: SIMD4<Int16>.self) == [2, 4, 6, 8])
  }

  @Test("A pragma states the symbol of a name, before or after its declaration", arguments: CCompiler.all.filter(\.available))
  func renamed(compiler: CCompiler) throws {
    let text = """
      int before(int);
      #pragma redefine_extname before real_before
      #pragma redefine_extname after real_after
      int after(int);
      int labelled(int) __asm__("real_label");
      #pragma redefine_extname labelled other
      """
    let source =
      "int real_before(int x) { return x + 1; }\nint real_after(int x) { return x + 2; }\nint real_label(int x) { return x + 3; }\n"
    let declarations = try CDeclarations(text + "\n")
    let library = try DynamicLibrary(compiler.sharedLibrary(source: source, name: "renamed"), declarations: declarations)
    for (name, result) in [("before", Int32(11)), ("after", 12), ("labelled", 13)] {
      let value: Int32 = try library.function(name)(10)
      #expect(value == result)
    }
  }

  @Test("A definition of a macro that a pragma stored is the definition again")
  func pushedMacros() throws {
    let declarations = try CDeclarations(
      """
      #define A 1
      #pragma push_macro("A")
      #undef A
      #define A 2
      #pragma push_macro("A")
      #define A 3
      #pragma pop_macro("A")
      #define B A
      #pragma pop_macro( "A" )
      #pragma push_macro("C")
      #define C 4
      #pragma pop_macro("C")

      """)
    #expect(declarations.constants["A"]?.int == 1 && declarations.constants["C"] == nil)
  }
}
