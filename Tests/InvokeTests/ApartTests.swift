#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Callees that end their process, in the commands other than `call`.
  @Suite(.measured, .enabled(if: Program.isThere, "needs the trait Tools")) struct ApartTests {
    private static let source = """
      #include <pthread.h>
      #include <signal.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>
      int exits(int v) { if (v == 3) exit(0); return v; }
      int ends(int v) { if (v == 3) _exit(7); return v; }
      int exits_late(int v) { if (v == 4500) exit(0); return v; }
      int crashes(int v) { if (v == 3) abort(); return v; }
      int leaves(int v) { if (v == 3) pthread_exit(0); return v; }
      int becomes(int v) { if (v == 3) execl("/bin/true", "true", (char *)0); return v; }
      int forks(int v) { if (v == 3) fork(); return v; }
      int breaks_pipe(int v) { if (v == 3) raise(SIGPIPE); return v; }
      int reads(int v) { return getchar() == EOF ? v : -1; }
      int prints(int v) { printf("%d", v); return v; }
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

    private func map(_ symbol: String, _ rows: Int) throws -> Program.Run {
      let input = "n\n" + (1...rows).map { "\($0)\n" }.joined()
      return try Program.run(["map", Self.library(), symbol, "ii", "--csv", "-"], input: Array(input.utf8))
    }

    @Test(
      "A callee of map that ends its process is an error with its line, and the rows before it are printed",
      .enabled(if: Sanitizer.current == nil),
      arguments: [
        ("exits", "ended its process, with status 0"), ("ends", "ended its process, with status 7"),
        ("crashes", "crashed: signal SIGABRT, Aborted"), ("leaves", "ended its process, with status 0"),
        ("becomes", "ended its process, with status 0"), ("breaks_pipe", "crashed: signal SIGPIPE, Broken pipe"),
      ])
    func rows(symbol: String, end: String) throws {
      let run = try map(symbol, 5)
      #expect(run.status == 1 && run.output == "n,result\n1,1\n2,2\n")
      #expect(run.errors == "Error: line 4: '\(symbol)' of '\(try Self.library())' \(end)\n")
    }

    @Test("Every row before the end is printed, however many there are")
    func manyRows() throws {
      let run = try map("exits_late", 5_000)
      #expect(run.status == 1 && run.lines == ["n,result"] + (1..<4_500).map { "\($0),\($0)" })
      #expect(run.errors.contains("line 4501: 'exits_late' of "))
    }

    @Test("A child that a callee of map forks prints nothing")
    func children() throws {
      let run = try map("forks", 5)
      #expect(run.status == 0 && run.errors == "" && run.output == "n,result\n1,1\n2,2\n3,3\n4,4\n5,5\n")
    }

    @Test("The rows are not the input of the callees of map")
    func input() throws {
      let run = try map("reads", 3)
      #expect(run.status == 0 && run.errors == "" && run.output == "n,result\n1,1\n2,2\n3,3\n")
    }

    @Test("What a callee prints precedes its result, and what its exit handlers print follows it")
    func order() throws {
      let run = try Program.call(Self.library(), "says_at_exit", "ii", "1")
      #expect(run.status == 0 && run.errors == "" && run.output == "before\n0\nafter\n")
    }

    @Test("An error names a library with a line break in its name")
    func lineBreaks() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apart-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let library = folder.appendingPathComponent("a\nb.so").path
      try FileManager.default.copyItem(atPath: Self.library(), toPath: library)
      let name = library.replacing("\n", with: "\\n")
      let answers = try Program.batch([request(name, "ends", "ii", "[3]"), request(name, "ends", "ii", "[4]")])
      #expect(try answers.map(errorKind) == ["exited", nil])
      // The message has an escape, too, whose backslash JSON doubles.
      #expect(answers[0].contains(#"/a\\nb.so' ended its process, with status 7"#))
    }

    @Test("A crash after the last row is a warning", .enabled(if: Sanitizer.current == nil))
    func exitHandlers() throws {
      let run = try map("crashes_at_exit", 3)
      #expect(run.status == 0 && run.output == "n,result\n1,1\n2,2\n3,3\n")
      #expect(run.errors == "Warning: the worker crashed after its calls: signal SIGABRT, Aborted\n")
    }

    @Test("A library whose initializer ends the process is an error of each command that loads it")
    func initializers() throws {
      let library = try Self.initializer()
      let commands = [
        ["types", library], ["swift", library], ["swift", library, "f"], ["map", library, "f", "ii", "--csv", "/dev/null"],
      ]
      for words in commands {
        let run = try Program.run(words)
        #expect(run.status == 1 && run.output == "", "\(words)")
        #expect(run.errors == "Error: library '\(library)' ended its process, with status 0\n", "\(words)")
      }
    }

    @Test("A Swift function that ends its process is an error", .enabled(if: Sanitizer.current == nil))
    func swiftFunctions() throws {
      let library = try SwiftCompiler.sharedLibrary(source: Self.swiftSource, module: "Ending")
      let exits = try Program.run(["swift", library, "exits"])
      #expect(exits.status == 1 && exits.output == "")
      #expect(exits.errors == "Error: 'exits' of '\(library)' ended its process, with status 0\n")
      let crashes = try Program.run(["swift", library, "crashes"])
      #expect(crashes.status == 1 && crashes.output == "")
      #expect(crashes.errors == "Error: 'crashes' of '\(library)' crashed: signal SIGABRT, Aborted\n")
      #expect(try Program.run(["swift", library, "line"], input: Array("typed\n".utf8)).output == "\"typed\"\n")
      #expect(try Program.run(["swift", library, "forked"]).output == "5\n")
    }

    @Test("Who no longer reads the rows ends the program as any other in a pipe")
    func closedOutput() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("apart-\(UUID().uuidString).csv")
      let log = file.appendingPathExtension("log")
      defer { for url in [file, log] { try? FileManager.default.removeItem(at: url) } }
      try Data((0..<50_000).map { "\($0)\n" }.joined().utf8).write(to: file)
      let script = "{ \"$@\"; echo $? >&2; } | head -n 1"
      let command = ["sh", Program.url.path, "map", "libc.so.6", "abs", "ii", "--csv", file.path]
      let result = try Command.run(["sh", "-c", script] + command, log: log)
      // 141 is SIGPIPE; where the parent ignores that, it is an error.
      #expect(result.text.contains("141") || result.text.contains("cannot be written"))
      #expect(!result.text.contains("crashed"))
    }

    @Test("map writes the rows that it has before it waits for more")
    func rowByRow() throws {
      let map = try Program.Conversation(["map", "libc.so.6", "abs", "ii", "--csv", "-", "--no-header"])
      for number in 1...3 { #expect(map.ask("-\(number)") == "-\(number),\(number)\n") }
      try map.end()
      #expect(map.process.terminationStatus == 0)
    }
  }
#endif
