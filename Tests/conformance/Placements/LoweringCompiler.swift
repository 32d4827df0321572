import DynamicInvocation
import Foundation
import TestSupport

/// Has clang lower functions to LLVM's intermediate representation.
///
/// The functions are declared and their addresses are used, so that clang writes one line for each and no code.
struct LoweringCompiler {
  let abi: ProvenABI

  /// Lowers the functions of each role in each state, for each type, and calls `body` for each.
  ///
  /// - Throws: `Command.Failure` if clang fails, even because a type has another layout there than here; `LoweringError` for
  ///   output that is not understood.
  func lower(
    _ types: [TypeEncoding], roles: [ProvenFunction.Role], states: [RegisterState],
    _ body: (_ type: Int, ProvenFunction, LoweredFunction) -> Void
  ) throws {
    let text = try TemporaryFolder.shared.withFolder { folder in
      let (input, output) = (folder.appendingPathComponent("proof.c"), folder.appendingPathComponent("proof.ll"))
      try Data(Self.source(types, roles: roles, states: states).utf8).write(to: input)
      let words = ["clang", "-target", abi.target, "-std=gnu11", "-w", "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-llvm-passes"]
      try Command.require(words + ["-o", output.path, input.path], log: folder.appendingPathComponent("log"))
      return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
    var expected = 0
    try Self.read(text) { lowered in
      // clang writes the functions in the order in which they are used.
      let (type, rest) = expected.quotientAndRemainder(dividingBy: states.count * roles.count)
      let (state, role) = rest.quotientAndRemainder(dividingBy: roles.count)
      let function = ProvenFunction(role: roles[role], state: states[state])
      guard lowered.name == "\(roles[role] == .argument ? "a" : "r")\(type)_\(state)" else {
        throw LoweringError(line: lowered.name, reason: "an unexpected function")
      }
      body(type, function, lowered)
      expected += 1
    }
    guard expected == types.count * roles.count * states.count else {
      throw LoweringError(line: "", reason: "\(expected) functions of \(types.count * roles.count * states.count)")
    }
  }

  private static func source(_ types: [TypeEncoding], roles: [ProvenFunction.Role], states: [RegisterState]) -> String {
    var declarations = "#define DECLARE(n)"
    var names = "#define NAMES(n)"
    for (index, state) in states.enumerated() {
      let before = String(repeating: "long, ", count: state.general) + String(repeating: "double, ", count: state.vector)
      for role in roles {
        switch role {
        case .argument: declarations += " void a##n##_\(index)(\(before)t##n, int, double);"
        case .result: declarations += " t##n r##n##_\(index)(\(before)int, double);"
        }
        names += " \(role == .argument ? "a" : "r")##n##_\(index),"
      }
    }
    let definitions = types.enumerated().map { index, type in
      """
      \(type.cTypedef("t\(index)"))
      _Static_assert(sizeof(t\(index)) == \(type.size ?? 0) && _Alignof(t\(index)) == \(type.alignment ?? 1), "layout");
      DECLARE(\(index))
      """
    }
    let uses = types.indices.map { "NAMES(\($0))" }.joined(separator: " ")
    return ([declarations, names] + definitions + ["void *const all[] = {\(uses)};", ""]).joined(separator: "\n")
  }

  /// Reads the definitions of types, then the lines of functions.
  private static func read(_ text: String, _ body: (LoweredFunction) throws -> Void) throws {
    var types: [String: [LoweredValue.Element]] = [:]
    var pending: [Substring.UTF8View] = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = Substring(rest[..<end]).utf8
      rest = rest[end...].dropFirst()
      if line.starts(with: "%".utf8) {
        pending.append(line)
      } else if line.starts(with: "declare ".utf8) {
        define(&pending, in: &types)
        try body(LoweredFunction(line, types: types))
      }
    }
  }

  /// Defines named types; a type may be defined after a type that contains it, and an opaque type is not defined.
  private static func define(_ pending: inout [Substring.UTF8View], in types: inout [String: [LoweredValue.Element]]) {
    var isProgress = true
    while isProgress, !pending.isEmpty {
      let before = pending.count
      pending.removeAll { line in
        var reader = LoweringReader(line, types: types)
        guard reader.skip("%") else { return true }
        let name = reader.word()
        guard reader.skip(" = type "), let elements = try? reader.aggregate() else { return false }
        types[name] = elements
        return true
      }
      isProgress = pending.count < before
    }
    pending = []
  }
}

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

  /// Reads one of the types of a definition, which commas separate.
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
