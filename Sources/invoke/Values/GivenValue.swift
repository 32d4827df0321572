import DynamicInvocation

/// A value as it is given: JSON, or a word of the command line.
struct GivenValue: Sendable {
  var value: JSONValue

  /// The word that the value was read from.
  ///
  /// It is used as a string where the type is a text: `42` for `*` is "42".
  private var word: String?

  /// Why the word is not JSON, if it begins like an array or an object.
  private var malformed: InvocationError?

  init(_ value: JSONValue) { self.value = value }

  /// Creates the value of a word: its JSON value if it is JSON, otherwise a string.
  init(word: String) {
    self.word = word
    do {
      value = try JSONParser.parse(Array(word.utf8))
    } catch {
      value = .string(word)
      if word.hasPrefix("[") || word.hasPrefix("{") { malformed = error }
    }
  }

  /// Returns the value to read for a type.
  ///
  /// - Parameters:
  ///   - isText: Whether the type is that of a text.
  ///   - isMeant: Whether a text may be given as a value of another kind.
  /// - Throws: The error of JSON that is not closed, for example, unless the type is that of a text: `[1,2` for a pointer
  ///   is a mistyped buffer.
  func value(asText isText: Bool, unless isMeant: (JSONValue) -> Bool) throws(InvocationError) -> JSONValue {
    guard isText else {
      if let malformed { throw malformed }
      return value
    }
    guard let word, !isMeant(value) else { return value }
    if case .string = value { return value }
    return .string(word)
  }

  /// Returns the value to read for an argument of a C function.
  func value(for type: TypeEncoding) throws(InvocationError) -> JSONValue {
    do throws(InvocationError) {
      return try value(asText: type.isText) { value in
        switch value {
        case .null, .array: true
        default: value.statedAddress != nil
        }
      }
    } catch {
      throw InvocationError(error.code, error.reason, encoding: type.description)
    }
  }
}

extension JSONValue {
  /// The value in `{"address": value}`, or nil if this is a different value.
  var statedAddress: JSONValue? {
    guard case .object(let members) = self, members.count == 1, members[0].name == "address" else { return nil }
    return members[0].value
  }
}
