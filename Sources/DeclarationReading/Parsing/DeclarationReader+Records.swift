import TypeEncodings

extension DeclarationReader {
  /// Reads a struct or union: a definition, or a reference to one.
  mutating func record() throws(SyntaxFailure) -> QualifiedType {
    try enter(2)
    defer { leave(2) }
    return try readRecord()
  }

  private mutating func readRecord() throws(SyntaxFailure) -> QualifiedType {
    var attributes = Attributes()
    let (index, isDefinition) = try recordHead(&attributes)
    guard isDefinition else { return QualifiedType(id: add(.record(index))) }
    records[Int(index)].isBeingDefined = true
    defer { records[Int(index)].isBeingDefined = false }
    let members = try members(isUnion: records[Int(index)].isUnion)
    try define(index, members, &attributes)
    return QualifiedType(id: add(.record(index)))
  }

  /// Reads a struct or union up to its members, and returns its index and whether members follow.
  private mutating func recordHead(_ attributes: inout Attributes) throws(SyntaxFailure) -> (index: Int32, isDefinition: Bool) {
    let isUnion = isNext(.unionKeyword)
    try advance()
    _ = try readAttributes(&attributes)
    let tag = token
    var name = Name.none
    if token.kind == .name {
      name = token.name
      try advance()
    }
    guard isNext(.openBrace) else {
      guard !name.isNone else { throw expected("a name or '{'") }
      if isNext(.colon) { throw cPlusPlus("a base class") }
      let index = try recordIndex(name, isUnion: isUnion, tag)
      // clang honours the attributes of a declaration before the definition, gcc ignores them.
      if records[Int(index)].members == nil, attributes.changesType || attributes.refusal != nil {
        records[Int(index)].refusal = PragmaEffects.earlier.refusal
      }
      return (index, false)
    }
    let index = try recordIndex(name, isUnion: isUnion, tag, isDefinition: true)
    guard records[Int(index)].members == nil else {
      // A declaration that was read from a cache before may be read again.
      if self.index != nil, !isSingle {
        try skipBraces()
        _ = try readAttributes(&attributes)
        return (index, false)
      }
      throw failure("\(recordName(index)) is defined already\(definition(records[Int(index)].offset))", at: tag)
    }
    records[Int(index)].offset = tag.offset
    records[Int(index)].declaration = currentDeclaration
    attributes.refusal = attributes.refusal ?? pragmas.refusal
    if records[Int(index)].refusal != nil, currentDeclaration >= 0 { declarations[Int(currentDeclaration)].pragmas.insert(.earlier) }
    return (index, true)
  }

  /// Stores the members of a struct or union, and what the attributes after them state.
  private mutating func define(_ index: Int32, _ members: [MemberNode], _ attributes: inout Attributes) throws(SyntaxFailure) {
    _ = try readAttributes(&attributes)
    records[Int(index)].members = members
    records[Int(index)].refusal = records[Int(index)].refusal ?? attributes.refusal ?? pragmas.refusal
    records[Int(index)].isPacked = attributes.isPacked
    records[Int(index)].alignment = attributes.alignment
    records[Int(index)].packing = packing
    records[Int(index)].isTransparent = attributes.isTransparent
    try layOut(index)
  }

  /// Where a name is defined, for messages: locations of an image are not stored.
  private func definition(_ offset: Int32) -> String { index == nil ? " at \(location(offset))" : "" }

  private mutating func recordIndex(
    _ name: Name, isUnion: Bool, _ token: Token, isDefinition: Bool = false
  ) throws(SyntaxFailure) -> Int32 {
    if index != nil, isSingle, !name.isNone, tags[name] == nil { _ = try readIndexed(tag: name) }
    if !name.isNone, let known = tags[name] {
      guard case .record(let index) = known, records[Int(index)].isUnion == isUnion else {
        throw failure("'\(names.text(name))' is declared already as another kind of type", at: token)
      }
      guard !(isDefinition && records[Int(index)].isBeingDefined) else {
        throw failure("\(recordName(index)) is defined within itself", at: token)
      }
      return index
    }
    let index = Int32(records.count)
    records.append(RecordNode(name: name, isUnion: isUnion, offset: token.offset))
    if !name.isNone { tags[name] = .record(index) }
    return index
  }

