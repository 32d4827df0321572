#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Control characters never reach a terminal unescaped, whichever way they take through the program.
  @Suite(.measured) struct TerminalTests {
    private static let text = "a\u{1B}[31m\u{9B}31m\u{202E}\u{2028}\u{AD}\u{E0001}ä👩‍👧\u{7F}"
    private static let escaped = #""a\u001b[31m\u009b31m\u202e\u2028\u00ad\udb40\udc01ä👩\u200d👧\u007f""#

    @Test("A result is escaped, and is the same text again")
    func results() throws {
      let run = try Program.run(["call", "libc.so.6", "getenv", "**", "SHOWN_TEXT"], environment: ["SHOWN_TEXT": Self.text])
      #expect(run.output == Self.escaped + "\n")
      run.expectPlain()
      let read = try JSONSerialization.jsonObject(with: Data(run.output.utf8), options: .fragmentsAllowed) as? String
      #expect(read == Self.text)
    }

    @Test("Errors on standard error are escaped")
    func errors() throws {
      try Program.run(["call", "libc.so.6", Self.text, "i"]).expectPlain()
      try Program.run(["call", Self.text, "abs", "ii", "1"]).expectPlain()
      try Program.run(["call", "libc.so.6", "abs", "i{\(Self.text)", "1"]).expectPlain()
      try Program.run(["call", "libc.so.6", "abs", "ii", Self.text]).expectPlain()
      try Program.run(["explain", "{\(Self.text)"]).expectPlain()
      try Program.run(["call", "--batch", "/nowhere/\(Self.text)"]).expectPlain()
    }

    @Test("Answers of a batch are escaped")
    func batches() throws {
      let text = String(decoding: try JSONEncoder().encode(Self.text), as: UTF8.self)
      let line = { (library: String, symbol: String, types: String) in
        #"{"library":\#(library),"symbol":\#(symbol),"types":\#(types),"arguments":[\#(text)]}"#
      }
      let lines = [
        line(#""libc.so.6""#, #""strdup""#, #""**""#), line(text, #""abs""#, #""ii""#), line(#""libc.so.6""#, text, #""ii""#),
        line(#""libc.so.6""#, #""abs""#, text), line(#""libc.so.6""#, #""abs""#, #""ii""#),
      ]
      let run = try Program.run(["call", "--batch"], input: Array(lines.map { $0 + "\n" }.joined().utf8))
      #expect(run.lines.count == lines.count)
      #expect(run.lines.first == #"{"result":\#(Self.escaped)}"#)
      run.expectPlain()
    }
  }
#endif
