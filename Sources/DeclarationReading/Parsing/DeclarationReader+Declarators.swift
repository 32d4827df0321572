import TypeEncodings

/// A declared name with its type.
struct Declarator {
  var name: Name
  var type: QualifiedType
  /// The token of the name, or the first token.
  var token: Token
  /// The attributes of C23 after the name, and what others within the declarator refuse.
  var attributes = Attributes()
}

extension DeclarationReader {
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
  mutating func declarator(_ type: QualifiedType, requiresName: Bool, start: Token) throws(SyntaxFailure) -> Declarator {
    var modifiers: [Modifier] = []
    var attributes = Attributes()
    var name = token
    name.name = .none
    if token.kind == .name || token.isExtendedFloat, isSimpleEnd(following) {
      // The most common declarator by far.
      name = token
      try advance()
    } else {
      try readModifiers(&modifiers, &name, &attributes)
    }
    guard !requiresName || !name.name.isNone else { throw expected("a name") }
    var result = type
    for modifier in modifiers.reversed() { result = try apply(modifier, to: result, at: name) }
    return Declarator(name: name.name, type: result, token: name, attributes: attributes)
  }

  private func isSimpleEnd(_ token: Token) -> Bool {
    token.kind == .punctuator && [.semicolon, .comma, .closeParenthesis].contains(token.punctuator)
  }

  private mutating func readModifiers(
    _ modifiers: inout [Modifier], _ name: inout Token, _ attributes: inout Attributes
  ) throws(SyntaxFailure) {
    try enter()
    defer { leave() }
    var pointers: [Modifier] = []
    while true {
      try readInnerAttributes(&attributes)
      if isNext(.star) {
        try advance()
        pointers.append(.pointer(try pointerQualifiers(&attributes)))
      } else if isNext(.caret) {
        try advance()
        pointers.append(.block(try pointerQualifiers(&attributes)))
      } else if isNext(.ampersand) || isNext(.and) {
        throw cPlusPlus("a reference")
      } else {
        break
      }
      if pointers.count > Self.deepest { throw tooDeep() }
    }
    if token.kind == .name || token.isExtendedFloat {
      name = token
      try advance()
      if isNextStandardAttribute { _ = try readAttributes(&attributes) }
    } else if isNext(.openParenthesis), try beginsNestedDeclarator() {
      try advance()
      try readModifiers(&modifiers, &name, &attributes)
      try expect(.closeParenthesis, "')'")
    }
    while true {
      if isNextStandardAttribute {
        // An attribute of the array or the function.
        try readInnerAttributes(&attributes)
      } else if isNext(.openBracket) {
        modifiers.append(try arrayBound())
      } else if isNext(.openParenthesis) {
        let function = try parameters()
        functions.append(function)
        modifiers.append(.function(Int32(functions.count - 1)))
      } else {
        break
      }
      if modifiers.count > Self.deepest { throw tooDeep() }
    }
    modifiers += pointers.reversed()
  }

