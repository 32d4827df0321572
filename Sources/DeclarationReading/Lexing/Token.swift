/// A token of a source.
struct Token: Sendable {
  enum Kind: UInt8, Sendable {
    case name, keyword, number, string, character, punctuator, end
  }

  var kind: Kind
  /// The keyword, for that kind.
  var keyword: Keyword = .statement
  /// The punctuator, for that kind.
  var punctuator: Punctuator = .other
  /// The name of an identifier or of a keyword.
  var name: Name = .none
  /// The first byte in the source.
  var offset: Int32
  /// The offset after the last byte.
  var end: Int32
}

extension Token {
  /// The keyword, or nil for another token.
  var keywordOrNil: Keyword? { kind == .keyword ? keyword : nil }

  /// The punctuator, or nil for another token.
  var punctuatorOrNil: Punctuator? { kind == .punctuator ? punctuator : nil }

  /// Whether the token is the name of a floating-point type that headers declare for compilers without it.
  var isExtendedFloat: Bool {
    guard kind == .keyword else { return false }
    return [.float16, .float32, .float64, .float128, .float32x, .float64x].contains(keyword)
  }
}

/// A `#pragma` that changes declarations.
struct Pragma: Sendable {
  /// The index of the token that follows it.
  var position: Int
  /// The words after `#pragma`.
  var range: Range<Int>
}

/// A punctuator.
///
/// The raw value is the character of one, and the sum of 128 and a number for one of several characters.
enum Punctuator: UInt8, Sendable {
  case openParenthesis = 0x28
  case closeParenthesis = 0x29
  case star = 0x2A
  case plus = 0x2B
  case comma = 0x2C
  case minus = 0x2D
  case dot = 0x2E
  case slash = 0x2F
  case colon = 0x3A
  case semicolon = 0x3B
  case less = 0x3C
  case equals = 0x3D
  case greater = 0x3E
  case question = 0x3F
  case openBracket = 0x5B
  case closeBracket = 0x5D
  case caret = 0x5E
  case openBrace = 0x7B
  case bar = 0x7C
  case closeBrace = 0x7D
  case tilde = 0x7E
  case exclamation = 0x21
  case percent = 0x25
  case ampersand = 0x26
  case hash = 0x23
  case ellipsis = 128
  case shiftLeft, shiftRight, lessOrEqual, greaterOrEqual, equal, notEqual, and, or, arrow, scope, hashHash
  case other = 255

  /// The text in quotes, for messages.
  var quoted: String {
    let text =
      switch self {
      case .ellipsis: "..."
      case .shiftLeft: "<<"
      case .shiftRight: ">>"
      case .lessOrEqual: "<="
      case .greaterOrEqual: ">="
      case .equal: "=="
      case .notEqual: "!="
      case .and: "&&"
      case .or: "||"
      case .arrow: "->"
      case .scope: "::"
      case .hashHash: "##"
      default: String(UnicodeScalar(rawValue))
      }
    return "'\(text)'"
  }
}

/// The keywords of C11 with GNU extensions, and those of C++ that C has not.
enum Keyword: UInt8, CaseIterable, Sendable {
  case typedefKeyword, externKeyword, staticKeyword, constexprKeyword, storage, inlineKeyword, noReturn
  case const, volatile, restrict, atomic, nullability, segment, convention
  case void, char, short, int, long, float, double, signed, unsigned, bool, complex, imaginary
  case int128, int128Type, uint128Type, float16, float128, float32, float64, float32x, float64x, float80, brainFloat, storedHalf
  case decimal32, decimal64, decimal128, bitInt, vaList, autoType
  case structKeyword, unionKeyword, enumKeyword, typeof
  case attribute, alignAs, alignOf, extensionKeyword, asm, staticAssert, sizeOf, offsetOf, generic, declspec
  /// A statement, which is read only in the body of a function, and skipped there.
  case statement
  /// A keyword of C++ only.
  case cPlusPlus

