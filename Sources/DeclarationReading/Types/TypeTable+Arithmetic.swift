import TypeEncodings

/// The number of times that each keyword of an arithmetic type was read.
struct ArithmeticWords {
  var base: Keyword?
  var longs = 0
  var isShort = false
  var isSigned = false
  var isUnsigned = false
  var isComplex = false
  /// Whether a word was read twice.
  var isRepeated = false

  var isEmpty: Bool { base == nil && longs == 0 && !isShort && !isSigned && !isUnsigned && !isComplex }

  mutating func set(_ word: WritableKeyPath<ArithmeticWords, Bool>) {
    isRepeated = isRepeated || self[keyPath: word]
    self[keyPath: word] = true
  }
}

extension TypeTable {
  /// Returns the type that keywords state.
  ///
  /// - Parameter next: The token after them, for messages.
  func type(of words: ArithmeticWords, _ start: Token, next: @autoclosure () -> String) throws(SyntaxFailure) -> QualifiedType {
    func invalid() -> SyntaxFailure { SyntaxFailure("the words before \(next()) are not a type", at: start) }
    guard words.longs <= 2, !words.isRepeated, !(words.isSigned && words.isUnsigned), !(words.isShort && words.longs > 0) else {
      throw invalid()
    }
    let hasSize = words.isShort || words.longs > 0
    let hasSign = words.isSigned || words.isUnsigned
    var result: Basic
    switch words.base {
    case nil where !hasSize && !hasSign && words.isComplex: result = .double
    case nil, .int:
      switch (words.isShort, words.longs) {
      case (true, _): result = words.isUnsigned ? .unsignedShort : .short
      case (_, 0): result = words.isUnsigned ? .unsignedInt : .int
      case (_, 1): result = words.isUnsigned ? .unsignedLong : .long
      default: result = words.isUnsigned ? .unsignedLongLong : .longLong
      }
    case .char:
      guard !hasSize else { throw invalid() }
      result = words.isUnsigned ? .unsignedChar : words.isSigned ? .signedChar : .char
    case .double:
      guard !words.isShort, words.longs <= 1, !hasSign else { throw invalid() }
      result = words.longs == 1 ? .longDouble : .double
    case .int128:
      guard !hasSize else { throw invalid() }
      result = words.isUnsigned ? .unsignedInt128 : .int128
    case .some(let keyword):
      guard !hasSize, !hasSign else { throw invalid() }
      switch keyword {
      case .void: result = .void
      case .bool: result = .bool
      case .float: result = .float
      case .float32: result = .float32
      case .float64: result = .float64
      case .float32x: result = .float32x
      case .float64x:
        guard target.longDouble != .double else { return unsupported("_Float64x is no type of this platform", size: nil) }
        result = .float64x
      case .float80:
        guard target.longDouble == .extended else { return unsupported("__float80 is a type of x86-64 only", size: nil) }
        result = .longDouble
      case .float16: result = .float16
      case .int128Type: result = .int128
      case .uint128Type: result = .unsignedInt128
      case .vaList: return argumentList()
      case .float128:
        // On AArch64 Linux `long double` has this format.
        guard target.longDouble != .quad else { result = .longDouble; break }
        return unsupported("__float128 has no type encoding", size: words.isComplex ? 32 : 16)
      case .brainFloat: return unsupported("__bf16 has no type encoding", size: 2)
      // Only a pointer to it is passed; as a variadic argument it is promoted, which _Float16 is not.
      case .storedHalf: return unsupported("__fp16 has no type encoding", size: 2)
      case .decimal32: return unsupported("_Decimal32 has no type encoding", size: 4)
      case .decimal64: return unsupported("_Decimal64 has no type encoding", size: 8)
      case .decimal128: return unsupported("_Decimal128 has no type encoding", size: 16)
      default: throw invalid()
      }
    }
    guard words.isComplex else { return QualifiedType(result) }
    guard result != .void, result != .bool else { throw invalid() }
    return QualifiedType(id: add(.complex(result)))
  }

  /// Returns the type of a name of `<stdint.h>`, `<stddef.h>`, `<stdarg.h>` or `<stdbool.h>`, or nil.
  func standardType(_ name: Name) -> QualifiedType? {
    let types = target.isApple ? StandardType.namedOnApple : StandardType.named
    guard let standard = types[names.text(name)] else { return nil }
    var type =
      switch standard {
      case .basic(let basic): QualifiedType(basic)
      case .wideCharacter: QualifiedType(target.isWideCharacterSigned ? .int : .unsignedInt)
      case .argumentList: argumentList()
      case .nullPointer: QualifiedType(id: add(.pointer(QualifiedType(.void))))
      }
    type.flags.insert(.typedefName)
    return type
  }

  // MARK: Types of expressions

