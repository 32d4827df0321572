#if Tools
  import ArgumentParser

  /// `invoke get`: prints the value of a variable.
  struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get",
      abstract: "Reads a variable of a shared library.",
      discussion: """
        The value is printed as JSON, as the result of a call is: pointers as \
        addresses, a C string as its text. A variable that is smaller than TYPE, \
        and a function, is refused where the library tells. SYMBOL may be an \
        address "0x..." of this process, which only a batch has a use for.

        EXAMPLES:
          invoke get libc.so.6 program_invocation_short_name '*'
          invoke get libc.so.6 environ '^*'
          invoke get libc.so.6 in6addr_loopback '{in6_addr=[16C]}'
        """)

    // fish counts only the arguments that have a completion.
    @Argument(help: "The library, or - for the process itself.", completion: .file())
    var library: String

    @Argument(help: "The name of the variable.", completion: SymbolCompletion.symbols)
    var symbol: String

    @Argument(help: "The type encoding of the variable.")
    var type: String

    @OptionGroup var layout: LayoutOptions

    func run() throws {
      typealias Member = JSONValue.Member
      try RequestCommand.run(
        [Member("library", .string(library)), Member("symbol", .string(symbol)), Member("type", .string(type))] + layout.members)
    }
  }
#endif
