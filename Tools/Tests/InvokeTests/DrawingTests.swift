import Foundation
import TestSupport
import Testing

/// The drawing of `invoke explain`.
@Suite(.measured) struct DrawingTests {
  /// Returns the drawing, which stands between the heading and the table.
  private static func drawing(_ types: String, _ options: [String]) throws -> String {
    let run = try Program.run(["explain", types] + options)
    #expect(run.status == 0 && run.errors == "")
    return run.output.components(separatedBy: "\n\n").dropFirst().dropLast().joined(separator: "\n\n")
  }

  // MARK: - Text

  @Test(arguments: [
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
  }

  @Test func refusedCallHasNoDrawing() throws {
    #expect(try Self.drawing("dqv", ["--abi", "sysv"]) == "")
  }

  @Test("A column has at most 32 words")
  func longColumns() throws {
    let types = "v{S=" + String(repeating: "q", count: 300) + "}"
    let text = try Self.drawing(types, ["--abi", "sysv"])
    #expect(text.contains("│ a0[31]") && !text.contains("a0[32]") && text.contains("... 268 more words"))
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
      let terminal = try Terminal()
      let process = Program.process(["explain", "dd", "--abi", "sysv"])
      process.environment?["NO_COLOR"] = noColor
      process.environment?["TERM"] = "xterm"
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = terminal.other
      try process.run()
      process.waitUntilExit()
      // The output is shorter than the buffer of a terminal.
      let output = terminal.read()
      #expect(output.contains("xmm0 │"))
      #expect(output.contains("\u{1B}[36m") == (noColor != "1"))
    }
  #endif
}