  private mutating func members(isUnion: Bool) throws(SyntaxFailure) -> [MemberNode] {
    try advance()
    var members: [MemberNode] = []
    var known: Set<Name> = []
    while true {
      if try take(.closeBrace) { return members }
      if try take(.semicolon) { continue }
      if isNext(.staticAssert) {
        try readAssertion()
        continue
      }
      try requireMember(after: members.last, isUnion)
      try readMembers(&members, &known)
    }
  }

  private func requireMember(after last: MemberNode?, _ isUnion: Bool) throws(SyntaxFailure) {
    guard token.kind != .end else { throw expected("a member or '}'") }
    if let last, !isUnion, case .array(_, nil) = node(last.type) {
      throw failure("'\(names.text(last.name))' is an array without a number of elements, and not the last member")
    }
  }

  /// Reads the members that one declaration declares.
  private mutating func readMembers(_ members: inout [MemberNode], _ known: inout Set<Name>) throws(SyntaxFailure) {
    let start = token
    let savedDepth = parameterDepth
    parameterDepth = 0
    defer { parameterDepth = savedDepth }
    try readMembers(specifiers(.member), start, &members, &known)
  }

  private mutating func readMembers(
    _ specifiers: Specifiers, _ start: Token, _ members: inout [MemberNode], _ known: inout Set<Name>
  ) throws(SyntaxFailure) {
    if isNext(.semicolon) {
      // A struct or union without a tag: its members are members of the outer one. One with a tag declares no member.
      if specifiers.isUntagged, case .record(let index) = node(specifiers.type) {
        try add(
          MemberNode(
            name: .none, type: specifiers.type, isPacked: specifiers.attributes.isPacked, alignment: specifiers.attributes.alignment),
          start,
          to: &members)
        try requireNew(index, &known, start)
      }
      return try advance()
    }
    while true {
      var declarator = Declarator(name: .none, type: specifiers.type, token: token)
      if !isNext(.colon) { declarator = try self.declarator(specifiers.type, requiresName: true, start: start) }
      var member = MemberNode(name: declarator.name, type: declarator.type)
      if try take(.colon) { member.width = try width(of: declarator) }
      var attributes = specifiers.attributes
      attributes.formUnion(declarator.attributes)
      _ = try readAttributes(&attributes)
      if isNext(.openBrace) || isNext(.equals) { throw cPlusPlus("a member with a body or a value") }
      member.type = try apply(attributes, to: member.type, at: declarator.token)
      (member.isPacked, member.alignment) = (attributes.isPacked, attributes.alignment)
      if !member.name.isNone, !known.insert(member.name).inserted {
        throw failure("a member '\(names.text(member.name))' is declared already", at: declarator.token)
      }
      try add(member, declarator.token, to: &members)
      if try take(.comma) { continue }
      return try expect(.semicolon, "';' or ','")
    }
  }

  private mutating func add(_ member: MemberNode, _ token: Token, to members: inout [MemberNode]) throws(SyntaxFailure) {
    switch node(member.type) {
    case .function: throw failure("a member is not a function; a pointer to one is written (*name)(...)", at: token)
    case .basic(.void): throw failure("a member is not void", at: token)
    case .record(let index) where records[Int(index)].members == nil:
      if self.index != nil, !records[Int(index)].isBeingDefined { try complete(index) }
      guard records[Int(index)].members == nil else { break }
      throw failure("a member has the incomplete type \(recordName(index))", at: token)
    case .enumeration(let index) where enumerations[Int(index)].underlying == nil:
      throw failure("a member has the incomplete type 'enum \(names.text(enumerations[Int(index)].name))'", at: token)
    default: break
    }
    members.append(member)
  }

  /// Throws if a member of a struct without a name has the name of another member.
  private mutating func requireNew(_ index: Int32, _ known: inout Set<Name>, _ token: Token) throws(SyntaxFailure) {
    for member in records[Int(index)].members ?? [] {
      if member.name.isNone {
        if case .record(let inner) = node(member.type), member.width == nil { try requireNew(inner, &known, token) }
      } else if !known.insert(member.name).inserted {
        throw failure("a member '\(names.text(member.name))' is declared already", at: token)
      }
    }
  }

