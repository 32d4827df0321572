@testable import DeclarationReading
import Foundation
import TestSupport
import Testing

@testable import CDeclarations
@testable import DynamicInvocation

/// The attributes that are listed as harmless change no call and no layout, for compilers that are asked.
@Suite(.measured) struct HarmlessAttributeTests {
  /// An attribute with arguments, in one place.
  private struct Sample {
    var name: Substring
    var text: String
    var place: Place
    var index: Int

    /// The declarations that have the attribute, in one line.
    var declaration: String {
      let (a, i) = ("__attribute__((\(text)))", index)
      switch place {
      case .function: return "\(a) char *f\(i)(\(Self.parameters), ...) __asm__(\"plain\");"
      case .pointer: return "char *f\(i)(\(Self.parameters.replacing("*a", with: "*a \(a)")), ...) __asm__(\"plain\");"
      case .number: return "char *f\(i)(\(Self.parameters.replacing("int n", with: "int n \(a)")), ...) __asm__(\"plain\");"
      case .functionPointer: return "typedef char *(*p\(i))(\(Self.parameters), ...) \(a);"
      case .typedefName: return "typedef int t\(i) \(a); struct s\(i) { char c; t\(i) x; double y; };"
      case .record: return "struct \(a) s\(i) { char c; int x; double y; };"
      case .member: return "struct s\(i) { char c; int x \(a); double y; };"
      case .enumerator: return "enum e\(i) { E\(i) \(a) = 3 };"
      }
    }

    /// The declarations with a function of the sample's number, which stores what the attribute could have changed.
    var line: String {
      let values = "\"a\", 2.5, (struct pair){3, 4}, 5, 6.5f"
      let body =
        switch place {
        case .function, .pointer, .number: "f\(index)(\(values)); *o = seen;"
        case .functionPointer: "((p\(index))plain)(\(values)); *o = seen;"
        case .typedefName:
          "plain(\(values.replacing(" 5", with: " (t\(index))5"))); *o = seen + \(Self.layout("s\(index)"));"
        case .record, .member: "*o = \(Self.layout("s\(index)"));"
        case .enumerator: "*o = E\(index) + 10 * (long)sizeof(enum e\(index));"
        }
      return "\(declaration) void v\(index)(long *o) { \(body) }"
    }

    /// What the function stores if the attribute changes nothing.
    var expected: Int {
      switch place {
      case .function, .pointer, .number, .functionPointer: Self.sum
      case .typedefName: Self.sum + Self.layout
      case .record, .member: Self.layout
      case .enumerator: 43
      }
    }

    private static let parameters = "const char *a, double b, struct pair c, int n, float e"
    private static let sum = 97 + 25 + 300 + 4_000 + 50_000 + 650_000
    private static let layout = 16 + 100 * 4 + 10_000 * 8 + 1_000_000 * 8

    private static func layout(_ name: String) -> String {
      "(long)(sizeof(struct \(name)) + 100 * __builtin_offsetof(struct \(name), x) + 10000 * __builtin_offsetof(struct \(name), y)"
        + " + 1000000 * _Alignof(struct \(name)))"
    }
  }

  private enum Place: CaseIterable {
    case function, pointer, number, functionPointer, typedefName, record, member, enumerator
  }

  private static let plain = """
    struct pair { int x; long y; };
    static long seen;
    char *plain(const char *a, double b, struct pair c, int n, float e, ...) {
      seen = a[0] + (long)(10 * b) + 100 * c.x + 1000 * c.y + 10000 * n + (long)(100000 * e);
      return (char *)a;
    }

    """

  /// The arguments that attributes have.
  private static let arguments = [
    "", "(1)", "(4)", "(\"x\")", "(\"default\")", "(printf, 1, 6)", "(read_only, 1)", "(1, \"x\")", "(\"x\", \"x\")", "(x)", "(on)",
    "(0, 0)",
    "(\"local-exec\")", "(macos, introduced=1)", "(malloc, 1)", "(open)", "(\"sse2\")", "(\"O1\")", "(none)", "(plain)", "(seen)", "(int)",
    "(\"skip\")", "(\"thunk\")", "(\"all\")",
  ]

  /// The names whose calls have no result to look at: what follows the call is not compiled, the call is an error, or the
  /// compiler may leave out what the callee stores.
  private static let withoutCalls: Set<Substring> = [
    "noreturn", "_Noreturn", "error", "unavailable", "const", "pure", "unsequenced", "reproducible", "__const",
  ]

  /// Each eighth name is compiled, since the compilers take minutes for all; `ATTRIBUTES=all` compiles all of them.
  private static let step: Int = ProcessInfo.processInfo.environment["ATTRIBUTES"] == "all" ? 1 : 8

  /// The number of samples that are compiled together, so that no compiler run takes long.
  private static let batch = 400

  /// The number of samples whose syntax is checked together.
  private static let syntaxBatch = 2_000

  private static func compile(_ compiler: CCompiler, _ words: [String], _ source: String) throws -> (status: Int32, text: String) {
    let all = compiler == .gcc ? "-fmax-errors=0" : "-ferror-limit=0"
    return try Command.run([compiler.command, "-std=gnu11", all] + words, on: source, named: "a.c")
  }

  /// The numbers of the lines that messages of a kind are about.
  private static func lines(_ text: String, _ kinds: [String]) -> Set<Int> {
    var lines: Set<Int> = []
    for message in text.split(separator: "\n") where kinds.contains(where: { message.contains($0) }) {
      guard let place = message.split(separator: "a.c:", maxSplits: 1).last else { continue }
      if let number = place.split(separator: ":").first.flatMap({ Int($0) }) { lines.insert(number) }
    }
    return lines
  }

