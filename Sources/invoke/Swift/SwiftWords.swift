#if Tools
  import ArgumentParser

  /// The command-line arguments of `invoke swift`: LIBRARY and NAME, then the function's arguments in any form.
  struct SwiftWords {
    /// The library.
    let library: String
    /// The function, or nil to list all.
    let name: String?
    /// The arguments of the function.
    let arguments: [String]
    /// Whether a word asks for JSON.
    let json: Bool
    /// Whether a word states that an asynchronous function is `nonisolated(nonsending)` or is not.
    let nonsending: Bool?

    /// Sorts the words.
    ///
    /// Options come before NAME; `--json` may also be the last word, unless `--` follows NAME.
    ///
    /// - Throws: A `ValidationError` for an unknown option and for a missing library, and a help request if a word asks
    ///   for help.
    init(_ words: [String]) throws {
      var positionals: [String] = []
      var rest = words[...]
      var json = false
      var nonsending: Bool?
      while positionals.count < 2, let word = rest.popFirst() {
        switch word {
        case "--":
          while positionals.count < 2, let word = rest.popFirst() { positionals.append(word) }
        case "--json": json = true
        case "--nonsending": nonsending = true
        case "--no-nonsending": nonsending = false
        case "-h", "--help": throw CleanExit.helpRequest(SwiftCommand.self)
        // Operators begin with a minus, too, but not with a letter.
        case _ where word.hasPrefix("-") && word.dropFirst().first { $0 != "-" }?.isLetter ?? false:
          throw ValidationError("Unknown option '\(word)'")
        default: positionals.append(word)
        }
      }
      if rest.first == "--" {
        rest.removeFirst()
      } else if rest.last == "--json" {
        rest.removeLast()
        json = true
      }
      guard let library = positionals.first else { throw ValidationError("Expected LIBRARY.") }
      self.library = library
      name = positionals.count > 1 ? positionals[1] : nil
      arguments = Array(rest)
      self.json = json
      self.nonsending = nonsending
    }
  }
#endif
