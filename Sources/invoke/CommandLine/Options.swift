#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// How type encodings are parsed, as command-line options.
  struct LayoutOptions: ParsableArguments {
    @Option(name: .long, help: "The dialect of the type encoding: in next an l has 32 bits, in gnu as many as C's long.")
    var dialect: DialectOption?

    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp("A packed struct or union of the types; =<bytes> for #pragma pack. May be repeated.", valueName: "name"))
    var packed: [String] = []

    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp("A struct or union of the types with a declared alignment. May be repeated.", valueName: "name=bytes"))
    var aligned: [String] = []

    @Option(name: .long, help: ArgumentHelp("The declared type of bit-fields in the NeXT form b<width>: C, i ...", valueName: "type"))
    var bitfield: String?

    /// Returns these options merged with those of later words.
    func merged(with later: LayoutOptions) -> LayoutOptions {
      var merged = self
      merged.dialect = later.dialect ?? dialect
      merged.packed += later.packed
      merged.aligned += later.aligned
      merged.bitfield = later.bitfield ?? bitfield
      return merged
    }

    /// Whether no option is given.
    var isEmpty: Bool { dialect == nil && packed.isEmpty && aligned.isEmpty && bitfield == nil }

    /// The options as members of a request.
    var request: JSONValue {
      [
        "dialect": dialect.map { .string($0.rawValue) }, "packed": .strings(packed), "aligned": .strings(aligned),
        "bitfield": bitfield.map { .string($0) },
      ]
    }

    /// Returns the layout hints that the options specify.
    func hints() throws(InvocationError) -> TypeEncoding.LayoutHints {
      try TypeEncoding.LayoutHints(packed: packed, aligned: aligned, bitField: bitfield)
    }
  }

  /// The headers that state types, as command-line options.
  struct HeaderOptions: ParsableArguments {
    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp("A header with the declaration, as after #include; several are included in their order.", valueName: "header"))
    var header: [String] = []

    @Option(
      name: [.customShort("I"), .long], parsing: .singleValue,
      help: ArgumentHelp("A folder of headers. May be repeated.", valueName: "folder"))
    var include: [String] = []

    @Option(
      name: [.customShort("D"), .long], parsing: .singleValue,
      help: ArgumentHelp("A macro that is defined before the headers are read. May be repeated.", valueName: "name[=value]"))
    var define: [String] = []

    /// Returns these options merged with those of later words.
    func merged(with later: HeaderOptions) -> HeaderOptions {
      var merged = self
      merged.header += later.header
      merged.include += later.include
      merged.define += later.define
      return merged
    }

    /// The options as members of a request.
    var request: JSONValue { ["header": .strings(header), "include": .strings(include), "define": .strings(define)] }

    /// The headers, with others after them.
    func headers(and others: [String] = []) -> DeclaredFunctions.Headers {
      DeclaredFunctions.Headers(names: header + others, include: include, define: define)
    }
  }

  /// How a function is called, as command-line options.
  struct CallOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The number of arguments before the ellipsis of a variadic function.", valueName: "count"))
    var fixed: Int?

    @Flag(name: .long, help: "Print the callee's errno, too.")
    var errno = false

    @Option(name: .long, help: ArgumentHelp("End a call that takes longer; in a batch each has as long.", valueName: "seconds"))
    var timeout: Double?

    @Flag(name: .long, help: "Print what the result points to, instead of its address.")
    var follow = false

    @OptionGroup var headers: HeaderOptions

    @Option(name: .long, help: ArgumentHelp("The types of the arguments after '...', in C: 'int, double'.", valueName: "types"))
    var variadic: String?

    @OptionGroup var layout: LayoutOptions

    func validate() throws {
      if let fixed, fixed < 0 { throw ValidationError("--fixed is a count, \(fixed) is none.") }
      if let timeout, !(timeout > 0 && timeout <= 1e9) { throw ValidationError("--timeout is a number of seconds, \(timeout) is none.") }
    }

    /// Returns these options merged with those of later words.
    func merged(with later: CallOptions) -> CallOptions {
      var merged = self
      merged.fixed = later.fixed ?? fixed
      merged.errno = errno || later.errno
      merged.timeout = later.timeout ?? timeout
      merged.follow = follow || later.follow
      merged.headers = headers.merged(with: later.headers)
      merged.variadic = later.variadic ?? variadic
      merged.layout = layout.merged(with: later.layout)
      return merged
    }
  }

  /// The dialect as a command-line option.
  enum DialectOption: String, ExpressibleByArgument, CaseIterable {
    case next, gnu

    var dialect: TypeEncoding.Dialect {
      switch self {
      case .next: .next
      case .gnu: .gnu
      }
    }
  }

  /// The command-line arguments of one call: LIBRARY, SYMBOL and TYPES, with options before or between them, then the
  /// function's arguments in any form.
  ///
  /// The argument parser stops looking for options at the first word that is not an option. This type continues up to
  /// TYPES.
  struct CallWords {
    private static let flags: Set<String> = ["--errno", "--follow"]

    let positionals: [String]
    let arguments: [String]
    let options: CallOptions

    /// Sorts the words into options, positional arguments and function arguments.
    ///
    /// A declaration takes the place of SYMBOL and TYPES, and so does a symbol of a header.
    ///
    /// - Parameter hasHeader: Whether an option before the words names a header.
    /// - Throws: A `ValidationError` for an unknown option, and a help request if a word asks for help.
    init(_ words: [String], hasHeader: Bool = false) throws {
      var optionWords: [String] = []
      var hasHeader = hasHeader
      var rest: ArraySlice<String>
      (positionals, rest) = try words.sorted(
        for: CallCommand.self, wanted: { hasHeader || $0.count > 1 && $0[1].isDeclaration ? 2 : 3 }
      ) { word, rest in
        guard word.hasPrefix("-"), word != "-" else { return false }
        if word == "--batch" { throw ValidationError("--batch stands before FILE, without SYMBOL and TYPES.") }
        optionWords.append(word)
        if word == "--header" || word.hasPrefix("--header=") { hasHeader = true }
        if !word.contains("="), !Self.flags.contains(word), let value = rest.popFirst() { optionWords.append(value) }
        return true
      }
      do {
        options = try CallOptions.parse(optionWords)
      } catch {
        throw ValidationError(CallOptions.message(for: error))
      }
      // No options follow TYPES, but many users write the two dashes nevertheless.
      if rest.first == "--" { rest.removeFirst() }
      arguments = Array(rest)
    }
  }

  extension [String] {
    /// Sorts the words of a command line into those of fixed meaning and the rest, which may look like options.
    ///
    /// The argument parser stops looking for options at the first word that is not an option.
    ///
    /// - Parameters:
    ///   - command: The command, for a word that asks for help.
    ///   - wanted: Returns the number of words of fixed meaning, when some are known.
    ///   - takeOption: Takes a word and what belongs to it if it is an option, and returns whether it is.
    func sorted(
      for command: any ParsableCommand.Type, wanted: ([String]) -> Int,
      _ takeOption: (_ word: String, _ rest: inout ArraySlice<String>) throws -> Bool
    ) throws -> (positionals: [String], rest: ArraySlice<String>) {
      var positionals: [String] = []
      var rest = self[...]
      while positionals.count < wanted(positionals), let word = rest.popFirst() {
        switch word {
        case "--":
          while positionals.count < wanted(positionals), let word = rest.popFirst() { positionals.append(word) }
        case "-h", "--help": throw CleanExit.helpRequest(command)
        default: if try !takeOption(word, &rest) { positionals.append(word) }
        }
      }
      return (positionals, rest)
    }
  }

  /// The completion of the words of a call in a shell.
  enum SymbolCompletion {
    /// Completes the name of a symbol.
    static var symbols: CompletionKind { .custom { words, _, prefix in names(for: words, prefix: prefix) } }

    /// Returns the symbols of the library on a line that begin with a text.
    ///
    /// The library is the last word before that names one, or `-`.
    static func names(for words: [String], prefix: String) -> [String] {
      guard let name = words.dropFirst().last(where: { $0.contains(".so") || $0.contains(".dylib") || $0 == "-" }) else { return [] }
      let library = name == "-" ? DynamicLibrary.process : try? DynamicLibrary(name)
      return library?.exportedNames.filter { $0.hasPrefix(prefix) } ?? []
    }
  }
#endif