  /// The type that a pointer points to, or that of the elements of an array.
  func pointee(_ type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    switch node(type) {
    case .pointer(let target), .array(let target, _): return target
    case .function: return type
    default: throw SyntaxFailure("the operand is not a pointer", at: start)
    }
  }

  /// The type of the value of an expression: without qualifiers, and a pointer for an array or a function.
  func value(_ type: QualifiedType) -> QualifiedType { QualifiedType(id: decayed(type).id) }

  func type(of operation: Token, _ left: QualifiedType, _ right: QualifiedType) throws(SyntaxFailure) -> QualifiedType {
    if case .vector = node(left) { return left }
    switch operation.punctuator {
    case .and, .or, .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: return QualifiedType(.int)
    case .shiftLeft, .shiftRight: return try arithmetic(left, left, operation)
    case .plus, .minus:
      switch (node(left), node(right)) {
      case (.pointer, .pointer) where operation.punctuator == .minus: return QualifiedType(.long)
      case (.pointer, _): return left
      case (_, .pointer) where operation.punctuator == .plus: return right
      default: return try arithmetic(left, right, operation)
      }
    default: return try arithmetic(left, right, operation)
    }
  }

  func conditionalType(
    _ first: QualifiedType, _ second: QualifiedType, _ start: Token
  ) throws(SyntaxFailure) -> QualifiedType {
    switch (node(first), node(second)) {
    // A null pointer constant does not decide the type; nor does `void *` beside another pointer.
    case (.pointer(let target), .pointer): if case .basic(.void) = node(target) { return second } else { return first }
    case (.pointer, _): return first
    case (_, .pointer): return second
    case (.record, .record), (.basic(.void), .basic(.void)): return first
    default: return try arithmetic(first, second, start)
    }
  }

  /// The common type of two arithmetic types.
  ///
  /// Source: C11, section 6.3.1.8.
  func arithmetic(_ left: QualifiedType, _ right: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    func part(_ type: QualifiedType) throws(SyntaxFailure) -> (basic: Basic, isComplex: Bool) {
      switch node(type) {
      case .basic(let basic) where basic != .void: return (basic, false)
      case .complex(let basic): return (basic, true)
      case .enumeration(let index): return (underlying(index), false)
      default: throw SyntaxFailure("the type of this expression is not computed", at: start)
      }
    }
    let (one, other) = (try part(left), try part(right))
    let common = Basic.common(one.basic, other.basic)
    return one.isComplex || other.isComplex ? QualifiedType(id: add(.complex(common))) : QualifiedType(common)
  }
}

/// The types of `<stdint.h>`, `<stddef.h>`, `<stdarg.h>` and `<stdbool.h>` on the 64-bit platforms of Linux, which a
/// declaration may use without a header.
private enum StandardType {
  case basic(Basic)
  case wideCharacter
  case argumentList
  case nullPointer

  static let named: [String: StandardType] = {
    var types: [String: StandardType] = [
      "size_t": .basic(.unsignedLong), "ssize_t": .basic(.long), "ptrdiff_t": .basic(.long), "intptr_t": .basic(.long),
      "uintptr_t": .basic(.unsignedLong), "intmax_t": .basic(.long), "uintmax_t": .basic(.unsignedLong), "wchar_t": .wideCharacter,
      "wint_t": .basic(.unsignedInt), "char8_t": .basic(.unsignedChar), "char16_t": .basic(.unsignedShort),
      "char32_t": .basic(.unsignedInt), "bool": .basic(.bool),
      "va_list": .argumentList, "nullptr_t": .nullPointer, "off_t": .basic(.long), "time_t": .basic(.long), "pid_t": .basic(.int),
    ]
    let widths: [(String, Basic, Basic)] = [
      ("8", .signedChar, .unsignedChar), ("16", .short, .unsignedShort), ("32", .int, .unsignedInt), ("64", .long, .unsignedLong),
    ]
    for (width, signed, unsigned) in widths {
      for prefix in ["", "_least"] {
        types["int\(prefix)\(width)_t"] = .basic(signed)
        types["uint\(prefix)\(width)_t"] = .basic(unsigned)
      }
      types["int_fast\(width)_t"] = .basic(width == "8" ? .signedChar : .long)
      types["uint_fast\(width)_t"] = .basic(width == "8" ? .unsignedChar : .unsignedLong)
    }
    return types
  }()

  /// The types on Apple's platforms.
  static let namedOnApple: [String: StandardType] = {
    var types = named
    types["wint_t"] = .basic(.int)
    types["off_t"] = .basic(.longLong)
    for width in ["8", "16", "32", "64"] {
      for prefix in ["", "_least", "_fast"] {
        types["int\(prefix)\(width)_t"] = width == "64" ? .basic(.longLong) : named["int\(width)_t"]
        types["uint\(prefix)\(width)_t"] = width == "64" ? .basic(.unsignedLongLong) : named["uint\(width)_t"]
      }
    }
    return types
  }()
}
