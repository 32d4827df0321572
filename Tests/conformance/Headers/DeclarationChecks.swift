import CDeclarations
import DynamicInvocation
import TestSupport

/// A C source that compares what was read of headers with what a compiler reads of them.
///
/// Each check is an assertion at compile time.
struct DeclarationChecks {
  /// What is compared.
  struct Count {
    var functions = 0
    var records = 0
    var enumerators = 0
    /// Functions without types, or with a type that has no name.
    var leftOut = 0
  }

  private(set) var count = Count()
  private var assertions: [String] = []
  private let includes: String

  init(_ declarations: CDeclarations, including includes: String) {
    self.includes = includes
    for name in declarations.types.names {
      if declarations.types[name] == nil { assert("0", "\(name) is a name of no type") }
      check(type: name, declarations)
    }
    for name in declarations.variables.names where declarations.variables[name] == nil { assert("0", "\(name) is a name of no variable") }
    for name in declarations.constants.enumerators { check(enumerator: name, declarations) }
    for name in declarations.functions.names { check(function: name, declarations) }
  }

  /// The source.
  ///
  /// What was read is the output of the preprocessor, in which a declared name is not a macro.
  var source: String { includes + MacroNames.undefined(in: assertions) + assertions.joined() }

  private mutating func assert(_ condition: String, _ what: String) {
    assertions.append("_Static_assert(\(condition), \"\(what)\");\n")
  }

  private mutating func check(function name: String, _ declarations: CDeclarations) {
    guard let function = declarations.functions[name] else { return assert("0", "\(name) has no declaration") }
    guard (try? function.types) != nil, let text = declarations.texts(ofFunction: name)?.function, CTypeText.isComplete(text) else {
      count.leftOut += 1
      return
    }
    count.functions += 1
    // A second declaration must have the same type. clang does not tell the type of a built-in function in another way.
    guard function.isStatic else { return assertions.append("__typeof__(\(text)) \(name);\n") }
    assert("__builtin_types_compatible_p(__typeof__(\(name)), __typeof__(\(text)))", "the type of \(name)")
  }

  private mutating func check(enumerator name: String, _ declarations: CDeclarations) {
    guard let value = declarations.constants[name] else { return assert("0", "\(name) has no value") }
    count.enumerators += 1
    switch value {
    case .integer(.min): assert("\(name) == -\(Int64.max)LL - 1", "the value of \(name)")
    case .integer(let value): assert("\(name) == \(value)LL", "the value of \(name)")
    case .unsigned(let value): assert("\(name) == \(value)ULL", "the value of \(name)")
    case .floatingPoint, .string, .address: assert("0", "\(name) is no integer")
    }
  }

  private mutating func check(type name: String, _ declarations: CDeclarations) {
    guard let type = try? declarations.types[name]?.encoding, let size = type.size, let alignment = type.alignment else { return }
    // An array without a bound has no size in C, and is encoded as a pointer, like a parameter of that type.
    guard (try? declarations.encoding(ofType: "\(name)[1]")) != nil else { return }
    assert("sizeof(\(name)) == \(size)", "the size of \(name)")
    switch type.kind {
    case .structure(let record), .union(let record):
      let hasKeyword = name.contains(" ")
      if hasKeyword || record.name == "?" { count.records += 1 }
      // An attribute of a typedef changes the alignment of that name only.
      if hasKeyword { assert("_Alignof(\(name)) == \(alignment)", "the alignment of \(name)") }
      check(members: record, of: name, at: 0)
    default: break
    }
  }

  /// Checks offsets, also of what is in members without a name.
  private mutating func check(members record: TypeEncoding.Record, of name: String, at offset: Int) {
    for field in record.fields ?? [] where field.bits == nil {
      if let member = field.name {
        assert("__builtin_offsetof(\(name), \(member)) == \(offset + field.offset)", "the offset of \(member) in \(name)")
        continue
      }
      switch field.type.kind {
      case .structure(let inner), .union(let inner): check(members: inner, of: name, at: offset + field.offset)
      default: break
      }
    }
  }
}

/// The text of a type in C.
enum CTypeText {
  /// Whether a text states its type: a type without any name cannot be written.
  static func isComplete(_ text: String) -> Bool { !text.contains("{}") && !text.contains("/*") }
}

