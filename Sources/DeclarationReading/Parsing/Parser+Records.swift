import TypeEncodings

extension Parser {
  /// Reads a struct or union: a definition, or a reference to one.
  func record() throws(SyntaxFailure) -> QualifiedType {
    try tokens.enter(2)
    defer { tokens.leave(2) }
    return try readRecord()
  }

  private func readRecord() throws(SyntaxFailure) -> QualifiedType {
    var attributes = Attributes()
    let (index, isDefinition) = try recordHead(&attributes)
    guard isDefinition else { return QualifiedType(id: types.add(.record(index))) }
    types.records[Int(index)].isBeingDefined = true
    defer { types.records[Int(index)].isBeingDefined = false }
    let members = try members(isUnion: types.records[Int(index)].isUnion)
    try define(index, members, &attributes)
    return QualifiedType(id: types.add(.record(index)))
  }

  /// Reads a struct or union up to its members, and returns its index and whether members follow.
  private func recordHead(_ attributes: inout Attributes) throws(SyntaxFailure) -> (index: Int32, isDefinition: Bool) {
    let isUnion = tokens.isNext(.unionKeyword)
    tokens.advance()
    _ = try readAttributes(&attributes)
    let tag = tokens.current
    var name = Name.none
    if tokens.current.kind == .name {
      name = tokens.current.name
      tokens.advance()
    }
    guard tokens.isNext(.openBrace) else {
      guard !name.isNone else { throw tokens.expected("a name or '{'") }
      if tokens.isNext(.colon) { throw tokens.cPlusPlus("a base class") }
      let index = try recordIndex(name, isUnion: isUnion, tag)
      // clang honours the attributes of a declaration before the definition, gcc ignores them.
      if types.records[Int(index)].members == nil, attributes.changesType || attributes.refusal != nil {
        types.records[Int(index)].refusal = "an attribute of an earlier declaration is honoured by clang and ignored by gcc"
      }
      return (index, false)
    }
    let index = try recordIndex(name, isUnion: isUnion, tag, isDefinition: true)
    guard types.records[Int(index)].members == nil else {
      throw tokens.failure("\(types.recordName(index)) is defined already at \(tokens.location(types.records[Int(index)].offset))", at: tag)
    }
    types.records[Int(index)].offset = tag.offset
    types.records[Int(index)].declaration = currentDeclaration
    try applyPragmas()
    attributes.refusal = attributes.refusal ?? pragmas.effects.refusal
    types.records[Int(index)].packing = pragmas.clang.value
    return (index, true)
  }

  /// Stores the members of a struct or union, and what the attributes after them state.
  private func define(_ index: Int32, _ members: [MemberNode], _ attributes: inout Attributes) throws(SyntaxFailure) {
    _ = try readAttributes(&attributes)
    try applyPragmas()
    types.records[Int(index)].members = members
    let packing = pragmas.packing(openedWith: types.records[Int(index)].packing)
    let packingRefusal = packing == nil ? "gcc and clang read #pragma pack differently" : nil
    let refusal = types.records[Int(index)].refusal ?? attributes.refusal ?? pragmas.effects.refusal ?? packingRefusal
    types.records[Int(index)].refusal = refusal
    types.records[Int(index)].isPacked = attributes.isPacked
    types.records[Int(index)].alignment = attributes.alignment
    types.records[Int(index)].packing = packing ?? 0
    types.records[Int(index)].isTransparent = attributes.isTransparent
    try types.layOut(index, at: tokens.current)
  }

  private func recordIndex(
    _ name: Name, isUnion: Bool, _ token: Token, isDefinition: Bool = false
  ) throws(SyntaxFailure) -> Int32 {
    if !name.isNone, let known = types.tags[name] {
      guard case .record(let index) = known, types.records[Int(index)].isUnion == isUnion else {
        throw tokens.failure("'\(types.names.text(name))' is declared already as another kind of type", at: token)
      }
      guard !(isDefinition && types.records[Int(index)].isBeingDefined) else {
        throw tokens.failure("\(types.recordName(index)) is defined within itself", at: token)
      }
      return index
    }
    let index = Int32(types.records.count)
    types.records.append(RecordNode(name: name, isUnion: isUnion, offset: token.offset))
    if !name.isNone { types.tags[name] = .record(index) }
    return index
  }

