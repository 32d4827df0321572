import CallExplanations
import Foundation
import TestSupport
import Testing

@testable import DynamicInvocation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The drawing of `invoke explain`, as text and as SVG.
@Suite(.measured, .enabled(if: Program.isThere, "needs the trait Tools")) struct DrawingTests {
  /// Returns the drawing, which stands between the heading and the table.
  private static func drawing(_ types: String, _ options: [String]) throws -> String {
    let run = try Program.run(["explain", types] + options)
    #expect(run.status == 0 && run.errors == "")
    return run.output.components(separatedBy: "\n\n").dropFirst().dropLast().joined(separator: "\n\n")
  }

  // MARK: - Text

  @Test(arguments: [
    (
      "ddd", "sysv",
      """
            vector registers                 result
           ┌───────────────────────┐        ┌───────────────────────┐
      xmm0 │ a0                    │   xmm0 │ ret                   │
           ├───────────────────────┤        └───────────────────────┘
      xmm1 │ a1                    │
           └───────────────────────┘
      lowest byte on the left
      """
    ),
    (
      "d@:q{Rect={Point=dd}{Size=dd}}", "sysv",
      """
           general registers               stack                            result
          ┌───────────────────────┐       ┌───────────────────────┐        ┌───────────────────────┐
      rdi │ a0                    │    +0 │ a3[0][0]              │   xmm0 │ ret                   │
          ├───────────────────────┤       ├───────────────────────┤        └───────────────────────┘
      rsi │ a1                    │    +8 │ a3[0][1]              │
          ├───────────────────────┤       ├───────────────────────┤
      rdx │ a2                    │   +16 │ a3[1][0]              │
          └───────────────────────┘       ├───────────────────────┤
                                      +24 │ a3[1][1]              │
                                          └───────────────────────┘
      lowest byte on the left
      """
    ),
    (
      "v{S=cid}", "sysv",
      """
           general registers
          ┌─────┬─────────────────┬───────────────────────┐
      rdi │a0[0]│  ·     ·     ·  │ a0[1]                 │
          └─────┴─────────────────┴───────────────────────┘

            vector registers
           ┌───────────────────────────────────────────────┐
      xmm0 │ a0[2]                                         │
           └───────────────────────────────────────────────┘
      lowest byte on the left; · padding
      """
    ),
    (
      "vqqqqqqqi{S=\"x\"d\"y\"d\"z\"f}", "sysv",
      """
           general registers               stack
          ┌───────────────────────┐       ┌───────────────────────┐
      rdi │ a0                    │    +0 │ a6                    │
          ├───────────────────────┤       ├───────────┬───────────┤
      rsi │ a1                    │    +8 │ a7        │           │
          ├───────────────────────┤       ├───────────┴───────────┤
      rdx │ a2                    │   +16 │ a8.x                  │
          ├───────────────────────┤       ├───────────────────────┤
      rcx │ a3                    │   +24 │ a8.y                  │
          ├───────────────────────┤       ├───────────┬───────────┤
       r8 │ a4                    │   +32 │ a8.z      │ ·  ·  ·  ·│
          ├───────────────────────┤       └───────────┴───────────┘
       r9 │ a5                    │
          └───────────────────────┘
      lowest byte on the left; · padding; blank: not part of a value
      """
    ),
    (
      "DqD", "sysv",
      """
           general registers              stack                               result
          ┌───────────────────────┐      ┌───────────────────────┐           ┌───────────────────────┐
      rdi │ a0                    │   +0 │ a1                    │     st(0) │ ret                   │
          └───────────────────────┘      ├─────┬─────────────────┤           ├─────┬─────────────────┤
                                      +8 │a1+8 │ ·  ·  ·  ·  ·  ·│   st(0)+8 │ret+8│ ·  ·  ·  ·  ·  ·│
                                         └─────┴─────────────────┘           └─────┴─────────────────┘
      lowest byte on the left; · padding
      """
    ),
    (
      "{S=qqq}i{T=\"name\"q\"size\"i\"c\"c\"next\"^v}", "aapcs64",
      """
          general registers                                 copies on the stack
         ┌───────────────────┬───────────────────┐         ┌───────────────────────────────────────┐
      x0 │ a0                │                   │    a1+0 │ a1.name                               │
         ├───────────────────┴───────────────────┤         ├───────────────────┬────┬──────────────┤
      x1 │ &a1                                   │    a1+8 │ a1.size           │a1.c│  ·    ·    · │
         ├───────────────────────────────────────┤         ├───────────────────┴────┴──────────────┤
      x8 │ &ret                                  │   a1+16 │ a1.next                               │
         └───────────────────────────────────────┘         └───────────────────────────────────────┘

           result in memory
          ┌───────────────────────────────────────┐
       +0 │ ret[0]                                │
          ├───────────────────────────────────────┤
       +8 │ ret[1]                                │
          ├───────────────────────────────────────┤
      +16 │ ret[2]                                │
          └───────────────────────────────────────┘
      lowest byte on the left; · padding; blank: not part of a value; &a1 address of a1
      """
    ),
  ]) func drawsWords(types: String, abi: String, expected: String) throws {
    #expect(try Self.drawing(types, ["--abi", abi]) == expected)
  }

  @Test func libFFIHasNoDrawing() throws {
    let run = try Program.run(["explain", "ddd", "--abi", "libffi"])
    #expect(run.output.contains("drawing    none: libffi is given the types below, and assigns the registers itself\n"))
    #expect(!run.output.contains("│"))
    let svg = try Program.run(["explain", "ddd", "--abi", "libffi", "--svg", "-"])
    #expect(svg.status == 64 && svg.output == "" && svg.errors.contains("--svg draws registers"))
  }

  @Test func refusedCallHasNoDrawing() throws {
    #expect(try Self.drawing("dqv", ["--abi", "sysv"]) == "")
    let svg = try Program.run(["explain", "dqv", "--abi", "sysv", "--svg", "-"])
    #expect(svg.status == 1 && svg.output == "")
    #expect(svg.errors == "Error: nothing to draw: argument 1 (v): void is no argument\n")
  }

  @Test("A column has at most 32 words, in SVG 256")
  func longColumns() throws {
    let types = "v{S=" + String(repeating: "q", count: 300) + "}"
    let text = try Self.drawing(types, ["--abi", "sysv"])
    #expect(text.contains("│ a0[31]") && !text.contains("a0[32]") && text.contains("... 268 more words"))
    let svg = try Elements(Program.run(["explain", types, "--abi", "sysv", "--svg", "-"]).output)
    #expect(svg.texts.contains("a0[255]") && !svg.texts.contains("a0[256]") && svg.texts.contains("... 44 more words"))
  }

  // MARK: - Colors

  @Test func colors() throws {
    func output(_ options: [String], _ environment: [String: String] = [:]) throws -> String {
      try Program.run(["explain", "ddi", "--abi", "sysv"] + options, environment: environment).output
    }
    let plain = try output([])
    #expect(!plain.contains("\u{1B}"))
    #expect(try output(["--color", "never"]) == plain && output(["--color", "auto"], ["TERM": "xterm"]) == plain)
    let colored = try output(["--color", "always"], ["NO_COLOR": "1"])
    #expect(colored.contains("│\u{1B}[36m a0                    \u{1B}[0m│"))
    #expect(colored.contains("│\u{1B}[33m a1        \u{1B}[0m│"))
    #expect(colored.contains("│\u{1B}[1m ret                   \u{1B}[0m│"))
    #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == plain)
  }

  #if os(Linux)
    @Test("On a terminal the drawing has colors, unless NO_COLOR is set", arguments: [nil, "", "1"])
    func terminal(noColor: String?) throws {
      // glibc's headers hide these from Swift; the engine does not need headers.
      let libc = try DynamicLibrary("libc.so.6")
      let main: CInt = try libc.function("posix_openpt", types: "ii")(O_RDWR | O_NOCTTY)
      defer { close(main) }
      let granted: CInt = try libc.function("grantpt", types: "ii")(main)
      let unlocked: CInt = try libc.function("unlockpt", types: "ii")(main)
      try #require(granted == 0 && unlocked == 0)
      var name = [CChar](repeating: 0, count: 64)
      // Unlike `ptsname`, this writes to memory of the caller: the cases of this test run beside other tests.
      let named: CInt = try libc.function("ptsname_r", types: "ii^cQ")(main, &name, name.count)
      try #require(named == 0)
      let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      let terminal = FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY), closeOnDealloc: true)
      let process = Program.process(["explain", "dd", "--abi", "sysv"])
      process.environment?["NO_COLOR"] = noColor
      process.environment?["TERM"] = "xterm"
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = terminal
      try process.run()
      process.waitUntilExit()
      // The output is shorter than the buffer of a terminal.
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(main, &bytes, bytes.count)
      try #require(count > 0)
      let output = String(decoding: bytes.prefix(count), as: UTF8.self)
      #expect(output.contains("xmm0 │"))
      #expect(output.contains("\u{1B}[36m") == (noColor != "1"))
    }
  #endif

  // MARK: - SVG

  @Test(arguments: [
    (
      "d@:q{Rect=\"origin\"{Point=\"x\"d\"y\"d}\"size\"{Size=dd}}", "sysv",
      ["a0", "a1", "a2", "a3.origin.x", "a3.size[1]", "ret", "rdi", "+24"]
    ),
    ("v{S=cid}", "sysv", ["a0[0]", "a0[1]", "a0[2]", "·", "general registers", "vector registers"]),
    ("{S=qqq}{T=qqq}", "aapcs64", ["&a0", "a0[0]", "&ret", "ret[2]", "x8", "a0+16", "copies on the stack", "result in memory"]),
    ("v", "sysv", ["The call passes no values."]),
  ]) func svgHasLabels(types: String, abi: String, labels: [String]) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("invoke-tests-\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try Program.run(["explain", types, "--abi", abi, "--svg", file.path])
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output == (try Program.run(["explain", types, "--abi", abi])).output)
    let text = try String(contentsOf: file, encoding: .utf8)
    let svg = try Elements(text)
    #expect(svg.names.first == "svg")
    for label in labels { #expect(svg.texts.contains(label), "\(label)") }
    // Only the namespace is an address: there is nothing to load.
    #expect(text.components(separatedBy: "http").count == 2 && !text.contains("url(") && !text.contains("@import"))
    let standardOutput = try Program.run(["explain", types, "--abi", abi, "--svg", "-"])
    #expect(standardOutput.output == text)
  }

  @Test("Each run of bytes has a title that tells its word, bytes and member")
  func svgTitles() throws {
    let svg = try Elements(Program.run(["explain", "v{S=\"flag\"c\"count\"i}", "--abi", "sysv", "--svg", "-"]).output)
    #expect(
      svg.titles == [
        "v{S=ci} (sysv, sysv-general)", "rdi, byte 0: a0.flag", "rdi, bytes 1-3: padding of a0", "rdi, bytes 4-7: a0.count",
      ])
  }

  @Test("Names of an encoding are data, in the drawing and in SVG")
  func hostileNames() throws {
    let name = "<b>&amp;'\u{1B}c\u{9B}31m\u{202E}\u{2028}\u{FFFE}\u{7F}"
    let types = "v{\(name)=\"\(name)]]>\"q}"
    let run = try Program.run(["explain", types, "--abi", "sysv", "--svg", "-"])
    #expect(run.status == 0)
    let svg = try Elements(run.output)
    let obeyed = run.output.unicodeScalars.filter {
      [.control, .lineSeparator].contains($0.properties.generalCategory) && $0 != "\n" || $0.properties.isBidiControl
    }
    #expect(obeyed.isEmpty, "\(obeyed)")
    #expect(Set(svg.names) == ["svg", "title", "style", "rect", "text", "g"])
    let label = #"a0.<b>&amp;'\u{1B}c\u{009B}31m\u{202E}\u{2028}"# + "\u{FFFD}" + #"\u{7F}]]>"#
    #expect(svg.texts.contains(label) && svg.titles.contains("rdi, bytes 0-7: \(label)"), "\(svg.titles)")
    let text = try Program.run(["explain", types, "--color", "always"])
    #expect(!text.output.contains("\u{1B}c") && !text.output.contains("\u{9B}") && !text.output.contains("\u{202E}"))
  }

  @Test func namesTheFileThatCannotBeWritten() throws {
    let run = try Program.run(["explain", "ddd", "--svg", "/nowhere/\u{1B}.svg"])
    #expect(run.status == 1 && run.errors.hasPrefix(#"Error: /nowhere/\u{1B}.svg cannot be written: "#))
    #expect(try Program.run(["explain", "ddd", "--json", "--svg", "-"]).status == 64)
  }

  /// The elements of a document.
  private final class Elements: NSObject, XMLParserDelegate {
    private(set) var names: [String] = []
    /// The content of each `text` element.
    private(set) var texts: [String] = []
    /// The content of each `title` element.
    private(set) var titles: [String] = []
    private var content = ""

    init(_ text: String) throws {
      super.init()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = self
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      names.append(elementName)
      content = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { content += string }

    func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?) {
      switch elementName {
      case "text": texts.append(content)
      case "title": titles.append(content)
      default: break
      }
    }
  }
}

