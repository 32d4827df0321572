import TypeEncodings

/// What precedes the declarators of a declaration.
struct Specifiers {
  var type: QualifiedType
  var attributes = Attributes()
  var isTypedef = false
  var isStatic = false
  var isInline = false
  /// Whether `constexpr` states that the value of a variable is a constant.
  var isConstant = false
  /// Whether a struct, union or enum is declared, so that no declarator is needed.
  var isTypeDefinition = false
  /// Whether the type is a struct or union without a tag, which may be a member without a name.
  var isUntagged = false
}

extension DeclarationReader {
  /// Where specifiers are read, which decides what may follow.
  enum SpecifierContext {
    case external, member, parameter, typeName
  }

  /// The number of times that each keyword of an arithmetic type was read.
  private struct ArithmeticWords {
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

  /// What was read of specifiers.
  private struct SpecifierWords {
    var result: Specifiers
    var flags: QualifiedType.Flags = []
    var words = ArithmeticWords()
    /// The type that is not arithmetic, or the name of a typedef.
    var named: QualifiedType?
    var storageClass: Token?
    var restrict: Token?

    var hasType: Bool { named != nil || !words.isEmpty }
  }

  /// Reads storage classes, qualifiers, attributes and the type.
  ///
  /// What contains no specifiers itself is read by other functions, so that this one takes little of the stack.
  mutating func specifiers(_ context: SpecifierContext) throws(SyntaxFailure) -> Specifiers {
    let start = token
    var read = SpecifierWords(result: Specifiers(type: basic(.int)))
    while true {
      switch token.keywordOrNil {
      case .structKeyword, .unionKeyword:
        if read.hasType { throw twoTypes() }
        let type = try record()
        read.named = type
        (read.result.isTypeDefinition, read.result.isUntagged) = (true, isUntagged(type))
      case .enumKeyword:
        if read.hasType { throw twoTypes() }
        read.named = try enumeration()
        read.result.isTypeDefinition = true
      case .typeof:
        if read.hasType { throw twoTypes() }
        read.named = try typeOf()
      case .bitInt:
        if read.named != nil || read.words.base != nil { throw twoTypes() }
        read.named = try bitInteger()
        // The sign does not change the size.
        (read.words.isSigned, read.words.isUnsigned) = (false, false)
      case .atomic where following.punctuatorOrNil == .openParenthesis:
        if read.hasType { throw twoTypes() }
        read.named = try atomic()
        read.flags.insert(.atomic)
      case .alignAs: try readAlignAs(&read.result.attributes)
      case .attribute, .declspec, .convention: _ = try readAttributes(&read.result.attributes)
      default:
        if context != .typeName, isNextStandardAttribute {
          _ = try readAttributes(&read.result.attributes)
        } else if try !readWord(&read, context) {
          return try finished(read, context, start)
        }
      }
    }
  }

  private func isUntagged(_ type: QualifiedType) -> Bool {
    guard case .record(let index) = node(type) else { return false }
    return records[Int(index)].name.isNone
  }

  private func twoTypes() -> SyntaxFailure { failure("two types in one declaration: \(text(token)) follows a type") }

  /// Reads `_Atomic(type)`.
  private mutating func atomic() throws(SyntaxFailure) -> QualifiedType {
    try advance()
    try advance()
    let type = try typeName()
    try expect(.closeParenthesis, "')'")
    return type
  }

