import ArgumentParser
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

  @Argument(help: "The headers, as in the list or not; those of the list unless given.")
  var headers: [String] = []

  func validate() throws {
    for compiler in CCompiler.all where !compiler.available {
      throw ValidationError("the command '\(compiler)' is not installed")
    }
  }

  func run() throws {
    // The headers are really read, and the user's cache stays as it is.
    setenv("XDG_CACHE_HOME", TemporaryFolder.shared.url.path, 1)
    var listed = try ListedHeader.list(at: list)
    if !headers.isEmpty {
      listed = headers.compactMap { name in listed.first { $0.name == name } ?? ListedHeader(Substring(name)) }
    }
    let columns = ["functions", "structs", "enumerators", "encodings", "left out", "differences"]
    print(Self.row("header", columns))
    var comparisons: [HeaderComparison] = []
    var missing: [String] = []
    for header in listed.prefix(count.count ?? .max) {
      guard let options = try header.compilerOptions(), try header.isInstalled(options) else {
        missing.append(header.name)
        continue
      }
      let comparison = try HeaderComparison(header, options: options)
      comparisons.append(comparison)
      print(Self.row(header.name, Self.cells(comparison)))
      for difference in comparison.differences.prefix(8) { print("  \(difference)") }
      fflush(nil)
    }
    let sums = comparisons.reduce(into: [0, 0, 0, 0, 0, 0]) { sums, comparison in
      for (index, value) in Self.numbers(comparison).enumerated() { sums[index] += value }
    }
    print(Self.row("all", sums.map(String.init)))
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

  private static func row(_ name: String, _ cells: [String]) -> String {
    name.padding(toLength: 22, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
  }
}
