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
}

/// A declared name with its type.
struct Declarator {
  var name: Name
  var type: QualifiedType
  /// The token of the name, or the first token.
  var token: Token
  /// The attributes of C23 after the name, and what others within the declarator refuse.
  var attributes = Attributes()
}

extension Parser {
  /// Where specifiers are read, which decides what may follow.
  enum SpecifierContext {
    case external, member, parameter, typeName
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
  func specifiers(_ context: SpecifierContext) throws(SyntaxFailure) -> Specifiers {
    let start = tokens.current
    var read = SpecifierWords(result: Specifiers(type: QualifiedType(.int)))
    while true {
      let isAtomicType = tokens.isNext(.atomic) && tokens.following.punctuatorOrNil == .openParenthesis
      if read.hasType, isAtomicType || [.structKeyword, .unionKeyword, .enumKeyword, .typeof].contains(tokens.current.keywordOrNil) {
        throw twoTypes()
      }
      switch tokens.current.keywordOrNil {
      case .structKeyword, .unionKeyword: (read.named, read.result.isTypeDefinition) = (try record(), true)
      case .enumKeyword: (read.named, read.result.isTypeDefinition) = (try enumeration(), true)
      case .typeof: read.named = try typeOf()
      case .bitInt:
        if read.named != nil || read.words.base != nil { throw twoTypes() }
        read.named = try bitInteger()
        // The sign does not change the size.
        read.words.sign = .plain
      case .atomic where isAtomicType:
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

  private func twoTypes() -> SyntaxFailure { tokens.failure("two types in one declaration: \(tokens.text(tokens.current)) follows a type") }

  /// Reads `_Atomic(type)`.
  private func atomic() throws(SyntaxFailure) -> QualifiedType {
    tokens.advance()
    tokens.advance()
    let type = try typeName()
    try tokens.expect(.closeParenthesis, "')'")
    return type
  }

  /// Reads a keyword without parts, or the name of a typedef, and returns whether there is one.
  private func readWord(_ read: inout SpecifierWords, _ context: SpecifierContext) throws(SyntaxFailure) -> Bool {
    if tokens.current.kind == .name {
      guard !read.hasType, let type = typeName(tokens.current.name) else { return false }
      read.named = type
      tokens.advance()
      return true
    }
    guard tokens.current.kind == .keyword else { return false }
    switch tokens.current.keyword {
    case .typedefKeyword where context == .external:
      try requireFirst(&read.storageClass)
      read.result.isTypedef = true
    case .externKeyword where context == .external:
      guard tokens.following.kind != .string else { throw tokens.cPlusPlus("extern \"C\"", at: tokens.following) }
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
    case .restrict: read.restrict = tokens.current
    case .const: read.flags.insert(.const)
    case .volatile: read.flags.insert(.volatile)
    case .segment: read.flags.insert(.otherMemory)
    case .atomic: read.flags.insert(.atomic)
    case let keyword where keyword.isBase:
      let hasBase = read.named != nil || read.words.base != nil
      // After a type the name of a typedef may be declared again, but no keyword may follow.
      if hasBase, tokens.current.isExtendedFloat { return false }
      if hasBase { throw twoTypes() }
      read.words.base = tokens.current.keyword
    case .imaginary: throw tokens.failure("imaginary types are not supported by gcc and clang")
    case let keyword: if !read.words.add(keyword) { return false }
    }
    tokens.advance()
    return true
  }

  /// Returns what specifiers state.
  private func finished(
    _ read: SpecifierWords, _ context: SpecifierContext, _ start: Token
  ) throws(SyntaxFailure) -> Specifiers {
    var result = read.result
    if let named = read.named {
      guard read.words.isEmpty else { throw tokens.failure("two types in one declaration", at: start) }
      result.type = named
    } else if !read.words.isEmpty {
      result.type = try types.type(of: read.words, start, next: tokens.text(tokens.current))
    } else {
      throw missingType(context, start)
    }
    // Before the declarators the attribute qualifies the type, as a keyword does.
    let isInOtherMemory = result.attributes.isInOtherMemory
    result.attributes.isInOtherMemory = false
    result.type = types.qualified(result.type, isInOtherMemory ? read.flags.union(.otherMemory) : read.flags)
    if let restrict = read.restrict {
      switch types.node(result.type) {
      case .basic, .complex, .record, .enumeration: throw tokens.failure("'restrict' qualifies pointers only", at: restrict)
      default: break
      }
    }
    return result
  }

  /// Throws if a storage class follows another one.
  private func requireFirst(_ storageClass: inout Token?) throws(SyntaxFailure) {
    if let first = storageClass {
      throw tokens.failure("\(tokens.text(tokens.current)) follows \(tokens.text(first)): a declaration has one storage class")
    }
    storageClass = tokens.current
  }

  private func missingType(_ context: SpecifierContext, _ start: Token) -> SyntaxFailure {
    guard tokens.current.kind == .name else {
      if context == .member, tokens.isNext(.tilde) { return tokens.cPlusPlus("a destructor") }
      return tokens.failure("expected a type, found \(tokens.text(tokens.current))")
    }
    let word = types.names.text(tokens.current.name)
    if Keyword.cPlusPlusWords.contains(word) { return tokens.cPlusPlus("'\(word)'") }
    let next = tokens.following
    if next.punctuatorOrNil == .scope { return tokens.cPlusPlus("'\(word)::'") }
    if next.punctuatorOrNil == .less { return tokens.cPlusPlus("'\(word)<'") }
    if context == .member, next.punctuatorOrNil == .openParenthesis { return tokens.cPlusPlus("a constructor") }
    // `f(int)`, `x;`: a declaration without a type, which C allowed until 1999.
    if context == .external, next.kind == .punctuator, [.openParenthesis, .semicolon, .equals, .openBracket].contains(next.punctuator) {
      return tokens.failure("expected a type before '\(word)'")
    }
    return tokens.failure("'\(word)' is not a type that is declared here")
  }

  /// Reads `_BitInt(width)` of C23.
  private func bitInteger() throws(SyntaxFailure) -> QualifiedType {
    tokens.advance()
    try tokens.expect(.openParenthesis, "'('")
    let width = try integerExpression()
    try tokens.expect(.closeParenthesis, "')'")
    let sizes: [Int] = [1, 2, 4, 8]
    return types.unsupported("_BitInt has no type encoding", size: sizes.first { width <= Int128(8 * $0) })
  }

  /// Returns the type that a name declares, or has in `<stdint.h>` or `<stddef.h>` if the source does not declare it.
  func typeName(_ name: Name) -> QualifiedType? {
    if let symbol = symbols[name] {
      guard symbol.kind == .typedefName else { return nil }
      var type = symbol.type
      type.flags.insert(.typedefName)
      return type
    }
    return types.standardType(name)
  }

  private func typeOf() throws(SyntaxFailure) -> QualifiedType {
    let isUnqualified = tokens.text(tokens.current) == "'typeof_unqual'"
    tokens.advance()
    guard tokens.isNext(.openParenthesis) else { throw tokens.expected("'('") }
    let start = tokens.position
    let isType = beginsTypeName(tokens.following)
    do throws(SyntaxFailure) {
      tokens.advance()
      let type = isType ? try typeName() : try sequence(separators: [.comma, .equals]).type
      try tokens.expect(.closeParenthesis, "')'")
      return isUnqualified ? QualifiedType(id: type.id) : type
    } catch {
      guard !isType, error.code != .limitExceeded else { throw error }
      // An error only where the type is used.
      tokens.position = start
      try tokens.skipParentheses()
      return types.unsupported("the type of an expression is not computed: \(error.reason)", size: nil)
    }
  }

  /// Returns whether a token begins a type name.
  func beginsTypeName(_ token: Token) -> Bool {
    switch token.kind {
    case .name: return typeName(token.name) != nil
    case .keyword:
      switch token.keyword {
      case .const, .volatile, .restrict, .atomic, .short, .long, .signed, .unsigned, .complex, .bitInt, .structKeyword, .unionKeyword,
        .enumKeyword, .typeof, .attribute, .extensionKeyword, .segment:
        return true
      default: return token.keyword.isBase
      }
    default: return false
    }
  }

  /// Reads a type without a name, as in a cast.
  func typeName() throws(SyntaxFailure) -> QualifiedType {
    try tokens.enter(2)
    defer { tokens.leave(2) }
    let start = tokens.current
    let specifiers = try specifiers(.typeName)
    let declarator = try declarator(specifiers.type, requiresName: false, start: start)
    guard declarator.name.isNone else { throw tokens.failure("a type has no name here", at: declarator.token) }
    var attributes = specifiers.attributes
    attributes.formUnion(declarator.attributes)
    return try types.apply(attributes, to: declarator.type, at: start)
  }
}

// MARK: Declarators

extension Parser {
  /// A part of a declarator, in the order in which the name is read: `*(*f)(int)` is a pointer, a function, a pointer.
  private enum Modifier {
    case pointer(QualifiedType.Flags)
    case block(QualifiedType.Flags)
    case array(count: Int?)
    /// An array of a parameter whose bound is not a constant.
    case variableArray
    /// The index of a ``FunctionNode`` whose result is not known yet.
    case function(Int32)
  }

  /// Reads a declarator.
  ///
  /// - Parameters:
  ///   - type: The type that the specifiers state.
  ///   - requiresName: Whether the declarator must have a name.
  ///   - start: The first token of the declaration, for messages.
  func declarator(_ type: QualifiedType, requiresName: Bool, start: Token) throws(SyntaxFailure) -> Declarator {
    var modifiers: [Modifier] = []
    var attributes = Attributes()
    var name = tokens.current
    name.name = .none
    if tokens.current.kind == .name || tokens.current.isExtendedFloat, isSimpleEnd(tokens.following) {
      // The most common declarator by far.
      name = tokens.current
      tokens.advance()
    } else {
      try readModifiers(&modifiers, &name, &attributes)
    }
    guard !requiresName || !name.name.isNone else { throw tokens.expected("a name") }
    var result = type
    for modifier in modifiers.reversed() { result = try apply(modifier, to: result, at: name) }
    return Declarator(name: name.name, type: result, token: name, attributes: attributes)
  }

  private func isSimpleEnd(_ token: Token) -> Bool {
    token.kind == .punctuator && [.semicolon, .comma, .closeParenthesis].contains(token.punctuator)
  }

  private func readModifiers(
    _ modifiers: inout [Modifier], _ name: inout Token, _ attributes: inout Attributes
  ) throws(SyntaxFailure) {
    try tokens.enter()
    defer { tokens.leave() }
    var pointers: [Modifier] = []
    while true {
      try readInnerAttributes(&attributes)
      if tokens.isNext(.star) {
        tokens.advance()
        pointers.append(.pointer(try pointerQualifiers(&attributes)))
      } else if tokens.isNext(.caret) {
        tokens.advance()
        pointers.append(.block(try pointerQualifiers(&attributes)))
      } else if tokens.isNext(.ampersand) || tokens.isNext(.and) {
        throw tokens.cPlusPlus("a reference")
      } else {
        break
      }
      if pointers.count > TokenReader.deepest { throw tokens.tooDeep() }
    }
    if tokens.current.kind == .name || tokens.current.isExtendedFloat {
      name = tokens.current
      tokens.advance()
      if isNextStandardAttribute { _ = try readAttributes(&attributes) }
    } else if tokens.isNext(.openParenthesis), beginsNestedDeclarator() {
      tokens.advance()
      try readModifiers(&modifiers, &name, &attributes)
      try tokens.expect(.closeParenthesis, "')'")
    }
    while true {
      if isNextStandardAttribute {
        // An attribute of the array or the function.
        try readInnerAttributes(&attributes)
      } else if tokens.isNext(.openBracket) {
        modifiers.append(try arrayBound())
      } else if tokens.isNext(.openParenthesis) {
        let function = try parameters()
        types.functions.append(function)
        modifiers.append(.function(Int32(types.functions.count - 1)))
      } else {
        break
      }
      if modifiers.count > TokenReader.deepest { throw tokens.tooDeep() }
    }
    modifiers += pointers.reversed()
  }

  /// Reads attributes within a declarator, and notes what they refuse.
  ///
  /// A convention belongs to the function that is declared or pointed to. gcc and clang disagree about the type that
  /// `aligned` and its like change there.
  private func readInnerAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) {
    let start = tokens.current
    var inner = Attributes()
    guard try readAttributes(&inner) else { return }
    if inner.changesType {
      inner.refusal = inner.refusal ?? "\(tokens.text(start)) changes a type within a declarator, which gcc and clang read differently"
    }
    attributes.convention = attributes.convention ?? inner.convention
    attributes.refusal = attributes.refusal ?? inner.refusal
    attributes.isInOtherMemory = attributes.isInOtherMemory || inner.isInOtherMemory
  }

  private func pointerQualifiers(_ attributes: inout Attributes) throws(SyntaxFailure) -> QualifiedType.Flags {
    var flags: QualifiedType.Flags = []
    while true {
      switch tokens.current.keywordOrNil {
      case .const: flags.insert(.const)
      case .volatile: flags.insert(.volatile)
      case .atomic: flags.insert(.atomic)
      case .restrict: flags.insert(.restrict)
      case .segment: flags.insert(.otherMemory)
      case .nullability: break
      default:
        let before = tokens.position
        try readInnerAttributes(&attributes)
        if tokens.position == before { return flags }
        continue
      }
      tokens.advance()
    }
  }

  /// Returns whether the parenthesis at the current position opens a nested declarator, and not parameters.
  private func beginsNestedDeclarator() -> Bool {
    let next = tokens.following
    switch next.kind {
    case .punctuator: return [.star, .caret, .openParenthesis, .openBracket, .ampersand].contains(next.punctuator)
    case .name: return typeName(next.name) == nil
    case .keyword:
      guard [.attribute, .declspec, .convention].contains(next.keyword) else { return false }
      return !beginsAttributedParameter()
    default: return false
    }
  }

  /// Returns whether the attributes after the current parenthesis are followed by a type, so that they belong to a parameter.
  private func beginsAttributedParameter() -> Bool {
    let start = tokens.position
    defer { tokens.position = start }
    tokens.advance()
    while let keyword = tokens.current.keywordOrNil, [.attribute, .declspec, .convention].contains(keyword) {
      tokens.advance()
      if keyword != .convention { tokens.skipGroup() }
    }
    return tokens.current.kind == .name ? typeName(tokens.current.name) != nil : tokens.current.kind == .keyword
  }

  private func arrayBound() throws(SyntaxFailure) -> Modifier {
    tokens.advance()
    // In a parameter: [static const n], [*].
    while tokens.isNext(.staticKeyword) || tokens.isNext(.const) || tokens.isNext(.volatile) || tokens.isNext(.restrict) {
      tokens.advance()
    }
    if tokens.take(.closeBracket) { return .array(count: nil) }
    if tokens.isNext(.star), tokens.following.punctuatorOrNil == .closeBracket {
      tokens.advance()
      tokens.advance()
      return isInParameters ? .variableArray : .array(count: nil)
    }
    let start = tokens.position
    let value: Int128
    do throws(SyntaxFailure) {
      value = try integerExpression()
      guard tokens.isNext(.closeBracket) else { throw tokens.expected("']'") }
    } catch {
      // The bound of a parameter may depend on another parameter. It does not change how the array is passed.
      guard isInParameters, error.code != .limitExceeded else { throw error }
      tokens.position = start
      try tokens.skip(to: [.closeBracket], "']'")
      tokens.advance()
      return .variableArray
    }
    guard value >= 0 else { throw tokens.failure("an array cannot have \(value) elements", at: tokens[start]) }
    guard value <= Int128(TypeTable.largestSize) else {
      let reason = "an array of \(value) elements is larger than \(TypeTable.largestSize) bytes"
      throw tokens.failure(reason, at: tokens[start], code: .limitExceeded)
    }
    tokens.advance()
    return .array(count: Int(value))
  }

  // MARK: Parameters

  private func parameters() throws(SyntaxFailure) -> FunctionNode {
    try tokens.enter(2)
    parameterDepth += 1
    defer {
      parameterDepth -= 1
      tokens.leave(2)
    }
    return try readParameters()
  }

  private var isInParameters: Bool { parameterDepth > 0 }

  private func readParameters() throws(SyntaxFailure) -> FunctionNode {
    tokens.advance()
    var function = FunctionNode(result: QualifiedType(.void), parameters: [], names: [])
    if tokens.take(.closeParenthesis) {
      function.hasPrototype = types.isC23
      return function
    }
    var known: Set<Name> = []
    while true {
      if tokens.take(.ellipsis) {
        // C23: `int f(...)` has no other parameters.
        function.isVariadic = true
        break
      }
      let start = tokens.current
      if tokens.current.kind == .name, typeName(tokens.current.name) == nil, tokens.following.kind == .punctuator,
        [.comma, .closeParenthesis].contains(tokens.following.punctuator)
      {
        throw tokens.failure(
          "\(tokens.text(tokens.current)) is not a type that is declared here; a parameter is a type with or without a name, "
            + "and definitions as in K&R are not read")
      }
      let specifiers = try specifiers(.parameter)
      let declarator = try declarator(specifiers.type, requiresName: false, start: start)
      var attributes = specifiers.attributes
      attributes.formUnion(declarator.attributes)
      _ = try readAttributes(&attributes)
      if tokens.isNext(.equals) { throw tokens.cPlusPlus("a default argument") }
      let type = try types.apply(attributes, to: declarator.type, at: start)
      if case .basic(.void) = types.node(type) {
        // A single unnamed parameter of type void, also by the name of a typedef, states that there are no parameters.
        guard function.parameters.isEmpty, declarator.name.isNone, type.flags.isSubset(of: .typedefName), tokens.isNext(.closeParenthesis)
        else { throw tokens.failure("a parameter is not void", at: start) }
        break
      }
      // From 16 names on a set: a search of the names for each parameter would take time for each pair.
      if function.names.count == 16 { known.formUnion(function.names) }
      let isKnown = function.names.count < 16 ? function.names.contains(declarator.name) : !known.insert(declarator.name).inserted
      if !declarator.name.isNone, isKnown {
        throw tokens.failure("a parameter '\(types.names.text(declarator.name))' is declared already", at: declarator.token)
      }
      function.parameters.append(types.decayed(type))
      function.names.append(declarator.name)
      if storesParameterOffsets { function.offsets.append(start.offset) }
      guard function.parameters.count <= TypeEncoding.Limits.arguments else {
        throw tokens.failure("more than \(TypeEncoding.Limits.arguments) parameters", code: .limitExceeded)
      }
      guard tokens.take(.comma) else { break }
    }
    try tokens.expect(.closeParenthesis, "',' or ')'")
    return function
  }

  private func apply(_ modifier: Modifier, to type: QualifiedType, at token: Token) throws(SyntaxFailure) -> QualifiedType {
    switch modifier {
    case .pointer(let flags):
      // A pointer to an array of variable size is taken for a pointer to its elements.
      var target = type
      if case .array(let element, _) = types.node(type), type.flags.contains(.variableLength) { target = element }
      return QualifiedType(id: try types.derived(.pointer(target), at: token), flags: flags)
    case .block(let flags): return QualifiedType(id: try types.derived(.block(type), at: token), flags: flags)
    case .array, .variableArray:
      var count: Int?
      if case .array(let stated) = modifier { count = stated }
      switch types.node(type) {
      case .function: throw tokens.failure("an array has no functions as elements", at: token)
      case .basic(.void): throw tokens.failure("an array has no elements of type void", at: token)
      // An array whose elements have a variable size is taken for one of its elements.
      case .array where type.flags.contains(.variableLength): return type
      case .array(_, nil): throw tokens.failure("the elements of an array are incomplete arrays", at: token)
      case .record(let index) where types.records[Int(index)].members == nil && parameterDepth == 0:
        throw tokens.failure("the elements of an array have the incomplete type \(types.recordName(index))", at: token)
      default: break
      }
      if let count, let layout = types.layout(of: type) {
        let (size, overflow) = layout.size.multipliedReportingOverflow(by: count)
        guard !overflow, size <= TypeTable.largestSize else {
          throw tokens.failure("the type is larger than \(TypeTable.largestSize) bytes", at: token, code: .limitExceeded)
        }
      }
      if case .variableArray = modifier {
        return QualifiedType(id: try types.derived(.array(type, count: 0), at: token), flags: .variableLength)
      }
      return QualifiedType(id: try types.derived(.array(type, count: count), at: token))
    case .function(let index):
      switch types.node(type) {
      case .function: throw tokens.failure("a function cannot return a function", at: token)
      case .array: throw tokens.failure("a function cannot return an array", at: token)
      default: break
      }
      types.functions[Int(index)].result = type
      return QualifiedType(id: try types.derived(.function(index), at: token))
    }
  }
}