  /// The samples that a compiler accepts: of each name and place one with an effect, or else one that it ignores.
  private static func accepted(by compiler: CCompiler) throws -> (samples: [Sample], known: Set<Substring>) {
    var chosen: [Sample] = []
    var known: Set<Substring> = []
    var waiting = Set(
      AttributeEffects.harmless.subtracting(withoutCalls).sorted().enumerated().filter { $0.offset % step == 0 }.map(\.element))
    // Most attributes have no arguments; only of the others each form is tried.
    for arguments in [[""], arguments] {
      var samples: [Sample] = []
      for name in waiting.sorted() {
        for place in Place.allCases {
          for text in arguments {
            samples.append(Sample(name: name, text: name + text, place: place, index: chosen.count + samples.count))
          }
        }
      }
      let before = plain.split(separator: "\n", omittingEmptySubsequences: false).count
      // clang 21 ends itself where a function pointer has alloc_align, and then tells nothing of what follows.
      let crashing = { (sample: Sample) in sample.name == "alloc_align" && sample.place == .functionPointer }
      // The lines of messages, counted from the first sample.
      var wrong: Set<Int> = []
      var ignored: Set<Int> = []
      for start in stride(from: 0, to: samples.count, by: syntaxBatch) {
        let part = samples[start..<min(start + syntaxBatch, samples.count)]
        let run = try compile(
          compiler, ["-fsyntax-only", compiler == .gcc ? "-fno-diagnostics-show-caret" : "-fno-caret-diagnostics"],
          plain + part.map { crashing($0) ? "" : $0.declaration }.joined(separator: "\n") + "\n")
        wrong.formUnion(lines(run.text, ["error:"]).map { $0 - before + start })
        ignored.formUnion(lines(run.text, ["ignored", "unknown", "does not apply", "not supported"]).map { $0 - before + start })
      }
      for start in stride(from: 0, to: samples.count, by: arguments.count) {
        let group = (start..<(start + arguments.count)).filter { !wrong.contains($0) && !crashing(samples[$0]) }
        let effective = group.first { !ignored.contains($0) }
        if let effective { known.insert(samples[effective].name) }
        if let sample = effective ?? group.first { chosen.append(samples[sample]) }
      }
      waiting.subtract(known)
    }
    for index in chosen.indices { chosen[index].index = index }
    return (chosen, known)
  }

  /// The samples that a compiler makes code for, with what their functions store.
  ///
  /// What fails only when code is made, such as an alias of nothing, is left out.
  private static func measured(_ samples: [Sample], by compiler: CCompiler) throws -> (samples: [Sample], values: [Int]) {
    var samples = samples
    let first = plain.split(separator: "\n", omittingEmptySubsequences: false).count
    while !samples.isEmpty {
      let run = try compile(
        compiler, ["-w", "-O0", "-S", "-o", "/dev/null"], plain + samples.map(\.line).joined(separator: "\n") + "\n")
      if run.status == 0 { break }
      // clang 21 ends itself at some, and says at which.
      let wrong = lines(run.text, ["error:", "current parser token", "IR generation of declaration"])
      let remaining = samples.enumerated().filter { !wrong.contains(first + $0.offset) }.map(\.element)
      try #require(remaining.count < samples.count, "\(run.text.prefix(2_000))")
      samples = remaining
    }
    guard !samples.isEmpty else { return ([], []) }
    let calls = samples.enumerated().map { "v\($1.index)(out + \($0));" }.joined(separator: "\n")
    let source = plain + samples.map(\.line).joined(separator: "\n") + "\nvoid measure(long *out) {\n\(calls)\n}\n"
    let library = try CompiledNumbers(path: compiler.sharedLibrary(source: source, flags: ["-O0"], name: "attributes"))
    return (samples, try library.measured(by: "measure", count: samples.count))
  }

  @Test("A call and a layout are the same with each of them, wherever it stands", arguments: CCompiler.all.filter(\.available))
  func unchanged(compiler: CCompiler) throws {
    var (samples, known) = try Self.accepted(by: compiler)
    var measured: [Int] = []
    var kept: [Sample] = []
    for start in stride(from: 0, to: samples.count, by: Self.batch) {
      let part = try Self.measured(Array(samples[start..<min(start + Self.batch, samples.count)]), by: compiler)
      kept += part.samples
      measured += part.values
    }
    // What a compiler refuses in a place is no difference there, but most can be used.
    #expect(kept.count * 2 > samples.count, "\(kept.count) of \(samples.count)")
    samples = kept
    let changed = zip(samples, measured).filter { $0.expected != $1 }.map { "\($0.text) \($0.place): \($1), not \($0.expected)" }
    #expect(changed.isEmpty, "\(changed.count): \(changed.prefix(20))")
    // Most names are one compiler's, so that this is about them.
    #expect(known.count * Self.step > (compiler == .gcc ? 60 : 100), "\(known.count) of \(AttributeEffects.harmless.count)")

    // What the compilers accept is read, and refused nowhere.
    var refused: [String] = []
    for sample in samples where sample.place == .function || sample.place == .pointer || sample.place == .number {
      let types = try? CDeclarations("struct pair { int x; long y; };\n" + sample.declaration).functions["f\(sample.index)"]?.types
      if types?.text() != "*r*d{pair=\"x\"i\"y\"q}if" { refused.append(sample.declaration) }
    }
    #expect(refused.isEmpty, "\(refused.count): \(refused.prefix(5))")
  }
}
