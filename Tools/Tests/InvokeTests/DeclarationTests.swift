#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// `invoke call` and `invoke types` with declarations and headers.
  @Suite(.measured) struct DeclarationTests {
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
      try Program.run(["call"] + words).expectOutput(output)
    }

    @Test("The types of variadic arguments are stated")
    func variadic() throws {
      let words = ["libc.so.6", "int snprintf(char *, size_t, const char *, ...)", "[0,0,0,0]", "4", "%.1f", "2.5"]
      let run = try Program.run(["call", "--variadic", "double"] + words)
      #expect(run.lines.first == "3" && run.status == 0)
      try Program.run(["call"] + words).expectError("the types of the arguments after '...' are not stated; write --variadic ")
    }

    @Test("A wrong declaration is an error with its column")
    func errors() throws {
      try Program.call("libm.so.6", "double pow(duble, double)", "2", "10").expectError("line 1, column 12: 'duble' is not a type")
      let absent = try Program.call("libm.so.6", "double pov(double, double)", "2", "10")
      absent.expectError("no symbol 'pov'")
      #expect(absent.errors.contains("pow"))
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
      try Program.withFolder(["own.h": "double pow(double, double);\nfoo sin(double);\n"]) { folder in
        let header = folder.appendingPathComponent("own.h").path
        let types = try Program.run(["types", header])
        #expect(types.status == 0 && types.lines == ["pow\tddd\tdouble pow(double, double);"])
        #expect(types.errors == "Skipped: \(header):2:1: 'foo' is not a type that is declared here\n")
        try Program.call("--header", header, "libm.so.6", "pow", "2", "10").expectOutput("1024.0\n")
        try Program.call("--header", header, "libm.so.6", "sin", "0").expectError("own.h:2:1: 'foo' is not a type")
      }
    }

    @Test("A header states the types, and is listed", .enabled(if: hasCompiler, "needs a C compiler"))
    func headers() throws {
      guard FileManager.default.fileExists(atPath: "/usr/include/math.h") else { return }
      try Program.withFolder { home in
        let words = ["call", "--header", "math.h", "libm.so.6", "pow", "2", "10"]
        try Program.run(words, environment: ["HOME": home.path, "XDG_CACHE_HOME": home.path]).expectOutput("1024.0\n")
        // Reading a header writes nothing.
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
      }
      let types = try Program.run(["types", "math.h", "--library", "libm.so.6", "--json"])
      let pow = try #require(types.lines.first { $0.contains("\"symbol\":\"pow\"") })
      #expect(pow.contains("\"types\":\"ddd\"") && pow.contains("\"variadic\":false") && pow.contains("\"exported\":true"))
      try Program.call("--header", "no/such.h", "libm.so.6", "pow", "2", "10").expectError("no/such.h")
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
      // As in C, a member that is left out is zero.
      #expect(try sum(#"{"y":3}"#).output == "3\n")
      #expect(try sum("{}").output == "0\n" && sum("[]").output == "0\n" && sum("[3]").output == "30\n")
      #expect(try sum("[1,2,3]").errors == "Error: \(type): 3 values given, the type has 2\n")
      #expect(try sum(#"{"x":3,"z":1}"#).errors == "Error: \(type): there is no member \"z\", the members are x, y\n")
      #expect(try sum(#"{"x":3,"y":"a"}"#).errors == "Error: sum: argument 0 (i, Int32): at .y: \"a\" is not a whole number\n")
      let bits = try Program.call(library, "int bits(struct { unsigned a : 3, : 5, b : 4; } b)", #"{"a":7,"b":9}"#)
      #expect(bits.output == "709\n")
      let unnamed = try Program.call(library, "sum", "i{point=ii}", #"{"x":3,"y":4}"#)
      #expect(unnamed.errors.contains("the names of the members are not known, pass an array of 2 values"))
    }

    private static let valueHeader = """
      struct s { int a; int : 5; int b : 3; char c; };
      struct flag { _Bool a : 1; int : 0; unsigned : 3; _Bool b : 1; };
      union u { int : 5; int i; char c; };
      int take(struct s v);
      void fill(struct s *v);
      struct flag swap(struct flag v);
      union u same(union u v);
      double number(int n, ...);
      int whole(int n, ...);

      """

    private static let valueSource =
      valueHeader + """
        int take(struct s v) { return v.a * 100 + v.b * 10 + v.c; }
        void fill(struct s *v) { *v = (struct s){ 4, -1, 6 }; }
        struct flag swap(struct flag v) { return (struct flag){ v.b, v.a }; }
        union u same(union u v) { return v; }
        #define LAST(type) __builtin_va_list list; __builtin_va_start(list, n); type x = __builtin_va_arg(list, type); return x
        double number(int n, ...) { LAST(double); }
        int whole(int n, ...) { LAST(int); }

        """

    /// Words after `call`, with H for the options that name the header, and what is printed, or the beginning of the error.
    private static let valueRows: [(words: [String], expected: String)] = [
      (["H", "take", "[1,-2,3]"], "83"), (["H", "take", #"{"c":3,"b":-2,"a":1}"#], "83"), (["H", "take", "[1,2,3,4]"], "4 values given"),
      (["take", #"i{s="a"ib32i5"b"b37i3"c"c}"#, "[1,-2,3]"], "83"), (["take", "i{s=ib32i5b37i3c}", "[1,0,-2,3]"], "83"),
      (["H", "fill", "{}"], "null\n{\"buffers\":{\"0\":[[4,-1,6]]}}"), (["H", "swap", "[true,false]"], "[false,true]"),
      (["H", "swap", "[1]"], "1 is not true or false"), (["H", "same", #"{"member":1,"value":7}"#], #"{"member":0,"value":7}"#),
      (["H", "--variadic", "float", "number", "0", "0.1"], "0.10000000149011612"),
      (["H", "--variadic", "float", "number", "0", "1e39"], "does not fit"), (["H", "--variadic", "double", "number", "0", "0.1"], "0.1"),
      (["H", "--variadic", "unsigned char", "whole", "0", "300"], "300 does not fit"),
      (["H", "--variadic", "signed char", "whole", "0", "-3"], "-3"), (["H", "--variadic", "_Bool", "whole", "0", "true"], "1"),
      (["H", "--variadic", "_Bool", "whole", "0", "5"], "5 is not true or false"),
    ]

    @Test("Values of declared types are as in C", .enabled(if: hasCompiler, "needs a C compiler"), arguments: valueRows)
    func values(words: [String], expected: String) throws {
      let library = try CCompiler.gcc.sharedLibrary(source: Self.valueSource, name: "values")
      let header = TemporaryFolder.shared.url.appendingPathComponent("values.h")
      try Self.valueHeader.write(to: header, atomically: true, encoding: .utf8)
      var (options, rest) = ([String](), words)
      if rest.first == "H" { (options, rest) = (["--header", header.path], Array(rest.dropFirst())) }
      if rest.first == "--variadic" { (options, rest) = (options + rest.prefix(2), Array(rest.dropFirst(2))) }
      let run = try Program.run(["call"] + options + [library] + rest)
      #expect(run.status == 0 ? run.output == expected + "\n" : run.errors.contains(expected), "\(run)")
    }

    @Test("Symbols of each kind are listed, a static archive is told, and so is a library that ends the process when it is opened")
    func libraries() throws {
      let source = #"""
        __thread int local = 3;
        int plain(void) { return 1; }
        __asm__(".globl untyped\n untyped: ret\n .data\n .globl once\n .type once, %gnu_unique_object\n once: .long 5\n .text\n");
        """#
      let names = try Program.run(["types", CCompiler.gcc.sharedLibrary(source: source, name: "kinds")]).lines
      for name in ["local", "plain", "untyped", "once"] { #expect(names.contains(name), "\(names)") }
      let archive = TemporaryFolder.shared.url.appendingPathComponent("own.a")
      try "!<arch>\n".write(to: archive, atomically: true, encoding: .utf8)
      #expect(try Program.run(["types", archive.path]).errors.contains("it is a static library"))
      let trap = "__attribute__((constructor)) static void f(void) { __builtin_trap(); }"
      let library = try CCompiler.gcc.sharedLibrary(source: trap, name: "trap")
      #expect(try Program.call(library, "one", "v").errors.hasPrefix("Error: opening '\(library)' crashed: signal "))
    }

    @Test("Members that are left out, texts and arrays in structs are as in C")
    func outStructs() throws {
      let source = """
        #include <stdint.h>
        struct entry { char name[8]; const uint8_t *data; int count; union { int i; double d; } u; short tail[3]; };
        long sum(struct entry *e) {
          long sum = 0;
          for (int i = 0; i < e->count; i++) sum += e->data[i];
          for (int i = 0; i < 8; i++) sum += 100 * e->name[i];
          return sum + 100000 * e->tail[0] + e->tail[1] + e->tail[2] + e->u.i;
        }
        int first_zero(char name[8]) { int i = 0; while (name[i]) i++; name[7] = 9; return i; }
        int grid(int a[2][3]) { int sum = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) sum += a[i][j]; return sum; }
        int rows(int **rows, int count) { int sum = 0; for (int i = 0; i < count; i++) sum += rows[i][0] + rows[i][1]; return sum; }
        """
      let library = try CCompiler.gcc.sharedLibrary(source: source, name: "out-structs")
      let entry =
        "long sum(struct entry { char name[8]; const uint8_t *data; int count; union { int i; double d; } u; short tail[3]; } *e)"
      func sum(_ argument: String) throws -> String { try Program.call(library, entry, argument).lines.first ?? "" }
      #expect(try sum("{}") == "0" && sum("[{}]") == "0" && sum("[[]]") == "0")
      #expect(try sum(#"{"data":[7,8,250],"count":3}"#) == "265" && sum(#"[["",[1,2],2]]"#) == "3")
      #expect(try sum(#"{"name":"\u0001\u0001","tail":[2],"u":{"i":5}}"#) == "200205" && sum(#"{"name":"12345678","u":{}}"#) == "42000")
      #expect(
        try Program.call(library, entry, #"{"name":"123456789"}"#).errors.contains(#"at [0].name: "123456789" has 9 bytes, the array 8"#))
      #expect(try Program.call(library, entry, #"{"tail":[1,2,3,4]}"#).errors.contains("at [0].tail: 4 values given, the type has 3"))
      // A parameter is as large as its encoding says, whatever is given; in a declaration it is a pointer.
      let text = try Program.call(library, "first_zero", "i[8c]", "abc")
      #expect(text.output == "3\n{\"buffers\":{\"0\":[97,98,99,0,0,0,0,9]}}\n", "\(text)")
      #expect(try Program.call(library, "first_zero", "i[8c]", "longer text").lines.first == "11")
      #expect(try Program.call(library, "int grid(int a[2][3])", "[[1,2],[3]]").output == "6\n{\"buffers\":{\"0\":[[1,2,0],[3,0,0]]}}\n")
      #expect(try Program.call(library, "int rows(int **, int)", "[[1,2],[3,4]]", "2").lines.first == "10")
      // Characters are followed by a zero.
      let full = "[" + Array(repeating: "65", count: 32).joined(separator: ",") + "]"
      #expect(try Program.call("libc.so.6", "size_t strlen(const char *)", full).lines.first == "32")
    }

    @Test("An array for memory states its type, in C or as an encoding, as the types are")
    func typedArrays() throws {
      let sorted = "null\n{\"buffers\":{\"0\":[1,2,3]}}\n"
      #expect(try Program.call("libc.so.6", "qsort", "v^vQQ^?", #"{"i":[3,1,2]}"#, "3", "4", "strcmp").output == sorted)
      let declaration = "void qsort(void *, size_t, size_t, int (*)(const void *, const void *))"
      #expect(try Program.call("libc.so.6", declaration, #"{"int":[3,1,2]}"#, "3", "4", "strcmp").output == sorted)
      for (argument, message) in [
        ("[3,1,2]", "argument 0 (^v): an array for an untyped pointer states the type of its elements"),
        (#"{"itn":[1]}"#, "'itn'"),
        (#"{"int":[1.5]}"#, "at [0]: 1.5 is not a whole number"), (#"{"int":1}"#, "is not null or an address"),
      ] {
        try Program.call("libc.so.6", declaration, argument, "1", "4", "strcmp").expectError(message)
      }
      let unnamed = try Program.call("libc.so.6", "memset", "^v^viQ", #"{"ii":[1]}"#, "0", "1")
      #expect(unnamed.errors.contains("an element has one type"))
    }

    @Test("A header may need macros and other headers before it", .enabled(if: hasCompiler, "needs a C compiler"))
    func macrosAndHeaders() throws {
      let text = """
        #ifndef POWER
        #error POWER is not defined
        #endif
        number POWER(number, number);
        static inline int twice(int x) { return 2 * x; }
        inline int thrice(int x) { return 3 * x; }
        #define CURRENT (*current())
        #define LARGER(a, b) ((a) > (b) ? (a) : (b))
        extern number scale;
        enum { LEVEL = 7 };
        """
      try Program.withFolder(["first.h": "typedef double number;\n", "own.h": text]) { folder in
        let options = ["--header", "first.h", "--header", "own.h", "-I", folder.path, "--define", "POWER=pow"]
        func run(_ command: String, _ words: String...) throws -> Program.Run {
          try Program.run([command] + options + words)
        }
        try run("call", "libm.so.6", "pow", "2", "10").expectOutput("1024.0\n")
        #expect(try run("explain", "pow").output.contains("canonical  ddd"))
        let listed = try Program.run(["types", "own.h", "--header", "first.h", "-I", folder.path, "-D", "POWER=pow"])
        #expect(listed.lines.first?.hasPrefix("pow\tddd\t") == true)
        for (words, message) in [
          (["call", "libm.so.6", "pwo", "1"], "no function 'pwo' is declared; nearest: pow"),
          (["call", "libm.so.6", "CURRENT"], "no function 'CURRENT' is declared: it is a macro: (*current())"),
          (["call", "libm.so.6", "LARGER", "1"], "it is a macro with the parameters (a, b): ((a) > (b) ? (a) : (b))"),
          (["call", "libm.so.6", "twice", "1"], "'twice' has no symbol: the header defines it as static inline: no library exports it"),
          (["call", "libm.so.6", "thrice", "1"], "has no symbol 'thrice'; the header defines it as inline: a library need not export it"),
          (["call", "libm.so.6", "LEVEL"], "no function 'LEVEL' is declared: it is an enumerator"),
          (["call", "libm.so.6", "scale"], "'scale' is a variable, which has no arguments"),
          (["get", "libm.so.6", "scael"], "no variable 'scael' is declared; nearest: scale"),
          (["get", "libm.so.6", "pow"], "no variable 'pow' is declared: it is a function"),
          (["get", "pow"], "no constant 'pow' is declared: it is a function"),
          (["get", "CURRENT"], "no constant 'CURRENT' is declared: it is a macro: (*current())"),
          (["get", "LEVELS"], "no constant 'LEVELS' is declared; nearest: LEVEL"),
        ] {
          try Program.run(Array(words.prefix(1)) + options + Array(words.dropFirst())).expectError(message)
        }
        let undefined = try Program.run(["get", "--header", "own.h", "-I", folder.path, "LEVEL"])
        #expect(undefined.errors.contains("#error POWER is not defined") && !undefined.errors.contains("-dev"))
      }
    }

    @Test(
      "A compiler that cannot be run for the length of its arguments is an error in words", .enabled(if: hasCompiler),
      .enabled(if: !Emulator.isActive, Emulator.startsPrograms))
    func longArguments() throws {
      let header = String(repeating: "h", count: 900_000)
      let line = #"{"library": "libm.so.6", "header": "\#(header)", "symbol": "pow", "arguments": [2, 10]}"#
      let answers = try Program.batch([line])
      #expect(answers.count == 1 && answers[0].contains("cannot be run: Argument list too long"), "\(answers.map { $0.prefix(300) })")
    }

    @Test("A program is listed as a library, not read as a header")
    func machineCode() throws {
      try Program.run(["types", "/bin/sh"]).expectError("library '/bin/sh' cannot be opened: ")
    }

    @Test("The names of a library are listed, and completed")
    func names() throws {
      let run = try Program.run(["types", "libm.so.6"])
      #expect(run.lines.contains("pow") && run.lines == run.lines.sorted())
      #expect(try Program.run(["types", "no-such.so"]).status == 1)
    }
  }
#endif