  private func members(isUnion: Bool) throws(SyntaxFailure) -> [MemberNode] {
    tokens.advance()
    var members: [MemberNode] = []
    var known: Set<Name> = []
    while true {
      if tokens.take(.closeBrace) { return members }
      if tokens.take(.semicolon) { continue }
      if tokens.isNext(.staticAssert) {
        try readAssertion()
        continue
      }
      try requireMember(after: members.last, isUnion)
      try readMembers(&members, &known)
    }
  }

  private func requireMember(after last: MemberNode?, _ isUnion: Bool) throws(SyntaxFailure) {
    guard !tokens.isAtEnd else { throw tokens.expected("a member or '}'") }
    if let last, !isUnion, case .array(_, nil) = types.node(last.type) {
      throw tokens.failure("'\(types.names.text(last.name))' is an array without a number of elements, and not the last member")
    }
  }

  /// Reads the members that one declaration declares.
  private func readMembers(_ members: inout [MemberNode], _ known: inout Set<Name>) throws(SyntaxFailure) {
    let start = tokens.current
    let savedDepth = parameterDepth
    parameterDepth = 0
    defer { parameterDepth = savedDepth }
    try readMembers(specifiers(.member), start, &members, &known)
  }

  private func readMembers(
    _ specifiers: Specifiers, _ start: Token, _ members: inout [MemberNode], _ known: inout Set<Name>
  ) throws(SyntaxFailure) {
    if tokens.isNext(.semicolon) {
      // A struct or union without a tag: its members are members of the outer one. One with a tag declares no member.
      if specifiers.isTypeDefinition, let index = types.record(specifiers.type), types.records[Int(index)].name.isNone {
        try add(
          MemberNode(
            name: .none, type: specifiers.type, isPacked: specifiers.attributes.isPacked, alignment: specifiers.attributes.alignment),
          start,
          to: &members)
        try requireNew(index, &known, start)
      }
      return tokens.advance()
    }
    while true {
      var declarator = Declarator(name: .none, type: specifiers.type, token: tokens.current)
      if !tokens.isNext(.colon) { declarator = try self.declarator(specifiers.type, requiresName: true, start: start) }
      var member = MemberNode(name: declarator.name, type: declarator.type)
      if tokens.take(.colon) { member.width = try width(of: declarator) }
      var attributes = specifiers.attributes
      attributes.formUnion(declarator.attributes)
      _ = try readAttributes(&attributes)
      if tokens.isNext(.openBrace) || tokens.isNext(.equals) { throw tokens.cPlusPlus("a member with a body or a value") }
      member.type = try types.apply(attributes, to: member.type, at: declarator.token)
      (member.isPacked, member.alignment) = (attributes.isPacked, attributes.alignment)
      if !member.name.isNone, !known.insert(member.name).inserted {
        throw tokens.failure("a member '\(types.names.text(member.name))' is declared already", at: declarator.token)
      }
      try add(member, declarator.token, to: &members)
      if tokens.take(.comma) { continue }
      return try tokens.expect(.semicolon, "';' or ','")
    }
  }

  private func add(_ member: MemberNode, _ token: Token, to members: inout [MemberNode]) throws(SyntaxFailure) {
    switch types.node(member.type) {
    case .function: throw tokens.failure("a member is not a function; a pointer to one is written (*name)(...)", at: token)
    case .basic(.void): throw tokens.failure("a member is not void", at: token)
    case .record(let index) where types.records[Int(index)].members == nil:
      throw tokens.failure("a member has the incomplete type \(types.recordName(index))", at: token)
    case .enumeration(let index) where types.enumerations[Int(index)].underlying == nil:
      throw tokens.failure(
        "a member has the incomplete type 'enum \(types.names.text(types.enumerations[Int(index)].name))'", at: token)
    default: break
    }
    members.append(member)
  }

