#if os(Linux)
  import Foundation
  import TestSupport
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

    @Test("Members of declared structs and unions are given by name")
    func members() throws {
      let source = """
        struct point { int x, y; };
        struct bits { unsigned a : 3, : 5, b : 4; };
        int sum(struct point p) { return 10 * p.x + p.y; }
        int bits(struct bits b) { return 100 * b.a + b.b; }
        """
      let library = try CCompiler.gcc.sharedLibrary(source: source, name: "members")
      func sum(_ argument: String) throws -> Program.Run {
        try Program.call(library, "int sum(struct point { int x, y; } p)", argument)
      }
      #expect(try sum(#"{"y":4,"x":3}"#).output == "34\n")
      #expect(try sum("[3,4]").output == "34\n")
      let type = #"sum: argument 0 ({point="x"i"y"i})"#
      #expect(try sum(#"{"x":3}"#).errors == "Error: \(type): 1 member is missing: y\n")
      #expect(try sum("{}").errors == "Error: \(type): 2 members are missing: x, y\n")
      #expect(try sum(#"{"x":3,"z":1}"#).errors == "Error: \(type): there is no member \"z\", the members are x, y\n")
      #expect(try sum(#"{"x":3,"y":"a"}"#).errors == "Error: sum: argument 0 (i, Int32): at .y: \"a\" is not a whole number\n")
      let bits = try Program.call(library, "int bits(struct { unsigned a : 3, : 5, b : 4; } b)", #"{"a":7,"b":9}"#)
      #expect(bits.output == "709\n")
      let unnamed = try Program.call(library, "sum", "i{point=ii}", #"{"x":3,"y":4}"#)
      #expect(unnamed.errors.contains("the names of the members are not known, pass an array of 2 values"))
    }

    @Test("A compiler that cannot be run for the length of its arguments is an error in words", .enabled(if: hasCompiler))
    func longArguments() throws {
      let header = String(repeating: "h", count: 900_000)
      let line = #"{"library": "libm.so.6", "header": "\#(header)", "symbol": "pow", "arguments": [2, 10]}"#
      let answers = try Program.batch([line])
      #expect(answers.count == 1 && answers[0].contains("cannot be run: Argument list too long"), "\(answers.map { $0.prefix(300) })")
    }

    @Test("A program is listed as a library, not read as a header")
    func machineCode() throws {
      let run = try Program.run(["types", "/bin/sh"])
      #expect(run.status == 1 && run.errors.hasPrefix("Error: library '/bin/sh' cannot be opened: "))
    }

    @Test("The names of a library are listed, and completed")
    func names() throws {
      let run = try Program.run(["types", "libm.so.6"])
      #expect(run.lines.contains("pow") && run.lines == run.lines.sorted())
      #expect(try Program.run(["types", "no-such.so"]).status == 1)
    }
  }
#endif
