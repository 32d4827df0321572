#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Callees that end their process, in the commands other than `call`.
  @Suite(.measured) struct ApartTests {
    private static let source = """
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>
      int ends(int v) { if (v == 3) _exit(7); return v; }
      static void crash(void) { abort(); }
      static void say(void) { puts("after"); }
      int says_at_exit(int v) { puts("before"); return atexit(say); }
      int crashes_at_exit(int v) { if (v == 3) atexit(crash); return v; }
      """

    private static let swiftSource = """
      import Glibc
      public func exits() { exit(0) }
      public func crashes() -> Int { abort() }
      public func line() -> String { readLine() ?? "" }
      public func forked() -> Int { _ = fork_(); return 5 }
      @_silgen_name("fork") func fork_() -> Int32
      """

    private static func library() throws -> String { try CCompiler.gcc.sharedLibrary(source: source, name: "apart") }

    private static func initializer() throws -> String {
      let source = "#include <stdlib.h>\nint f(int v) { return v; }\n__attribute__((constructor)) static void load(void) { exit(0); }\n"
      return try CCompiler.gcc.sharedLibrary(source: source, name: "initializer")
    }

    @Test("What a callee prints precedes its result, and what its exit handlers print follows it")
    func order() throws {
      try Program.call(Self.library(), "says_at_exit", "ii", "1").expectOutput("before\n0\nafter\n")
    }

    @Test("An error names a library with a line break in its name")
    func lineBreaks() throws {
      try Program.withFolder { folder in
        let library = folder.appendingPathComponent("a\nb.so").path
        try FileManager.default.copyItem(atPath: Self.library(), toPath: library)
        let name = library.replacing("\n", with: "\\n")
        let answers = try Program.batch([request(name, "ends", "ii", "[3]"), request(name, "ends", "ii", "[4]")])
        #expect(try answers.map(errorKind) == ["exited", nil])
        // The message has an escape, too, whose backslash JSON doubles.
        #expect(answers[0].contains(#"/a\\nb.so' ended its process, with status 7"#))
      }
    }

    @Test("A crash after the last call is a warning", .enabled(if: Sanitizer.current == nil))
    func exitHandlers() throws {
      let lines = try (1...3).map { try request(Self.library(), "crashes_at_exit", "ii", "[\($0)]") + "\n" }
      let run = try Program.run(["call", "--batch"], input: Array(lines.joined().utf8))
      #expect(run.status == 0 && run.lines == (1...3).map { "{\"result\":\($0)}" })
      #expect(run.errors == "Warning: the worker crashed after its calls: signal SIGABRT, Aborted\n")
    }

    @Test("A library whose initializer ends the process is an error of each command that loads it")
    func initializers() throws {
      let library = try Self.initializer()
      for words in [["types", library], ["swift", library], ["swift", library, "f"]] {
        try Program.run(words).expectError("library '\(library)' ended its process, with status 0\n")
      }
    }

    @Test("A Swift function that ends its process is an error", .enabled(if: Sanitizer.current == nil))
    func swiftFunctions() throws {
      let library = try SwiftCompiler.sharedLibrary(source: Self.swiftSource, module: "Ending")
      try Program.run(["swift", library, "exits"]).expectError("'exits' of '\(library)' ended its process, with status 0\n")
      try Program.run(["swift", library, "crashes"]).expectError("'crashes' of '\(library)' crashed: signal SIGABRT, Aborted\n")
      #expect(try Program.run(["swift", library, "line"], input: Array("typed\n".utf8)).output == "\"typed\"\n")
      #expect(try Program.run(["swift", library, "forked"]).output == "5\n")
    }
  }
#endif
