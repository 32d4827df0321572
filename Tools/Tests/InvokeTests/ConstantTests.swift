#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Constants of headers: printed, listed, and as arguments.
  @Suite(.measured, .enabled(if: CCompiler.gcc.available, "needs gcc")) struct ConstantTests {
    private static let header = """
      enum color { RED, GREEN = 5, BLUE = -1 };
      #define LIMIT 18446744073709551615ULL
      #define RATIO 0.25
      #define NAME "a \\"name\\""
      #define NOWHERE ((void *)-1)
      #define MASK (1 << 4)
      #define CALL() f()
      #define _OWN 3
      double half(double);
      int flags(int, unsigned char, double, const char *, void *, enum color);
      """

    /// What gcc prints of the constants of the header.
    private static let source = """
      #include <stdio.h>
      \(header)
      int flags(int a, unsigned char b, double c, const char *d, void *e, enum color f) {
        return a * 1000000 + b * 10000 + (int)(100 * c) * 100 + (d[0] == 'R') * 10 + (e == NOWHERE) + (f == BLUE) * 2;
      }
      double half(double x) { return x / 2; }
      """

    /// Runs the program with a folder that has the header.
    private func run(_ words: [String], input: String = "") throws -> Program.Run {
      let folder = TemporaryFolder.shared.url.appendingPathComponent("constants", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("own.h")
      if !FileManager.default.fileExists(atPath: file.path) { try Self.header.write(to: file, atomically: true, encoding: .utf8) }
      return try Program.run(
        words.map { $0 == "own.h" ? file.path : $0.replacingOccurrences(of: "own.h", with: file.path) }, input: Array(input.utf8))
    }

    @Test(
      "A constant is printed as JSON",
      arguments: [
        ("RED", "0"), ("GREEN", "5"), ("BLUE", "-1"), ("LIMIT", "18446744073709551615"), ("RATIO", "0.25"), ("NAME", #""a \"name\"""#),
        ("NOWHERE", "\"0xffffffffffffffff\""), ("MASK", "16"), ("_OWN", "3"),
      ])
    func prints(name: String, value: String) throws {
      try run(["get", "--header", "own.h", name]).expectOutput(value + "\n")
    }

    @Test("The constants of a header are listed, its own first, and others' unless their names begin with _")
    func lists() throws {
      let own = try run(["types", "own.h", "--constants"]).lines
      #expect(
        own.prefix(9) == [
          "RED\t0", "GREEN\t5", "BLUE\t-1", "LIMIT\t18446744073709551615", "MASK\t16", "NAME\t\"a \\\"name\\\"\"",
          "NOWHERE\t\"0xffffffffffffffff\"", "RATIO\t0.25", "_OWN\t3",
        ])
      #expect(!own.contains { $0.hasPrefix("CALL") } && !own.dropFirst(9).contains { $0.hasPrefix("_") })
      let json = try run(["types", "own.h", "--constants", "--json"]).lines
      #expect(json.first == #"{"constant":"RED","value":0}"# && json.count == own.count)
    }

    @Test("The functions of a header itself are listed before the functions of headers that it includes")
    func order() throws {
      guard FileManager.default.fileExists(atPath: "/usr/include/zlib.h") else { return }
      let names = try run(["types", "zlib.h"]).lines.map { $0.prefix { $0 != "\t" } }
      #expect(names.first == "zlibVersion" && names.contains("deflate"))
      let others = try #require(names.firstIndex(of: "select"))
      #expect(try others > #require(names.lastIndex(of: "deflate")))
    }

    @Test("A word that names a constant is its value, where the parameter is a number or an address")
    func arguments() throws {
      let library = try CCompiler.gcc.sharedLibrary(source: Self.source, name: "constants")
      try run(["call", "--header", "own.h", library, "flags", "GREEN|MASK", "MASK", "RATIO", "RED", "NOWHERE", "BLUE"])
        .expectOutput("21162513\n")
      try run(["call", "--header", "own.h", library, "half", "MASK"]).expectOutput("8.0\n")
      for (words, message) in [
        (["RED|ORANGE", "0", "0", "R", "null", "0"], #"argument 0 (i, Int32): "RED|ORANGE" is not a whole number"#),
        (["NAME", "0", "0", "R", "null", "0"], "argument 0 (i, Int32): "), (["0", "BLUE", "0", "R", "null", "0"], "-1 does not fit"),
        (["RATIO", "0", "0", "R", "null", "0"], "0.25 is not a whole number"),
      ] {
        try run(["call", "--header", "own.h", library, "flags"] + words).expectError(message)
      }
      let line = #"{"library":"\#(library)","header":"own.h","symbol":"half","arguments":["GREEN"]}"#
      let folder = TemporaryFolder.shared.url.appendingPathComponent("constants/own.h").path
      #expect(try Program.batch([line.replacingOccurrences(of: "own.h", with: folder)]) == [#"{"result":2.5}"#])
    }
  }
#endif
