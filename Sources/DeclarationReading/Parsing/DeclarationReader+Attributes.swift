import TypeEncodings

/// The attributes that change a type or a call.
struct Attributes {
  /// How long a vector is.
  enum VectorLength {
    case bytes(Int)
    case elements(Int)
  }

  var isPacked = false
  /// The alignment that is stated, or 0.
  var alignment = 0
  var vector: VectorLength?
  /// The machine mode of an arithmetic type, such as `DI`.
  var mode: String?
  var isTransparent = false
  /// Whether clang gives functions of several types the name.
  var isOverloadable = false
  /// Whether what has the type is in another address space.
  var isInOtherMemory = false
  /// The reason for which a function is not called as its types state: an attribute of another convention.
  ///
  /// The compilers ignore it where there is no function.
  var convention: String?
  /// The reason for which a declaration cannot be used: an attribute that is neither honoured nor harmless.
  var refusal: String?

  /// Whether an attribute changes a type, and is honoured.
  var changesType: Bool { isPacked || alignment > 0 || vector != nil || mode != nil || isTransparent }

  /// Adds other attributes.
  mutating func formUnion(_ other: Attributes) {
    isPacked = isPacked || other.isPacked
    alignment = max(alignment, other.alignment)
    vector = other.vector ?? vector
    mode = other.mode ?? mode
    isTransparent = isTransparent || other.isTransparent
    isOverloadable = isOverloadable || other.isOverloadable
    isInOtherMemory = isInOtherMemory || other.isInOtherMemory
    convention = convention ?? other.convention
    refusal = refusal ?? other.refusal
  }
}

