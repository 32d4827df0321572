#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// `invoke call --batch`.
  @Suite(.measured) struct BatchTests {
    @Test func answersInOrder() throws {
      let answers = try Program.batch([
        request("libm.so.6", "pow", "ddd", "[2, 10]"), "oops", request("libm.so.6", "frexp", "dd^i", "[8, [0]]"),
        request("libc.so.6", "free", "v^v", "[null]"), request("-", "abs", "ii", "[-3]"),
        request("libc.so.6", "snprintf", "i*Q*i", "[[0,0,0], 3, \"%d\", 7]", ",\"fixed\":3"),
        request("libc.so.6", "labs", "ll", "[-3000000000]", ",\"dialect\":\"gnu\""),
        #"{"symbol": "getppid", "library": "libc.so.6", "types": "v"}"#,
      ])
      #expect(answers.count == 8)
      #expect(answers.first == #"{"result":1024.0}"#)
      #expect(try errorKind(answers[1]) == "malformedRequest")
      #expect(
        Array(answers.dropFirst(2)) == [
          #"{"result":0.5,"buffers":{"1":[4]}}"#, #"{"result":null}"#, #"{"result":3}"#,
          #"{"result":1,"buffers":{"0":[55,0,0]}}"#, #"{"result":3000000000}"#, #"{"result":null}"#,
        ])
    }

    @Test func answersTenThousandLinesInSeconds() throws {
      // Every tenth line is bad, each in its own way.
      let bad = ["", "{", request("libc.so.6", "labs", "qq", "[1e99]"), request("libc.so.6", "no_such_symbol", "v", "[]")]
      let kinds = ["malformedRequest", "malformedRequest", "outOfRange", "symbolNotFound"]
      var lines: [String] = []
      for index in 0..<10_000 {
        lines.append(index % 10 == 9 ? bad[index / 10 % 4] : request("libc.so.6", "labs", "qq", "[-\(index)]"))
      }
      let answers = try Program.batch(lines)
      #expect(answers.count == 10_000)
      for (index, answer) in answers.enumerated() {
        if index % 10 == 9 {
          #expect(try errorKind(answer) == kinds[index / 10 % 4])
        } else {
          #expect(answer == "{\"result\":\(index)}")
        }
      }
    }

    @Test func answersErrno() throws {
      let answers = try Program.batch([
        request("libc.so.6", "chdir", "i*", "[\"/nowhere\"]", ",\"errno\":true"),
        request("libc.so.6", "abs", "ii", "[-1]", ",\"errno\":true"),
        request("libc.so.6", "chdir", "i*", "[\"/nowhere\"]", ",\"errno\":false"),
        request("libc.so.6", "chdir", "ir^c", "[[47,110,111,119,104,101,114,101,0]]", ",\"errno\":true"),
      ])
      #expect(
        answers == [
          #"{"result":-1,"errno":2}"#, #"{"result":1,"errno":0}"#, #"{"result":-1}"#,
          #"{"result":-1,"buffers":{"0":[47,110,111,119,104,101,114,101,0]},"errno":2}"#,
        ])
    }

    @Test func readsFile() throws {
      // Without a newline at the end. No terminal, no progress line.
      try Program.withFolder(["batch.jsonl": request("libc.so.6", "labs", "qq", "[-5]")]) { folder in
        try Program.call("--batch", folder.path + "/batch.jsonl").expectOutput("{\"result\":5}\n")
      }
      let line = request("libc.so.6", "labs", "qq", "[-6]")
      try Program.run(["call", "--batch", "-"], input: Array(line.utf8)).expectOutput("{\"result\":6}\n")
    }

    /// Near names cost a walk over all names of a library, so only the first missing symbols have them.
    @Test func answersManyMissingSymbols() throws {
      let lines = (0..<2000).map { request("libm.so.6", "hypo\($0)", "ddd", "[1,2]") }
      let answers = try Program.batch(lines + [request("libm.so.6", "hypot", "ddd", "[3,4]")])
      #expect(try answers.dropLast().allSatisfy { try errorKind($0) == "symbolNotFound" })
      #expect(answers.first?.contains("nearest: hypot") == true)
      #expect(answers[1999] == #"{"error":{"kind":"symbolNotFound","message":"library 'libm.so.6' has no symbol 'hypo1999'"}}"#)
      #expect(answers.last == "{\"result\":5.0}")
    }

    /// On a terminal a line of standard error tells how far a file is, and is gone at the end.
    @Test func showsProgressOnTerminal() throws {
      let terminal = try Terminal()
      // One line waits long enough for a progress line to be due.
      let lines = [
        request("libc.so.6", "usleep", "iI", "[250000]"), request("libc.so.6", "labs", "qq", "[-1]"),
        request("libc.so.6", "labs", "qq", "[-2]"),
      ]
      try Program.withFolder(["batch.jsonl": lines.joined(separator: "\n")]) { folder in
        let process = Program.process(["call", "--batch", folder.path + "/batch.jsonl"])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = terminal.other
        try process.run()
        let answers = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(answers == "{\"result\":0}\n{\"result\":1}\n{\"result\":2}\n")
      }
      // What the process wrote may arrive after its end and in parts.
      var shown = ""
      while !shown.hasSuffix(" a second\r\u{1B}[K"), case let text = terminal.read(), !text.isEmpty { shown += text }
      // How many answers have come by then depends on the worker.
      #expect(["1", "2", "3"].contains { shown.hasPrefix("\r\u{1B}[K\($0)/3 lines, ") })
      #expect(shown.hasSuffix(" a second\r\u{1B}[K"))
    }

    @Test func reportsFileThatCannotBeRead() throws {
      try Program.call("--batch", "/nowhere/batch.jsonl")
        .expectError("/nowhere/batch.jsonl cannot be opened: No such file or directory\n")
      try Program.call("--batch", "/").expectError("the input cannot be read: Is a directory\n")
    }

    @Test func answersBlankLinesSaveTheLast() throws {
      let call = request("libc.so.6", "labs", "qq", "[-5]")
      #expect(try Program.batch([]) == [])
      #expect(try Program.batch([""]) == [])
      #expect(try Program.batch([call, ""]) == ["{\"result\":5}"])
      let answers = try Program.batch(["", call, " \t", "\r", call + "\r"])
      #expect(try answers.map(errorKind) == ["malformedRequest", nil, "malformedRequest", "malformedRequest", nil])
    }

    /// Each answer is there before the next question is asked.
    @Test func answersOneByOne() throws {
      let batch = try Program.Conversation(["call", "--batch"])
      for number in 1...3 {
        #expect(batch.ask(request("libc.so.6", "labs", "qq", "[-\(number)]")) == "{\"result\":\(number)}\n")
      }
      try batch.expectEnd()
    }

    /// A function keeps nothing of an earlier call, and a pointer of one line is good in another.
    @Test func passesAddressesFromLineToLine() throws {
      let batch = try Program.Conversation(["call", "--batch"])
      // Of the process, not of the C library: what a sanitizer's allocator gives, only that one takes back.
      let answer = batch.ask(request("-", "strdup", "^v*", "[\"kept\"]"))
      let address = answer.dropFirst(#"{"result":"#.count).dropLast(2)
      #expect(address.hasPrefix("\"0x"))
      #expect(batch.ask(request("libc.so.6", "strlen", "Q^v", "[\(address)]")) == "{\"result\":4}\n")
      #expect(batch.ask(request("-", "free", "v^v", "[\(address)]")) == "{\"result\":null}\n")
      try batch.end()
    }
  }
#endif