  /// The spellings of each keyword.
  private static let spellings: [(Keyword, [String])] = [
    (.typedefKeyword, ["typedef"]), (.externKeyword, ["extern"]), (.staticKeyword, ["static"]), (.constexprKeyword, ["constexpr"]),
    (.storage, ["register", "auto", "_Thread_local", "__thread", "thread_local"]),
    (.inlineKeyword, ["inline", "__inline", "__inline__"]), (.noReturn, ["_Noreturn"]),
    (.const, ["const", "__const", "__const__"]), (.volatile, ["volatile", "__volatile", "__volatile__"]),
    (.restrict, ["restrict", "__restrict", "__restrict__"]), (.atomic, ["_Atomic"]), (.segment, ["__seg_fs", "__seg_gs"]),
    (.convention, ["__cdecl", "__stdcall", "__fastcall", "__thiscall", "__pascal", "__vectorcall", "__regcall"]),
    (.nullability, ["_Nonnull", "_Nullable", "_Null_unspecified", "_Nullable_result", "__nonnull", "__nullable", "__unaligned"]),
    (.void, ["void"]), (.char, ["char"]), (.short, ["short"]), (.int, ["int"]), (.long, ["long"]), (.float, ["float"]),
    (.double, ["double"]), (.signed, ["signed", "__signed", "__signed__"]), (.unsigned, ["unsigned", "__unsigned__"]),
    (.bool, ["_Bool"]), (.complex, ["_Complex", "__complex", "__complex__"]), (.imaginary, ["_Imaginary"]),
    (.int128, ["__int128"]), (.int128Type, ["__int128_t"]), (.uint128Type, ["__uint128_t"]),
    (.float16, ["_Float16"]), (.float128, ["_Float128", "__float128", "_Float64x128"]), (.float32, ["_Float32"]),
    (.float64, ["_Float64"]), (.float32x, ["_Float32x"]), (.float64x, ["_Float64x"]), (.float80, ["__float80"]), (.brainFloat, ["__bf16"]),
    (.storedHalf, ["__fp16"]),
    (.decimal32, ["_Decimal32"]), (.decimal64, ["_Decimal64"]), (.decimal128, ["_Decimal128"]), (.bitInt, ["_BitInt"]),
    (.vaList, ["__builtin_va_list", "__gnuc_va_list_builtin"]), (.autoType, ["__auto_type"]),
    (.structKeyword, ["struct"]), (.unionKeyword, ["union"]), (.enumKeyword, ["enum"]),
    (.typeof, ["typeof", "__typeof", "__typeof__", "typeof_unqual"]), (.attribute, ["__attribute__", "__attribute"]),
    (.alignAs, ["_Alignas", "alignas"]), (.alignOf, ["_Alignof", "alignof", "__alignof", "__alignof__"]),
    (.extensionKeyword, ["__extension__"]), (.asm, ["asm", "__asm", "__asm__"]),
    (.staticAssert, ["_Static_assert", "static_assert"]), (.sizeOf, ["sizeof"]), (.offsetOf, ["__builtin_offsetof", "offsetof"]),
    (.generic, ["_Generic"]), (.declspec, ["__declspec"]),
    (.statement, ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch", "while"]),
  ]

  /// What C programs also use as names is a keyword of C++ only where a declaration begins.
  static let cPlusPlusWords: Set<String> = [
    "class", "template", "namespace", "using", "virtual", "operator", "public", "private", "protected", "friend", "mutable",
    "explicit", "typename", "constinit", "consteval", "concept", "decltype", "requires",
  ]

  /// A table with the keywords, and the keyword of each of its names.
  static let table: (names: NameTable, keywords: [Keyword]) = {
    var names = NameTable()
    var keywords: [Keyword] = []
    for (keyword, texts) in spellings {
      for text in texts {
        let name = names.intern(text)
        if Int(name.index) == keywords.count { keywords.append(keyword) }
      }
    }
    return (names, keywords)
  }()
}
