@testable import DeclarationReading
import Foundation
import TestSupport
import Testing

@testable import CDeclarations
@testable import DynamicInvocation

/// Time, stack and memory that declarations take are bounded by their text.
@Suite(.measured) struct DeclarationBoundsTests {
  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private static func read(_ text: String) throws -> CDeclarations { try CDeclarations(source: Array(text.utf8), skipsFailures: true) }

  // MARK: Types that are parts of many others

  /// Typedefs `T0...` of which each one has the one before it twice: as many types as text, and two to the power of it as a tree.
  private static func graph(_ letter: String, _ count: Int, _ step: (String) -> String) -> String {
    "typedef int \(letter)0;"
      + (0..<count).map { "typedef " + step("\(letter)\($0)").replacing("NAME", with: "\(letter)\($0 + 1)") + ";" }.joined()
  }

  /// The links of a chain, and how many of them have 120 levels.
  private static let steps: [(count: Int, text: @Sendable (String) -> String)] = [
    (60, { "\($0) (*NAME)(\($0), \($0))" }), (24, { "\($0) *(*(*NAME)(\($0), void (*)(\($0) *)))[2]" }),
    (60, { "__typeof__(\($0)) (*NAME)(\($0), ...)" }), (60, { "int NAME(\($0), \($0))" }),
    (500, { "struct { \($0) *(*f)(\($0)); } *NAME" }),
  ]

  @Test("Compatible types are compared in as many steps as there are tokens", arguments: 0..<4)
  func redeclarations(step: Int) throws {
    let (most, text) = Self.steps[step]
    for count in [most / 4, most] {
      let types = Self.graph("T", count, text) + Self.graph("U", count, text)
      let same = "extern T\(count) *x; extern U\(count) *x; T\(count) *f(U\(count)); U\(count) *f(T\(count));"
      let declarations = try CDeclarations(types + Self.repeated(same, 100))
      // Each token adds a step.
      let rest = declarations.storage.read { $0.parser.types.comparisons }
      #expect(rest > TypeTable.mostParts, "\(TypeTable.mostParts - rest) steps more than tokens")
      // One that differs in the innermost type only.
      let other = types.replacing("typedef int U0", with: "typedef long U0")
      for text in ["extern T\(count) x; extern U\(count) x;", "T\(count) *f(void); U\(count) *f(void);"] {
        let error = try #require(throws: InvocationError.self) { try CDeclarations(other + text) }
        #expect(error.reason.contains("contradicts"))
      }
      let selection =
        "extern T\(count) *x; enum { A = _Generic(x, U\(count) *: 1, T\(count) *: 2), B = __builtin_types_compatible_p(T\(count), U\(count)) };"
      #expect(try CDeclarations(other + selection).constants["A"]?.int == 2)
      #expect(try CDeclarations(other + selection).constants["B"]?.int == 0)
    }
  }

  @Test("Comparisons of more pairs than tokens are refused")
  func pairs() throws {
    // The one text varies with the first bits of a path, the other with the last ones, so that each pair of parts is another.
    let half = 9
    func types(_ letter: String, _ qualifier: String, variesAbove: Bool) -> String {
      var text = ""
      for level in (0...(2 * half)).reversed() {
        let varies = variesAbove ? level < half : level >= half
        let count = 1 << (variesAbove ? min(level, half) : max(level - half, 0))
        for index in 0..<count {
          let name = "\(letter)\(level)_\(index)"
          let next = "\(letter)\(level + 1)_"
          if level == 2 * half {
            let bits = (0..<half).map { "\(index >> $0 & 1 == 1 ? qualifier : "") int" }.joined(separator: ", ")
            text += "typedef void (*\(name))(\(bits));"
          } else if varies {
            text += "typedef void (*\(name))(\(next)\(2 * index), \(next)\(2 * index + 1));"
          } else {
            text += "typedef void (*\(name))(\(next)\(index), \(next)\(index));"
          }
        }
      }
      return text
    }
    let text = types("A", "const", variesAbove: true) + types("B", "volatile", variesAbove: false) + "extern A0_0 x; extern B0_0 x;"
    let error = try #require(throws: InvocationError.self) { try CDeclarations(text) }
    #expect(error.code == .limitExceeded && error.reason.contains("too many parts"))
  }