/// The words of an explanation, as data.
@Suite(.measured) struct WordGroupTests {
  private static func words(_ types: String, _ abi: CallExplanation.ABI, limit: Int = 256) throws -> [String] {
    CallExplanation(try MethodTypes(types), abi: abi).wordGroups(limit: limit).flatMap { group in
      group.words.map { word in
        let runs = word.runs.map { run in
          let padding = run.content == .padding ? "padding of " : ""
          return "\(run.bytes.lowerBound)-\(run.bytes.upperBound - 1) \(padding)\(run.label)"
        }
        return "\(group.kind) \(word.name): \(runs.joined(separator: ", "))"
      } + (group.count > group.words.count ? ["\(group.kind): \(group.count)"] : [])
    }
  }

  @Test(arguments: [
    // A register that an alignment skips, and a stack word.
    ("vit", CallExplanation.ABI.aapcs64, ["general x0: 0-3 a0", "general x1: ", "general x2: 0-7 a1", "general x3: 0-7 a1+8"]),
    (
      "v{S=qqq}D", .sysv,
      [
        "stack +0: 0-7 a0[0]", "stack +8: 0-7 a0[1]", "stack +16: 0-7 a0[2]", "stack +24: ", "stack +32: 0-7 a1",
        "stack +40: 0-1 a1+8, 2-7 padding of a1",
      ]
    ),
    // Small arguments that share a stack word on Apple's platforms.
    ("vqqqqqqqqcsi", .apple, (0...7).map { "general x\($0): 0-7 a\($0)" } + ["stack +0: 0-0 a8, 2-3 a9, 4-7 a10"]),
    // All 16 bytes of a vector register.
    ("vDd", .aapcs64, ["vector v0: 0-7 a0", "vector v0+8: 0-7 a0+8", "vector v1: 0-7 a1"]),
    (
      "jD", .sysv,
      [
        "result st(0): 0-7 ret.re", "result st(0)+8: 0-1 ret.re+8, 2-7 padding of ret", "result st(1): 0-7 ret.im",
        "result st(1)+8: 0-1 ret.im+8, 2-7 padding of ret",
      ]
    ),
    // Members of a homogeneous aggregate have a register each.
    ("{P=\"x\"f\"y\"f}", .aapcs64, ["result v0: 0-3 ret.x", "result v1: 0-3 ret.y"]),
    ("{P=\"x\"f\"y\"f}", .sysv, ["result xmm0: 0-3 ret.x, 4-7 ret.y"]),
    ("{S=dq}", .sysv, ["result xmm0: 0-7 ret[0]", "result rax: 0-7 ret[1]"]),
    (
      "{S=qqc}", .sysv,
      [
        "general rdi: 0-7 &ret", "resultMemory +0: 0-7 ret[0]", "resultMemory +8: 0-7 ret[1]",
        "resultMemory +16: 0-0 ret[2], 1-7 padding of ret",
      ]
    ),
    // An address of a copy that is on the stack itself.
    (
      "vqqqqqqqq{S=qqi}", .aapcs64,
      (0..<8).map { "general x\($0): 0-7 a\($0)" } + [
        "stack +0: 0-7 &a8", "copies a8+0: 0-7 a8[0]", "copies a8+8: 0-7 a8[1]", "copies a8+16: 0-3 a8[2], 4-7 padding of a8",
      ]
    ),
    ("v[4i]{E=}", .sysv, ["general rdi: 0-7 &a0"]),
    // Members of unions overlap, and bit-fields share bytes.
    ("v(U=\"a\"c\"b\"{S=cs})(V=i[3c])", .sysv, ["general rdi: 0-0 a0, 1-1 padding of a0, 2-3 a0", "general rsi: 0-3 a1"]),
    (
      "v{B=\"a\"b0I3\"b\"b3I7\"c\"b32I4\"d\"c}", .sysv,
      ["general rdi: 0-1 a0.a,b, 2-3 padding of a0, 4-4 a0.c, 5-5 a0.d, 6-7 padding of a0"]
    ),
    (
      "v{A=\"v\"[2{P=cs}]}", .sysv,
      ["general rdi: 0-0 a0.v[0][0], 1-1 padding of a0, 2-3 a0.v[0][1], 4-4 a0.v[1][0], 5-5 padding of a0, 6-7 a0.v[1][1]"]
    ),
    ("ddd", .libffi, []), ("dqv", .sysv, []), ("v", .aapcs64, []),
  ]) func describesEachByte(types: String, abi: CallExplanation.ABI, expected: [String]) throws {
    #expect(try Self.words(types, abi) == expected)
  }

