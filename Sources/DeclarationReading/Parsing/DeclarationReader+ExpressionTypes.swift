import TypeEncodings

/// The types of expressions that are not evaluated: the operands of `sizeof`, `typeof` and `_Generic`.
///
/// Source: C11, section 6.5.
extension DeclarationReader {
  /// Reads an expression, and returns its type.
  mutating func expressionType() throws(SyntaxFailure) -> QualifiedType {
    var type = try assignmentType()
    while try take(.comma) { type = value(try assignmentType()) }
    return type
  }

  /// Reads an expression without a comma, and returns its type.
  mutating func assignmentType() throws(SyntaxFailure) -> QualifiedType {
    try enter()
    defer { leave() }
    let start = token
    let type = try binaryType()
    if try take(.equals) {
      _ = try assignmentType()
      return value(type)
    }
    return isNext(.question) ? try conditionalType(type, start) : type
  }

  private mutating func conditionalType(_ type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    try advance()
    // GNU: an omitted second operand is the first.
    let first = isNext(.colon) ? type : try expressionType()
    try expect(.colon, "':'")
    let second = try assignmentType()
    return try conditionalType(value(first), value(second), start)
  }

  private mutating func binaryType() throws(SyntaxFailure) -> QualifiedType {
    // The operators whose right operand is not complete, with their left operands.
    var waiting: [(left: QualifiedType, operation: Token, precedence: Int)] = []
    while true {
      var right = try unaryType()
      let precedence = precedence(token) ?? 0
      while let last = waiting.last, last.precedence >= precedence {
        waiting.removeLast()
        right = try self.type(of: last.operation, value(last.left), value(right))
      }
      guard precedence > 0 else { return right }
      waiting.append((right, token, precedence))
      try advance()
    }
  }

  /// Reads an operand with its prefixes and suffixes, and returns its type.
  mutating func unaryType() throws(SyntaxFailure) -> QualifiedType {
    try enter()
    defer { leave() }
    var prefixes: [Prefix] = []
    var type: QualifiedType?
    while let prefix = try self.prefix([.plus, .minus, .tilde, .exclamation, .star, .ampersand]) {
      if prefix.type != nil, isNext(.openBrace) {
        // A compound literal.
        try skipBraces()
        type = prefix.type
        break
      }
      prefixes.append(prefix)
      if prefixes.count > Self.deepest { throw tooDeep() }
    }
    if type == nil {
      switch token.keywordOrNil {
      case .sizeOf, .alignOf, .offsetOf:
        _ = try keywordOperand()
        return try apply(prefixes, to: basic(.unsignedLong))
      case .generic: type = try genericSelection { reader throws(SyntaxFailure) in try reader.assignmentType() }
      default:
        if isNext(.openParenthesis), !(following.kind == .punctuator && following.punctuator == .openBrace) {
          try advance()
          type = try expressionType()
          try expect(.closeParenthesis, "')'")
        }
      }
    }
    if type == nil { type = try primaryType() }
    guard let type else { return basic(.int) }
    return try apply(prefixes, to: suffixed(type))
  }

  /// The type that operators before an operand make of its type.
  private mutating func apply(_ prefixes: [Prefix], to operand: QualifiedType) throws(SyntaxFailure) -> QualifiedType {
    var type = operand
    for prefix in prefixes.reversed() {
      if let cast = prefix.type {
        type = QualifiedType(id: cast.id)
        continue
      }
      switch prefix.token.punctuator {
      case .exclamation: type = basic(.int)
      case .star: type = try pointee(type, prefix.token)
      case .ampersand: type = QualifiedType(id: try derived(.pointer(type), at: prefix.token))
      default: type = try arithmetic(value(type), value(type), prefix.token)
      }
    }
    return type
  }

  // MARK: Operands

  private mutating func primaryType() throws(SyntaxFailure) -> QualifiedType {
    let start = token
    switch token.kind {
    case .number:
      try advance()
      return basic(try numberType(start))
    case .character:
      try advance()
      return basic(characterType(start) ?? .int)
    case .string:
      var element = Basic.char
      var count = 1
      while token.kind == .string {
        element = characterType(token) ?? element
        count += try elementCount(token)
        try advance()
      }
      return QualifiedType(id: add(.array(basic(element), count: count)))
    case .punctuator where isNext(.openParenthesis): throw failure("the type of a statement in an expression is not computed", at: start)
    case .name:
      let word = names.text(token.name)
      if let symbol = try symbol(token.name) {
        try advance()
        switch symbol.kind {
        case .variable, .function: return symbol.type
        // C11: an enumerator is an `int`; one that does not fit has the type of its enum.
        case .enumerator: return symbol.value.bits == 32 && symbol.value.isSigned ? basic(.int) : symbol.type
        case .typedefName: throw failure("'\(word)' is a type, not an expression", at: start)
        }
      }
      switch word {
      case "true", "false":
        try advance()
        return basic(.bool)
      case "nullptr":
        try advance()
        return QualifiedType(id: add(.pointer(basic(.void))))
      default: throw failure("'\(word)' is not declared here", at: start)
      }
    default: throw expected("an expression")
    }
  }

  /// The element type of a literal with a prefix, or nil without one.
  private func characterType(_ token: Token) -> Basic? {
    switch source[Int(token.offset)] {
    case 0x4C: target.isWideCharacterSigned ? .int : .unsignedInt
    case 0x55: .unsignedInt
    case 0x75: source[Int(token.offset) + 1] == 0x38 ? .unsignedChar : .unsignedShort
    default: nil
    }
  }