  private mutating func width(of declarator: Declarator) throws(SyntaxFailure) -> Int {
    let start = token
    let width = try integerExpression().value
    let basic: Basic
    switch node(declarator.type) {
    case .basic(let type) where type.isInteger: basic = type
    case .enumeration(let index): basic = enumerations[Int(index)].underlying ?? .int
    default: throw failure("a bit-field has an integer type", at: start)
    }
    guard width >= 0, width <= Int128(basic == .bool ? 1 : 8 * basic.size(target)) else {
      throw failure("a bit-field of \(width) bits does not fit \(basic.name)", at: start)
    }
    guard width > 0 || declarator.name.isNone else { throw failure("a bit-field of no bits has no name", at: start) }
    return Int(width)
  }

  // MARK: Enums

  /// Reads an enum: a definition, or a reference to one.
  mutating func enumeration() throws(SyntaxFailure) -> QualifiedType {
    try enter(2)
    defer { leave(2) }
    try advance()
    var attributes = Attributes()
    _ = try readAttributes(&attributes)
    if token.kind == .name, Keyword.cPlusPlusWords.contains(names.text(token.name)), following.kind == .name {
      throw cPlusPlus("an enum class")
    }
    let tag = token
    var name = Name.none
    if token.kind == .name {
      name = token.name
      try advance()
    }
    var fixed: Basic?
    if isNext(.colon), try beginsTypeName(following) {
      // C23: the integer type is stated, without a declarator: the name after it is declared.
      try advance()
      let start = token
      try enter(2)
      defer { leave(2) }
      let type = try specifiers(.typeName).type
      guard case .basic(let basic) = node(type), basic.isInteger else { throw failure("an enum has an integer type", at: start) }
      fixed = basic
    }
    guard isNext(.openBrace) else {
      guard !name.isNone else { throw expected("a name or '{'") }
      let index = try enumerationIndex(name, tag, fixed: fixed)
      try requireType(fixed, of: index, tag)
      refuse(index, attributes)
      return QualifiedType(id: add(.enumeration(index)))
    }
    let index = try enumerationIndex(name, tag, fixed: nil)
    try requireType(fixed, of: index, tag)
    // Before its definition, an enum is compatible with each integer type.
    if enumerations[Int(index)].underlying == nil { compatible.removeAll() }
    if enumerations[Int(index)].isDefined {
      if self.index != nil, !isSingle {
        try skipBraces()
        _ = try readAttributes(&attributes)
        return QualifiedType(id: add(.enumeration(index)))
      }
      throw failure("'enum \(names.text(name))' is defined already\(definition(enumerations[Int(index)].offset))", at: tag)
    }
    enumerations[Int(index)].offset = tag.offset
    enumerations[Int(index)].isDefined = true
    enumerations[Int(index)].declaration = currentDeclaration
    fixed = fixed ?? (enumerations[Int(index)].isFixed ? enumerations[Int(index)].underlying : nil)
    let type = QualifiedType(id: add(.enumeration(index)))
    let bounds = try enumerators(type, fixed: fixed, &attributes)
    _ = try readAttributes(&attributes)
    refuse(index, attributes)
    enumerations[Int(index)].isFixed = fixed != nil
    enumerations[Int(index)].fitsInt = bounds.lowerBound >= Int128(Int32.min) && bounds.upperBound <= Int128(Int32.max)
    let mode: Basic? = attributes.mode.flatMap { ["QI": .signedChar, "HI": .short, "DI": .long][$0] }
    enumerations[Int(index)].underlying = fixed ?? mode ?? Self.underlying(bounds, isPacked: attributes.isPacked)
    return type
  }

  /// Notes why values of an enum are not passed.
  private mutating func refuse(_ index: Int32, _ attributes: Attributes) {
    enumerations[Int(index)].refusal = enumerations[Int(index)].refusal ?? attributes.refusal
  }

