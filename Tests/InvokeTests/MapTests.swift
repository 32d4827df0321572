#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// `invoke map`.
  @Suite(.measured, .enabled(if: Program.isThere, "needs the trait Tools")) struct MapTests {
    private func map(_ words: String..., input: String) throws -> Program.Run {
      try Program.run(["map"] + words + ["--csv", "-"], input: Array(input.utf8))
    }

    @Test func addsAColumn() throws {
      let run = try map("libm.so.6", "pow", "ddd", input: "base,exponent\n2,10\r\n\"3\",2\n0.5,-1")
      #expect(run.status == 0 && run.errors == "")
      #expect(run.output == "base,exponent,result\n2,10,1024.0\n\"3\",2,9.0\n0.5,-1,2.0\n")
    }

    @Test func aDeclarationOrAHeaderStatesTheTypes() throws {
      let input = "base,exponent\n2,10\n"
      let expected = "base,exponent,result\n2,10,1024.0\n"
      #expect(try map("libm.so.6", "double pow(double, double)", input: input).output == expected)
      #expect(try map("--header", "math.h", "libm.so.6", "pow", input: input).output == expected)
      #expect(try map("libm.so.6", "double pow(double", input: input).errors.contains("line 1, column 18: expected ',' or ')'"))
      #expect(try map("libm.so.6", "double pow(double, struct p)", input: input).status == 1)
      // Without variadic arguments, which have no types.
      #expect(try map("libc.so.6", "int printf(const char *, ...)", input: "text\nabc\n").output == "text,result\nabc,3\n")
      #expect(try map("--header", "math.h", "libm.so.6", "powder", input: input).errors.contains("no function 'powder' is declared"))
      for words in [["libm.so.6", "pow"], ["libm.so.6", "double pow(double, double)", "ddd"]] {
        let run = try Program.run(["map"] + words + ["--csv", "-"], input: Array(input.utf8))
        #expect(run.status == 64 && run.errors.contains("Expected LIBRARY, SYMBOL and TYPES, or LIBRARY and a declaration"))
      }
    }

    @Test func readsAFile() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("map-\(UUID().uuidString).csv")
      defer { try? FileManager.default.removeItem(at: file) }
      let numbers = (0..<10_000).map { "-\($0)" }
      try Data(("n\n" + numbers.joined(separator: "\n")).utf8).write(to: file)
      let run = try Program.run(["map", "libc.so.6", "labs", "qq", "--csv", file.path, "--name", "absolute, \"\""])
      #expect(run.status == 0 && run.errors == "")
      #expect(run.lines.first == "n,\"absolute, \"\"\"\"\"")
      #expect(Array(run.lines.dropFirst()) == (0..<10_000).map { "-\($0),\($0)" })
    }

    @Test func columnsAreChosenByNameOrNumber() throws {
      let input = "name,x,note\nada,4,\"a \"\"b\"\", c\"\nbob,9,\n"
      let expected = "name,x,note,result\nada,4,\"a \"\"b\"\", c\",2.0\nbob,9,,3.0\n"
      #expect(try map("libm.so.6", "sqrt", "dd", "--columns", "x", input: input).output == expected)
      #expect(try map("libm.so.6", "sqrt", "dd", "--columns", "2", input: input).output == expected)
      let lengths = try map("libc.so.6", "strlen", "Q*", "--columns", "3", "--no-header", input: input)
      #expect(lengths.output == "name,x,note,4\nada,4,\"a \"\"b\"\", c\",8\nbob,9,,0\n")
      #expect(try map("libc.so.6", "getpid", "i", input: "").output == "")
    }

    @Test func anErrorNamesItsLine() throws {
      let run = try map("libc.so.6", "abs", "ii", input: "n\n-1\n-2\n1.5\n-4\n")
      #expect(run.status == 1 && run.output == "n,result\n-1,1\n-2,2\n")
      #expect(run.errors.contains("line 4: abs: argument 0 (i, Int32): 1.5 is not a whole number"))
      func errors(_ input: String, _ words: [String] = []) throws -> String {
        let run = try Program.run(["map", "libc.so.6", "abs", "ii"] + words + ["--csv", "-"], input: Array(input.utf8))
        #expect(run.status == 1)
        return run.errors
      }
      #expect(try errors("n\n4294967296\n").contains("line 2: "))
      #expect(try errors("n\nfour\n").contains("line 2: "))
      #expect(try errors("n\n\n").contains("line 2: "))
      #expect(try errors("a,b\n1,2\n").contains("line 1: 2 columns, the signature takes 1 argument; choose the columns with --columns"))
      #expect(try errors("n\n1\n", ["--columns", "n,n"]).contains("line 1: 2 columns are chosen, the signature takes 1 argument"))
      #expect(try errors("a,b\n1,2\n", ["--columns", "c"]).contains("line 1: there is no column 'c'"))
      #expect(try errors("a\n\"1\n").contains("line 2: field 1 has no closing quote"))
      #expect(try errors("a\n\"1\"2\n").contains("line 2: field 1 goes on after its closing quote"))
    }

    @Test("Each line has as many fields as the first, so that no result is in another column")
    func fieldCounts() throws {
      for (line, count) in [("1", "1 field"), ("1,2,3", "3 fields")] {
        let run = try map("libc.so.6", "abs", "ii", "--columns", "a", input: "a,b\n-1,0\n\(line)\n")
        #expect(run.status == 1 && run.output == "a,b,result\n-1,0,1\n")
        #expect(run.errors == "Error: line 3: \(count), the first line has 2\n")
        #expect(try map("libc.so.6", "abs", "ii", "--columns", "1", "--no-header", input: "1,2\n\(line)\n").status == 1)
      }
    }

    @Test("Bytes that are not UTF-8 are no argument; in other columns they are data")
    func bytes() throws {
      let input = Array("a,b\nx,caf".utf8) + [0xE9, 0x1B, 0x0A]
      let words = ["map", "libc.so.6", "strlen", "Q*", "--csv", "-", "--columns"]
      let refused = try Program.run(words + ["b"], input: input)
      #expect(refused.status == 1 && refused.output == "a,b,result\n" && refused.errors == "Error: line 2: field 2 is not UTF-8\n")
      let output = FileManager.default.temporaryDirectory.appendingPathComponent("map-\(UUID().uuidString).csv")
      let file = output.appendingPathExtension("in")
      defer { for url in [file, output] { try? FileManager.default.removeItem(at: url) } }
      try Data(input).write(to: file)
      let script = "\"$@\" > '\(output.path)' < '\(file.path)'"
      #expect(try Command.run(["sh", "-c", script, "sh", Program.url.path] + words + ["a"]).status == 0)
      #expect(try Array(Data(contentsOf: output)) == Array("a,b,result\nx,caf".utf8) + [0xE9, 0x1B] + Array(",1\n".utf8))
    }

    @Test("A byte order mark is no part of the first field")
    func byteOrderMark() throws {
      #expect(try map("libc.so.6", "abs", "ii", "--columns", "n", input: "\u{FEFF}n\n-1\n").output == "n,result\n-1,1\n")
      #expect(try map("libc.so.6", "abs", "ii", "--no-header", input: "\u{FEFF}-1\n").output == "-1,1\n")
      #expect(try map("libc.so.6", "abs", "ii", "--columns", "m", input: "n,\u{FEFF}\n-1,2\n").errors.contains("nearest: n, \\u{FEFF}"))
    }

    @Test("The name of a column has no control characters, and a terminal gets none of the file")
    func controlCharacters() throws {
      for name in ["a\u{1B}[31m", "a\nb", "a\u{2028}b"] {
        let run = try map("libc.so.6", "abs", "ii", "--name", name, input: "n\n1\n")
        #expect(run.status == 64 && run.output == "" && run.errors.contains("has a control character"))
      }
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { return }
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("map-\(UUID().uuidString).csv")
      let log = file.appendingPathExtension("log")
      defer { for url in [file, log] { try? FileManager.default.removeItem(at: url) } }
      try Data("n,text\n-1,\u{1B}[31m\n".utf8).write(to: file)
      let command = "'\(Program.url.path)' map libc.so.6 abs ii --columns n --csv '\(file.path)'"
      let shown = try Command.run(["script", "-qec", command, "/dev/null"], log: log)
      #expect(shown.text.contains("-1,\\u{1B}[31m,1") && !shown.text.contains("\u{1B}[31m"))
    }

    @Test func whatCannotBeMappedIsRefused() throws {
      #expect(try map("libc.so.6", "abs", "ii}", input: "n\n1\n").errors.contains("type encoding"))
      #expect(try map("libc.so.6", "free", "v^v", input: "n\n1\n").errors.contains("free: return value (v): a result in a "))
      #expect(try map("libc.so.6", "abs", "i{S=i}", input: "n\n1\n").errors.contains("abs: argument 0 ({S=i}): an argument in "))
      #expect(try map("libc.so.6", "no_such_function", "ii", input: "n\n1\n").errors.contains("no_such_function"))
      let missing = try Program.run(["map", "libc.so.6", "abs", "ii", "--csv", "/nowhere.csv"])
      #expect(missing.status == 1 && missing.errors.contains("/nowhere.csv cannot be opened"))
      #expect(try Program.run(["map", "libc.so.6", "abs", "ii"]).status == 64)
    }

    @Test func whatCalleesPrintIsNotAmongTheRows() throws {
      let run = try map("libc.so.6", "putchar", "ii", input: "n\n65\n66\n")
      #expect(run.status == 0 && run.output == "n,result\n65,65\n66,66\n")
      #expect(run.errors == "AB")
    }
  }
#endif
