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

  /// Typedefs `T0...`, each with the one before it twice: as many types as text, and two to the power of it as a tree.
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
    for row in TextTable.declarations.rows("Uses of a number") {
      let text = row[0].replacing("@n", with: left)
      for declarations in [try? CDeclarations(text), try? Self.read(text)] {
        for name in declarations?.variables.names ?? [] { _ = try? declarations?.variables[name]?.encoding }
        for name in declarations?.types.names ?? [] { _ = try? declarations?.types[name]?.encoding }
      }
    }
  }

  @Test(
    "An offset or a size beyond the greatest type is refused",
    arguments: TextTable.declarations.rows("Too large"))
  func sizes(row: TextTable.Row) throws {
    let error = try #require(throws: InvocationError.self) { try CDeclarations(row[0]) }
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

  /// A text whose levels contain each other: what is in angle brackets is repeated for each, with its number for `@i`, the next
  /// one for `@j`, and the number of levels for `@n`.
  private static func text(_ nest: TextTable.Row, levels: Int) -> String {
    var text = nest[2]
    while let part = text.firstMatch(of: /⟨([^⟩]*)⟩/) {
      let repeated = (0..<levels).map { part.1.replacing("@i", with: "\($0)").replacing("@j", with: "\($0 + 1)") }.joined()
      text.replaceSubrange(part.range, with: repeated)
    }
    return text.replacing("@n", with: "\(levels)")
  }

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
      .enabled(if: Sanitizer.current == nil), arguments: TextTable.declarations.rows("Nesting"))
    func stack(nest: TextTable.Row) throws {
      let most = try #require(Int(nest[1]))
      nonisolated(unsafe) var error: InvocationError?
      for (levels, isRead) in [(most, true), (3_000, nil as Bool?)] {
        let text = Self.text(nest, levels: levels)
        let read = StackMeter.bytes {
          do throws(InvocationError) { error = Self.use(try CDeclarations(text)) } catch let failure { error = failure }
        }
        #expect(read <= 512 << 10, "\(levels) levels take \(read / 1_024) KB")
        if isRead == true { #expect(error == nil, "\(error.map(\.description) ?? "")") }
      }
    }
  #endif

  // MARK: What is found

  @Test("A function of a header is declared, or skipped with a reason", arguments: TextTable.declarations.rows("Nesting"))
  func skippedNests(nest: TextTable.Row) throws {
    let most = try #require(Int(nest[1]))
    for levels in [1, most - 5, most, most + 1, most + 3] {
      let text = Self.text(nest, levels: levels)
      let read: CDeclarations
      do {
        read = try onLargeStack { Result { try Self.read(text) } }.get()
      } catch is InvocationError {
        // Nothing else is declared in it.
        continue
      }
      for name in read.functions.names { #expect(read.functions[name] != nil, "\(name)") }
      #expect(read.skipped.isEmpty || levels > most, "\(levels) levels")
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