  /// Reads a keyword without parts, or the name of a typedef, and returns whether there is one.
  private mutating func readWord(_ read: inout SpecifierWords, _ context: SpecifierContext) throws(SyntaxFailure) -> Bool {
    if token.kind == .name {
      guard !read.hasType, let type = try typeName(token.name) else { return false }
      read.named = type
      try advance()
      return true
    }
    guard token.kind == .keyword else { return false }
    switch token.keyword {
    case .typedefKeyword where context == .external:
      try requireFirst(&read.storageClass)
      read.result.isTypedef = true
    case .externKeyword where context == .external:
      guard following.kind != .string else { throw cPlusPlus("extern \"C\"", at: following) }
      try requireFirst(&read.storageClass)
    case .staticKeyword where context == .external:
      try requireFirst(&read.storageClass)
      read.result.isStatic = true
    case .constexprKeyword where context == .external:
      // C23: the name is not visible in other files.
      (read.result.isStatic, read.result.isConstant) = (true, true)
    case .storage where context == .external || context == .parameter: break
    case .inlineKeyword where context == .external: read.result.isInline = true
    case .noReturn, .extensionKeyword, .nullability: break
    case .restrict: read.restrict = token
    case .const: read.flags.insert(.const)
    case .volatile: read.flags.insert(.volatile)
    case .segment: read.flags.insert(.otherMemory)
    case .atomic: read.flags.insert(.atomic)
    case .void, .char, .int, .float, .double, .bool, .int128, .float16, .float128, .float32, .float64, .float32x, .float64x, .float80,
      .brainFloat, .storedHalf, .decimal32, .decimal64, .decimal128, .vaList, .int128Type, .uint128Type:
      let hasBase = read.named != nil || read.words.base != nil
      // After a type the name of a typedef may be declared again, but no keyword may follow.
      if hasBase, token.isExtendedFloat { return false }
      if hasBase { throw twoTypes() }
      read.words.base = token.keyword
    case .short: read.words.set(\.isShort)
    case .long: read.words.longs += 1
    case .signed: read.words.set(\.isSigned)
    case .unsigned: read.words.set(\.isUnsigned)
    case .complex: read.words.set(\.isComplex)
    case .imaginary: throw failure("imaginary types are not supported by gcc and clang")
    default: return false
    }
    try advance()
    return true
  }

  /// Returns what specifiers state.
  private mutating func finished(
    _ read: SpecifierWords, _ context: SpecifierContext, _ start: Token
  ) throws(SyntaxFailure) -> Specifiers {
    var result = read.result
    if let named = read.named {
      guard read.words.isEmpty else { throw failure("two types in one declaration", at: start) }
      result.type = named
    } else if !read.words.isEmpty {
      result.type = try arithmeticType(read.words, start)
    } else {
      throw missingType(context, start)
    }
    // Before the declarators the attribute qualifies the type, as a keyword does.
    let isInOtherMemory = result.attributes.isInOtherMemory
    result.attributes.isInOtherMemory = false
    result.type = qualified(result.type, isInOtherMemory ? read.flags.union(.otherMemory) : read.flags)
    if let restrict = read.restrict {
      switch node(result.type) {
      case .basic, .complex, .record, .enumeration: throw failure("'restrict' qualifies pointers only", at: restrict)
      default: break
      }
    }
    return result
  }

  /// Returns a type with qualifiers, which those of an array are the elements' own.
  ///
  /// Source: C11, section 6.7.3, paragraph 9.
  private mutating func qualified(_ type: QualifiedType, _ flags: QualifiedType.Flags) -> QualifiedType {
    var type = type
    guard !flags.isEmpty else { return type }
    if case .array(let element, let count) = node(type) {
      let inner = qualified(element, flags)
      type.id = add(.array(inner, count: count))
    } else {
      type.flags.formUnion(flags)
    }
    return type
  }

  /// Throws if a storage class follows another one.
  private func requireFirst(_ storageClass: inout Token?) throws(SyntaxFailure) {
    if let first = storageClass { throw failure("\(text(token)) follows \(text(first)): a declaration has one storage class") }
    storageClass = token
  }

