import CDeclarations
import DynamicInvocation

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
  /// clang writes `*` for a pointer to signed or unsigned characters, `i` for any enum, nothing for a vector, a space for a type without an encoding, and a transparent
  /// union as a union.
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
