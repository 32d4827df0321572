#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// `invoke call` with one call, of functions of the system.
  @Suite(.measured) struct CallTests {
    @Test(
      arguments: [
        (["libm.so.6", "pow", "ddd", "2", "10"], "1024.0\n"),
        (["libc.so.6", "div", "{div_t=ii}ii", "17", "5"], "[3,2]\n"),
        (["libm.so.6", "frexp", "dd^i", "8", "[0]"], "0.5\n{\"buffers\":{\"1\":[4]}}\n"),
        (["libc.so.6", "labs", "qq", "-5"], "5\n"),
        (["libm.so.6", "fabs", "dd", "-1.5e3"], "1500.0\n"),
        (["libm.so.6", "fabs", "dd", "-inf"], "\"inf\"\n"),
        (["libm.so.6", "sqrt", "dd", "nan"], "\"nan\"\n"),
        (["libm.so.6", "fabsf", "ff", "0.1"], "0.1\n"),
        (["libc.so.6", "strlen", "Q*", "hello"], "5\n"),
        (["libc.so.6", "strlen", "Q*", "\"with \\u00e9\""], "7\n"),
        (["libc.so.6", "strlen", "Q*", "--fixed"], "7\n"),
        (["libc.so.6", "strlen", "Q*", "--help"], "6\n"),
        (["libc.so.6", "strlen", "Q*", "[INFO] a"], "8\n"), (["libc.so.6", "strlen", "Q*", "{0}"], "3\n"),
        (["libc.so.6", "atoi", "i*", "42"], "42\n"),
        (["libc.so.6", "strlen", "Q*", "true"], "4\n"),
        (["libc.so.6", "getenv", "**", "NO_SUCH_VARIABLE_IS_SET"], "null\n"),
        (["libc.so.6", "strchr", "**i", "hello", "108"], "\"llo\"\n"),
        (["libc.so.6", "free", "v^v", "null"], "null\n"),
        (["libc.so.6", "strtol", "q*^*i", "12abc", "[null]", "10"], "12\n{\"buffers\":{\"1\":[\"abc\"]}}\n"),
        (["libc.so.6", "llabs", "qq", "9223372036854775807"], "9223372036854775807\n"),
        (["-", "abs", "ii", "-7"], "7\n"), (["--dialect", "gnu", "libc.so.6", "labs", "ll", "-3000000000"], "3000000000\n"),
        // What the callee prints comes first.
        (["libc.so.6", "puts", "i*", "hello"], "hello\n6\n"),
        (["libm.so.6", "ldexpl", "DDi", "\"0.1\"", "1"], "\"0.2\"\n"),
        (["libm.so.6", "cabs", "d{_=dd}", "[3,4]"], "5.0\n"),
        (["libm.so.6", "cabs", "djd", "[3,4]"], "5.0\n"),
        (["libm.so.6", "conj", "jdjd", "[3,4]"], "[3.0,-4.0]\n"),
        // Two dashes after the types are none of the arguments, but one that is meant so.
        (["libc.so.6", "abs", "ii", "--", "-5"], "5\n"), (["libc.so.6", "strlen", "Q*", "--", "--"], "2\n"),
        (["libc.so.6", "labs", "qq", "-0xff"], "255\n"), (["libc.so.6", "strlen", "Q*", "0xff"], "4\n"),
        (["libm.so.6", "fabs", "dd", "-0x1.8p1"], "3.0\n"), (["libc.so.6", "strlen", "Q^v", "hello"], "5\n"),
        (["--errno", "libc.so.6", "chdir", "i*", "/nowhere"], "-1\n{\"errno\":2}\n"),
        (["libc.so.6", "abs", "--errno", "ii", "-1"], "1\n{\"errno\":0}\n"),
        (["--errno", "libm.so.6", "frexp", "dd^i", "8", "[0]"], "0.5\n{\"buffers\":{\"1\":[4]},\"errno\":0}\n"),
      ] as [([String], String)]) func prints(words: [String], expected: String) throws
    { try Program.run(["call"] + words).expectOutput(expected) }

    @Test func givesBackBuffers() throws {
      let run = try Program.call("libc.so.6", "memset", "^v^viQ", #"{"C":[1,2,3]}"#, "9", "2")
      #expect(run.status == 0)
      #expect(run.lines.last == "{\"buffers\":{\"0\":[9,9,3]}}")
      #expect(run.lines.first?.hasPrefix("\"0x") == true)
    }

    @Test(arguments: [
      ["--fixed", "3", "libc.so.6", "snprintf", "i*Q*id"], ["libc.so.6", "snprintf", "--fixed=3", "i*Q*id"],
      ["libc.so.6", "--fixed", "3", "snprintf", "i*Q*id"], ["--fixed=3", "--", "libc.so.6", "snprintf", "i*Q*id"],
    ]) func callsVariadicFunction(words: [String]) throws {
      try Program.run(["call"] + words + ["[0,0,0,0,0,0,0]", "7", "%d %.1f", "-7", "2.5"])
        .expectOutput("6\n{\"buffers\":{\"0\":[45,55,32,50,46,53,0]}}\n")
    }

    @Test(arguments: ["m", "libm", "libm.so"]) func suggestsLibraries(name: String) throws {
      let run = try Program.call(name, "pow", "ddd", "2", "10")
      // With the headers of the C library there is a libm.so, a text for the linker.
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("Error: library '\(name)' cannot be opened: "))
      #expect(run.errors.contains("; nearest: libm.so.6"))
    }

    @Test(arguments: [
      (["libc.so.6", "labs", "ll", "-3000000000"], "labs: argument 0 (i, Int32): -3000000000 does not fit\n"),
      (["libc.so.6", "labs", "qqq", "1"], "labs: qqq: 1 argument given, the signature takes 2\n"),
      (["libc.so.6", "labs", "qq"], "labs: qq: 0 arguments given, the signature takes 1\n"),
      (["libc.so.6", "labs", "qq", "1", "2"], "labs: qq: 2 arguments given, the signature takes 1\n"),
      (["libc.so.6", "labs", "qs", "70000"], "labs: argument 0 (s, Int16): 70000 does not fit\n"),
      (["libc.so.6", "labs", "qq", "word"], "labs: argument 0 (q, Int64): \"word\" is not a whole number\n"),
      (["libm.so.6", "powq", "ddd", "2", "10"], "library 'libm.so.6' has no symbol 'powq'; nearest: "),
      (["libc.so.6", "environ", "^v"], "symbol 'environ' of library 'libc.so.6' is a variable of 8 bytes, not a function\n"),
      (
        ["libc.so.6", "qsort", "v^vQQ^?", #"{"C":[1]}"#, "1", "1", "nosuch:symbol"],
        "qsort: argument 3 (^?): library 'nosuch' cannot be opened: "
      ),
      (["libnone.so.9", "f", "v"], "library 'libnone.so.9' cannot be opened: "),
      // The text of a declaration, without the headers that it is kept with.
      (
        ["libm.so.6", "double pow(double, double)", "2"],
        "pow: double pow(double, double): 1 argument given, the signature takes 2\n"
      ),
      (["libc.so.6", "strlen", "Q^v", "-0x1"], "strlen: argument 0 (^v): \"-0x1\" is no address of 64 bits\n"),
      (["libc.so.6", "strlen", "Q^v", "0x1g"], "strlen: argument 0 (^v): \"0x1g\" is not "),
      (["libc.so.6", "strlen", "Q^v", "[1,2"], "strlen: argument 0 (^v): not JSON, byte 4: an array goes on with a comma "),
      (["libc.so.6", "labs", "v{S=ii}", "{\"a\":"], "labs: argument 0 ({S=ii}): not JSON, byte 5: a value is missing\n"),
      (["libc.so.6", "labs", "v{S=ii}", "[1,2,3]"], "labs: argument 0 ({S=ii}): 3 values given, the type has 2\n"),
      // The elements of memory have a type: three bytes would be read as three integers.
      (
        ["libc.so.6", "qsort", "v^vQQ^?", "[3,1,2]", "3", "4", "strcmp"],
        "qsort: argument 0 (^v): an array for an untyped pointer states the type of its elements "
      ),
      // The first argument in the place of the types.
      (["libm.so.6", "pow", "2", "10"], "pow: type encoding '2', byte 0: '2' is no type; TYPES is a type encoding such as ddd; "),
      (["libm.so.6", "pow", "hello"], "pow: type encoding 'hello', byte 0: 'h' is no type; TYPES is a type encoding such as ddd; "),
      (["--follow", "libc.so.6", "abs", "ii", "1"], "abs: return value (i, Int32): there is nothing to follow: "),
      (
        ["libc.so.6", "labs", "q{A=i", "5"],
        "labs: type encoding 'q{A=i', byte 5: the struct opened at byte 1 is not closed\n  q{A=i\n       ^\n"
      ),
    ]) func reportsError(words: [String], expected: String) throws {
      try Program.run(["call"] + words).expectError(expected)
    }

    @Test(arguments: [
      ["call"], ["call", "libc.so.6"], ["call", "libc.so.6", "labs"], ["call", "--bogus", "libc.so.6", "labs", "qq"],
      ["call", "--fixed", "x", "libc.so.6", "labs", "qq"], ["call", "libc.so.6", "--fixed", "x", "labs", "qq"],
      ["call", "--fixed", "-1", "libc.so.6", "labs", "qq"], ["call", "libc.so.6", "labs", "--dialect", "apple", "qq"],
      ["call", "--batch", "one", "two"], ["call", "--batch", "--fixed", "3"], ["call", "libc.so.6", "labs", "--fixed"],
      ["call", "--batch", "--errno"], ["call", "--batch", "--packed", "S"], ["call", "--timeout", "0", "libc.so.6", "labs", "qq"],
      ["get"], ["get", "libc.so.6", "environ"], ["get", "libc.so.6", "environ", "^v", "1"], ["worker"],
      ["explain"], ["explain", "v", "v"], ["explain", "v", "--abi", "mips"], ["explain", "v", "--fixed", "-1"], ["nonsense"],
      ["swift"], ["swift", "--bogus", "x"], ["swift", "x", "--bogus"],
    ]) func refusesWrongUsage(arguments: [String]) throws {
      try Program.run(arguments).expectError("", status: 64)
    }

    @Test(
      "A command that there is not is answered with those that are near", arguments: [("cal", "call"), ("type", "types"), ("hlep", "help")])
    func suggestsCommands(word: String, near: String) throws {
      try Program.run([word, "libm.so.6"]).expectError("There is no command '\(word)'; nearest: \(near)", status: 64)
    }

    @Test("Words that are not UTF-8 are refused, since Swift would change them", arguments: ["call libc.so.6 strlen 'Q*'", "swift - f"])
    func bytes(words: String) throws {
      let script = "'\(Program.url.path)' \(words) \"$(printf 'caf\\351')\""
      try Program.run(["-c", script], program: URL(fileURLWithPath: "/bin/sh"))
        .expectError("word \(words.split(separator: " ").count + 1) of the command line, 'caf\u{FFFD}', is not UTF-8\n")
    }

    @Test(arguments: [["--help"], ["call", "--help"], ["call", "-h"], ["help", "call"], ["explain", "--help"], ["get", "--help"]])
    func helpsWithExamples(arguments: [String]) throws {
      let run = try Program.run(arguments)
      #expect(run.status == 0)
      #expect(run.output.contains("EXAMPLES:"))
      #expect(run.output.contains("USAGE: invoke"))
    }

    @Test func helpNamesCompletionAndNoWorker() throws {
      let help = try Program.run(["--help"]).output
      #expect(help.contains("--generate-completion-script") && help.contains("get") && !help.contains("worker"))
      let script = try Program.run(["--generate-completion-script", "bash"])
      #expect(script.status == 0 && script.output.contains("_invoke"))
    }

    @Test(
      "bash completes the symbols of the library on the line",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")), arguments: ["call", "get"])
    func completesSymbols(command: String) throws {
      let script = """
        source <(invoke --generate-completion-script bash)
        COMP_WORDS=(invoke \(command) libm.so.6 hypo) COMP_CWORD=3 COMP_TYPE=9
        COMP_LINE="invoke \(command) libm.so.6 hypo" COMP_POINT=${#COMP_LINE}
        _invoke
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let folder = Program.url.deletingLastPathComponent().path
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let words = try Program.run(
        ["-c", script], environment: ["PATH": "\(folder):\(path)"], program: URL(fileURLWithPath: "/bin/bash")
      ).lines
      #expect(words.contains("hypot") && words.contains("hypotf") && words.allSatisfy { $0.hasPrefix("hypo") }, "\(words)")
    }

    @Test("fish completes the symbol where it stands, after the library")
    func fishPositions() throws {
      let script = try Program.run(["--generate-completion-script", "fish"])
      let line = try #require(script.lines.first { $0.contains("---completion get -- positional@1") })
      // fish counts the arguments from one, and only those that have a completion.
      #expect(line.contains("\"invoke get\" -eq 2'"), "\(line)")
    }
  }
#endif