  @Test("Every text and encoding of a type with shared parts is bounded", arguments: 0..<5)
  func walks(step: Int) throws {
    let (count, link) = Self.steps[step]
    let text =
      "# 1 \"a.h\" 1\n" + Self.graph("T", count, link)
      + "int f(T\(count), T\(count) *); struct s { T\(count) *a, *b[2]; }; int g(struct s, struct s *);"
    let declarations = try Self.read(text)
    #expect(try declarations.functions["f"]?.types.arguments.count == 2)
    #expect(try declarations.functions["g"]?.types.arguments.first?.size == 24)
    for name in declarations.functions.names { #expect((declarations.texts(ofFunction: name)?.function.utf8.count ?? 0) < 1 << 24) }
    let functions = Result { () throws(DeclarationFailure) in try CDeclarations.swiftFunctions(text) }
    if case .failure(let failure) = functions {
      #expect(failure.reason.contains("by value") || failure.reason.contains("parts"), "\(failure)")
    }
    #expect(try Self.read(text).functions.names == ["f", "g"])
  }

  @Test("Structs that contain each other have encodings of 128 levels, whatever is used first", arguments: [1, 100, 126, 127, 500, 3_000])
  func containedStructs(count: Int) throws {
    let text =
      "struct s0 { int a; };" + (0..<count).map { "struct s\($0 + 1) { struct s\($0) x; };" }.joined()
      + (0...count).map { "int f\($0)(struct s\($0));" }.joined()
    let declarations = try Self.read(text)
    for number in 0...count {
      let types = Result { () throws(InvocationError) in try declarations.functions["f\(number)"]?.types }
      // The innermost member is a level, too.
      if number + 2 <= TypeEncoding.Limits.nesting {
        #expect(try types.get()?.arguments.first?.size == 4)
      } else {
        guard case .failure(let error) = types else {
          Issue.record("f\(number) has types")
          break
        }
        #expect(error.code == .limitExceeded)
      }
    }
    #expect(declarations.skipped.isEmpty)
  }

  @Test("A macro whose body is long and empty is read as often as the limit says")
  func longBodies() throws {
    let text = "#define LONG 1 /*" + Self.repeated("x", 200_000) + "*/\n#define MANY " + Self.repeated("+ LONG ", 100) + "\n"
    let declarations = try CDeclarations(text)
    #expect(declarations.constants["LONG"]?.int == 1 && declarations.constants["MANY"] == nil)
  }

  @Test("Many parameters are compared by name in as many steps as there are")
  func parameters() throws {
    let names = (0..<16_000).map { "int p\($0)" }
    #expect(try CDeclarations("int f(\(names.joined(separator: ", ")));").functions["f"]?.parameterNames.count == 16_000)
    for (first, second) in [(0, 1), (3, 15), (5, 16), (17, 15_999), (2, 400)] {
      var same = names
      same[second] = names[first]
      let error = try #require(throws: InvocationError.self) { try CDeclarations("int f(\(same.joined(separator: ", ")));") }
      #expect(error.reason.contains("'p\(first)' is declared already"))
    }
    #expect(try CDeclarations("int f(\(Self.repeated("int, ", 40))int);").functions["f"]?.parameterNames.count == 41)
  }

  // MARK: Numbers

  /// Constants of the greatest values, as expressions.
  private static let extremes = [
    "0", "1", "-1", "63", "64", "127", "128", "2147483647", "-2147483648", "(-2147483647-1)", "4294967295u", "2147483648",
    "9223372036854775807", "(-9223372036854775807-1)", "18446744073709551615u", "((__int128)1<<126)", "(-((__int128)1<<126)*2)",
    "(unsigned __int128)-1", "1e308", "-1e308", "1e-308", "(char)200", "(short)40000", "L'\\xffffffff'", "'\\377'", "'abcd'", "(_Bool)2",
  ]

  @Test("No operator on extreme values ends the program, and what fits is what C computes", arguments: extremes)
  func operators(left: String) throws {
    for right in Self.extremes {
      for word in ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "==", "&&", "?:"] {
        _ = try? CDeclarations("enum { A = (\(left)) \(word) (\(right)) };").constants["A"]
        let macro = "#define A (\(left)) \(word) (\(right))\n"
        _ = try CDeclarations(macro).constants["A"]?.description
      }
    }
    for type in [
      "char", "_Bool", "int", "unsigned", "long", "unsigned long", "__int128", "unsigned __int128", "float", "double", "void *", "_Float16",
    ] {
      _ = try CDeclarations("#define A ((\(type))(\(left)))\n").constants["A"]?.description
    }
    for text in [
      "char a[\(left)];", "struct s { int b : \(left); };", "char a[3][\(left)][\(left)];",
      "struct s { char a[\(left)]; int b[\(left)]; };",
      "int a __attribute__((aligned(\(left))));", "_Alignas(\(left)) int a;", "typedef int v __attribute__((vector_size(\(left))));",
      "enum { A = \(left), B, C };", "enum e : char { A = \(left), B };", "_BitInt(\(left)) f(void);",
      "struct s { char a[2]; }; char a[__builtin_offsetof(struct s, a[\(left)])];", "#pragma pack(\(left))\nstruct s { int a; };",
      "_Static_assert(\(left), \"\");", "int a[__builtin_choose_expr(\(left), 1, 2)];", "struct s { char a[\(left)]; } x[\(left)];",
      "constexpr int a = \(left); char b[a];", "struct __attribute__((packed, aligned(4096))) s { char a[\(left)]; char b : 1; };",
    ] {
      for declarations in [try? CDeclarations(text), try? Self.read(text)] {
        for name in declarations?.variables.names ?? [] { _ = try? declarations?.variables[name]?.encoding }
        for name in declarations?.types.names ?? [] { _ = try? declarations?.types[name]?.encoding }
      }
    }
  }

