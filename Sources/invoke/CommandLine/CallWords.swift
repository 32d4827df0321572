#if Tools
  import ArgumentParser

  /// The words of one call: LIBRARY, SYMBOL and TYPES, options before or between them, and then the arguments, whatever they look like.
  ///
  /// The argument parser ends its search for options at the first word that is none; this goes on up to TYPES.
  struct CallWords {
    private static let flags: Set<String> = ["--errno"]

    var positionals: [String] = []
    var arguments: [String] = []
    var options: CallOptions

    /// Sorts the words.
    ///
    /// - Throws: A `ValidationError` for an option that there is not, and a request for help where a word asks for it.
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
      // Behind TYPES there are no options to be told from arguments, but many write the two dashes all the same.
      if rest.first == "--" { rest.removeFirst() }
      arguments = Array(rest)
    }
  }
#endif
