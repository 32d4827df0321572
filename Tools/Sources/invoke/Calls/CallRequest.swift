import CDeclarations
import DynamicInvocation

/// A request to call a function or to read a variable.
struct CallRequest: Sendable {
  /// The library, or `-` for the process.
  var library: String
  /// The name of the function or variable, or its address `0x...`.
  var symbol: String
  /// The types of the function, or the type of the variable; the declaration, if there is one.
  var types: String
  /// The types, if a declaration or a header states them.
  var declaredTypes: MethodTypes?
  /// The types of the arguments after `...` as they are declared, before C promotes them.
  var variadicTypes: [TypeEncoding] = []
  /// The declarations of the headers, if the types are declared.
  var declarations: CDeclarations?
  /// Why the library may lack the function, if a header defines the function.
  var missingReason: String?
  /// Whether a variable is read rather than a function called.
  var isVariable = false
  var arguments: [GivenValue]
  /// The number of fixed arguments of a variadic function.
  var fixedCount: Int?
  var dialect: TypeEncoding.Dialect = .next
  /// The layout properties that the encodings do not state.
  var hints = TypeEncoding.LayoutHints()
  /// Whether the answer contains the callee's `errno`.
  var capturesErrno = false
  /// Whether the answer contains the value that the result points to, instead of its address.
  var follows = false

  /// What the request calls or reads: the subject of the sentence that says how the process ended.
  var subject: String { Self.subject(symbol, library: library) }

  /// Returns a description of a function.
  static func subject(_ symbol: String, library: String) -> String {
    "'\(symbol)' of \(library == "-" ? "the process" : "'\(library)'")"
  }

  /// Returns a description of what the request of a line calls.
  static func callee(ofLine line: [UInt8]) -> String { (try? CallRequest(line: line))?.subject ?? "the callee" }

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

extension CallRequest {
  private static let keys = [
    "library", "symbol", "types", "type", "arguments", "fixed", "dialect", "packed", "aligned", "bitfield", "errno",
    "declaration", "header", "include", "define", "variadic", "follow",
  ]

  /// Reads a line of a batch.
  ///
  /// A call is `{"library": ..., "symbol": ..., "types": ..., "arguments": [...]}`. A request for a variable has no arguments, and
  /// `type` instead of `types`, or a declaration or a header. The other members are optional.
  ///
  /// - Throws: A `malformedRequest` error if the line is not JSON or not a request. A member with an unknown name is an
  ///   error: the name may be a misspelt `fixed`, and without `fixed` a variadic call is wrong.
  init(line: [UInt8]) throws(InvocationError) {
    let value = try JSONParser.parse(line)
    guard case .object(let members) = value else {
      throw .malformedRequest("\(value.summary) is not an object with \"library\", \"symbol\", \"types\" and \"arguments\"")
    }
    try self.init(members)
  }

