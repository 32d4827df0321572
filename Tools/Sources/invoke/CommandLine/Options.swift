public import ArgumentParser
public import DynamicInvocation

/// How type encodings are parsed, as command-line options.
struct LayoutOptions: ParsableArguments {
  @Option(name: .long, help: "The dialect of the type encoding: in next an l has 32 bits, in gnu as many as C's long.")
  var dialect: TypeEncoding.Dialect?

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

  /// The options as members of a request.
  var request: JSONValue { ["header": .strings(header), "include": .strings(include), "define": .strings(define)] }

  /// The headers, with others after them.
  func headers(and others: [String] = []) -> DeclaredFunctions.Headers {
    DeclaredFunctions.Headers(names: header + others, include: include, define: define)
  }
}

extension TypeEncoding.Dialect: @retroactive ExpressibleByArgument {}

extension [String] {
  private static let flags: Set<String> = [
    "-h", "--help", "--batch", "--errno", "--follow", "--json", "--fixed-layouts", "--nonsending", "--no-nonsending",
  ]

  /// The words of a command line in the order in which the argument parser understands them: the options, `--`, the others.
  ///
  /// For `call` and `swift`, each word after LIBRARY, SYMBOL and TYPES, or after LIBRARY and NAME, is an argument of the
  /// function, even if it looks like an option. The argument parser knows no options that end there.
  var arranged: [String] {
    guard let command = first, command == "call" || command == "swift" else { return self }
    var (options, fixed, rest) = ([String](), [String](), dropFirst())
    var isComplete: Bool {
      let isDeclared = fixed.count > 1 && fixed[1].isDeclaration || options.contains { $0 == "--header" || $0.hasPrefix("--header=") }
      return fixed.count >= (isDeclared || command == "swift" ? 2 : 3)
    }
    while !isComplete, let word = rest.popFirst() {
      if word == "--" {
        while !isComplete, let word = rest.popFirst() { fixed.append(word) }
      } else if word.hasPrefix("-"), word.first(where: { $0 != "-" })?.isLetter ?? false {
        // The name of an operator begins with a minus, too, but not with a letter.
        options.append(word)
        if !word.contains("="), !Self.flags.contains(word), let value = rest.popFirst() { options.append(value) }
      } else {
        fixed.append(word)
      }
    }
    if rest.first == "--" {
      rest.removeFirst()
    } else if command == "swift", rest.last == "--json" {
      options.append(rest.removeLast())
    }
    return [command] + options + ["--"] + fixed + rest
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