  @Test(
    "An offset or a size beyond the greatest type is refused",
    arguments: [
      "char a[__builtin_offsetof(struct { char a[1]\(String(repeating: "[268435455]", count: 20)); }, a[268435456]\(String(repeating: "[268435455]", count: 19)))];",
      "char a[__builtin_offsetof(struct { char a[4][268435455]; }, a[268435456][268435455])];",
      "struct s { char a[2147483647]; }; char a[__builtin_offsetof(struct s, a[2147483647]) + 1];",
      "struct s { struct { int x; char a[2147483640]; } b[1]; }; char a[__builtin_offsetof(struct s, b[1].a[2147483640])];",
      "struct s { char a[2147483647]; short b; };", "struct s { char a[2147483646]; } __attribute__((aligned(4)));",
      "union u { char a[2147483645]; long b; };", "int a[2][1073741824];", "struct s { char a[1073741824]; }; struct s a[2];",
    ])
  func sizes(text: String) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(text) }
    #expect(error.code == .limitExceeded, "\(error)")
  }

  @Test("An offset beyond the elements is what compilers compute")
  func offsets() throws {
    let text =
      "struct s { int a; struct { char b[3]; short c[2][4]; } d[5]; }; enum { A = __builtin_offsetof(struct s, d[2].c[1][3]), B = __builtin_offsetof(struct s, d[9].c[5][7]) };"
    let declarations = try CDeclarations(text)
    #expect(declarations.constants["A"]?.int == 4 + 2 * 20 + 4 + 8 + 6)
    #expect(declarations.constants["B"]?.int == 4 + 9 * 20 + 4 + 40 + 14)
  }

  @Test("An enumerator after the greatest value is an error, as in C, and one after the others is not")
  func enumerators() throws {
    #expect(try CDeclarations("enum { A = 18446744073709551614u, B };").constants["B"] == .unsigned(.max))
    #expect(try CDeclarations("enum { A = 18446744073709551615u, B = 1, C };").constants["C"]?.int == 2)
    #expect(throws: InvocationError.self) { try CDeclarations("enum { A = 18446744073709551615u, B };") }
  }

  // MARK: The stack

  /// Texts of which each level contains the one before it, and the number of levels that are read.
  private static let nests: [(name: String, levels: Int, text: @Sendable (Int) -> String)] = [
    ("parentheses", 62, { "int a[\(repeated("(1||1&&1|1^1&1==1<1<<1+1*", $0))1\(repeated(")", $0))];" }),
    ("negations", 128, { "int a[\(repeated("- ", 2 * ($0 / 2)))1];" }),
    ("casts", 128, { "int a[\(repeated("(int)", $0))1];" }),
    ("conditions", 125, { "int a[\(repeated("1?", $0))1\(repeated(":1", $0))];" }),
    ("sizeof", 125, { "int a[\(repeated("sizeof ", $0))1];" }),
    ("sizeof of parentheses", 62, { "int a[sizeof \(repeated("(", $0))1\(repeated(")", $0))];" }),
    ("_Generic", 41, { "int a[\(repeated("_Generic(1, int: ", $0))1\(repeated(")", $0))];" }),
    ("_Generic of _Generic", 41, { "int a[sizeof \(repeated("_Generic(", $0))1\(repeated(", default: 1)", $0))];" }),
    ("__builtin_choose_expr", 41, { "int a[\(repeated("__builtin_choose_expr(1, ", $0))1\(repeated(", 1)", $0))];" }),
    ("__builtin_constant_p", 41, { "int a[1 + \(repeated("__builtin_constant_p(", $0))1\(repeated(")", $0))];" }),
    ("declarators", 127, { "int \(repeated("(*", $0))a\(repeated(")", $0));" }),
    ("parameters", 41, { "int f(\(repeated("int (*)(", $0))int\(repeated(")", $0)));" }),
    ("structs", 64, { number in "\(repeated("struct {", number))int a;\((0..<number).map { "}a\($0);" }.joined())" }),
    ("structs without names", 64, { "struct s {\(repeated("struct {", $0 - 1))int a;\(repeated("};", $0 - 1))};" }),
    ("typeof", 62, { "\(repeated("typeof(", $0))int\(repeated(")", $0)) a;" }),
    ("_Atomic", 62, { "\(repeated("_Atomic(", $0))int\(repeated(")", $0)) a;" }),
    ("structs in typeof", 31, { "struct s {\(repeated("typeof(struct {", $0))int a;\(repeated("}) a;", $0))};" }),
    ("structs in bounds", 14, { "\(repeated("struct { int a[sizeof(", $0))int\(repeated(")]; }", $0)) x;" }),
    ("structs in parameters", 20, { "int f(\(repeated("struct { int (*a)(", $0))int\(repeated("); } b", $0)));" }),
    ("structs in attributes", 12, { "\(repeated("struct { int a __attribute__((aligned(sizeof(", $0))int\(repeated(")))); }", $0)) x;" }),
    ("enums in sizes", 20, { number in "\((0..<number).map { "enum { A\($0) = sizeof(" }.joined())int\(repeated(")}", number)) x;" }),
    ("assertions", 15, { "\(repeated("struct { _Static_assert(1 || sizeof(", $0))int\(repeated("), \"\"); int a; }", $0)) x;" }),
    ("offsetof", 10, { "int a[\(repeated("__builtin_offsetof(struct { char a[", $0))1\(repeated("]; int b; }, b)", $0))];" }),
    ("macros", 126, { number in "#define A0 1\n\((0..<number).map { "#define A\($0 + 1) A\($0)\n" }.joined())" }),
    (
      "macros with parameters", 126,
      { number in "#define A0(x) x\n\((0..<number).map { "#define A\($0 + 1)(x) A\($0)(x)\n" }.joined())#define B A\(number)(1)\n" }
    ),
    ("arguments of macros", 126, { "#define I(x) x\n#define B \(repeated("I(", $0))1\(repeated(")", $0))\n" }),
    ("pointers", 127, { "typedef int T0;\(chain($0) { "typedef T\($0) *T\($0 + 1);" })T\($0) f(T\($0));" }),
    ("pointers in a declarator", 127, { "int \(repeated("*", $0))f(int \(repeated("*", $0))a);" }),
    ("arrays", 126, { "typedef int T0;\(chain($0) { "typedef T\($0) T\($0 + 1)[1];" })struct s { T\($0) x; }; int f(struct s);" }),
    ("functions", 63, { "typedef int T0(int);\(chain($0) { "typedef T\($0) *T\($0 + 1)(T\($0) *);" })T\($0) f;" }),
    (
      "structs that contain each other", 126,
      { "struct s0 { int a; };\(chain($0) { "struct s\($0 + 1) { struct s\($0) x; };" })int f(struct s\($0));" }
    ),
    (
      "typedefs of such structs", 126,
      { "typedef struct { int a; } s0;\(chain($0) { "typedef struct { s\($0) x; } s\($0 + 1);" })int f(s\($0));" }
    ),
    ("names of types", 10_000, { "typedef int T0;\(chain($0) { "typedef T\($0) T\($0 + 1);" })T\($0) f(T\($0));" }),
    ("enumerators", 10_000, { "enum { A0 = 1 };\(chain($0) { "enum { A\($0 + 1) = A\($0) };" })int a[A\($0)];" }),
    (
      "sizes of structs", 2_000,
      { "struct s0 { char a; };\(chain($0) { "struct s\($0 + 1) { char a[sizeof(struct s\($0))]; };" })int f(struct s\($0));" }
    ),
    (
      "arrays of structs", 2_000,
      {
        "struct s0 { char a; };\(chain($0) { "typedef struct s\($0) T\($0)[1]; struct s\($0 + 1) { char a[sizeof(T\($0))]; };" })int f(struct s\($0));"
      }
    ),
    ("types of variables", 100, { "extern int x0;\(chain($0) { "extern __typeof__(x\($0)) x\($0 + 1);" })__typeof__(x\($0)) f(void);" }),
    (
      "compatible pointers", 120,
      { number in
        "typedef int T0; typedef int U0;\(chain(number) { "typedef T\($0) *T\($0 + 1); typedef U\($0) *U\($0 + 1);" })extern T\(number) x; extern U\(number) x;"
      }
    ),
  ]

  private static func chain(_ count: Int, _ link: (Int) -> String) -> String { (0..<count).map(link).joined() }

  /// Uses everything that a source declares, and returns the first error.
  private static func use(_ declarations: CDeclarations) -> InvocationError? {
    do throws(InvocationError) {
      // The last one first: it needs all others.
      for name in declarations.functions.names.reversed() {
        guard let function = declarations.functions[name] else { throw InvocationError(.malformedDeclaration, "no \(name)") }
        _ = try function.types
        _ = declarations.texts(ofFunction: name)
      }
      for name in declarations.types.names.reversed().prefix(20) {
        guard let type = declarations.types[name] else { throw InvocationError(.malformedDeclaration, "no \(name)") }
        _ = try type.encoding
      }
      for name in declarations.variables.names.reversed() {
        guard let variable = declarations.variables[name] else { throw InvocationError(.malformedDeclaration, "no \(name)") }
        _ = try variable.encoding
      }
      for name in declarations.constants.macros.suffix(20) + declarations.constants.enumerators.suffix(20)
      where declarations.constants[name] == nil && !name.hasPrefix("_") {
        throw InvocationError(.malformedDeclaration, "no \(name)")
      }
      return declarations.skipped.first?.error
    } catch {
      return error
    }
  }

  #if os(Linux)
    @Test(
      "The deepest nesting of each kind is read and encoded on a stack of 512 KB",
      .enabled(if: Sanitizer.current == nil), arguments: nests.map(\.name))
    func stack(name: String) throws {
      let nest = try #require(Self.nests.first { $0.name == name })
      nonisolated(unsafe) var error: InvocationError?
      for (levels, isRead) in [(nest.levels, true), (3_000, nil as Bool?)] {
        let text = nest.text(levels)
        let read = StackMeter.bytes {
          do throws(InvocationError) { error = Self.use(try CDeclarations(text)) } catch let failure { error = failure }
        }
        #expect(read <= 512 << 10, "\(levels) levels take \(read / 1_024) KB")
        if isRead == true { #expect(error == nil, "\(error.map(\.description) ?? "")") }
      }
    }
  #endif

  // MARK: What is found

  @Test("A function of a header is declared, or skipped with a reason", arguments: nests.map(\.name))
  func skippedNests(name: String) throws {
    let nest = try #require(Self.nests.first { $0.name == name })
    for levels in [1, nest.levels - 5, nest.levels, nest.levels + 1, nest.levels + 3] {
      let text = nest.text(levels)
      let read: CDeclarations
      do {
        read = try onLargeStack { Result { try Self.read(text) } }.get()
      } catch is InvocationError {
        // Nothing else is declared in it.
        continue
      }
      for name in read.functions.names { #expect(read.functions[name] != nil, "\(name)") }
      #expect(read.skipped.isEmpty || levels > nest.levels, "\(levels) levels")
      // What uses a skipped declaration may be skipped too, for that reason.
      if let first = read.skipped.first { #expect(!first.declaration.isEmpty && first.error.code == .limitExceeded, "\(first)") }
    }
  }

  @Test("Declarations that need each other behind pointers are used in any order")
  func cycles() throws {
    let text = """
      struct a { int (*f)(struct b x); struct b *next; };
      struct b { struct a a; enum e { E0, E1 } e; };
      typedef struct c c; typedef c *c_pointer; struct d { c_pointer p; c *q; }; struct c { struct d d[2]; struct b b; };
      int first(struct a); int second(struct b); int third(c); int fourth(struct d);
      """
    let expected = try CDeclarations(text)
    for name in expected.functions.names { _ = try expected.functions[name]?.types }
    for start in 0..<4 {
      let read = try Self.read(text)
      for offset in 0..<4 {
        let name = expected.functions.names[(start + offset) % 4]
        #expect(try read.functions[name]?.types == expected.functions[name]?.types, "\(name)")
      }
      #expect(read.skipped.isEmpty)
    }
  }
}
