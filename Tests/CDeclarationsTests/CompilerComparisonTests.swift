import DynamicInvocation
import TestSupport
import Testing

@testable import CDeclarations
@testable import DeclarationReading

/// Random constant expressions, texts that macros quote, and stacks of pragmas are what they are for gcc and clang.
@Suite(.measured, .enabled(if: CCompiler.all.allSatisfy(\.available))) struct CompilerComparisonTests {
  // MARK: Constant expressions

  private static let types = [
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long",
    "unsigned long long", "_Bool",
  ]
  /// The elements of literals that fit 8, 16 and 32 bits.
  private static let elements = [
    ["a", "\\n", "\\0", "\\x41", "\\377", "\\xff", "\\x80", "\\\\", "\\e", "\\101"],
    ["\\x1234", "\\xffff", "\\uAC00", "\u{e9}", "\\777", "\\u00E9"],
    ["\\x12345678", "\\xffffffff", "\\U0001F600", "\u{1F600}"],
  ]
  private static let prefixes = [("", 1), ("L", 3), ("u", 2), ("U", 3), ("u8", 1)]

  private static func literal(_ generator: inout SeededGenerator) -> String {
    let (prefix, sizes) = generator.pick(prefixes)
    func element(_ generator: inout SeededGenerator) -> String { generator.pick(elements[Int.random(in: 0..<sizes, using: &generator)]) }
    switch Int.random(in: 0..<5, using: &generator) {
    case 0:
      let numbers = ["0", "1", "077", "0x7f", "2147483647", "2147483648", "0x80000000", "0xffffffff", "0xffffffffffffffff"]
      return generator.pick(numbers) + generator.pick(["", "u", "L", "ul", "ll", "LLU"])
    case 1:
      let text = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in element(&generator) + "g" }.joined()
      return "sizeof(\(generator.pick(["", "\"\\xfeg\" "]))\(prefix)\"\(text)\")"
    case 2: return "\(prefix)\"\(element(&generator))\"[0] * 0"
    default: return (prefix == "u8" ? "" : prefix) + "'\(element(&generator))'"
    }
  }

  private static func expression(_ depth: Int, _ generator: inout SeededGenerator) -> String {
    if depth == 0 { return literal(&generator) }
    let first = expression(depth - 1, &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return "((\(generator.pick(types)))\(first))"
    case 1: return generator.pick(["-", "~", "!", "+"]) + "(\(first))"
    case 2: return "(\(first) \(generator.pick(["<<", ">>"])) \(generator.pick(["1", "7", "0u", "3ul"])))"
    case 3: return "(\(expression(0, &generator)) ? \(first) : \(expression(depth - 1, &generator)))"
    default:
      let operation = generator.pick(["+", "-", "*", "&", "|", "^", "<", ">=", "==", "!=", "&&", "||"])
      return "(\(first) \(operation) \(expression(depth - 1, &generator)))"
    }
  }

  @Test("A constant expression has the value and the type that the compilers give it", arguments: 1...4 as ClosedRange<UInt64>)
  func expressions(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // What is an element of a literal is no constant in C, but has a type.
    let texts = (0..<400).map { _ in Self.expression(Int.random(in: 0...3, using: &generator), &generator) }
    let selection = Self.types.enumerated().map { "\($1): \($0)" }.joined(separator: ", ")
    var (source, macros) = ("void values(long *out) {\n", "")
    for (index, text) in texts.enumerated() {
      source += "  out[\(2 * index)] = (long)(\(text)); out[\(2 * index + 1)] = _Generic((\(text)), \(selection));\n"
      macros += "#define V\(index) (\(text))\n#define T\(index) _Generic((\(text)), \(selection))\n"
    }
    let measured = try CCompiler.all.map { compiler in
      try CompiledNumbers(path: compiler.sharedLibrary(source: source + "}\n", flags: ["-w"], name: "constants"))
        .measured(by: "values", count: 2 * texts.count)
    }
    let constants = try CDeclarations(macros).constants
    var compared = 0
    for (index, text) in texts.enumerated() where measured[0][2 * index...2 * index + 1] == measured[1][2 * index...2 * index + 1] {
      expectEqual(constants["T\(index)"]?.int, measured[0][2 * index + 1], "the type of \(text)")
      if text.contains("[0]") { continue }
      compared += 1
      let value: Int? =
        switch constants["V\(index)"] {
        case .integer(let value): Int(value)
        case .unsigned(let value): Int(bitPattern: UInt(value))
        default: nil
        }
      expectEqual(value, measured[0][2 * index], "\(text)")
    }
    #expect(compared > 200)
  }

  // MARK: Quoted tokens

  private static let macros = """
    #define MA 1
    #define MI 5
    #define EMPTY
    #define ID(x) x
    #define ALIAS ID
    #define TWO(a, b) a-b b
    #define PASTE(a, b) 1 a ## b
    #define SELF SELF MI
    #define Q(x) #x
    #define E(x) Q(x)
    #define BOTH(x) Q(x) " " E(x)

    """

  private static let pieces = [
    "MA", "MI", "EMPTY", ".", "-", "+ ", "x", "\"a\\n\"", "'\\\\'", "ID(MA)", "ID( MA )", "ID()", "ALIAS(MI)", "TWO(MA,x)",
    "TWO( MI , EMPTY)", "PASTE(x,MA)", "PASTE(,x)", "PASTE( x,)", "SELF", "(MA)", "ID(ID(MI).x)", "ALIAS", "Q(MA x)", "E(MA.x)", "ID(SELF)",
    "/* c */", "f(MA,MI)", "ID(EMPTY MA)",
  ]

  @Test("What a macro quotes has white space where the compilers keep it", arguments: 1...4 as ClosedRange<UInt64>)
  func quotations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var source = Self.macros
    var declared = ""
    for index in 0..<300 {
      let parts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in generator.pick(Self.pieces) + generator.pick(["", " "]) }
      source += "#define T\(index) BOTH(\(parts.joined()))\n"
      declared += "const char t\(index)[] = T\(index);\n"
    }
    let libraries = try CCompiler.all.map { compiler in
      try CompiledNumbers(path: compiler.sharedLibrary(source: source + declared, flags: ["-w"], name: "quotations"))
    }
    let constants = try CDeclarations(source).constants
    var compared = 0
    for index in 0..<300 {
      let texts = try libraries.map { try $0.text("t\(index)") }
      guard texts[0] == texts[1] else { continue }
      compared += 1
      expectEqual(constants["T\(index)"]?.string, texts[0], "T\(index) of \(source)")
    }
    #expect(compared > 250)
  }

  // MARK: Packing

  private static let pragmas = [
    "(1)", "(2)", "()", "(0x4)", "(push)", "(push, 1)", "(push, 4)", "(push, l, 2)", "(push, m)", "(push, 1, l)", "(pop)", "(pop, l)",
    "(pop, m)", "(pop, 2)", "(pop, l, 4)", "(pop, 4, l)", "(PACK)", "(push, PACK)", "(pop, PACK)", "(push, m, PACK)", "(3)", "(push, 3)",
    " 1",
    "(2) more", "(show)", "(l)", "(push l)", "(1, 2)", "(push, l, m)", "(pop, l, m)", "(0)",
  ]

  @Test("Types under #pragma pack have the layout of the compiler that preprocesses, or are refused", arguments: CCompiler.all)
  func packing(compiler: CCompiler) throws {
    var generator = SeededGenerator(seed: 7)
    var refused = 0
    for _ in 0..<8 {
      var source = "#define PACK 2\n"
      for index in 0..<40 {
        for _ in 0..<Int.random(in: 0...2, using: &generator) { source += "#pragma pack\(generator.pick(Self.pragmas))\n" }
        if generator.oneIn(8) { source += generator.pick(["#undef PACK\n", "#define PACK 1\n", "#define OTHER 8\n#define PACK OTHER\n"]) }
        let inner = generator.oneIn(4) ? "\n#pragma pack\(generator.pick(Self.pragmas))\n" : ""
        source += "struct s\(index) { char a; \(inner)long b; struct { char c; int d; } e; };\n"
      }
      let sizes = (0..<40).map { "out[\($0)] = sizeof(struct s\($0));" }.joined()
      let path = try compiler.sharedLibrary(source: "\(source)void values(long *out) {\(sizes)}\n", flags: ["-w"], name: "packing")
      let measured = try CompiledNumbers(path: path).measured(by: "values", count: 40)
      let known = "#define __GNUC__ 4\n" + (compiler == .clang ? "#define __clang__ 1\n" : "")
      let declarations = try CDeclarations(source: Array((known + source).utf8), skipsFailures: true)
      let text = try CDeclarations(source: Array(source.utf8), skipsFailures: true)
      for index in 0..<40 {
        expectEqual(try declarations.types["struct s\(index)"]?.encoding.size, measured[index], "s\(index) of \(source)")
        let size = try? text.types["struct s\(index)"]?.encoding.size
        if let size { expectEqual(size, measured[index], "s\(index) of \(source)") } else { refused += 1 }
      }
    }
    #expect(refused > 20 && refused < 300)
  }
}
