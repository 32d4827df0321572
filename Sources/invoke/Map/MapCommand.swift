#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// `invoke map`: calls a function for each line of a CSV file.
  struct MapCommand: CommandApart {
    static let configuration = CommandConfiguration(
      commandName: "map",
      abstract: "Calls a function for each line of a CSV file.",
      usage: """
        invoke map <library> <declaration> --csv <file> [<options>]
        invoke map --header <header> <library> <symbol> --csv <file> [<options>]
        invoke map <library> <symbol> <types> --csv <file> [<options>]
        """,
      discussion: """
        Each line is printed with the result as a further column. The first line is a \
        header, which gets the name of that column, unless there is --no-header.

        The columns are the arguments, in order; --columns chooses some of them. The \
        types are numbers, B, and * for an argument that is the text of its column. \
        Numbers are written as in a call. Fields with a comma or a quote are quoted; \
        a field may not contain a line break.

        An error names the line, and the lines before it are printed. So it is for a \
        callee that crashes or exits: one line on standard error, and exit status 1. \
        What callees print goes to standard error.

        EXAMPLES:
          invoke map libm.so.6 'double pow(double, double)' --csv powers.csv
          invoke map --header math.h libm.so.6 pow --csv powers.csv
          invoke map libm.so.6 pow ddd --csv powers.csv
          invoke map libm.so.6 cos dd --csv readings.csv --columns angle --name cosine
          seq 5 | invoke map libm.so.6 sqrt dd --csv - --no-header
        """)

    // fish counts only the arguments that have a completion.
    @Argument(help: "The library, or - for the process itself.", completion: .file())
    var library: String

    @Argument(help: "The name of the function, or its declaration in C.", completion: SymbolCompletion.symbols)
    var symbol: String

    @Argument(help: "The types, the result and the arguments, if no declaration states them.")
    var types: String?

    @Option(
      help: ArgumentHelp("The file, or - for standard input.", valueName: "file"), completion: .file(extensions: ["csv"]))
    var csv: String

    @Option(help: ArgumentHelp("The columns of the arguments: names of the header, or numbers from 1.", valueName: "a,b"))
    var columns: String?

    @Option(help: "The name of the result's column.")
    var name: String = "result"

    @Flag(name: .long, help: "The first line is not a header.")
    var noHeader = false

    @OptionGroup var headers: HeaderOptions

    func validate() throws {
      let isDeclared = !headers.header.isEmpty || symbol.isDeclaration
      guard isDeclared == (types == nil) else {
        throw ValidationError("Expected LIBRARY, SYMBOL and TYPES, or LIBRARY and a declaration.")
      }
      guard name.unicodeScalars.allSatisfy({ ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory) })
      else { throw ValidationError("--name '\(name.escaped)' has a control character.") }
    }

    func plan() throws -> CommandRunner.Plan { CommandRunner.Plan(input: csv) }

    func run(in workplace: Workplace) throws {
      let function = try function(workplace)
      var map = CSVMap(
        function, columns: columns?.split(separator: ",").map(String.init), resultName: name, hasHeader: !noHeader, workplace)
      try map.run(CallRequest.subject(function.symbol, library: library))
    }

    private func function(_ workplace: Workplace) throws(InvocationError) -> MappedFunction {
      var request = CallRequest(library: library, symbol: types == nil ? "" : symbol, types: types ?? "", arguments: [])
      if types == nil { try request.declare(symbol, in: headers.headers()) }
      let types: MethodTypes
      do throws(InvocationError) { types = try request.parsedTypes() } catch { throw error.about(request.symbol) }
      return try workplace.calling(library: library) { () throws(InvocationError) in
        try MappedFunction(request.symbol, library: library, types: types)
      }
    }
  }
#endif
