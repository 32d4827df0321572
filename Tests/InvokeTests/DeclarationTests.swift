#if os(Linux)
  import Foundation
  import Testing

  /// `invoke call` and `invoke types` with declarations and headers.
  @Suite(.enabled(if: Program.isThere, "needs the trait Tools")) struct DeclarationTests {
    private static var hasCompiler: Bool {
      ["cc", "gcc", "clang"].contains { name in
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
          .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
      }
    }

    @Test(
      "A declaration takes the place of the symbol and the types",
      arguments: [
        (["libm.so.6", "double pow(double, double)", "2", "10"], "1024.0\n"),
        (["libm.so.6", "double fabs(double x);", "-1.5"], "1.5\n"),
        (["libc.so.6", "struct { int quot, rem; } div(int, int)", "17", "5"], "[3,2]\n"),
        (["libc.so.6", "size_t strlen(const char *)", "--", "hello"], "5\n"),
        (["libm.so.6", "double frexp(double, int *)", "8", "[0]"], "0.5\n{\"buffers\":{\"1\":[4]}}\n"),
        (["--errno", "libc.so.6", "int chdir(const char *)", "/nowhere"], "-1\n{\"errno\":2}\n"),
      ])
    func declarations(words: [String], output: String) throws {
      let run = try Program.run(["call"] + words)
      #expect(run.errors == "" && run.status == 0)
      #expect(run.output == output)
    }

    @Test("The types of variadic arguments are stated")
    func variadic() throws {
      let words = ["libc.so.6", "int snprintf(char *, size_t, const char *, ...)", "[0,0,0,0]", "4", "%.1f", "2.5"]
      let run = try Program.run(["call", "--variadic", "double"] + words)
      #expect(run.lines.first == "3" && run.status == 0)
      let missing = try Program.run(["call"] + words)
      #expect(missing.status == 1 && missing.errors.contains("the types of the arguments after '...' are not stated"))
    }

    @Test("A wrong declaration is an error with its column")
    func errors() throws {
      let wrong = try Program.run(["call", "libm.so.6", "double pow(duble, double)", "2", "10"])
      #expect(wrong.status == 1 && wrong.errors.contains("line 1, column 12: 'duble' is not a type"))
      let absent = try Program.run(["call", "libm.so.6", "double pov(double, double)", "2", "10"])
      #expect(absent.status == 1 && absent.errors.contains("no symbol 'pov'") && absent.errors.contains("pow"))
    }

    @Test("Lines of a batch have declarations")
    func batch() throws {
      let lines = """
        {"library": "libm.so.6", "declaration": "double pow(double, double)", "arguments": [2, 10]}
        {"library": "libm.so.6", "declaration": "double pow(double, double)", "types": "ddd", "arguments": [2, 10]}
        {"library": "libm.so.6", "symbol": "pow", "types": "ddd", "include": ["/"], "arguments": [2, 10]}
        {"library": "libm.so.6", "header": "math.h", "arguments": [2, 10]}

        """
      let run = try Program.run(["call", "--batch"], input: Array(lines.utf8))
      #expect(run.lines.count == 4 && run.lines.first == "{\"result\":1024.0}")
      for line in run.lines.dropFirst() { #expect(line.contains("malformedRequest")) }
    }

    @Test(
      "A declaration of a header that cannot be read is named, and the others are used",
      .enabled(if: hasCompiler, "needs a C compiler"))
    func skipped() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skipped-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let header = folder.appendingPathComponent("own.h").path
      try "double pow(double, double);\nfoo sin(double);\n".write(toFile: header, atomically: true, encoding: .utf8)
      let environment = ["XDG_CACHE_HOME": folder.path]
      let types = try Program.run(["types", header], environment: environment)
      #expect(types.status == 0 && types.lines == ["pow\tddd\tdouble pow(double, double);"])
      #expect(types.errors == "Skipped: \(header):2:1: 'foo' is not a type that is declared here\n")
      let pow = try Program.run(["call", "--header", header, "libm.so.6", "pow", "2", "10"], environment: environment)
      #expect(pow.output == "1024.0\n")
      let sin = try Program.run(["call", "--header", header, "libm.so.6", "sin", "0"], environment: environment)
      #expect(sin.status == 1 && sin.errors.contains("own.h:2:1: 'foo' is not a type"))
    }

    @Test("A header states the types, and is listed", .enabled(if: hasCompiler, "needs a C compiler"))
    func headers() throws {
      guard FileManager.default.fileExists(atPath: "/usr/include/math.h") else { return }
      let cache = FileManager.default.temporaryDirectory.appendingPathComponent("invoke-cache-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: cache) }
      for _ in 0..<2 {
        let run = try Program.run(["call", "--header", "math.h", "libm.so.6", "pow", "2", "10"], environment: ["XDG_CACHE_HOME": cache])
        #expect(run.output == "1024.0\n" && run.errors == "")
      }
      let types = try Program.run(["types", "math.h", "--library", "libm.so.6", "--json"], environment: ["XDG_CACHE_HOME": cache])
      let pow = try #require(types.lines.first { $0.contains("\"symbol\":\"pow\"") })
      #expect(pow.contains("\"types\":\"ddd\"") && pow.contains("\"variadic\":false") && pow.contains("\"exported\":true"))
      let absent = try Program.run(
        ["call", "--header", "no/such.h", "libm.so.6", "pow", "2", "10"], environment: ["XDG_CACHE_HOME": cache])
      #expect(absent.status == 1 && absent.errors.contains("no/such.h"))
    }

    @Test("The names of a library are listed, and completed")
    func names() throws {
      let run = try Program.run(["types", "libm.so.6"])
      #expect(run.lines.contains("pow") && run.lines == run.lines.sorted())
      #expect(try Program.run(["types", "no-such.so"]).status == 1)
    }
  }
#endif
