import ArgumentParser
import CDeclarations
import DynamicInvocation
import Foundation
import TestSupport

/// Compares the declarations of headers with gcc and clang.
struct HeadersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "headers",
    abstract: "Compare what is read of installed headers with gcc and clang.",
    discussion: """
      The sizes, alignments and offsets of structs, the enumerators and the types of functions are assertions in C, which both compilers \
      check. The encodings are compared with clang's @encode. The last columns count functions that have no types here, such as those \
      with a parameter of type __float128, and differences. The exit status is 1 if there is a difference, or if fewer headers than \
      --least are installed.

      EXAMPLES:
        conformance headers --least 40
        conformance headers zlib.h sqlite3.h
      """)

  @Option(help: "The file with the list of headers and their options.")
  var list = "Tests/conformance/Headers/headers.txt"

  @OptionGroup var count: CountOption

  @Option(help: "How many headers must be installed.")
  var least = 1

  @Argument(help: "The headers, in the list or not; all of the list unless given.")
  var headers: [String] = []

  func validate() throws {
    for compiler in CCompiler.all where !compiler.available {
      throw ValidationError("the command '\(compiler)' is not installed")
    }
  }

  func run() throws {
    var listed = try ListedHeader.list(at: list)
    if !headers.isEmpty {
      listed = headers.compactMap { name in listed.first { $0.name == name } ?? ListedHeader(Substring(name)) }
    }
    let columns = ["functions", "structs", "enumerators", "encodings", "left out", "differences"]
    print(TextRow.text("header", columns))
    var comparisons: [HeaderComparison] = []
    var missing: [String] = []
    for header in listed.prefix(count.count ?? .max) {
      guard let options = try header.compilerOptions(), try header.isInstalled(options) else {
        missing.append(header.name)
        continue
      }
      let comparison = try HeaderComparison(header, options: options)
      comparisons.append(comparison)
      print(TextRow.text(header.name, Self.cells(comparison)))
      for difference in comparison.differences.prefix(8) { print("  \(difference)") }
      fflush(nil)
    }
    let sums = comparisons.reduce(into: [0, 0, 0, 0, 0, 0]) { sums, comparison in
      for (index, value) in Self.numbers(comparison).enumerated() { sums[index] += value }
    }
    print(TextRow.text("all", sums.map(String.init)))
    let different = comparisons.count { !$0.differences.isEmpty }
    print("\(comparisons.count) headers compared, \(different) with differences")
    if !missing.isEmpty { print("not installed: \(missing.joined(separator: ", "))") }
    if different > 0 || comparisons.count < least { throw ExitCode.failure }
  }

  private static func numbers(_ comparison: HeaderComparison) -> [Int] {
    let count = comparison.count
    return [
      count.functions, count.records, count.enumerators, comparison.encodingCount, count.leftOut, comparison.differences.count,
    ]
  }

  private static func cells(_ comparison: HeaderComparison) -> [String] { numbers(comparison).map(String.init) }
}

/// Compares what is read of a header with gcc and clang.
///
/// The header is read from the output of each compiler's preprocessor, as the compilers' own headers differ, and is
/// compared with that compiler. The encodings are compared with clang's `@encode`.
struct HeaderComparison {
  let header: ListedHeader
  /// What is compared with gcc.
  private(set) var count = DeclarationChecks.Count()
  /// The encodings that are compared.
  private(set) var encodingCount = 0
  private(set) var differences: [String] = []

  init(_ header: ListedHeader, options: [String]) throws {
    self.header = header
    for compiler in CCompiler.all {
      setenv("CC", compiler.command, 1)
      do {
        try compare(with: compiler, options)
      } catch let error as InvocationError {
        differences.append("\(compiler): not read: \(error)")
      }
    }
  }

  private mutating func compare(with compiler: CCompiler, _ options: [String]) throws {
    let declarations = try CDeclarations(headers: header.headers, options: options)
    let checks = DeclarationChecks(declarations, including: header.includes)
    if compiler == .gcc { count = checks.count }
    let all = compiler == .gcc ? "-fmax-errors=0" : "-ferror-limit=0"
    let run = try Command.run([compiler.command, "-fsyntax-only", "-w", all] + options, on: checks.source, named: "checks.c")
    differences += Self.errors(run, compiler)
    if compiler == .clang { try compareEncodings(declarations, options) }
  }

  private mutating func compareEncodings(_ declarations: CDeclarations, _ options: [String]) throws {
    let checks = EncodingChecks(declarations, including: header.includes)
    let program = TemporaryFolder.shared.url.appendingPathComponent("encodings").path
    let words = [CCompiler.clang.command, "-w", "-ferror-limit=0", "-o", program] + options
    let compiled = try Command.run(words, on: checks.source, named: "encodings.m")
    guard compiled.status == 0 else {
      differences += Self.errors(compiled, .clang)
      return
    }
    let lines = try Command.output([program]).text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == checks.expected.count + 1 else {
      differences.append("clang: \(lines.count - 1) encodings of \(checks.expected.count)")
      return
    }
    encodingCount = checks.expected.count
    for (expected, line) in zip(checks.expected, lines) where !EncodingChecks.isEqual(expected.encoding, String(line)) {
      differences.append("\(expected.text) is \(expected.encoding), clang writes \(line)")
    }
  }

  private static func errors(_ run: (status: Int32, text: String), _ compiler: CCompiler) -> [String] {
    guard run.status != 0 else { return [] }
    let lines = run.text.split(separator: "\n").filter { $0.contains("error: ") }
    guard !lines.isEmpty else { return ["\(compiler) ended with status \(run.status)"] }
    return lines.map { line in
      let message = line.range(of: "error: ").map { line[$0.upperBound...] } ?? line
      return "\(compiler): \(message)"
    }
  }
}

/// A line of the list of headers: a header, the headers that it needs before it, and options of the compiler.
struct ListedHeader {
  /// The headers, separated by commas in the line; the last one is compared.
  var headers: [String]
  /// Options; `pkg:NAME` stands for what pkg-config states for a package.
  var options: [String]

  /// The name of the header that is compared.
  var name: String { headers.last ?? "" }

  /// The directives that include the headers.
  var includes: String { headers.map { "#include <\($0)>\n" }.joined() }

  /// Reads a line; nil for an empty line or a comment.
  init?(_ line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    headers = first.split(separator: ",").map(String.init)
    options = Array(words.dropFirst())
  }

  /// Returns the headers of a list.
  static func list(at path: String) throws -> [ListedHeader] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { ListedHeader($0) }
  }

  /// The options of the compiler; nil if pkg-config knows no such package.
  func compilerOptions() throws -> [String]? {
    var result: [String] = []
    for option in options {
      guard option.hasPrefix("pkg:") else {
        result.append(option)
        continue
      }
      let run = try Command.output(["pkg-config", "--cflags", String(option.dropFirst(4))])
      guard run.status == 0 else { return nil }
      result += run.text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    return result
  }

  /// Whether the headers are installed.
  func isInstalled(_ options: [String]) throws -> Bool {
    let checks = headers.map { "#if !__has_include(<\($0)>)\n#error missing\n#endif\n" }.joined()
    return try Command.run([CCompiler.gcc.command, "-E"] + options, on: checks, named: "installed.c").status == 0
  }
}
