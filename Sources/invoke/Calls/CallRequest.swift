import CDeclarations
import DynamicInvocation

/// A request to call a function or to read a variable.
struct CallRequest: Sendable {
  /// An argument of a request.
  struct Argument: Sendable {
    var value: JSONValue

    /// The command-line argument that the value was read from.
    ///
    /// It is used as a string where the type is a text: `42` for `*` is "42".
    var word: String?

    /// Why the word is not JSON, if it begins like an array or an object.
    var malformed: InvocationError?
  }

  /// The library, or `-` for the process.
  var library: String
  /// The name of the function or variable, or its address `0x...`.
  var symbol: String
  /// The types of the function, or the type of the variable; the declaration, if there is one.
  var types: String
  /// What the types depend on besides their text: the headers of a declaration, and the types of variadic arguments.
  var context: [String] = []
  /// The types, if a declaration or a header states them.
  var declaredTypes: MethodTypes?
  /// The declarations of the headers, if the types are declared.
  var declarations: CDeclarations?
  /// Why the library may lack the function, if a header defines it.
  var missingReason: String?
  /// Whether a variable is read rather than a function called.
  var isVariable = false
  var arguments: [Argument]
  /// The number of fixed arguments of a variadic function.
  var fixedCount: Int?
  var dialect: TypeEncoding.Dialect = .next
  /// The layout properties that the encodings do not state.
  var hints = TypeEncoding.LayoutHints()
  /// Whether the answer contains the callee's `errno`.
  var capturesErrno = false
  /// Whether the answer contains the value that the result points to, instead of its address.
  var follows = false

  /// The symbol, for errors.
  var callee: String { symbol }

  /// Parses the types.
  func parsedTypes() throws(InvocationError) -> MethodTypes {
    if let declaredTypes { return declaredTypes }
    let parsed = try MethodTypes(types, dialect: dialect, hints: hints)
    guard !isVariable || parsed.arguments.isEmpty else {
      throw InvocationError(.malformedEncoding, "a variable has one type", encoding: types)
    }
    return parsed
  }

  /// Returns the type that a text states: in C if a declaration or a header states the types, otherwise as an encoding.
  func type(_ text: String) throws(InvocationError) -> TypeEncoding {
    if let declarations { return try declarations.encoding(ofType: text) }
    let parsed = try MethodTypes(text, dialect: dialect, hints: hints)
    guard parsed.arguments.isEmpty else { throw InvocationError(.malformedEncoding, "an element has one type", encoding: text) }
    return parsed.result
  }
}

extension CallRequest.Argument {
  /// Creates an argument from a command-line argument: its JSON value if it is JSON, otherwise a string.
  init(word: String) {
    self.word = word
    do {
      value = try JSONParser.parse(Array(word.utf8))
    } catch {
      value = .string(word)
      if word.beginsLikeAggregate { malformed = error }
    }
  }

  /// Returns the value to read for a type.
  ///
  /// - Throws: The error of JSON that is not closed, for example, unless the type is that of a text: `[1,2` for a pointer
  ///   is a mistyped buffer.
  func value(for type: TypeEncoding) throws(InvocationError) -> JSONValue {
    guard let word, type.isText else {
      if let malformed { throw InvocationError(malformed.code, malformed.reason, encoding: type.description) }
      return value
    }
    switch value {
    case .object where value.statedAddress != nil: return value
    case .number, .bool, .object: return .string(word)
    case .null, .string, .array: return value
    }
  }
}

extension String {
  /// Whether the text in the place of a symbol is a declaration in C.
  var isDeclaration: Bool { contains { $0 == "(" || $0 == " " } }

  /// The name of a symbol without the version in `name@VERSION`.
  var withoutVersion: String { String(prefix { $0 != "@" }) }

  /// Whether a word is meant to be an array or an object in JSON.
  var beginsLikeAggregate: Bool { hasPrefix("[") || hasPrefix("{") }
}

extension JSONValue {
  /// The value in `{"address": value}`, or nil if this is a different value.
  var statedAddress: JSONValue? {
    guard case .object(let members) = self, members.count == 1, members[0].name == "address" else { return nil }
    return members[0].value
  }
}

/// The outcome of a request.
struct CallAnswer: Sendable {
  /// The result; null for void.
  var result: JSONValue

  /// The contents after the call of the buffers that were passed as arguments, by argument index.
  var buffers: [(index: Int, values: JSONValue)] = []

  /// The callee's `errno`, if it was requested.
  var errorNumber: CInt?

  /// The answer as a line of a batch.
  var line: JSONValue {
    var members = [JSONValue.Member("result", result)]
    if !buffers.isEmpty {
      members.append(JSONValue.Member("buffers", .object(buffers.map { JSONValue.Member("\($0.index)", $0.values) })))
    }
    if let errorNumber { members.append(JSONValue.Member("errno", .integer(errorNumber))) }
    return .object(members)
  }
}

extension InvocationError {
  /// The error as a line of a batch.
  var line: JSONValue { .object(members) }

  /// The error as a member of an answer.
  var members: [JSONValue.Member] {
    let parts = [JSONValue.Member("kind", .string(code.rawValue)), JSONValue.Member("message", .string(description))]
    return [JSONValue.Member("error", .object(parts))]
  }
}