  /// Throws if a member of a struct without a name has the name of another member.
  private func requireNew(_ index: Int32, _ known: inout Set<Name>, _ token: Token) throws(SyntaxFailure) {
    for member in types.records[Int(index)].members ?? [] {
      if member.name.isNone {
        if case .record(let inner) = types.node(member.type), member.width == nil { try requireNew(inner, &known, token) }
      } else if !known.insert(member.name).inserted {
        throw tokens.failure("a member '\(types.names.text(member.name))' is declared already", at: token)
      }
    }
  }

  private func width(of declarator: Declarator) throws(SyntaxFailure) -> Int {
    let start = tokens.current
    let width = try integerExpression()
    let basic: Basic
    switch types.node(declarator.type) {
    case .basic(let type) where type.isInteger: basic = type
    case .enumeration(let index): basic = types.underlying(index)
    default: throw tokens.failure("a bit-field has an integer type", at: start)
    }
    guard width >= 0, width <= Int128(basic == .bool ? 1 : 8 * basic.size(types.target)) else {
      throw tokens.failure("a bit-field of \(width) bits does not fit \(basic.name)", at: start)
    }
    guard width > 0 || declarator.name.isNone else { throw tokens.failure("a bit-field of no bits has no name", at: start) }
    return Int(width)
  }

  // MARK: Enums

  /// Reads an enum: a definition, or a reference to one.
  func enumeration() throws(SyntaxFailure) -> QualifiedType {
    try tokens.enter(2)
    defer { tokens.leave(2) }
    tokens.advance()
    var attributes = Attributes()
    _ = try readAttributes(&attributes)
    if tokens.current.kind == .name, Keyword.cPlusPlusWords.contains(types.names.text(tokens.current.name)), tokens.following.kind == .name
    {
      throw tokens.cPlusPlus("an enum class")
    }
    let tag = tokens.current
    var name = Name.none
    if tokens.current.kind == .name {
      name = tokens.current.name
      tokens.advance()
    }
    var fixed: Basic?
    if tokens.isNext(.colon), beginsTypeName(tokens.following) {
      // C23: the integer type is stated, without a declarator: the name after it is declared.
      tokens.advance()
      let start = tokens.current
      try tokens.enter(2)
      defer { tokens.leave(2) }
      let type = try specifiers(.typeName).type
      guard case .basic(let basic) = types.node(type), basic.isInteger else {
        throw tokens.failure("an enum has an integer type", at: start)
      }
      fixed = basic
    }
    guard tokens.isNext(.openBrace) else {
      guard !name.isNone else { throw tokens.expected("a name or '{'") }
      let index = try enumerationIndex(name, tag, fixed: fixed)
      try requireType(fixed, of: index, tag)
      refuse(index, attributes)
      return QualifiedType(id: types.add(.enumeration(index)))
    }
    let index = try enumerationIndex(name, tag, fixed: nil)
    try requireType(fixed, of: index, tag)
    // Before its definition, an enum is compatible with each integer type.
    if types.enumerations[Int(index)].underlying == nil { types.forgetCompatible() }
    if types.enumerations[Int(index)].isDefined {
      throw tokens.failure(
        "'enum \(types.names.text(name))' is defined already at \(tokens.location(types.enumerations[Int(index)].offset))", at: tag)
    }
    types.enumerations[Int(index)].offset = tag.offset
    types.enumerations[Int(index)].isDefined = true
    types.enumerations[Int(index)].declaration = currentDeclaration
    fixed = fixed ?? (types.enumerations[Int(index)].isFixed ? types.enumerations[Int(index)].underlying : nil)
    let type = QualifiedType(id: types.add(.enumeration(index)))
    let bounds = try enumerators(type, fixed: fixed, &attributes)
    _ = try readAttributes(&attributes)
    refuse(index, attributes)
    types.enumerations[Int(index)].isFixed = fixed != nil
    types.enumerations[Int(index)].fitsInt = bounds.lowerBound >= Int128(Int32.min) && bounds.upperBound <= Int128(Int32.max)
    let mode: Basic? = attributes.mode.flatMap { ["QI": .signedChar, "HI": .short, "DI": .long][$0] }
    types.enumerations[Int(index)].underlying = fixed ?? mode ?? Self.underlying(bounds, isPacked: attributes.isPacked)
    return type
  }

