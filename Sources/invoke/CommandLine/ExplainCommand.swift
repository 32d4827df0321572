#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// `invoke explain`: shows how the values of a signature are laid out and passed.
  struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Explains a signature: sizes, offsets, where each argument travels, and what carries the call out.",
      discussion: """
        The convention may be that of another machine: sysv is x86-64, aapcs64 is \
        64-bit Arm; the backend is then the kernel that calls there. libffi tells what libffi is given for each value on this host. \
        Sizes and offsets are those of this host.

        EXAMPLES:
          invoke explain ddd
          invoke explain 'd@:q{Rect={Point=dd}{Size=dd}}' --abi aapcs64
          invoke explain '{S=b3b5i}' --bitfield C --json
          invoke explain 'v{Header=CIQ}' --packed Header
          invoke explain 'i*Q*d' --fixed 3
        """)

    @Argument(help: "The return type and the argument types, with or without frame offsets.")
    var types: String

    @Option(name: .long, help: "What to tell the places of; by default the C convention of this host.")
    var abi: ABIOption?

    @Option(name: .long, help: ArgumentHelp("The number of arguments before the ellipsis of a variadic function.", valueName: "count"))
    var fixed: Int?

    @OptionGroup var layout: LayoutOptions

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    func validate() throws {
      if let fixed, fixed < 0 { throw ValidationError("--fixed is a count, \(fixed) is none.") }
    }

    func run() throws {
      let parsed: MethodTypes
      do {
        parsed = try MethodTypes(types, dialect: (layout.dialect ?? .next).dialect, hints: layout.hints())
      } catch {
        throw error.reported()
      }
      let explanation = CallExplanation(parsed, fixedArgumentCount: fixed, abi: abi?.abi ?? .host)
      if json {
        try FileOutput.standardOutput.write(line: explanation.json(of: types))
      } else {
        try FileOutput.standardOutput.write(line: ExplanationTable(explanation, of: types).text)
        if layout.bitfield == nil, ([parsed.result] + parsed.arguments).contains(where: { $0.undeclaredBitField != nil }) {
          try FileOutput.standardOutput.write(
            line: "\nBit-fields are taken for unsigned int, past 32 bits for unsigned long long: b does not tell. See --bitfield.")
        }
      }
    }
  }
#endif