  @Test func descriptions() throws {
    let groups = CallExplanation(try MethodTypes("v{S=ci}{S=qqq}"), abi: .aapcs64).wordGroups()
    #expect(groups.map(\.description) == ["general, 2 words", "copies, 3 words"])
    #expect(groups[0].words[0].description == "x0: a0[0] (bytes 0-0), padding of a0 (bytes 1-3), a0[1] (bytes 4-7)")
    #expect(groups[0].words[1].runs[0].description == "&a1 (bytes 0-7)")
    #expect(CallExplanation(try MethodTypes("vit"), abi: .aapcs64).wordGroups()[0].words[1].description == "x1: nothing")
  }

  @Test func limitHoldsForStackAndMemory() throws {
    #expect(
      try Self.words("{T=qqq}{S=qqqq}{S=qqqq}", .sysv, limit: 1) == [
        "general rdi: 0-7 &ret", "stack +0: 0-7 a0[0]", "stack: 8", "resultMemory +0: 0-7 ret[0]", "resultMemory: 3",
      ])
    #expect(
      try Self.words("v{S=qqqq}{S=qqqq}{H=dddd}", .aapcs64, limit: 1) == [
        "general x0: 0-7 &a0", "general x1: 0-7 &a1", "vector v0: 0-7 a2[0]", "vector v1: 0-7 a2[1]", "vector v2: 0-7 a2[2]",
        "vector v3: 0-7 a2[3]", "copies a0+0: 0-7 a0[0]", "copies: 8",
      ])
  }

  @Test(
    "Every byte of a value is in one run, for the conformance shapes of both conventions", arguments: [CallExplanation.ABI.sysv, .aapcs64])
  func everyByteIsInOneRun(abi: CallExplanation.ABI) throws {
    let shapes = [
      "c", "i", "q", "d", "f", "D", "t", "{S=cid}", "{S=ffff}", "{S=dqc}", "(U=dc)", "{N={S=cs}[3{S=ic}]}", "jf", "jd", "{V=![16,16f]}",
    ]
    for result in shapes {
      for first in shapes {
        let types = "\(result)\(first)qd\(result)"
        let explanation = CallExplanation(try MethodTypes(types), abi: abi)
        try #require(explanation.refusal == nil, "\(types)")
        var counts: [Int?: Int] = [:]
        for word in explanation.wordGroups().flatMap(\.words) {
          var end = 0
          for run in word.runs {
            #expect(run.bytes.lowerBound >= end && run.bytes.upperBound <= 8 && !run.bytes.isEmpty, "\(types) \(word)")
            end = run.bytes.upperBound
            if run.content != .address { counts[run.argument, default: 0] += run.bytes.count }
          }
        }
        for value in [explanation.result] + explanation.arguments { #expect(counts[value.index] == value.size, "\(types) \(value)") }
      }
    }
  }

  @Test("A type with far more members than its encoding has bytes is described in bounded time")
  func membersThatMultiply() throws {
    let union = "(U=" + String(repeating: "[99{P=cs}]", count: 2_000) + ")"
    let groups = CallExplanation(try MethodTypes("v{S=[20\(union)]}"), abi: .sysv).wordGroups()
    #expect(groups.map(\.kind) == [.stack] && groups[0].words.count == 256)
    let name = String(repeating: "n", count: 10_000)
    let nested = "v" + String(repeating: "{S=\"\(name)\"", count: 50) + "q" + String(repeating: "}", count: 50)
    let run = try #require(CallExplanation(try MethodTypes(nested), abi: .sysv).wordGroups().first?.words.first?.runs.first)
    #expect(run.label.utf8.count < 200)
  }
}