  /// Notes why values of an enum are not passed.
  private func refuse(_ index: Int32, _ attributes: Attributes) {
    types.enumerations[Int(index)].refusal = types.enumerations[Int(index)].refusal ?? attributes.refusal
  }

  /// Throws if an enum was declared with another integer type.
  private func requireType(_ fixed: Basic?, of index: Int32, _ token: Token) throws(SyntaxFailure) {
    guard let fixed, let known = types.enumerations[Int(index)].underlying, known != fixed else { return }
    throw tokens.failure(
      "'enum \(types.names.text(types.enumerations[Int(index)].name))' is declared already with the type \(known.name)", at: token)
  }

  private func enumerationIndex(_ name: Name, _ token: Token, fixed: Basic?) throws(SyntaxFailure) -> Int32 {
    if !name.isNone, let known = types.tags[name] {
      guard case .enumeration(let index) = known else {
        throw tokens.failure("'\(types.names.text(name))' is declared already as another kind of type", at: token)
      }
      return index
    }
    let index = Int32(types.enumerations.count)
    types.enumerations.append(EnumerationNode(name: name, underlying: fixed, isFixed: fixed != nil, offset: token.offset))
    if !name.isNone { types.tags[name] = .enumeration(index) }
    return index
  }

  /// Reads enumerators, and returns the least and the greatest value.
  ///
  /// - Parameter refusing: Gets what the attributes of enumerators refuse, which is the whole type.
  private func enumerators(
    _ type: QualifiedType, fixed: Basic?, _ refusing: inout Attributes
  ) throws(SyntaxFailure) -> ClosedRange<Int128> {
    tokens.advance()
    var least: Int128 = 0
    var greatest: Int128 = 0
    var (next, nextType) = (Int128(0), Basic.int)
    // The names of the enumerators that have the type of the enum when it is complete.
    var late: [Name] = []
    // Whether the previous enumerator has the greatest value of all.
    var isOver = false
    guard !tokens.isNext(.closeBrace) else { throw tokens.failure("an enum has at least one enumerator") }
    while !tokens.isNext(.closeBrace) {
      guard tokens.current.kind == .name else { throw tokens.expected("an enumerator or '}'") }
      let start = tokens.current
      let name = types.names.text(start.name)
      tokens.advance()
      var attributes = Attributes()
      _ = try readAttributes(&attributes)
      refusing.refusal = refusing.refusal ?? attributes.refusal
      if tokens.take(.equals) {
        let first = tokens.current
        let operand = try expression()
        (next, nextType) = (try integer(operand, at: first), types.basic(operand.type) ?? .int)
      } else if isOver {
        throw tokens.failure("the value of '\(name)' does not fit 64 bits", at: start)
      }
      if let fixed, !fixed.represents(next, types.target) {
        throw tokens.failure("the value \(next) of '\(name)' does not fit \(fixed.name)", at: start)
      }
      guard next >= Int128(Int64.min), next <= Int128(UInt64.max) else {
        throw tokens.failure("the value of '\(name)' does not fit 64 bits", at: start)
      }
      if let known = symbols[start.name] {
        throw tokens.failure("'\(name)' is declared already at \(tokens.location(known.start))", at: start)
      }
      // C11: an enumerator is an `int`. One that does not fit has its own type until the enum is complete.
      let isInt = fixed == nil && Basic.int.represents(next, types.target)
      if !isInt { late.append(start.name) }
      let enumerator = Symbol(
        kind: .enumerator, name: start.name, type: QualifiedType(isInt ? .int : fixed ?? nextType), value: .integer(next),
        start: start.offset, declaration: currentDeclaration)
      symbols.set(enumerator, named: start.name)
      least = min(least, next)
      greatest = max(greatest, next)
      isOver = next == Int128(UInt64.max)
      next += 1
      if !nextType.represents(next, types.target) { nextType = Basic.long.represents(next, types.target) ? .long : .unsignedLong }
      guard tokens.take(.comma) else { break }
    }
    try tokens.expect(.closeBrace, "',' or '}'")
    for var enumerator in late.compactMap({ symbols[$0] }) {
      enumerator.type = type
      symbols.set(enumerator, named: enumerator.name)
    }
    return least...greatest
  }

