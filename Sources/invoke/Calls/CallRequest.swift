import DynamicInvocation

/// A call as someone asks for it.
struct CallRequest: Sendable {
  /// An argument of a request.
  struct Argument: Sendable {
    var value: JSONValue

    /// The word of the command line that it was read from.
    ///
    /// It stands for itself where the type is a text: `42` for `*` is "42".
    var word: String?
  }

  /// The library, or `-` for the process.
  var library: String
  var symbol: String
  var types: String
  var arguments: [Argument]
  /// The number of fixed arguments of a variadic function.
  var fixedCount: Int?
  var dialect: TypeEncoding.Dialect = .next
}

extension CallRequest.Argument {
  /// Reads a word of the command line: JSON, or else a string.
  init(word: String) {
    self.word = word
    do {
      value = try JSONParser.parse(Array(word.utf8))
    } catch {
      value = .string(word)
    }
  }

  /// The value to read for a type.
  func value(for type: TypeEncoding) -> JSONValue {
    guard let word, type.isText else { return value }
    switch value {
    case .number, .bool, .object: return .string(word)
    case .null, .string, .array: return value
    }
  }
}
