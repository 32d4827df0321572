#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Variables, memory, functions by address, and layouts that no text tells.
  @Suite(.measured) struct VariableTests {
    private static let source = """
      #include <stdint.h>
      int number = -17;
      const double table[3] = {0.5, 1.5, 2.5};
      const char *text = "some text";
      struct pair { char tag; int64_t value; } pair = {3, 1LL << 40};
      __thread int local = 5;
      int twice(int value) { return 2 * value; }
      int (*chosen)(int) = twice;
      #define SAME(name, type) type name(type value) { return value; }
      struct __attribute__((packed)) header { char tag; int length; int64_t offset; };
      SAME(same_header, struct header)
      int64_t header_sum(struct header h) { return h.tag + h.length + h.offset; }
      struct __attribute__((packed)) header headers[2] = {{1, 2, 3}, {4, 5, 6}};
      struct outer { char first; struct header inner; char last; } outer = {1, {2, 3, 4}, 5};
      #pragma pack(push, 2)
      struct half { char tag; int length; } half = {7, 8};
      #pragma pack(pop)
      struct __attribute__((aligned(16))) vector { float x, y, z; };
      struct holder { char tag; struct vector v; } holder = {1, {2, 3, 4}};
      struct mixed { char a : 4; unsigned char b : 4; } mixed = {-3, 9};
      SAME(same_mixed, struct mixed)
      struct small { unsigned char a : 4, b : 4; } smalls[2] = {{1, 2}, {3, 4}};
      const char *const names[] = {"a", "b", "c"};
      int grid[][2] = {{1, 2}, {3, 4}, {5, 6}};
      const char *nowhere = (const char *)16;
      """

    private func library() throws -> String { try CCompiler.gcc.sharedLibrary(source: Self.source, flags: ["-O1"], name: "variables") }

    @Test(
      arguments: [
        (["number", "i"], "-17"), (["table", "[3d]"], "[0.5,1.5,2.5]"), (["text", "*"], "\"some text\""),
        (["pair", "{pair=cq}"], "[3,1099511627776]"), (["local", "i"], "5"),
        // A part of a variable is one, too.
        (["table", "d"], "0.5"), (["number", "s"], "-17"),
        (["--packed", "header", "headers", "[2{header=ciq}]"], "[[1,2,3],[4,5,6]]"),
        (["--packed", "header", "outer", "{outer=c{header=ciq}c}"], "[1,[2,3,4],5]"),
        (["--packed=half=2", "half", "{half=ci}"], "[7,8]"),
        (["--aligned", "vector=16", "holder", "{holder=c{vector=fff}}"], "[1,[2.0,3.0,4.0]]"),
        (["--bitfield", "C", "smalls", "[2{small=b4b4}]"], "[[1,2],[3,4]]"), (["mixed", "{mixed=b0c4b4C4}"], "[-3,9]"),
      ] as [([String], String)]) func reads(words: [String], expected: String) throws
    {
      let path = try library()
      try Program.run(["get"] + words.dropLast(2) + [path] + words.suffix(2)).expectOutput(expected + "\n")
    }

    @Test(
      "A declaration states the type of a variable; of an array without a count, the library states the size",
      arguments: [
        ("extern int number;", "-17"), ("const char *text", "\"some text\""), ("extern const char *const names[];", "[\"a\",\"b\",\"c\"]"),
        ("int grid[][2]", "[[1,2],[3,4],[5,6]]"), ("struct pair { char tag; int64_t value; } pair", "[3,1099511627776]"),
        ("double table[2];", "[0.5,1.5]"), ("int local", "5"),
      ]) func declared(declaration: String, expected: String) throws
    {
      try Program.run(["get", library(), declaration]).expectOutput(expected + "\n")
    }

    @Test("A declared variable is not called, nor a function read")
    func declaredOtherwise() throws {
      let path = try library()
      try Program.run(["get", path, "int twice(int)"]).expectError("'twice' is a function, not a variable\n")
      try Program.run(["call", path, "extern int number"]).expectError("'number' is a variable, which has no arguments\n")
      // A pointer to a function is a variable, which a batch reads without arguments.
      let answers = try Program.batch([
        #"{"library":"\#(path)","declaration":"int (*chosen)(int);"}"#,
        #"{"library":"\#(path)","declaration":"int twice(int)","arguments":[4]}"#,
        #"{"library":"\#(path)","declaration":"extern const char *const names[];"}"#,
      ])
      #expect(answers[0].hasPrefix("{\"result\":\"0x") && answers[1] == "{\"result\":8}")
      #expect(answers[2] == "{\"result\":[\"a\",\"b\",\"c\"]}")
    }

    @Test("What a pointer leads to is read in the same call")
    func follows() throws {
      let path = try library()
      #expect(try Program.run(["get", "--follow", path, "chosen", "^i"]).status == 0)
      let words = ["call", "--follow", "libc.so.6", "struct pair { int quot, rem; } *memcpy(void *, const void *, size_t)"]
      let run = try Program.run(words + [#"{"int":[0,0]}"#, #"{"int":[7,8]}"#, "8"])
      #expect(run.lines.first == "[7,8]" && run.errors == "", "\(run)")
      try Program.call("--follow", "libc.so.6", "int *memchr(const void *, int, size_t)", "abc", "100", "3").expectOutput("null\n")
    }

    @Test func readsPointersAsAddresses() throws {
      let path = try library()
      for (symbol, type) in [("text", "^c"), ("chosen", "^?"), ("text", "@"), ("text", ":")] {
        let run = try Program.run(["get", path, symbol, type])
        #expect(run.status == 0 && run.output.hasPrefix("\"0x"))
      }
    }

    @Test(arguments: [
      (["number", "q"], "variable 'number' of library '%' has 4 bytes, the type 8"),
      (["table", "[4d]"], "variable 'table' of library '%' has 24 bytes, the type 32"),
      (["local", "q"], "variable 'local' of library '%' has 4 bytes, the type 8"),
      (["twice", "i"], "symbol 'twice' of library '%' is a function, not a variable"),
      (["numbr", "i"], "library '%' has no symbol 'numbr'; nearest: number"),
      (["number", "v"], "no variable has a type without a size"), (["number", "ii"], "a variable has one type"),
      (["mixed", "{mixed=b4b4}"], "b4 does not tell the declared type of the bit-field"),
      (["--packed", "other", "half", "{half=ci}"], "no struct or union with members is named 'other'"),
    ]) func refuses(words: [String], message: String) throws {
      let path = try library()
      try Program.run(["get"] + words.dropLast(2) + [path] + words.suffix(2))
        .expectError(message.replacingOccurrences(of: "%", with: path))
    }

    /// A batch reads what an address of an earlier line leads to, and calls it.
    @Test func readsAndCallsAddresses() throws {
      let path = try library()
      let batch = try Program.Conversation(["call", "--batch"])
      func variable(_ symbol: String, _ type: String) -> String { #"{"library":"\#(path)","symbol":"\#(symbol)","type":"\#(type)"}"# }
      func address(_ answer: String) -> String { String(answer.dropFirst(#"{"result":""#.count).prefix { $0 != "\"" }) }
      let text = address(batch.ask(variable("text", "^c")))
      #expect(text.hasPrefix("0x"))
      #expect(batch.ask(variable(text, "[4c]")) == "{\"result\":[115,111,109,101]}\n")
      #expect(batch.ask(request("libc.so.6", "strlen", "Q*", "[{\"address\":\"\(text)\"}]")) == "{\"result\":9}\n")
      let chosen = address(batch.ask(variable("chosen", "^?")))
      #expect(batch.ask(request(path, chosen, "ii", "[21]")) == "{\"result\":42}\n")
      try batch.expectEnd()
    }

    @Test func passesLayoutsThatNoTextTells() throws {
      let path = try library()
      let packed = ",\"packed\":[\"header\"]"
      let answers = try Program.batch([
        request(path, "same_header", "{header=ciq}{header=ciq}", "[[-1,70000,-5]]", packed),
        request(path, "header_sum", "q{header=ciq}", "[[1,20,300]]", packed), request(path, "same_mixed", "{m=b4b4}{m=b4b4}", "[[1,2]]"),
        request(path, "same_mixed", "{m=b0c4b4C4}{m=b0c4b4C4}", "[[-8,15]]"),
        request(path, "same_mixed", "{m=b4b4}{m=b4b4}", "[[1,7]]", ",\"bitfield\":\"c\""),
      ])
      #expect(answers[0] == "{\"result\":[-1,70000,-5]}")
      #expect(answers[1] == "{\"result\":321}")
      #expect(try errorKind(answers[2]) == "unsupportedType")
      #expect(answers[3] == "{\"result\":[-8,15]}")
      #expect(answers[4] == "{\"result\":[1,7]}")
      try Program.call("--packed", "header", path, "header_sum", "q{header=ciq}", "[1,20,300]").expectOutput("321\n")
      let explained = try Program.run(["explain", "v{header=ciq}", "--packed", "header", "--json"])
      #expect(explained.output.contains("\"size\":13"))
    }

    @Test("A result of type @ is an address: what it leads to stays as it was") func objectsAreAddresses() throws {
      let zeros = "[" + Array(repeating: "0", count: 32).joined(separator: ",") + "]"
      let full = "[" + Array(repeating: "255", count: 32).joined(separator: ",") + "]"
      let answers = try Program.batch([
        request("libc.so.6", "memset", "@^viQ", "[{\"C\":\(zeros)},255,32]"), request("libc.so.6", "strdup", "@*", "[\"éééééééééééé\"]"),
        request("libc.so.6", "strdup", ":*", "[\"x\"]"),
      ])
      #expect(answers[0].hasSuffix("\"buffers\":{\"0\":\(full)}}"))
      #expect(answers.allSatisfy { $0.hasPrefix("{\"result\":\"0x") })
    }
  }
#endif