  /// Reads the members of a request.
  ///
  /// - Parameter words: The arguments as words of the command line.
  init(_ members: [JSONValue.Member], words: [String]? = nil) throws(InvocationError) {
    var parts: [String: JSONValue] = [:]
    for member in members {
      guard Self.keys.contains(member.name) else {
        let name = JSONValue.string(member.name).summary
        throw .malformedRequest("a request has no member \(name), only \(Self.keys.joined(separator: ", "))")
      }
      // A null is the same as an absent member, except for the required members.
      if case .null = member.value, !["library", "symbol", "types", "type", "arguments"].contains(member.name) { continue }
      parts[member.name] = member.value
    }
    func member<Value>(_ key: String, _ wanted: String, _ read: (JSONValue) -> Value?) throws(InvocationError) -> Value? {
      guard let part = parts[key] else { return nil }
      guard let value = read(part) else { throw .malformedRequest("\"\(key)\" is \(part.summary), not \(wanted)") }
      return value
    }
    func text(_ key: String) throws(InvocationError) -> String? { try member(key, "a string", \.string) }
    func required(_ key: String) throws(InvocationError) -> String {
      guard let text = try text(key) else { throw .malformedRequest("\"\(key)\" is missing") }
      return text
    }
    func texts(_ key: String) throws(InvocationError) -> [String] { try member(key, "an array of strings", \.strings) ?? [] }
    func flag(_ key: String) throws(InvocationError) -> Bool {
      try member(key, "true or false") { if case .bool(let isTrue) = $0 { isTrue } else { nil } } ?? false
    }

    library = try required("library")
    let isDeclared = parts["declaration"] != nil || parts["header"] != nil
    symbol = isDeclared ? try text("symbol") ?? "" : try required("symbol")
    isVariable = parts["type"] != nil
    if isDeclared, let other = ["types", "type", "fixed", "dialect", "packed", "aligned", "bitfield"].first(where: { parts[$0] != nil }) {
      throw .malformedRequest("a request with a declaration or a header has no \"\(other)\"")
    }
    if !isDeclared, let other = ["include", "define", "variadic"].first(where: { parts[$0] != nil }) {
      throw .malformedRequest("\"\(other)\" needs \"declaration\" or \"header\"")
    }
    types = isDeclared ? "" : try required(isVariable ? "type" : "types")
    if isVariable, let other = ["types", "arguments", "fixed", "errno"].first(where: { parts[$0] != nil }) {
      throw .malformedRequest("a request with \"type\" reads a variable and has no \"\(other)\"")
    }
    let values = try member("arguments", "an array") { if case .array(let values) = $0 { values } else { nil } }
    arguments = values?.map { GivenValue($0) } ?? (words ?? []).map { GivenValue(word: $0) }
    fixedCount = try member("fixed", "a count") { value in
      if case .number(let text) = value, let count = Int(text), count >= 0 { count } else { nil }
    }
    dialect = try member("dialect", "\"next\" or \"gnu\"") { value in value.string.flatMap { TypeEncoding.Dialect(rawValue: $0) } } ?? .next
    capturesErrno = try flag("errno")
    follows = try flag("follow")
    hints = try TypeEncoding.LayoutHints(packed: texts("packed"), aligned: texts("aligned"), bitField: text("bitfield"))
    guard isDeclared else { return }
    let header = try member("header", "an array of strings") { value in value.string.map { [$0] } ?? value.strings } ?? []
    let declaration = try text("declaration") ?? symbol
    guard !declaration.isEmpty else { throw .malformedRequest("a request with \"header\" needs \"symbol\" or \"declaration\"") }
    try declare(
      declaration, in: DeclaredFunctions.Headers(names: header, include: texts("include"), define: texts("define")),
      variadic: text("variadic") ?? "", hasArguments: values != nil || words != nil)
  }
}

extension JSONValue {
  /// The text of a string, or nil.
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The texts of an array of strings, or nil.
  fileprivate var strings: [String]? {
    guard case .array(let elements) = self else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }
}

extension String {
  /// Whether the text in the place of a symbol is a declaration in C.
  var isDeclaration: Bool { contains { $0 == "(" || $0 == " " } }

  /// The name of a symbol without the version in `name@VERSION`.
  var withoutVersion: String { String(prefix { $0 != "@" }) }
}

extension InvocationError {
  /// The error as a line of a batch.
  var line: JSONValue { ["error": json] }

  /// The error as a member of an answer.
  var json: JSONValue { ["kind": .string(code.rawValue), "message": .string(description)] }
}

extension TypeEncoding.LayoutHints {
  /// Reads hints as the command line and a batch spell them.
  ///
  /// - Parameters:
  ///   - packed: `NAME`, or `NAME=N` for a packing of N, for each packed struct.
  ///   - aligned: `NAME=N` for each struct aligned to N bytes.
  ///   - bitField: The encoding of the declared type of NeXT bit-fields.
  init(packed: [String], aligned: [String], bitField: String?) throws(InvocationError) {
    self.init()
    // Split at the last equals sign, because C++ names may contain some.
    func parts(_ text: String) -> (name: String, number: Int?)? {
      guard let sign = text.lastIndex(of: "=") else { return (text, nil) }
      guard let number = Int(text[text.index(after: sign)...]) else { return nil }
      return (String(text[..<sign]), number)
    }
    for text in packed {
      guard let (name, number) = parts(text) else { throw .malformedRequest("packed '\(text)' is neither NAME nor NAME=BYTES") }
      records[name] = try TypeEncoding.LayoutOverride(packing: number ?? 1)
    }
    for text in aligned {
      guard case let (name, number?)? = parts(text) else { throw .malformedRequest("aligned '\(text)' is not NAME=BYTES") }
      records[name] = try TypeEncoding.LayoutOverride(packing: records[name]?.packing, minimumAlignment: number)
    }
    guard let bitField else { return }
    guard bitField.utf8.count == 1, let code = bitField.utf8.first, let scalar = TypeEncoding.Scalar(rawValue: code), scalar.isInteger
    else {
      throw .malformedRequest("bitfield '\(bitField)' is not the encoding of an integer, such as C or i")
    }
    bitFieldType = scalar
  }
}

/// A given value: JSON, or a word of the command line.
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
  ///   - isText: Whether values of the type are texts.
  ///   - isMeant: Whether a text may be given as a value of another kind.
  /// - Throws: An error for malformed JSON, such as an array that is not closed, unless values of the type are texts: `[1,2` for a
  ///   pointer is a mistyped buffer.
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
