import Foundation
import TestSupport
import Testing

/// `invoke explain`.
@Suite(.measured) struct ExplainTests {
  @Test("The Swift convention is refused with the reason")
  func swiftConvention() throws {
    try Program.run(["explain", "ddd", "--abi", "swift"])
      .expectError("passes Swift types, an encoding states C types", status: 64)
    #expect(try Program.run(["explain", "--help"]).output.contains("values: sysv, aapcs64, apple, libffi)"))
  }

  /// By convention, the kernel for a call that needs general registers only; for libffi's, the kernel of this host.
  private static var generalKernels: [String: String] {
    #if arch(x86_64)
      ["sysv": "sysv-general", "aapcs64": "aapcs64-general", "apple": "aapcs64-general", "libffi": "sysv-general"]
    #elseif canImport(Darwin)
      ["sysv": "sysv-general", "aapcs64": "libffi", "apple": "libffi", "libffi": "libffi"]
    #else
      ["sysv": "sysv-general", "aapcs64": "aapcs64-general", "apple": "aapcs64-general", "libffi": "aapcs64-general"]
    #endif
  }

  @Test(arguments: ["sysv", "aapcs64", "apple", "libffi"]) func printsJSON(abi: String) throws {
    let run = try Program.run(["explain", "d24@0:8{P=is}16", "--abi", abi, "--json"])
    #expect(run.status == 0)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["types"] as? String == "d24@0:8{P=is}16")
    #expect(object["canonical"] as? String == "d@:{P=is}")
    #expect(object["abi"] as? String == abi)
    #expect(object["isMethod"] as? Bool == true)
    #expect((object["frameLength"] as? Int).map { $0 >= 24 } == true)
    // libffi counts what it copies on its own stack, on AArch64 the arguments in registers as well.
    if abi != "libffi" { #expect(object["stackSize"] as? Int == 0) }
    #expect(object["backend"] as? String == Self.generalKernels[abi])
    #expect((object["reason"] as? String)?.isEmpty == false)
    let result = try #require(object["result"] as? [String: Any])
    #expect(result["encoding"] as? String == "d")
    let arguments = try #require(object["arguments"] as? [[String: Any]])
    #expect(arguments.map { $0["index"] as? Int } == [0, 1, 2])
    #expect(arguments.map { $0["size"] as? Int } == [8, 8, 8])
    #expect(arguments[2]["alignment"] as? Int == 4)
    #expect(arguments[2]["encoding"] as? String == "{P=is}")
    #expect(arguments[2]["location"] as? String == ["sysv": "rdx", "aapcs64": "x2"][abi] ?? arguments[2]["location"] as? String)
    let fields = try #require(arguments[2]["fields"] as? [[String: Any]])
    #expect(fields.map { $0["offset"] as? Int } == [0, 4])
    #expect(fields.map { $0["encoding"] as? String } == ["i", "s"])
  }

  @Test func printsTable() throws {
    let run = try Program.run(["explain", "{S=qqq}i{P=\"x\"d\"y\"f}b", "--abi", "sysv"])
    #expect(run.status == 1)
    let table = try Program.run(["explain", "{S=qqq}i{P=\"x\"d\"y\"f}", "--abi", "sysv"])
    #expect(table.status == 0)
    let rows = table.lines.map { $0.split(separator: " ").map(String.init) }
    #expect(rows.contains(["result", "{S=qqq}", "24", "8", "by", "reference", "in", "rdi"]))
    #expect(rows.contains(["argument", "0", "i", "4", "4", "rsi"]))
    #expect(rows.contains(["y", "f", "4", "4", "+8"]))
    #expect(rows.contains(["argument", "1", "{P=\"x\"d\"y\"f}", "16", "8", "xmm0", "(bytes", "0-7),", "xmm1", "(bytes", "8-15)"]))
    #expect(table.lines.allSatisfy { !$0.hasSuffix(" ") })
    #expect(table.lines.contains { $0.hasPrefix("backend    sysv-") } && !table.output.contains("lane"))
  }

  @Test func explainsVariadicSignatureAndDialects() throws {
    let refused = try Program.run(["explain", "vif", "--fixed", "1", "--json"])
    #expect(refused.status == 0)
    #expect(refused.output.contains(#""backend":null,"#))
    #expect(refused.output.contains(#""reason":"argument 1 (f, Float): a variadic float is passed as double (d)""#))
    #expect(try Program.run(["explain", "l", "--json"]).output.contains(#""result":{"encoding":"i","size":4"#))
    #expect(try Program.run(["explain", "l", "--json", "--dialect", "gnu"]).output.contains(#""result":{"encoding":"q","size":8"#))
  }

  @Test("A declaration takes the place of the encoding")
  func explainsDeclarations() throws {
    let run = try Program.run(["explain", "int snprintf(char *, size_t, const char *, ...)", "--variadic", "double", "--json"])
    #expect(run.status == 0 && run.errors == "")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["types"] as? String == "i*Q*d" && object["fixed"] as? Int == 3)
    #expect(object["declaration"] as? String == "int snprintf(char *, size_t, const char *, ...)")
    let table = try Program.run(["explain", "struct { int quot, rem; } div(int, int)", "--abi", "aapcs64"])
    #expect(table.status == 0 && table.output.contains("canonical  {?=ii}ii") && table.output.contains("rem"))
    try Program.run(["explain", "double pow(duble, double)"]).expectError("line 1, column 12: 'duble' is not a type")
    // Blanks and parentheses are in encodings, too.
    #expect(try Program.run(["explain", "v{pair<unsigned int, int>=(U=i)}"]).status == 0)
  }

  @Test(arguments: [
    ("{S=dq", "type encoding '{S=dq', byte 5: the struct opened at byte 0 is not closed\n  {S=dq\n       ^\n"),
    ("dd!x", "type encoding 'dd!x', byte 3: a vector is written ![size,alignment type]\n  dd!x\n     ^\n"),
    ("", "type encoding '', byte 0: a type is missing\n  \n  ^\n"),
  ]) func marksTheByteOfAMalformedEncoding(types: String, expected: String) throws {
    try Program.run(["explain", types]).expectError(expected)
  }

  @Test("Nothing of an encoding is obeyed by a terminal, in the table and in JSON", arguments: [[], ["--json"]])
  func namesOfAnybody(options: [String]) throws {
    let name = "\u{1B}c\u{9B}31m\u{202E}\u{2028}\u{E0001}\u{7F}"
    for types in ["{\(name)=i}", "i{S=\"\(name)\"i}", "v@\"\(name)\"", "v{\(name)}"] {
      let run = try Program.run(["explain", types] + options)
      #expect(run.status == 0)
      run.expectPlain()
      #expect(
        run.output.contains(options.isEmpty ? #"\u{1B}c"# : #"\u001bc\u009b31m\u202e\u2028\udb40\udc01\u007f"#),
        "\(run.output.debugDescription)")
      guard !options.isEmpty else { continue }
      let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      #expect(object["types"] as? String == types)
    }
  }

  @Test("Names of an encoding are data, in a drawing with colors too")
  func hostileNames() throws {
    let name = "<b>&amp;'\u{1B}c\u{9B}31m\u{202E}\u{2028}\u{FFFE}\u{7F}"
    let text = try Program.run(["explain", "v{\(name)=\"\(name)]]>\"q}", "--color", "always"])
    #expect(text.status == 0 && !text.output.contains("\u{1B}c"))
    #expect(!text.output.contains("\u{9B}") && !text.output.contains("\u{202E}"))
  }

  @Test("The texts of members that contain each other do not multiply")
  func nestedMembersAreBounded() throws {
    let name = String(repeating: "n", count: 100_000)
    let types = "v" + String(repeating: "{S=", count: 100) + "{\(name)=i}" + String(repeating: "}", count: 100)
    let json = try Program.run(["explain", types, "--json"])
    #expect(json.status == 0 && json.output.utf8.count < 3_000_000, "\(json.output.utf8.count)")
    #expect(json.output.contains(#""encoding":null"#))
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    let table = try Program.run(["explain", types])
    #expect(table.status == 0 && table.output.utf8.count < 100_000, "\(table.output.utf8.count)")
    let wide = try Program.run(["explain", "v{S=" + String(repeating: "i", count: 20_000) + "}"])
    #expect(wide.status == 0 && wide.lines.count < 4_200 && wide.lines.last?.hasPrefix("...") == true)
  }

  @Test func cutsLongEncodingsAroundTheMark() throws {
    let run = try Program.run(["explain", String(repeating: "d", count: 500) + "\n" + String(repeating: "d", count: 500)])
    #expect(run.status == 1)
    let lines = run.errors.split(separator: "\n")
    let text = String(repeating: "d", count: 60)
    #expect(
      lines.dropFirst(lines.count - 2).map(String.init) == [
        "  ...\(text)?\(text.dropLast())...", "  " + String(repeating: " ", count: 63) + "^",
      ])
  }
}
