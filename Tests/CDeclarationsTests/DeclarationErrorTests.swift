import CDeclarations
import DynamicInvocation
import TestSupport
import Testing

/// What is wrong in a declaration is said with its location.
@Suite(.measured) struct DeclarationErrorTests {
  @Test(
    "An error states the line, the column and what was expected",
    arguments: TextTable.declarations.rows("Errors"))
  func syntax(row: TextTable.Row) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(row[0]) }
    #expect(error.reason.contains(row[1]), "\(error)")
    #expect(error.code == .malformedDeclaration)
  }

  @Test(
    "Contradictions are errors",
    arguments: TextTable.declarations.rows("Contradictions"))
  func contradictions(row: TextTable.Row) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(row[0]) }
    #expect(error.reason.contains("line 1, column"), "\(error)")
    #expect(error.reason.contains("already") || error.reason.contains("contradicts"), "\(error)")
  }

  @Test(
    "C++ and definitions as in K&R are named",
    arguments: TextTable.declarations.rows("Other languages"))
  func languages(row: TextTable.Row) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(row[0]) }
    #expect(error.reason.contains(row[1]), "\(error)")
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