  private func missingType(_ context: SpecifierContext, _ start: Token) -> SyntaxFailure {
    guard token.kind == .name else {
      if context == .member, isNext(.tilde) { return cPlusPlus("a destructor") }
      return failure("expected a type, found \(text(token))")
    }
    let word = names.text(token.name)
    if Keyword.cPlusPlusWords.contains(word) { return cPlusPlus("'\(word)'") }
    let next = following
    if next.kind == .punctuator, next.punctuator == .scope { return cPlusPlus("'\(word)::'") }
    if next.kind == .punctuator, next.punctuator == .less { return cPlusPlus("'\(word)<'") }
    if context == .member, next.kind == .punctuator, next.punctuator == .openParenthesis { return cPlusPlus("a constructor") }
    // `f(int)`, `x;`: a declaration without a type, which C allowed until 1999.
    if context == .external, next.kind == .punctuator, [.openParenthesis, .semicolon, .equals, .openBracket].contains(next.punctuator) {
      return failure("expected a type before '\(word)'")
    }
    return failure("'\(word)' is not a type that is declared here")
  }

  private mutating func arithmeticType(_ words: ArithmeticWords, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    func invalid() -> SyntaxFailure { failure("the words before \(text(token)) are not a type", at: start) }
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
      case .vaList: return vaList()
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
    guard words.isComplex else { return basic(result) }
    guard result != .void, result != .bool else { throw invalid() }
    return QualifiedType(id: add(.complex(result)))
  }

  /// Reads `_BitInt(width)` of C23.
  private mutating func bitInteger() throws(SyntaxFailure) -> QualifiedType {
    try advance()
    try expect(.openParenthesis, "'('")
    let width = try integerExpression().value
    try expect(.closeParenthesis, "')'")
    let sizes: [Int] = [1, 2, 4, 8]
    return unsupported("_BitInt has no type encoding", size: sizes.first { width <= Int128(8 * $0) })
  }

  mutating func unsupported(_ reason: String, size: Int?) -> QualifiedType {
    QualifiedType(id: add(.unsupported(reason, size: size)))
  }

  /// The type of variable argument lists.
  private mutating func vaList() -> QualifiedType {
    let isArray: Bool
    switch target.argumentList {
    case .array: isArray = true
    case .structure: isArray = false
    case .pointer:
      if let argumentListPointer { return QualifiedType(id: argumentListPointer) }
      let pointer = add(.pointer(basic(.char)))
      argumentListPointer = pointer
      return QualifiedType(id: pointer)
    }
    let name = names.intern(isArray ? "__va_list_tag" : "__va_list")
    let index: Int32
    if case .record(let known)? = tags[name] {
      index = known
    } else {
      let pointer = QualifiedType(id: add(.pointer(basic(.void))))
      let members: [(String, QualifiedType)] =
        isArray
        ? [
          ("gp_offset", basic(.unsignedInt)), ("fp_offset", basic(.unsignedInt)), ("overflow_arg_area", pointer),
          ("reg_save_area", pointer),
        ]
        : [("__stack", pointer), ("__gr_top", pointer), ("__vr_top", pointer), ("__gr_offs", basic(.int)), ("__vr_offs", basic(.int))]
      let nodes = members.map { MemberNode(name: names.intern($0.0), type: $0.1) }
      index = Int32(records.count)
      records.append(RecordNode(name: name, isUnion: false, members: nodes, offset: 0))
      records[Int(index)].layout = NodeLayout(size: isArray ? 24 : 32, alignment: 8)
      records[Int(index)].positions = isArray ? [0, 32, 64, 128] : [0, 64, 128, 192, 224]
      tags[name] = .record(index)
    }
    let record = QualifiedType(id: add(.record(index)))
    return isArray ? QualifiedType(id: add(.array(record, count: 1))) : record
  }

  /// Returns the type that a name declares, or that of `<stdint.h>` or `<stddef.h>` if the source does not declare it.
  mutating func typeName(_ name: Name) throws(SyntaxFailure) -> QualifiedType? {
    if let symbol = try symbol(name) {
      guard symbol.kind == .typedefName else { return nil }
      var type = symbol.type
      type.flags.insert(.typedefName)
      return type
    }
    let types = target.isApple ? StandardTypes.namedOnApple : StandardTypes.named
    guard let standard = types[names.text(name)] else { return nil }
    switch standard {
    case .basic(let basic): return QualifiedType(id: self.basic(basic).id, flags: .typedefName)
    case .wideCharacter: return QualifiedType(id: basic(target.isWideCharacterSigned ? .int : .unsignedInt).id, flags: .typedefName)
    case .vaList:
      var type = vaList()
      type.flags.insert(.typedefName)
      return type
    case .nullPointer: return QualifiedType(id: add(.pointer(basic(.void))), flags: .typedefName)
    }
  }

