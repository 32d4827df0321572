#if Tools
  import ArgumentParser

  /// The command-line arguments of one call: LIBRARY, SYMBOL and TYPES, with options before or between them, then the
  /// function's arguments in any form.
  ///
  /// The argument parser stops looking for options at the first word that is not an option. This type continues up to
  /// TYPES.
  struct CallWords {
    private static let flags: Set<String> = ["--errno", "--follow"]

    var positionals: [String] = []
    var arguments: [String] = []
    var options: CallOptions

    /// Sorts the words into options, positional arguments and function arguments.
    ///
    /// A declaration takes the place of SYMBOL and TYPES, and so does a symbol of a header.
    ///
    /// - Parameter hasHeader: Whether an option before the words names a header.
    /// - Throws: A `ValidationError` for an unknown option, and a help request if a word asks for help.
    init(_ words: [String], hasHeader: Bool = false) throws {
      var positionals: [String] = []
      var rest = words[...]
      var optionWords: [String] = []
      var hasHeader = hasHeader
      var wanted: Int { hasHeader || positionals.count > 1 && positionals[1].isDeclaration ? 2 : 3 }
      while positionals.count < wanted, let word = rest.popFirst() {
        guard word.hasPrefix("-"), word != "-" else {
          positionals.append(word)
          continue
        }
        switch word {
        case "--":
          while positionals.count < wanted, let word = rest.popFirst() { positionals.append(word) }
        case "-h", "--help": throw CleanExit.helpRequest(CallCommand.self)
        case "--batch": throw ValidationError("--batch stands before FILE, without SYMBOL and TYPES.")
        default:
          optionWords.append(word)
          if word == "--header" || word.hasPrefix("--header=") { hasHeader = true }
          if !word.contains("="), !Self.flags.contains(word), let value = rest.popFirst() { optionWords.append(value) }
        }
      }
      do {
        options = try CallOptions.parse(optionWords)
      } catch {
        throw ValidationError(CallOptions.message(for: error))
      }
      // No options follow TYPES, but many users write the two dashes nevertheless.
      if rest.first == "--" { rest.removeFirst() }
      self.positionals = positionals
      arguments = Array(rest)
    }
  }
#endif