  /// Throws if an enum was declared with another integer type.
  private func requireType(_ fixed: Basic?, of index: Int32, _ token: Token) throws(SyntaxFailure) {
    guard let fixed, let known = enumerations[Int(index)].underlying, known != fixed else { return }
    throw failure("'enum \(names.text(enumerations[Int(index)].name))' is declared already with the type \(known.name)", at: token)
  }

  private mutating func enumerationIndex(_ name: Name, _ token: Token, fixed: Basic?) throws(SyntaxFailure) -> Int32 {
    if !name.isNone, let known = tags[name] {
      guard case .enumeration(let index) = known else {
        throw failure("'\(names.text(name))' is declared already as another kind of type", at: token)
      }
      return index
    }
    if index != nil, !name.isNone, try readIndexed(tag: name), case .enumeration(let index)? = tags[name] { return index }
    let index = Int32(enumerations.count)
    enumerations.append(EnumerationNode(name: name, underlying: fixed, isFixed: fixed != nil, offset: token.offset))
    if !name.isNone { tags[name] = .enumeration(index) }
    return index
  }

  /// Reads enumerators, and returns the least and the greatest value.
  ///
  /// - Parameter refusing: Gets what the attributes of enumerators refuse, which is the whole type.
  private mutating func enumerators(
    _ type: QualifiedType, fixed: Basic?, _ refusing: inout Attributes
  ) throws(SyntaxFailure) -> ClosedRange<Int128> {
    try advance()
    var least: Int128 = 0
    var greatest: Int128 = 0
    var next = Integer(0)
    // Whether the enumerator before has the greatest value of all.
    var isOver = false
    guard !isNext(.closeBrace) else { throw failure("an enum has at least one enumerator") }
    while !isNext(.closeBrace) {
      guard token.kind == .name else { throw expected("an enumerator or '}'") }
      let start = token
      try advance()
      var attributes = Attributes()
      _ = try readAttributes(&attributes)
      refusing.refusal = refusing.refusal ?? attributes.refusal
      if try take(.equals) {
        next = try integerExpression()
      } else if isOver {
        throw failure("the value of '\(names.text(start.name))' does not fit 64 bits", at: start)
      }
      if let fixed, !fixed.represents(next.value, target) {
        throw failure("the value \(next.value) of '\(names.text(start.name))' does not fit \(fixed.name)", at: start)
      }
      guard next.value >= Int128(Int64.min), next.value <= Int128(UInt64.max) else {
        throw failure("the value of '\(names.text(start.name))' does not fit 64 bits", at: start)
      }
      if let known = try symbol(start.name), index == nil || isSingle {
        throw failure("'\(names.text(start.name))' is declared already\(definition(known.start))", at: start)
      }
      setSymbol(
        Symbol(
          kind: .enumerator, name: start.name, type: type, value: next, start: start.offset, declaration: currentDeclaration))
      least = min(least, next.value)
      greatest = max(greatest, next.value)
      isOver = next.value == Int128(UInt64.max)
      let fitsInt = next.value < Int128(Int32.max)
      next = Integer(next.value + 1, bits: next.bits > 32 || !fitsInt ? 64 : 32, isSigned: next.value < Int128(Int64.max))
      guard try take(.comma) else { break }
    }
    try expect(.closeBrace, "',' or '}'")
    return least...greatest
  }

  /// The integer type that gcc and clang choose for an enum.
  private static func underlying(_ values: ClosedRange<Int128>, isPacked: Bool) -> Basic {
    let sizes = isPacked ? [1, 2, 4, 8] : [4, 8]
    for size in sizes {
      let bits = 8 * size
      if values.lowerBound < 0 {
        if values.lowerBound >= -(Int128(1) << (bits - 1)), values.upperBound < Int128(1) << (bits - 1) {
          return Basic.integer(size: size, isSigned: true) ?? .long
        }
      } else if values.upperBound < Int128(1) << bits {
        return Basic.integer(size: size, isSigned: false) ?? .unsignedLong
      }
    }
    return values.lowerBound < 0 ? .long : .unsignedLong
  }
}
