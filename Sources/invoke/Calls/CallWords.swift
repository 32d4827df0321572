import ArgumentParser

/// The words of one call: LIBRARY, SYMBOL and TYPES, options before or between them, and then the arguments, whatever they look like.
///
/// The argument parser ends its search for options at the first word that is none; this goes on up to TYPES.
struct CallWords {
  var positionals: [String] = []
  var arguments: [String] = []
  var fixed: Int?
  var dialect: DialectOption?

  /// Sorts the words.
  ///
  /// - Throws: A `ValidationError` for an option that there is not, and a request for help where a word asks for it.
  init(_ words: [String]) throws {
    var rest = words[...]
    while positionals.count < 3, let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        positionals.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch parts[0] {
      case "--":
        let missing = 3 - positionals.count
        positionals += rest.prefix(missing)
        rest = rest.dropFirst(missing)
      case "-h", "--help": throw CleanExit.helpRequest(CallCommand.self)
      case "--fixed":
        let value = try Self.value(of: parts, &rest)
        guard let count = Int(value) else { throw ValidationError("The value '\(value)' is invalid for '--fixed <count>'") }
        fixed = count
      case "--dialect":
        let value = try Self.value(of: parts, &rest)
        guard let option = DialectOption(rawValue: value) else {
          throw ValidationError("The value '\(value)' is invalid for '--dialect <dialect>'. Please provide one of 'next' or 'gnu'.")
        }
        dialect = option
      case "--batch": throw ValidationError("--batch stands before FILE, without SYMBOL and TYPES.")
      default: throw ValidationError("Unknown option '\(word)'")
      }
    }
    arguments = Array(rest)
  }

  private static func value(of parts: [String], _ rest: inout ArraySlice<String>) throws -> String {
    if parts.count == 2 { return parts[1] }
    guard let value = rest.popFirst() else { throw ValidationError("Missing value for '\(parts[0])'") }
    return value
  }
}