  /// The integer type that gcc and clang choose for an enum.
  private static func underlying(_ values: ClosedRange<Int128>, isPacked: Bool) -> Basic {
    let sizes = isPacked ? [1, 2, 4, 8] : [4, 8]
    for size in sizes {
      let bits = 8 * size
      if values.lowerBound < 0 {
        if values.lowerBound >= -(Int128(1) << (bits - 1)), values.upperBound < Int128(1) << (bits - 1) {
          return Basic.integer(size: size, isSigned: true)
        }
      } else if values.upperBound < Int128(1) << bits {
        return Basic.integer(size: size, isSigned: false)
      }
    }
    return values.lowerBound < 0 ? .long : .unsignedLong
  }
}

// MARK: Attributes

extension Parser {
  /// Reads attributes, if there are any.
  func readAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) -> Bool {
    var found = false
    while true {
      if tokens.isNext(.attribute) {
        tokens.advance()
        try tokens.expect(.openParenthesis, "'(('")
        try tokens.expect(.openParenthesis, "'(('")
        try readAttributeList(&attributes)
        try tokens.expect(.closeParenthesis, "'))'")
      } else if tokens.isNext(.alignAs) {
        try readAlignAs(&attributes)
      } else if tokens.isNext(.declspec) {
        tokens.advance()
        try tokens.expect(.openParenthesis, "'('")
        try readAttributeList(&attributes)
      } else if tokens.isNext(.convention) {
        attribute(types.names.text(tokens.current.name).replacing("_", with: ""), &attributes)
        tokens.advance()
      } else if tokens.isNext(.extensionKeyword) {
        tokens.advance()
      } else if isNextStandardAttribute {
        try readStandardAttributes(&attributes)
      } else {
        return found
      }
      found = true
    }
  }

  /// Reads attributes and the parenthesis after them.
  private func readAttributeList(_ attributes: inout Attributes) throws(SyntaxFailure) {
    while !tokens.take(.closeParenthesis) {
      if tokens.take(.comma) { continue }
      try requireWord("an attribute")
      try attribute(&attributes)
    }
  }

  /// Throws if the current token is neither a name nor a keyword.
  private func requireWord(_ what: String) throws(SyntaxFailure) {
    guard tokens.current.isWord else { throw tokens.expected(what) }
  }

  /// Whether attributes of C23 follow: `[[`.
  var isNextStandardAttribute: Bool {
    tokens.isNext(.openBracket) && tokens.following.punctuatorOrNil == .openBracket
  }

  /// Reads attributes of C23, which may change a type with a prefix of gcc and clang: `[[gnu::packed]]`.
  private func readStandardAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) {
    tokens.advance()
    tokens.advance()
    while !tokens.isNext(.closeBracket) {
      if tokens.take(.comma) { continue }
      try requireWord("an attribute or ']]'")
      var prefix = ""
      if tokens.following.punctuatorOrNil == .scope {
        prefix = types.names.text(tokens.current.name)
        tokens.advance()
        tokens.advance()
        try requireWord("an attribute")
      }
      if ["gnu", "__gnu__", "clang", "_Clang"].contains(prefix) {
        try attribute(&attributes)
      } else {
        let name = types.names.text(tokens.current.name).trimmingUnderscores
        if !prefix.isEmpty || !AttributeEffects.harmless.contains(name[...]) {
          attributes.refusal = attributes.refusal ?? AttributeEffects.refusal(prefix.isEmpty ? name : prefix + "::" + name)
        }
        tokens.advance()
        if tokens.isNext(.openParenthesis) { try tokens.skipParentheses() }
      }
    }
    try tokens.expect(.closeBracket, "']]'")
    try tokens.expect(.closeBracket, "']]'")
  }

  private func attribute(_ attributes: inout Attributes) throws(SyntaxFailure) {
    let name = types.names.text(tokens.current.name).trimmingUnderscores
    tokens.advance()
    guard tokens.isNext(.openParenthesis) else { return attribute(name, &attributes) }
    guard Self.attributesWithValues.contains(name) else {
      attribute(name, &attributes)
      return try tokens.skipParentheses()
    }
    tokens.advance()
    let start = tokens.current
    if name == "mode" {
      guard start.kind == .name else { throw tokens.expected("a machine mode") }
      attributes.mode = types.names.text(start.name).trimmingUnderscores
      tokens.advance()
    } else {
      let value = try attributeInteger()
      switch name {
      case "aligned", "align": try align(&attributes, value, least: 1, start)
      case "vector_size":
        guard value > 0, value <= 4_096, value & (value - 1) == 0 else {
          throw tokens.failure("a vector cannot have \(value) bytes", at: start)
        }
        attributes.vector = .bytes(Int(value))
      case "address_space":
        // In these address spaces of clang a pointer may have 32 bits.
        if (270...272).contains(value) { attribute(name, &attributes) }
        attributes.isInOtherMemory = true
      default:
        guard value > 0, value <= 4_096 else { throw tokens.failure("a vector cannot have \(value) elements", at: start) }
        attributes.vector = .elements(Int(value))
      }
    }
    try tokens.expect(.closeParenthesis, "')'")
  }

  /// The attributes whose argument is read.
  private static let attributesWithValues: Set<String> = [
    "aligned", "align", "vector_size", "ext_vector_type", "neon_vector_type", "neon_polyvector_type", "address_space", "mode",
  ]

  /// Adds an attribute without arguments, or whose arguments have no effect.
  private func attribute(_ name: String, _ attributes: inout Attributes) {
    switch name {
    case "packed": attributes.isPacked = true
    case "aligned": attributes.alignment = max(attributes.alignment, 16)
    case "transparent_union": attributes.isTransparent = true
    case "overloadable": attributes.isOverloadable = true
    case _ where AttributeEffects.harmless.contains(name[...]): break
    case _ where AttributeEffects.conventions.contains(name[...]):
      attributes.convention = attributes.convention ?? AttributeEffects.refusal(name)
    default: attributes.refusal = attributes.refusal ?? AttributeEffects.refusal(name)
    }
  }

  /// Reads the number that an attribute states.
  ///
  /// It counts for the frames of the parts that read attributes.
  private func attributeInteger() throws(SyntaxFailure) -> Int128 {
    try tokens.enter(Self.attributeCost)
    defer { tokens.leave(Self.attributeCost) }
    return try integerExpression()
  }

  /// The number of levels that an expression in an attribute counts for besides its own.
  private static var attributeCost: Int { 3 }

  private func align(_ attributes: inout Attributes, _ value: Int128, least: Int128, _ start: Token) throws(SyntaxFailure) {
    guard value >= least, value <= 4_096, value & (value - 1) == 0 else {
      throw tokens.failure("an alignment of \(value) is not a power of two up to 4096", at: start)
    }
    attributes.alignment = max(attributes.alignment, Int(value))
  }

  /// Reads `_Alignas(type)` or `_Alignas(expression)`.
  func readAlignAs(_ attributes: inout Attributes) throws(SyntaxFailure) {
    tokens.advance()
    try tokens.expect(.openParenthesis, "'('")
    let start = tokens.current
    if beginsTypeName(start) {
      guard let layout = types.layout(of: try typeName()) else { throw tokens.failure("the type has no alignment", at: start) }
      attributes.alignment = max(attributes.alignment, layout.alignment)
    } else {
      try align(&attributes, try attributeInteger(), least: 0, start)
    }
    try tokens.expect(.closeParenthesis, "')'")
  }
}

extension String {
  /// The text without two underscores at its beginning and its end.
  var trimmingUnderscores: String {
    hasPrefix("__") && hasSuffix("__") && utf8.count > 4 ? String(dropFirst(2).dropLast(2)) : self
  }
}
