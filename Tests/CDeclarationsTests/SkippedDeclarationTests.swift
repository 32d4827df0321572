@testable import DeclarationReading
import DynamicInvocation
import TestSupport
import Testing

@testable import CDeclarations

/// A declaration of a header that cannot be read does not affect the others.
@Suite(.measured) struct SkippedDeclarationTests {
  private func read(_ text: String) throws -> CDeclarations { try CDeclarations(source: Array(text.utf8), skipsFailures: true) }

  @Test(
    "One declaration is skipped, with its location and the reason",
    arguments: TextTable.declarations.rows("Skipped declarations"))
  func skipped(row: TextTable.Row) throws {
    let declarations = try read("# 1 \"a.h\"\nint first(int);\n\(row[0])\nint last(double);\n")
    #expect(try declarations.functions["first"]?.types.text() == "ii")
    #expect(try declarations.functions["last"]?.types.text() == "id")
    #expect(declarations.functions["bad"] == nil)
    #expect(declarations.skipped.count == 1)
    let skipped = try #require(declarations.skipped.first)
    #expect(skipped.error.reason.hasPrefix("a.h:") && skipped.error.reason.contains(row[1]), "\(skipped)")
    #expect(skipped.description == skipped.error.reason && skipped.error.code == .malformedDeclaration)
  }

  @Test("A function that uses a skipped type is an error when it is used")
  func dependents() throws {
    let declarations = try read("struct bad { foo x; };\nint byValue(struct bad);\nint byPointer(struct bad *);\n")
    #expect(throws: InvocationError.self) { try declarations.functions["byValue"]?.types }
    #expect(try declarations.functions["byPointer"]?.types.text() == "i^{bad=}")
  }

  @Test("A vector of a type without an encoding is no error until it is passed by value")
  func vectors() throws {
    let declarations = try CDeclarations(
      "typedef __bf16 vector __attribute__((vector_size(16))); struct s { char c; vector v; }; vector f(vector); int g(vector *);")
    #expect(throws: InvocationError.self) { try declarations.functions["f"]?.types }
    #expect(try declarations.functions["g"]?.types.text() == "i^v")
  }

  @Test("Attributes of C23, _BitInt and char8_t are read")
  func newWords() throws {
    let declarations = try CDeclarations(
      "int f [[gnu::pure]] (int x [[maybe_unused]], char8_t); [[nodiscard]] int a [[maybe_unused]] [2]; unsigned _BitInt(7) g(void); int h(_BitInt(9) *);"
        + "struct s { _BitInt(9) b; char c; };")
    #expect(try declarations.functions["f"]?.types.text() == "iiC" && declarations.functions["h"]?.types.text() == "i^v")
    #expect(try declarations.variables["a"]?.encoding.size == 8)
    #expect(throws: InvocationError.self) { try declarations.functions["g"]?.types }
    #expect(try CDeclarations("struct s { _BitInt(9) b; char c; }; char a[sizeof(struct s)];").variables["a"]?.encoding.size == 4)
  }

  @Test("Each qualifier of a pointer is in the text of a type")
  func qualifiers() throws {
    let text = "long f(char *restrict *, const int *const volatile restrict)"
    let declarations = try CDeclarations(text + ";")
    #expect(declarations.texts(ofFunction: "f")?.function == "long (char *restrict *, const int *const volatile restrict)")
    #expect(try CDeclarations(text + "; long f(char **, const int *);").functions.names == ["f"])
  }

  @Test("The packing after a skipped declaration is what the pragmas state")
  func packing() throws {
    let declarations = try read(
      "#pragma pack(push, 1)\nint bad(foo\n#pragma pack(push, 2)\n);\nstruct s { char c; int i; };\n#pragma pack(pop)\n"
        + "#pragma pack(pop)\nstruct t { char c; int i; };\n")
    #expect(try declarations.types["struct s"]?.encoding.size == 6)
    #expect(try declarations.types["struct t"]?.encoding.size == 8)
  }

  @Test("C++, text without any declaration and more than a thousand failures are errors")
  func errors() throws {
    for text in ["int f(void);\nclass A {};", "int f(void);\nextern \"C\" { int g(void); }", "foo bar;", "\"open"] {
      #expect(throws: InvocationError.self) { try read(text) }
    }
    let many = String(repeating: "foo bar;\n", count: Parser.mostSkipped)
    #expect(try read("int f(void);\n" + many).skipped.count == Parser.mostSkipped)
    #expect(throws: InvocationError.self) { try read("int f(void);\n" + many + "foo bar;") }
  }

  @Test("A declaration in a text is an error")
  func texts() {
    #expect(throws: InvocationError.self) { try CDeclarations("int f(void); foo bar; int g(void);") }
  }

  @Test("Any text ends, and each function that it declares is found")
  func damage() throws {
    let text = Array(
      "int f(int a, struct s { int x; } *p) { return g(a, \"}\"); } enum e { A = 1, B } x[2] = { 1, 2 }; typedef int t;".utf8)
    for index in text.indices {
      for byte in Array("(){};,[]*\"a1".utf8) {
        var damaged = text
        damaged[index] = byte
        guard let declarations = try? CDeclarations(source: damaged, skipsFailures: true) else { continue }
        for name in declarations.functions.names { #expect(declarations.functions[name] != nil, "\(name)") }
      }
    }
  }
}