  /// The number of elements of a string literal.
  private func elementCount(_ token: Token) throws(SyntaxFailure) -> Int {
    let bytes = try string(token)
    switch characterType(token) {
    case .int, .unsignedInt: return String(decoding: bytes, as: UTF8.self).unicodeScalars.count
    case .unsignedShort: return String(decoding: bytes, as: UTF8.self).utf16.count
    default: return bytes.count
    }
  }

  /// Reads the suffixes of an operand: `[index]`, `.member`, `->member` and `(arguments)`.
  private mutating func suffixed(_ operand: QualifiedType) throws(SyntaxFailure) -> QualifiedType {
    var type = operand
    while token.kind == .punctuator {
      let start = token
      switch token.punctuator {
      case .openBracket:
        try advance()
        let index = try expressionType()
        try expect(.closeBracket, "']'")
        // `index[array]` is `array[index]`.
        let operand = value(type)
        if case .pointer = node(operand) { type = try pointee(type, start) } else { type = try pointee(index, start) }
      case .dot, .arrow:
        try advance()
        if start.punctuator == .arrow { type = try pointee(type, start) }
        type = try memberType(of: type, start)
      case .openParenthesis:
        if case .pointer(let target) = node(type) { type = target }
        guard case .function(let index) = node(type) else { throw failure("only a function is called", at: start) }
        try skipParentheses()
        type = functions[Int(index)].result
      default: return type
      }
    }
    return type
  }

  private mutating func memberType(of type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    guard case .record(let index) = node(type) else { throw failure("only a struct or union has members", at: start) }
    if self.index != nil { try complete(index) }
    guard token.kind == .name else { throw expected("a member") }
    guard let found = member(token.name, of: index) else {
      throw failure("\(recordName(index)) has no member '\(names.text(token.name))'")
    }
    guard !found.isBitField else { throw failure("'\(names.text(token.name))' is a bit-field, whose type is not computed") }
    try advance()
    var member = found.type
    member.flags.formUnion(type.flags.intersection([.const, .volatile]))
    return member
  }

  /// The type that a pointer points to, or that of the elements of an array.
  private mutating func pointee(_ type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    switch node(type) {
    case .pointer(let target), .array(let target, _): return target
    case .function: return type
    default: throw failure("the operand is not a pointer", at: start)
    }
  }

  // MARK: Conversions

  /// The type of the value of an expression: without qualifiers, and a pointer for an array or a function.
  mutating func value(_ type: QualifiedType) -> QualifiedType { QualifiedType(id: decayed(type).id) }

  private mutating func type(of operation: Token, _ left: QualifiedType, _ right: QualifiedType) throws(SyntaxFailure) -> QualifiedType {
    if case .vector = node(left) { return left }
    switch operation.punctuator {
    case .and, .or, .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: return basic(.int)
    case .shiftLeft, .shiftRight: return try arithmetic(left, left, operation)
    case .plus, .minus:
      switch (node(left), node(right)) {
      case (.pointer, .pointer) where operation.punctuator == .minus: return basic(.long)
      case (.pointer, _): return left
      case (_, .pointer) where operation.punctuator == .plus: return right
      default: return try arithmetic(left, right, operation)
      }
    default: return try arithmetic(left, right, operation)
    }
  }

  private mutating func conditionalType(
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
  private mutating func arithmetic(_ left: QualifiedType, _ right: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    func part(_ type: QualifiedType) throws(SyntaxFailure) -> (basic: Basic, isComplex: Bool) {
      switch node(type) {
      case .basic(let basic) where basic != .void: return (basic, false)
      case .complex(let basic): return (basic, true)
      case .enumeration(let index): return (enumerations[Int(index)].underlying ?? .int, false)
      default: throw failure("the type of this expression is not computed", at: start)
      }
    }
    let (one, other) = (try part(left), try part(right))
    let common = Basic.common(one.basic, other.basic)
    return one.isComplex || other.isComplex ? QualifiedType(id: add(.complex(common))) : basic(common)
  }
}

extension Basic {
  /// The type to which two operands are converted.
  ///
  /// Source: C11, section 6.3.1.8.
  static func common(_ left: Basic, _ right: Basic) -> Basic {
    if !left.isInteger || !right.isInteger {
      if left.isInteger { return right }
      if right.isInteger { return left }
      return left.floatingRank >= right.floatingRank ? left : right
    }
    let (one, other) = (left.promoted, right.promoted)
    if one.isUnsigned == other.isUnsigned { return one.rank > other.rank ? one : other }
    let (signed, unsigned) = one.isUnsigned ? (other, one) : (one, other)
    if unsigned.rank >= signed.rank { return unsigned }
    // `long` and `long long` have one size; any other signed type of a higher rank is wider.
    let isWider = signed == .int128 || unsigned == .unsignedInt
    return isWider ? signed : Basic(rawValue: signed.rawValue + 1) ?? unsigned
  }

  /// The order of the floating-point types by the numbers that they hold; that of `long double` is the highest, also where it
  /// has the format of `double`.
  private var floatingRank: Int {
    switch self {
    case .longDouble, .float64x: 3
    case .double, .float64, .float32x: 2
    case .float, .float32: 1
    default: 0
    }
  }

  /// An integer of a lower rank than `int` becomes an `int`.
  private var promoted: Basic { rawValue < Basic.int.rawValue ? .int : self }

  /// The rank of `int` and of a higher integer type, whose signed and unsigned types follow each other.
  private var rank: UInt8 { (rawValue + 1) / 2 }

  private var isUnsigned: Bool { rawValue & 1 == 0 }
}