  /// Reads attributes within a declarator, and notes what they refuse.
  ///
  /// A convention is that of the function that is declared or pointed to. The type that is changed there by `aligned` and
  /// its like is not the same for gcc and clang.
  private mutating func readInnerAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) {
    let start = token
    var inner = Attributes()
    guard try readAttributes(&inner) else { return }
    if inner.changesType {
      inner.refusal = inner.refusal ?? "\(text(start)) changes a type within a declarator, which gcc and clang read differently"
    }
    attributes.convention = attributes.convention ?? inner.convention
    attributes.refusal = attributes.refusal ?? inner.refusal
    attributes.isInOtherMemory = attributes.isInOtherMemory || inner.isInOtherMemory
  }

  private mutating func pointerQualifiers(_ attributes: inout Attributes) throws(SyntaxFailure) -> QualifiedType.Flags {
    var flags: QualifiedType.Flags = []
    while true {
      if try take(.const) {
        flags.insert(.const)
      } else if try take(.volatile) {
        flags.insert(.volatile)
      } else if isNext(.atomic) {
        try advance()
        flags.insert(.atomic)
      } else if try take(.restrict) {
        flags.insert(.restrict)
      } else if try take(.segment) {
        flags.insert(.otherMemory)
      } else if isNext(.nullability) {
        try advance()
      } else {
        let before = position
        try readInnerAttributes(&attributes)
        if position == before { return flags }
      }
    }
  }

  /// Returns whether the parenthesis at the current position opens a nested declarator, and not parameters.
  private mutating func beginsNestedDeclarator() throws(SyntaxFailure) -> Bool {
    let next = following
    switch next.kind {
    case .punctuator: return [.star, .caret, .openParenthesis, .openBracket, .ampersand].contains(next.punctuator)
    case .name: return try typeName(next.name) == nil
    case .keyword:
      guard [.attribute, .declspec, .convention].contains(next.keyword) else { return false }
      return try !beginsAttributedParameter()
    default: return false
    }
  }

  /// Returns whether the attributes after the current parenthesis are followed by a type, so that they belong to a parameter.
  private mutating func beginsAttributedParameter() throws(SyntaxFailure) -> Bool {
    var index = position + 1
    var open = 0
    while index < tokens.count {
      let token = tokens[index]
      if token.kind == .punctuator, token.punctuator == .openParenthesis { open += 1 }
      if token.kind == .punctuator, token.punctuator == .closeParenthesis { open -= 1 }
      let isAttribute = token.kind == .keyword && [.attribute, .declspec, .convention].contains(token.keyword)
      if open == 0, !isAttribute, token.kind != .punctuator || token.punctuator != .closeParenthesis { break }
      guard open >= 0 else { return false }
      index += 1
    }
    guard index < tokens.count else { return false }
    if tokens[index].kind == .name { return try typeName(tokens[index].name) != nil }
    return tokens[index].kind == .keyword
  }

  private mutating func arrayBound() throws(SyntaxFailure) -> Modifier {
    try advance()
    // In a parameter: [static const n], [*].
    while isNext(.staticKeyword) || isNext(.const) || isNext(.volatile) || isNext(.restrict) { try advance() }
    if try take(.closeBracket) { return .array(count: nil) }
    if isNext(.star), following.kind == .punctuator, following.punctuator == .closeBracket {
      try advance()
      try advance()
      return isInParameters ? .variableArray : .array(count: nil)
    }
    let start = token
    let saved = position
    let value: Int128
    do throws(SyntaxFailure) {
      value = try integerExpression().value
      guard isNext(.closeBracket) else { throw expected("']'") }
    } catch {
      // The bound of a parameter may depend on another parameter. It does not change how the array is passed.
      guard isInParameters, error.code != .limitExceeded else { throw error }
      position = saved
      var open = 0
      while open > 0 || !isNext(.closeBracket) {
        guard token.kind != .end else { throw expected("']'") }
        if isNext(.openBracket) { open += 1 }
        if isNext(.closeBracket) { open -= 1 }
        try advance()
      }
      try advance()
      return .variableArray
    }
    guard value >= 0 else { throw failure("an array cannot have \(value) elements", at: start) }
    guard value <= Int128(Self.largestSize) else {
      throw failure("an array of \(value) elements is larger than \(Self.largestSize) bytes", at: start, code: .limitExceeded)
    }
    try advance()
    return .array(count: Int(value))
  }

  // MARK: Parameters

  private mutating func parameters() throws(SyntaxFailure) -> FunctionNode {
    try enter(2)
    parameterDepth += 1
    defer {
      parameterDepth -= 1
      leave(2)
    }
    return try readParameters()
  }

  private var isInParameters: Bool { parameterDepth > 0 }

  private mutating func readParameters() throws(SyntaxFailure) -> FunctionNode {
    try advance()
    var function = FunctionNode(result: basic(.void), parameters: [], names: [])
    if try take(.closeParenthesis) {
      function.hasPrototype = false
      return function
    }
    if isNext(.void), following.kind == .punctuator, following.punctuator == .closeParenthesis {
      try advance()
      try advance()
      return function
    }
    var known: Set<Name> = []
    while true {
      if try take(.ellipsis) {
        // C23: `int f(...)` has no other parameters.
        function.isVariadic = true
        break
      }
      let start = token
      if token.kind == .name, try typeName(token.name) == nil, following.kind == .punctuator,
        [.comma, .closeParenthesis].contains(following.punctuator)
      {
        throw failure(
          "\(text(token)) is not a type that is declared here; a parameter is a type with or without a name, "
            + "and definitions as in K&R are not read")
      }
      let specifiers = try specifiers(.parameter)
      let declarator = try declarator(specifiers.type, requiresName: false, start: start)
      var attributes = specifiers.attributes
      attributes.formUnion(declarator.attributes)
      _ = try readAttributes(&attributes)
      if isNext(.equals) { throw cPlusPlus("a default argument") }
      let type = try apply(attributes, to: declarator.type, at: start)
      if case .basic(.void) = node(type) {
        throw failure("a parameter is not void", at: start)
      }
      // A set, where a search for each of many parameters would take time for each pair.
      if function.names.count == 16 { known.formUnion(function.names) }
      let isKnown = function.names.count < 16 ? function.names.contains(declarator.name) : !known.insert(declarator.name).inserted
      if !declarator.name.isNone, isKnown {
        throw failure("a parameter '\(names.text(declarator.name))' is declared already", at: declarator.token)
      }
      function.parameters.append(decayed(type))
      function.names.append(declarator.name)
      if storesParameterOffsets { function.offsets.append(start.offset) }
      guard function.parameters.count <= TypeEncoding.Limits.arguments else {
        throw failure("more than \(TypeEncoding.Limits.arguments) parameters", code: .limitExceeded)
      }
      guard try take(.comma) else { break }
    }
    try expect(.closeParenthesis, "',' or ')'")
    return function
  }

  /// Returns the type of a parameter: an array and a function are passed as pointers.
  ///
  /// Source: C11, section 6.7.6.3, paragraphs 7 and 8.
  mutating func decayed(_ type: QualifiedType) -> QualifiedType {
    switch node(type) {
    case .array(var element, _):
      element.flags.formUnion(type.flags.intersection([.const, .volatile, .otherMemory]))
      return QualifiedType(id: add(.pointer(element)))
    case .function: return QualifiedType(id: add(.pointer(type)))
    default: return type
    }
  }

  private mutating func apply(_ modifier: Modifier, to type: QualifiedType, at token: Token) throws(SyntaxFailure) -> QualifiedType {
    switch modifier {
    case .pointer(let flags):
      // What a pointer to an array of variable size points to is known of its elements only.
      var target = type
      if case .array(let element, _) = node(type), type.flags.contains(.variableLength) { target = element }
      return QualifiedType(id: try derived(.pointer(target), at: token), flags: flags)
    case .block(let flags): return QualifiedType(id: try derived(.block(type), at: token), flags: flags)
    case .array, .variableArray:
      var count: Int?
      if case .array(let stated) = modifier { count = stated }
      if index != nil, case .record(let element) = node(type) { try complete(element) }
      switch node(type) {
      case .function: throw failure("an array has no functions as elements", at: token)
      case .basic(.void): throw failure("an array has no elements of type void", at: token)
      // Elements of variable size make the whole array one of their elements.
      case .array where type.flags.contains(.variableLength): return type
      case .array(_, nil): throw failure("the elements of an array are incomplete arrays", at: token)
      case .record(let index) where records[Int(index)].members == nil && parameterDepth == 0:
        throw failure("the elements of an array have the incomplete type \(recordName(index))", at: token)
      default: break
      }
      if let count, let layout = layout(of: type) {
        let (size, overflow) = layout.size.multipliedReportingOverflow(by: count)
        guard !overflow, size <= Self.largestSize else {
          throw failure("the type is larger than \(Self.largestSize) bytes", at: token, code: .limitExceeded)
        }
      }
      if case .variableArray = modifier { return QualifiedType(id: try derived(.array(type, count: 0), at: token), flags: .variableLength) }
      return QualifiedType(id: try derived(.array(type, count: count), at: token))
    case .function(let index):
      switch node(type) {
      case .function: throw failure("a function cannot return a function", at: token)
      case .array: throw failure("a function cannot return an array", at: token)
      default: break
      }
      functions[Int(index)].result = type
      return QualifiedType(id: try derived(.function(index), at: token))
    }
  }

  /// `struct point`, for messages.
  func recordName(_ index: Int32) -> String {
    let record = records[Int(index)]
    return "'" + (record.isUnion ? "union " : "struct ") + (record.name.isNone ? "without a name" : names.text(record.name)) + "'"
  }
}
