import CDeclarations
import DynamicInvocation
import Foundation
import TestSupport

/// Compares what is read of a header with gcc and clang.
///
/// The header is read from the output of each compiler's preprocessor, as the compilers' own headers differ, and is
/// compared with that compiler. It is read again from the cache, which must declare the same. The encodings of what was
/// stored are compared with clang's `@encode`.
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
    let folder = try CheckFolder()
    let checks = DeclarationChecks(try CDeclarations(headers: header.headers, options: options), including: header.includes)
    let stored = try CDeclarations(headers: header.headers, options: options)
    differences += DeclarationChecks(stored, including: header.includes).differences(from: checks).map { "\(compiler), stored: \($0)" }
    if compiler == .gcc { count = checks.count }
    let all = compiler == .gcc ? "-fmax-errors=0" : "-ferror-limit=0"
    let run = try folder.run([compiler.command, "-fsyntax-only", "-w", all] + options, on: checks.source, named: "checks.c")
    differences += Self.errors(run, compiler)
    if compiler == .clang { try compareEncodings(stored, options, folder) }
  }

  private mutating func compareEncodings(_ declarations: CDeclarations, _ options: [String], _ folder: borrowing CheckFolder) throws {
    let checks = EncodingChecks(declarations, including: header.includes)
    let program = folder.url.appendingPathComponent("encodings").path
    let words = [CCompiler.clang.command, "-w", "-ferror-limit=0", "-o", program] + options
    let compiled = try folder.run(words, on: checks.source, named: "encodings.m")
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