  private mutating func typeOf() throws(SyntaxFailure) -> QualifiedType {
    let isUnqualified = text(token) == "'typeof_unqual'"
    try advance()
    guard isNext(.openParenthesis) else { throw expected("'('") }
    if try beginsTypeName(following) {
      try advance()
      let type = try typeName()
      try expect(.closeParenthesis, "')'")
      return isUnqualified ? QualifiedType(id: type.id) : type
    }
    let open = position
    do throws(SyntaxFailure) {
      try advance()
      let type = try expressionType()
      try expect(.closeParenthesis, "')'")
      return isUnqualified ? QualifiedType(id: type.id) : type
    } catch {
      guard error.code != .limitExceeded else { throw error }
      // An error only where the type is used.
      position = open
      try skipParentheses()
      return unsupported("the type of an expression is not computed: \(error.reason)", size: nil)
    }
  }

  /// Returns whether a token begins a type name.
  mutating func beginsTypeName(_ token: Token) throws(SyntaxFailure) -> Bool {
    switch token.kind {
    case .name: return try typeName(token.name) != nil
    case .keyword:
      switch token.keyword {
      case .const, .volatile, .restrict, .atomic, .void, .char, .short, .int, .long, .float, .double, .signed, .unsigned, .bool, .complex,
        .int128, .int128Type, .uint128Type, .float16, .float128, .float32, .float64, .float32x, .float64x, .float80, .brainFloat,
        .decimal32,
        .decimal64, .decimal128, .bitInt, .vaList, .structKeyword, .unionKeyword, .enumKeyword, .typeof, .attribute, .extensionKeyword,
        .segment, .storedHalf:
        return true
      default: return false
      }
    default: return false
    }
  }

  /// Reads a type without a name, as in a cast.
  mutating func typeName() throws(SyntaxFailure) -> QualifiedType {
    try enter(2)
    defer { leave(2) }
    let start = token
    let specifiers = try specifiers(.typeName)
    let declarator = try declarator(specifiers.type, requiresName: false, start: start)
    guard declarator.name.isNone else { throw failure("a type has no name here", at: declarator.token) }
    var attributes = specifiers.attributes
    attributes.formUnion(declarator.attributes)
    return try apply(attributes, to: declarator.type, at: start)
  }
}

/// The types of `<stdint.h>`, `<stddef.h>`, `<stdarg.h>` and `<stdbool.h>` on the 64-bit platforms of Linux, which a
/// declaration may use without a header.
enum StandardTypes {
  case basic(Basic)
  case wideCharacter
  case vaList
  case nullPointer

  static let named: [String: StandardTypes] = {
    var types: [String: StandardTypes] = [
      "size_t": .basic(.unsignedLong), "ssize_t": .basic(.long), "ptrdiff_t": .basic(.long), "intptr_t": .basic(.long),
      "uintptr_t": .basic(.unsignedLong), "intmax_t": .basic(.long), "uintmax_t": .basic(.unsignedLong), "wchar_t": .wideCharacter,
      "wint_t": .basic(.unsignedInt), "char8_t": .basic(.unsignedChar), "char16_t": .basic(.unsignedShort),
      "char32_t": .basic(.unsignedInt), "bool": .basic(.bool),
      "va_list": .vaList, "nullptr_t": .nullPointer, "off_t": .basic(.long), "time_t": .basic(.long), "pid_t": .basic(.int),
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
  static let namedOnApple: [String: StandardTypes] = {
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