extension DeclarationReader {
  /// Reads attributes, if there are any.
  mutating func readAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) -> Bool {
    var found = false
    while true {
      if isNext(.attribute) {
        try advance()
        try expect(.openParenthesis, "'(('")
        try expect(.openParenthesis, "'(('")
        while !isNext(.closeParenthesis) {
          if try take(.comma) { continue }
          guard token.kind == .name || token.kind == .keyword else { throw expected("an attribute") }
          try attribute(&attributes)
        }
        try advance()
        try expect(.closeParenthesis, "'))'")
      } else if isNext(.alignAs) {
        try readAlignAs(&attributes)
      } else if isNext(.declspec) {
        try advance()
        try expect(.openParenthesis, "'('")
        while try !take(.closeParenthesis) {
          if try take(.comma) { continue }
          guard token.kind == .name || token.kind == .keyword else { throw expected("an attribute") }
          try attribute(&attributes)
        }
      } else if isNext(.convention) {
        attribute(names.text(token.name).replacing("_", with: ""), &attributes)
        try advance()
      } else if isNext(.extensionKeyword) {
        try advance()
      } else if isNextStandardAttribute {
        try readStandardAttributes(&attributes)
      } else {
        return found
      }
      found = true
    }
  }

  /// Whether attributes of C23 follow: `[[`.
  var isNextStandardAttribute: Bool {
    isNext(.openBracket) && following.kind == .punctuator && following.punctuator == .openBracket
  }

  /// Reads attributes of C23, of which those with a prefix of gcc and clang may change a type: `[[gnu::packed]]`.
  private mutating func readStandardAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) {
    try advance()
    try advance()
    while !isNext(.closeBracket) {
      if try take(.comma) { continue }
      guard token.kind == .name || token.kind == .keyword else { throw expected("an attribute or ']]'") }
      var prefix = ""
      if following.kind == .punctuator, following.punctuator == .scope {
        prefix = names.text(token.name)
        try advance()
        try advance()
        guard token.kind == .name || token.kind == .keyword else { throw expected("an attribute") }
      }
      if ["gnu", "__gnu__", "clang", "_Clang"].contains(prefix) {
        try attribute(&attributes)
      } else {
        let name = names.text(token.name).trimmingUnderscores
        if !prefix.isEmpty || !AttributeEffects.harmless.contains(name[...]) {
          attributes.refusal = attributes.refusal ?? AttributeEffects.refusal(prefix.isEmpty ? name : prefix + "::" + name)
        }
        try advance()
        if isNext(.openParenthesis) { try skipParentheses() }
      }
    }
    try expect(.closeBracket, "']]'")
    try expect(.closeBracket, "']]'")
  }

  private mutating func attribute(_ attributes: inout Attributes) throws(SyntaxFailure) {
    let name = names.text(token.name).trimmingUnderscores
    try advance()
    guard isNext(.openParenthesis) else { return attribute(name, &attributes) }
    switch name {
    case "aligned", "align":
      try advance()
      attributes.alignment = max(attributes.alignment, try alignmentValue())
      try expect(.closeParenthesis, "')'")
    case "vector_size":
      try advance()
      let start = token
      let size = try attributeInteger()
      guard size > 0, size <= 4_096, size & (size - 1) == 0 else { throw failure("a vector cannot have \(size) bytes", at: start) }
      attributes.vector = .bytes(Int(size))
      try expect(.closeParenthesis, "')'")
    case "ext_vector_type", "neon_vector_type", "neon_polyvector_type":
      try advance()
      let start = token
      let count = try attributeInteger()
      guard count > 0, count <= 4_096 else { throw failure("a vector cannot have \(count) elements", at: start) }
      attributes.vector = .elements(Int(count))
      try expect(.closeParenthesis, "')'")
    case "address_space":
      try advance()
      let space = try attributeInteger()
      // In these of clang a pointer may have 32 bits.
      if (270...272).contains(space) { attribute(name, &attributes) }
      attributes.isInOtherMemory = true
      try expect(.closeParenthesis, "')'")
    case "mode":
      try advance()
      guard token.kind == .name else { throw expected("a machine mode") }
      attributes.mode = names.text(token.name).trimmingUnderscores
      try advance()
      try expect(.closeParenthesis, "')'")
    default:
      attribute(name, &attributes)
      try skipParentheses()
    }
  }

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
  private mutating func attributeInteger() throws(SyntaxFailure) -> Int128 {
    try enter(Self.attributeCost)
    defer { leave(Self.attributeCost) }
    return try integerExpression().value
  }

  /// The number of levels that an expression in an attribute counts for besides its own.
  private static var attributeCost: Int { 3 }

  private mutating func alignmentValue() throws(SyntaxFailure) -> Int {
    let start = token
    let value = try attributeInteger()
    guard value > 0, value <= 4_096, value & (value - 1) == 0 else {
      throw failure("an alignment of \(value) is not a power of two up to 4096", at: start)
    }
    return Int(value)
  }

  /// Reads `_Alignas(type)` or `_Alignas(expression)`.
  mutating func readAlignAs(_ attributes: inout Attributes) throws(SyntaxFailure) {
    try advance()
    try expect(.openParenthesis, "'('")
    if try beginsTypeName(token) {
      let start = token
      let type = try typeName()
      guard let layout = layout(of: type) else { throw failure("the type has no alignment", at: start) }
      attributes.alignment = max(attributes.alignment, layout.alignment)
    } else {
      let start = token
      let value = try attributeInteger()
      guard value >= 0, value <= 4_096, value & (value - 1) == 0 else {
        throw failure("an alignment of \(value) is not a power of two up to 4096", at: start)
      }
      attributes.alignment = max(attributes.alignment, Int(value))
    }
    try expect(.closeParenthesis, "')'")
  }

  /// Returns the type that attributes make of another.
  mutating func apply(_ attributes: Attributes, to type: QualifiedType, at token: Token) throws(SyntaxFailure) -> QualifiedType {
    var type = type
    if let mode = attributes.mode { type = try self.mode(mode, of: type, at: token) }
    if let length = attributes.vector { type = try vector(of: length, type, at: token) }
    if let reason = attributes.convention { type = withoutCalls(type, reason) ?? type }
    if attributes.isInOtherMemory { type.flags.insert(.otherMemory) }
    guard let reason = attributes.refusal else { return type }
    if case .function = node(type) { return withoutCalls(type, reason) ?? type }
    return unsupported(reason, size: nil)
  }

  /// Returns a type whose function cannot be called, if it is a function or leads to one by pointers and arrays.
  mutating func withoutCalls(_ type: QualifiedType, _ reason: String, depth: Int = 0) -> QualifiedType? {
    guard depth < Self.deepest else { return unsupported(reason, size: nil) }
    let id: TypeID
    switch node(type) {
    case .function(let index):
      var function = functions[Int(index)]
      function.refusal = function.refusal ?? reason
      functions.append(function)
      id = add(.function(Int32(functions.count - 1)))
    case .pointer(let target):
      guard let inner = withoutCalls(target, reason, depth: depth + 1) else { return nil }
      id = add(.pointer(inner))
    case .block(let target):
      guard let inner = withoutCalls(target, reason, depth: depth + 1) else { return nil }
      id = add(.block(inner))
    case .array(let element, let count):
      guard let inner = withoutCalls(element, reason, depth: depth + 1) else { return nil }
      id = add(.array(inner, count: count))
    default: return nil
    }
    return QualifiedType(id: id, flags: type.flags, alignment: type.alignment)
  }

  /// The type of a machine mode.
  ///
  /// Source: GCC Internals, section 14.6.
  private mutating func mode(_ mode: String, of type: QualifiedType, at token: Token) throws(SyntaxFailure) -> QualifiedType {
    let isSigned: Bool
    switch node(type) {
    case .basic(let basic): isSigned = basic.isSigned(target)
    case .enumeration(let index): isSigned = enumerations[Int(index)].underlying?.isSigned(target) ?? true
    case .complex: isSigned = true
    case .pointer: return type
    default: return unsupported("the mode \(mode) of this type", size: nil)
    }
    var result: QualifiedType
    switch mode {
    case "QI", "byte": result = basic(isSigned ? .signedChar : .unsignedChar)
    case "HI": result = basic(isSigned ? .short : .unsignedShort)
    case "SI": result = basic(isSigned ? .int : .unsignedInt)
    case "DI", "word", "pointer", "unwind_word", "libgcc_cmp_return", "libgcc_shift_count":
      result = basic(isSigned ? .long : .unsignedLong)
    case "TI": result = basic(isSigned ? .int128 : .unsignedInt128)
    case "HF": result = basic(.float16)
    case "SF": result = basic(.float)
    case "DF": result = basic(.double)
    case "XF": result = target.longDouble == .extended ? basic(.longDouble) : unsupported("the mode XF of x87", size: 16)
    case "SC": result = QualifiedType(id: add(.complex(.float)))
    case "DC": result = QualifiedType(id: add(.complex(.double)))
    case "XC":
      result =
        target.longDouble == .extended ? QualifiedType(id: add(.complex(.longDouble))) : unsupported("the mode XC of x87", size: 32)
    case "TF": result = target.longDouble == .quad ? basic(.longDouble) : unsupported("__float128 has no type encoding", size: 16)
    case "TC":
      result =
        target.longDouble == .quad
        ? QualifiedType(id: add(.complex(.longDouble))) : unsupported("__float128 has no type encoding", size: 32)
    default: throw failure("the machine mode \(mode) is not known", at: token)
    }
    result.flags = type.flags
    return result
  }

  private mutating func vector(
    of length: Attributes.VectorLength, _ type: QualifiedType, at token: Token
  ) throws(SyntaxFailure) -> QualifiedType {
    let element: Basic
    switch node(type) {
    case .basic(let basic) where basic != .void && basic != .bool && !basic.isLongDouble: element = basic
    case .enumeration(let index): element = enumerations[Int(index)].underlying ?? .int
    // An attribute before `*` or `(` applies to the type that is pointed to or returned.
    case .pointer(let target):
      let inner = try vector(of: length, target, at: token)
      return QualifiedType(id: add(.pointer(inner)), flags: type.flags)
    case .function(let index):
      var function = functions[Int(index)]
      function.result = try vector(of: length, function.result, at: token)
      functions.append(function)
      return QualifiedType(id: add(.function(Int32(functions.count - 1))), flags: type.flags)
    case .array(let inner, let count):
      return QualifiedType(id: add(.array(try vector(of: length, inner, at: token), count: count)), flags: type.flags)
    case .unsupported(let reason, _): return unsupported("a vector whose elements have no encoding: \(reason)", size: nil)
    case .basic(.bool): return unsupported("a vector of bits has no type encoding", size: nil)
    default: throw failure("a vector has arithmetic elements", at: token)
    }
    let size: Int
    switch length {
    case .bytes(let bytes): size = bytes
    case .elements(let count):
      size = count * element.size(target)
      // clang passes it as a vector of more elements, of which some are not stored.
      guard size & (size - 1) == 0 else { return unsupported("a vector of \(count) elements has no type encoding", size: nil) }
    }
    guard size % element.size(target) == 0 else { throw failure("a vector of \(element.name) cannot have \(size) bytes", at: token) }
    return QualifiedType(id: add(.vector(element, size: size)), flags: type.flags.subtracting(.typedefName))
  }
}

extension String {
  /// The text without two underscores at its beginning and its end.
  var trimmingUnderscores: String {
    hasPrefix("__") && hasSuffix("__") && utf8.count > 4 ? String(dropFirst(2).dropLast(2)) : self
  }
}
