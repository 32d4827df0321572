#if Tools
  import ArgumentParser

  /// The command-line arguments of one call: LIBRARY, SYMBOL and TYPES, with options before or between them, then the
  /// function's arguments in any form.
  ///
  /// The argument parser stops looking for options at the first word that is not an option. This type continues up to
  /// TYPES.
  struct CallWords {
    private static let flags: Set<String> = ["--errno"]

    var positionals: [String] = []
    var arguments: [String] = []
    var options: CallOptions

    /// Sorts the words into options, positional arguments and function arguments.
    ///
    /// - Throws: A `ValidationError` for an unknown option, and a help request if a word asks for help.
    init(_ words: [String]) throws {
      var rest = words[...]
      var optionWords: [String] = []
      while positionals.count < 3, let word = rest.popFirst() {
        guard word.hasPrefix("-"), word != "-" else {
          positionals.append(word)
          continue
        }
        switch word {
        case "--":
          let missing = 3 - positionals.count
          positionals += rest.prefix(missing)
          rest = rest.dropFirst(missing)
        case "-h", "--help": throw CleanExit.helpRequest(CallCommand.self)
        case "--batch": throw ValidationError("--batch stands before FILE, without SYMBOL and TYPES.")
        default:
          optionWords.append(word)
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
      arguments = Array(rest)
    }
  }
#endif
