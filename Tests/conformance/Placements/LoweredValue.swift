/// A parameter or a result of a function in LLVM's intermediate representation.
struct LoweredValue: Hashable {
  /// A part that the backend assigns to one register, or to two if it is an integer of 16 bytes.
  enum Element: Hashable {
    case integer(bytes: Int)
    /// A floating-point number or a vector.
    case floating(bytes: Int)
    case x87

    var bytes: Int {
      switch self {
      case .integer(let bytes), .floating(let bytes): bytes
      case .x87: 16
      }
    }
  }

  /// The elements in order; more than one for an array or a struct.
  var elements: [Element] = []
  /// Whether it is the address of a value that the caller copies to the stack: the attribute `byval`.
  var isByValue = false
  /// Whether it is the address of the memory for the result: the attribute `sret`.
  var isResultAddress = false
  /// Whether it is an address.
  var isAddress = false
  /// The number of the attributes `align` and `alignstack`.
  var alignment = 0
}

/// The line of a function in LLVM's intermediate representation: `declare void @a3_17(i64 noundef, double)`.
struct LoweredFunction {
  /// The name.
  var name: String
  var result: LoweredValue
  var parameters: [LoweredValue]

  /// Parses a line.
  ///
  /// - Parameter types: The named types that were defined so far.
  init(_ line: Substring.UTF8View, types: [String: [LoweredValue.Element]]) throws(LoweringError) {
    var reader = LoweringReader(line, types: types)
    try reader.expect("declare ")
    result = try reader.value()
    try reader.expect("@")
    name = reader.word()
    try reader.expect("(")
    parameters = []
    while !reader.skip(")") {
      parameters.append(try reader.value())
      _ = reader.skip(", ")
    }
  }
}

/// A line that the parser does not know.
struct LoweringError: Error, CustomStringConvertible {
  var line: String
  var reason: String

  var description: String { "\(reason) in the line of clang's output: \(line)" }
}

/// Reads the types and attributes of a line.
struct LoweringReader {
  private let line: Substring.UTF8View
  private let types: [String: [LoweredValue.Element]]
  private var index: Substring.UTF8View.Index

  init(_ line: Substring.UTF8View, types: [String: [LoweredValue.Element]]) {
    self.line = line
    self.types = types
    index = line.startIndex
  }

  private var next: UInt8? { index < line.endIndex ? line[index] : nil }

  func error(_ reason: String) -> LoweringError { LoweringError(line: String(decoding: line, as: UTF8.self), reason: reason) }

  /// Skips a text, and returns whether it was there.
  mutating func skip(_ text: StaticString) -> Bool {
    var end = index
    return text.withUTF8Buffer { bytes in
      for byte in bytes {
        guard end < line.endIndex, line[end] == byte else { return false }
        end = line.index(after: end)
      }
      index = end
      return true
    }
  }

  mutating func expect(_ text: StaticString) throws(LoweringError) {
    guard skip(text) else { throw error("'\(text)' is expected before '\(String(decoding: line[index...], as: UTF8.self))'") }
  }

  /// Reads letters, digits and the characters of names.
  mutating func word() -> String {
    let start = index
    while let byte = next, Self.isWord(byte) { index = line.index(after: index) }
    return String(decoding: line[start..<index], as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private mutating func number() throws(LoweringError) -> Int {
    guard let number = Int(word()) else { throw error("a number is expected") }
    return number
  }

  /// Reads a type with the attributes before and after it.
  mutating func value() throws(LoweringError) -> LoweredValue {
    var value = LoweredValue()
    var hasType = false
    while let byte = next, byte != UInt8(ascii: ","), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "@") {
      if skip(" ") { continue }
      if Self.isWord(byte) {
        let word = word()
        if try attribute(word, &value) { continue }
        if word == "ptr" { value.isAddress = true }
        guard !hasType, let elements = Self.elements(word) else { throw error("an unknown type or attribute '\(word)'") }
        (hasType, value.elements) = (true, elements)
      } else {
        guard !hasType else { throw error("a second type") }
        (hasType, value.elements) = (true, try aggregate())
      }
    }
    return value
  }

  private mutating func attribute(_ word: String, _ value: inout LoweredValue) throws(LoweringError) -> Bool {
    switch word {
    case "noundef", "signext", "zeroext", "dead_on_unwind", "dead_on_return", "writable", "dso_local": return true
    case "byval", "sret":
      if word == "byval" { value.isByValue = true } else { value.isResultAddress = true }
      while let byte = next, byte != UInt8(ascii: ")") { index = line.index(after: index) }
      try expect(")")
    case "align":
      try expect(" ")
      value.alignment = try number()
    case "alignstack":
      try expect("(")
      value.alignment = try number()
      try expect(")")
    default: return false
    }
    return true
  }

  /// The element of a type without parts, or none for `void`.
  private static func elements(_ word: String) -> [LoweredValue.Element]? {
    switch word {
    case "void": return []
    case "ptr": return [.integer(bytes: 8)]
    case "half": return [.floating(bytes: 2)]
    case "float": return [.floating(bytes: 4)]
    case "double": return [.floating(bytes: 8)]
    case "fp128": return [.floating(bytes: 16)]
    case "x86_fp80": return [.x87]
    default:
      guard word.first == "i", let bits = Int(word.dropFirst()) else { return nil }
      return [.integer(bytes: (bits + 7) / 8)]
    }
  }

  /// Reads a type of a definition, of which parts are separated by commas.
  private mutating func part() throws(LoweringError) -> [LoweredValue.Element] {
    guard let byte = next, Self.isWord(byte) else { return try aggregate() }
    let word = word()
    guard let elements = Self.elements(word) else { throw error("an unknown type '\(word)'") }
    return elements
  }

  /// Reads a vector, an array, a struct or a named type.
  mutating func aggregate() throws(LoweringError) -> [LoweredValue.Element] {
    if skip("%") {
      let name = word()
      guard let elements = types[name] else { throw error("an unknown type '\(name)'") }
      return elements
    }
    if skip("<{ ") { return try members("}>") }
    if skip("{ ") { return try members("}") }
    if skip("<") {
      let count = try number()
      try expect(" x ")
      let bytes = try part().reduce(0) { $0 + $1.bytes }
      try expect(">")
      return [.floating(bytes: count * bytes)]
    }
    try expect("[")
    let count = try number()
    try expect(" x ")
    let element = try part()
    try expect("]")
    return (0..<count).flatMap { _ in element }
  }

  private mutating func members(_ end: StaticString) throws(LoweringError) -> [LoweredValue.Element] {
    var elements: [LoweredValue.Element] = []
    repeat { elements += try part() } while skip(", ")
    try expect(" ")
    try expect(end)
    return elements
  }
}
