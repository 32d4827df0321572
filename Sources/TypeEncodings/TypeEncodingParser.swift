/// A parser of type encodings that reads byte by byte and backtracks over at most one quoted name.
struct TypeEncodingParser {
  private let text: String
  private let bytes: [UInt8]
  private let dialect: TypeEncoding.Dialect
  private let blankIsFloat16: Bool
  private let hints: TypeEncoding.LayoutHints
  /// The names of structs and unions that have a hint and that were not parsed yet.
  private var namesToCome: Set<String>
  private(set) var position = 0
  private var depth = 0

  init(
    _ text: String, dialect: TypeEncoding.Dialect, blankIsFloat16: Bool, hints: TypeEncoding.LayoutHints = TypeEncoding.LayoutHints()
  ) throws(InvocationError) {
    self.text = text
    self.dialect = dialect
    self.blankIsFloat16 = blankIsFloat16
    self.hints = hints
    namesToCome = Set(hints.records.keys)
    guard text.utf8.count <= TypeEncoding.Limits.length else {
      throw InvocationError(
        .limitExceeded, "the encoding is longer than \(TypeEncoding.Limits.length) bytes", encoding: text,
        byteOffset: TypeEncoding.Limits.length)
    }
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Throws if a hint names a struct or union that the text does not contain, since the hint would be ignored silently.
  func requireHintsUsed() throws(InvocationError) {
    guard let name = namesToCome.min() else { return }
    throw InvocationError(.typeMismatch, "no struct or union with members is named '\(name)'", encoding: text)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func character(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  func failure(_ reason: String, at offset: Int? = nil, code: InvocationError.Code = .malformedEncoding) -> InvocationError {
    InvocationError(code, reason, encoding: text, byteOffset: offset ?? position)
  }

  // MARK: Types

  /// Parses one type.
  ///
  /// In a struct whose members are named, a quoted string after `@` may be the next member's name.
  mutating func type(followsFieldName: Bool = false) throws(InvocationError) -> TypeEncoding {
    depth += 1
    defer { depth -= 1 }
    guard depth <= TypeEncoding.Limits.nesting else {
      throw failure("nested deeper than \(TypeEncoding.Limits.nesting) levels", code: .limitExceeded)
    }
    var qualifiers: TypeEncoding.Qualifiers = []
    while let character = next, let qualifier = TypeEncoding.Qualifiers(character: character) {
      qualifiers.insert(qualifier)
      position += 1
    }
    let start = position
    guard let character = next else { throw failure("a type is missing") }
    position += 1
    if let scalar = scalar(character) { return TypeEncoding(.scalar(scalar), qualifiers: qualifiers) }
    switch character {
    case Ascii.void: return TypeEncoding(.void, qualifiers: qualifiers)
    case Ascii.star: return TypeEncoding(.cString, qualifiers: qualifiers)
    case Ascii.percent: return TypeEncoding(.atom, qualifiers: qualifiers)
    case Ascii.hash: return TypeEncoding(.classObject, qualifiers: qualifiers)
    case Ascii.colon: return TypeEncoding(.selector, qualifiers: qualifiers)
    case Ascii.question: return TypeEncoding(.unknown, qualifiers: qualifiers)
    case Ascii.at: return TypeEncoding(try object(followsFieldName: followsFieldName), qualifiers: qualifiers)
    case Ascii.caret: return TypeEncoding(.pointer(try type(followsFieldName: followsFieldName)), qualifiers: qualifiers)
    case Ascii.openBracket: return try array(from: start, qualifiers: qualifiers)
    case Ascii.openBrace: return try record(from: start, isUnion: false, qualifiers: qualifiers)
    case Ascii.openParenthesis: return try record(from: start, isUnion: true, qualifiers: qualifiers)
    case Ascii.b: return TypeEncoding(.bitField(try bitField(from: start)), qualifiers: qualifiers)
    case Ascii.j: return TypeEncoding(.complex(try complexPart()), qualifiers: qualifiers)
    case Ascii.exclamation: return TypeEncoding(try gnuVector(from: start), qualifiers: qualifiers)
    case Ascii.less: return TypeEncoding(try shortVector(from: start), qualifiers: qualifiers)
    case Ascii.blank:
      throw failure("a blank is no type here; compilers write it for _Float16, which is read only when asked for", at: start)
    default:
      position = start
      throw failure("\(Ascii.name(of: character)) is no type")
    }
  }

  private func scalar(_ character: UInt8) -> TypeEncoding.Scalar? {
    switch character {
    case Ascii.l: dialect == .gnu ? .int64 : .int32
    case Ascii.L: dialect == .gnu ? .uint64 : .uint32
    case Ascii.blank: blankIsFloat16 ? .float16 : nil
    default: TypeEncoding.Scalar(rawValue: character)
    }
  }

  private mutating func object(followsFieldName: Bool) throws(InvocationError) -> TypeEncoding.Kind {
    switch next {
    case Ascii.question:
      position += 1
      // A digit after `<` begins a vector that follows the block, since a signature never begins with a digit.
      guard next == Ascii.less, self.character(at: position + 1).map(Ascii.isDigit) != true else { return .block(nil) }
      let open = position
      position += 1
      let types = try methodTypes(closing: Ascii.greater)
      guard next == Ascii.greater else { throw failure("the block signature opened at byte \(open) is not closed") }
      position += 1
      return .block(types)
    case Ascii.quote:
      let start = position
      let annotation = try quoted("class name")
      // `{S="a"@"b"i}`: with named members, a quoted string that precedes a type is the name of the next member.
      if followsFieldName, let after = next, after != Ascii.quote, after != Ascii.closeBrace, after != Ascii.closeParenthesis {
        position = start
        return .object(annotation: nil)
      }
      return .object(annotation: annotation)
    default:
      return .object(annotation: nil)
    }
  }

  private mutating func array(from start: Int, qualifiers: TypeEncoding.Qualifiers) throws(InvocationError) -> TypeEncoding {
    guard let count = try number() else { throw failure("an array needs its number of elements") }
    guard next != Ascii.closeBracket else { throw failure("an array needs its type of element") }
    let element = try type()
    guard next == Ascii.closeBracket else { throw failure("the array opened at byte \(start) is not closed") }
    position += 1
    do {
      return try TypeEncoding(arrayOf: element, count: count, qualifiers: qualifiers)
    } catch {
      throw failure(error.reason, at: start, code: error.code)
    }
  }

  private mutating func bitField(from start: Int) throws(InvocationError) -> TypeEncoding.BitField {
    guard let first = try number() else { throw failure("a bit-field needs its width") }
    // In the GNU form an integer type and the width follow. In the NeXT form a number cannot follow the type of the
    // next member.
    if let character = next, let container = scalar(character), container.isInteger,
      let digit = self.character(at: position + 1), Ascii.isDigit(digit)
    {
      position += 1
      guard let width = try number() else { throw failure("a bit-field needs its width") }
      guard width <= 8 * container.size else {
        throw failure("a bit-field of \(width) bits does not fit \(container.cName)", at: start)
      }
      guard first <= 8 * TypeEncoding.Limits.size else {
        throw failure("a bit-field at bit \(first) is past the largest type", at: start, code: .limitExceeded)
      }
      return TypeEncoding.BitField(width: width, container: container, position: first)
    }
    let container = hints.bitFieldType ?? (first <= 32 ? .uint32 : .uint64)
    guard first <= 8 * container.size else {
      throw failure("a bit-field of \(first) bits does not fit \(container.cName)", at: start)
    }
    return TypeEncoding.BitField(width: first, container: container, position: nil)
  }

  private mutating func complexPart() throws(InvocationError) -> TypeEncoding.Scalar {
    guard let character = next else { throw failure("a complex number needs its type of part") }
    guard let part = scalar(character), part.traits.format != .bool else {
      throw failure("\(Ascii.name(of: character)) cannot be part of a complex number")
    }
    position += 1
    return part
  }

  private mutating func gnuVector(from start: Int) throws(InvocationError) -> TypeEncoding.Kind {
    guard next == Ascii.openBracket else { throw failure("a vector is written ![size,alignment type]") }
    position += 1
    guard let size = try number(), next == Ascii.comma else { throw failure("a vector needs its size and a comma") }
    position += 1
    guard let alignment = try number() else { throw failure("a vector needs its alignment") }
    let element = try vectorElement()
    guard next == Ascii.closeBracket else { throw failure("the vector opened at byte \(start) is not closed") }
    position += 1
    guard size > 0, size <= 4096, size % element.size == 0 else {
      throw failure("a vector of \(element.cName) cannot have \(size) bytes", at: start)
    }
    guard alignment > 0, alignment <= 4096, alignment & (alignment - 1) == 0, size % alignment == 0 else {
      throw failure("a vector of \(size) bytes cannot be aligned to \(alignment)", at: start)
    }
    return .vector(element: element, count: size / element.size, size: size, alignment: alignment)
  }

  private mutating func shortVector(from start: Int) throws(InvocationError) -> TypeEncoding.Kind {
    guard let count = try number() else { throw failure("a vector needs its number of elements") }
    let element = try vectorElement()
    guard next == Ascii.greater else { throw failure("the vector opened at byte \(start) is not closed") }
    position += 1
    guard count > 0, count <= 4096 / element.size else {
      throw failure("a vector cannot have \(count) elements of \(element.cName)", at: start)
    }
    // clang rounds the size of a vector up to a power of two: three floats occupy 16 bytes.
    var size = 1
    while size < count * element.size { size *= 2 }
    return .vector(element: element, count: count, size: size, alignment: size)
  }

  private mutating func vectorElement() throws(InvocationError) -> TypeEncoding.Scalar {
    guard let character = next else { throw failure("a vector needs its type of element") }
    guard let element = scalar(character), ![.bool, .longDouble].contains(element.traits.format) else {
      throw failure("\(Ascii.name(of: character)) cannot be an element of a vector")
    }
    position += 1
    return element
  }

  // MARK: Structs and unions

  private mutating func record(
    from start: Int, isUnion: Bool, qualifiers: TypeEncoding.Qualifiers
  ) throws(InvocationError) -> TypeEncoding {
    let close = isUnion ? Ascii.closeParenthesis : Ascii.closeBrace
    let word = isUnion ? "union" : "struct"
    let name = try recordName(closing: close)
    var members: [(name: String?, type: TypeEncoding)]?
    if next == Ascii.equals {
      position += 1
      members = []
      while let character = next, character != close {
        var field: String?
        if character == Ascii.quote { field = try quoted("member name") }
        members?.append((name: field, type: try type(followsFieldName: field != nil)))
      }
    }
    guard next == close else { throw failure("the \(word) opened at byte \(start) is not closed") }
    position += 1
    let override = members == nil ? nil : hints.records[name]
    if override != nil { namesToCome.remove(name) }
    do {
      return try TypeEncoding(record: name, isUnion: isUnion, members: members, qualifiers: qualifiers, override: override)
    } catch {
      throw failure(error.reason, at: start, code: error.code)
    }
  }

  /// Parses the name up to the first `=` or closing character that is outside the brackets of a C++ name.
  private mutating func recordName(closing close: UInt8) throws(InvocationError) -> String {
    let start = position
    var open: [UInt8] = []
    while let character = next {
      let isBare = open.isEmpty
      if isBare, character == Ascii.equals || character == close { break }
      switch character {
      case Ascii.apostrophe where !isBare: skipCharacterLiteral()
      case Ascii.less where endsOperatorKeyword:
        if self.character(at: position + 1) == Ascii.less { position += 1 }
      case Ascii.greater where endsOperatorKeyword: break
      case Ascii.less where open.last != Ascii.openParenthesis: open.append(character)
      case Ascii.openParenthesis: open.append(character)
      case Ascii.openBrace where !isBare: open.append(character)
      case Ascii.greater where open.last == Ascii.less && bytes[position - 1] != Ascii.minus: open.removeLast()
      case Ascii.closeParenthesis where open.last == Ascii.openParenthesis: open.removeLast()
      case Ascii.closeBrace where open.last == Ascii.openBrace: open.removeLast()
      case Ascii.openBrace, Ascii.closeBrace, Ascii.openBracket, Ascii.closeBracket, Ascii.closeParenthesis, Ascii.quote, Ascii.caret:
        guard !isBare else { throw failure("\(Ascii.name(of: character)) cannot be part of a name") }
      default: break
      }
      position += 1
    }
    if !open.isEmpty { throw failure("the name that begins at byte \(start) has a bracket that is not closed") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Whether the name up to here ends in C++'s `operator`, after which a `<` or `>` is not a bracket:
  /// `Sorted<&operator<>`.
  private var endsOperatorKeyword: Bool { bytes[..<position].suffix(8).elementsEqual("operator".utf8) }

  /// Advances to the last byte of a C++ character literal such as `'('`, whose character is not a bracket.
  ///
  /// The position does not change if there is no such literal.
  private mutating func skipCharacterLiteral() {
    let isEscape = character(at: position + 1) == Ascii.backslash
    let first = position + (isEscape ? 3 : 2)
    // The longest literal is an escape of eight digits.
    guard first < bytes.count else { return }
    if let end = bytes[first..<min(first + 9, bytes.count)].firstIndex(of: Ascii.apostrophe) { position = end }
  }

  private mutating func quoted(_ what: String) throws(InvocationError) -> String {
    let start = position
    guard let end = bytes[(start + 1)...].firstIndex(of: Ascii.quote) else {
      position = bytes.count
      throw failure("the \(what) quoted from byte \(start) is not closed")
    }
    position = end + 1
    return String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
  }

  /// Parses decimal digits.
  ///
  /// Returns nil if there are no digits.
  private mutating func number() throws(InvocationError) -> Int? {
    let start = position
    var value = 0
    while let character = next, Ascii.isDigit(character) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow, product <= Int.max - 9 else { throw failure("the number is too large", at: start, code: .limitExceeded) }
      value = product + Int(character - Ascii.zero)
      position += 1
    }
    return position == start ? nil : value
  }

  // MARK: Methods

  /// Parses a return type and argument types, each with or without a frame offset, up to the end or a closing
  /// character.
  mutating func methodTypes(closing close: UInt8? = nil) throws(InvocationError) -> MethodTypes {
    let result = try type()
    try skipFrameOffset()
    var arguments: [TypeEncoding] = []
    while let character = next, character != close {
      guard arguments.count < TypeEncoding.Limits.arguments else {
        throw failure("more than \(TypeEncoding.Limits.arguments) arguments", code: .limitExceeded)
      }
      arguments.append(try type())
      try skipFrameOffset()
    }
    return MethodTypes(result: result, arguments: arguments)
  }

  /// Skips the offset that compilers write after each type, which says nothing of how a call passes the values.
  ///
  /// `+`, which marks a register, and `-` may precede the digits.
  private mutating func skipFrameOffset() throws(InvocationError) {
    let start = position
    if next == Ascii.plus { position += 1 }
    if next == Ascii.minus { position += 1 }
    guard try number() != nil || position == start else { throw failure("a frame offset needs digits") }
  }
}