/// Names that the sources of checks use.
enum MacroNames {
  /// The names that the preprocessor does not allow to undefine.
  private static let reserved: Set<Substring> = [
    "defined", "__has_include", "__has_include_next", "__has_embed", "__has_attribute", "__has_cpp_attribute", "__has_c_attribute",
    "__has_builtin", "__VA_ARGS__", "__VA_OPT__", "_Pragma",
  ]

  /// Returns directives that end the definitions of macros whose names occur in texts.
  static func undefined(in texts: [String]) -> String {
    var names: Set<Substring> = []
    for text in texts {
      // What is in quotes is a message.
      let code = text.prefix { $0 != "\"" }
      for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) where word.first?.isNumber == false {
        // The only word that cannot be the name of a macro.
        if word != "defined" { names.insert(word) }
      }
    }
    return names.subtracting(reserved).sorted().map { "#undef \($0)\n" }.joined()
  }
}

/// An Objective-C program that writes what clang encodes for each type of declarations, and what is expected.
struct EncodingChecks {
  /// A type in C and its encoding.
  struct Expected {
    var text: String
    var encoding: String
  }

  private(set) var expected: [Expected] = []
  private let includes: String

  init(_ declarations: CDeclarations, including includes: String) {
    self.includes = includes
    var known: Set<String> = []
    func add(_ text: String, _ type: TypeEncoding) {
      guard CTypeText.isComplete(text), text != "__builtin_va_list", known.insert(text).inserted else { return }
      expected.append(Expected(text: text, encoding: type.text(dialect: .gnu, options: [.structNames, .qualifiers])))
    }
    for name in declarations.types.names {
      guard let type = try? declarations.types[name]?.encoding, type.size != nil else { continue }
      add(name, type)
    }
    for name in declarations.functions.names {
      guard let types = try? declarations.functions[name]?.types, let parts = declarations.texts(ofFunction: name)?.parts else { continue }
      for (text, type) in zip(parts, [types.result] + types.arguments) { add(text, type) }
    }
  }

  /// The source of the program, which writes one line for each type.
  var source: String {
    let body = expected.map { "  puts(@encode(\($0.text)));\n" }.joined()
    return includes + MacroNames.undefined(in: expected.map(\.text) + ["puts"]) + "extern int puts(const char *);\n"
      + "int main(void) {\n\(body)  return 0;\n}\n"
  }

  /// Whether an encoding is clang's, except for the differences that the documentation of `CDeclarations` lists.
  ///
  /// clang writes `*` for a pointer to signed or unsigned characters, `i` for any enum, nothing for a vector, a space for a type
  /// without an encoding, and a transparent union as a union.
  static func isEqual(_ encoding: String, _ clang: String) -> Bool {
    let (ours, theirs) = (Array(encoding.utf8)[...], Array(clang.utf8)[...])
    if matches(ours, theirs, mayEndBefore: false) { return true }
    guard theirs.first == UInt8(ascii: "("), let equals = theirs.firstIndex(of: UInt8(ascii: "=")) else { return false }
    return matches(ours, theirs[(equals + 1)...], mayEndBefore: true)
  }

  private static func matches(_ encoding: ArraySlice<UInt8>, _ clang: ArraySlice<UInt8>, mayEndBefore: Bool) -> Bool {
    var (ours, theirs) = (encoding, clang)
    while let code = ours.first {
      let other = theirs.first
      if code == UInt8(ascii: "!") {
        guard let end = ours.firstIndex(of: UInt8(ascii: "]")) else { return false }
        ours = ours[(end + 1)...]
        continue
      }
      let next = ours.dropFirst().first
      if code == UInt8(ascii: "^"), other == UInt8(ascii: "*"), next == UInt8(ascii: "c") || next == UInt8(ascii: "C") {
        (ours, theirs) = (ours.dropFirst(2), theirs.dropFirst())
        continue
      }
      let isEnumeration = other == UInt8(ascii: "i") && "IlLqQ".utf8.contains(code)
      let hasNoEncoding = other == UInt8(ascii: " ") && code == UInt8(ascii: "v")
      guard code == other || isEnumeration || hasNoEncoding else { return false }
      (ours, theirs) = (ours.dropFirst(), theirs.dropFirst())
    }
    return mayEndBefore || theirs.isEmpty
  }
}
