import TypeEncodings

/// The types that a source states: nodes in arrays, which refer to each other by index, with their layout.
final class TypeTable {
  /// The maximum number of parts of one type, as text or as an encoding.
  static let mostParts = 100_000
  static let largestSize = TypeEncoding.Limits.size

  let target: TargetABI
  /// The identifiers of the source, among them those of tags, members and parameters.
  var names: NameTable
  private var nodes: [TypeNode]
  /// The number of levels of each type.
  private var levels: [UInt8]
  var functions: [FunctionNode] = []
  var records: [RecordNode] = []
  var enumerations: [EnumerationNode] = []
  /// The record or the enumeration that each tag declares.
  var tags: [Name: Tag] = [:]
  /// The type of variable argument lists, if it is a pointer and was read.
  private var argumentListPointer: TypeID?

  /// Whether derived types that were compared are compatible.
  private var compatible: [TypePair: Bool] = [:]
  /// The number of steps that comparisons of types may take; each token that is read adds one.
  var comparisons = mostParts

  enum Tag: Sendable {
    case record(Int32)
    case enumeration(Int32)
  }

  /// The nodes of the basic types, at the index of their raw value.
  private static let basicNodes: [TypeNode] = (0...Basic.longDouble.rawValue).compactMap { Basic(rawValue: $0).map(TypeNode.basic) }

  init(target: TargetABI) {
    self.target = target
    names = Keyword.table.names
    nodes = Self.basicNodes
    levels = nodes.map { _ in 0 }
  }

  /// Creates a table of the same types, to which others may be added.
  init(copying other: TypeTable) {
    (target, names, nodes, levels) = (other.target, other.names, other.nodes, other.levels)
    (functions, records, enumerations, tags) = (other.functions, other.records, other.enumerations, other.tags)
    (argumentListPointer, compatible, comparisons) = (other.argumentListPointer, other.compatible, other.comparisons)
  }

  // MARK: Nodes

  func add(_ node: TypeNode) -> TypeID {
    levels.append(UInt8(clamping: level(of: node)))
    nodes.append(node)
    return TypeID(index: Int32(nodes.count - 1))
  }

  /// Adds a type that is derived from others, and throws if they are nested too deep.
  ///
  /// Each walk over types that follows pointers, elements, results and parameters is bounded by this.
  func derived(_ node: TypeNode, at token: Token) throws(SyntaxFailure) -> TypeID {
    guard level(of: node) <= TokenReader.deepest else { throw .tooDeep(at: token) }
    return add(node)
  }

  /// The number of pointers, arrays and functions that are nested in a type, with the type itself.
  private func level(of node: TypeNode) -> Int {
    func level(_ type: QualifiedType) -> Int { Int(levels[Int(type.id.index)]) }
    switch node {
    case .pointer(let target), .block(let target): return 1 + level(target)
    case .array(let element, _): return 1 + level(element)
    case .function(let index):
      let function = functions[Int(index)]
      return 1 + function.parameters.reduce(level(function.result)) { max($0, level($1)) }
    case .basic, .complex, .vector, .record, .enumeration, .unsupported: return 0
    }
  }

  func node(_ type: QualifiedType) -> TypeNode { nodes[Int(type.id.index)] }

  func unsupported(_ reason: String, size: Int?) -> QualifiedType {
    QualifiedType(id: add(.unsupported(reason, size: size)))
  }

  /// The integer type of an enum, which is that of `int` while it is incomplete.
  func underlying(_ enumeration: Int32) -> Basic { enumerations[Int(enumeration)].underlying ?? .int }

  /// The index of the record that a type is, or nil.
  func record(_ type: QualifiedType) -> Int32? { if case .record(let index) = node(type) { index } else { nil } }

  /// `'struct point'`, for messages.
  func recordName(_ index: Int32) -> String {
    let record = records[Int(index)]
    return "'" + (record.isUnion ? "union " : "struct ") + (record.name.isNone ? "without a name" : names.text(record.name)) + "'"
  }

  /// Returns a type with qualifiers, which those of an array are the elements' own.
  ///
  /// Source: C11, section 6.7.3, paragraph 9.
  func qualified(_ type: QualifiedType, _ flags: QualifiedType.Flags) -> QualifiedType {
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

  /// Returns the type of a parameter: an array and a function are passed as pointers.
  ///
  /// Source: C11, section 6.7.6.3, paragraphs 7 and 8.
  func decayed(_ type: QualifiedType) -> QualifiedType {
    switch node(type) {
    case .array(var element, _):
      element.flags.formUnion(type.flags.intersection([.const, .volatile, .otherMemory]))
      return QualifiedType(id: add(.pointer(element)))
    case .function: return QualifiedType(id: add(.pointer(type)))
    default: return type
    }
  }

  // MARK: Variable argument lists

  /// The type of variable argument lists.
  func argumentList() -> QualifiedType {
    let isArray: Bool
    switch target.argumentList {
    case .array: isArray = true
    case .structure: isArray = false
    case .pointer:
      if let argumentListPointer { return QualifiedType(id: argumentListPointer) }
      let pointer = add(.pointer(QualifiedType(.char)))
      argumentListPointer = pointer
      return QualifiedType(id: pointer)
    }
    let name = names.intern(isArray ? "__va_list_tag" : "__va_list")
    let index: Int32
    if case .record(let known)? = tags[name] {
      index = known
    } else {
      let (pointer, int, word) = (QualifiedType(id: add(.pointer(QualifiedType(.void)))), QualifiedType(.int), QualifiedType(.unsignedInt))
      let members =
        isArray
        ? [("gp_offset", word), ("fp_offset", word), ("overflow_arg_area", pointer), ("reg_save_area", pointer)]
        : [("__stack", pointer), ("__gr_top", pointer), ("__vr_top", pointer), ("__gr_offs", int), ("__vr_offs", int)]
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

  /// Whether a type is the struct of a variable argument list, of which it is an array on x86-64.
  func isArgumentList(_ type: QualifiedType) -> Bool {
    guard let index = record(type), !records[Int(index)].name.isNone else { return false }
    return records[Int(index)].declaration < 0 && names.text(records[Int(index)].name) == "__va_list_tag"
  }

  /// Whether a type is the pointer that a variable argument list is on Apple's AArch64.
  func isArgumentListPointer(_ type: QualifiedType) -> Bool { type.id == argumentListPointer }

  // MARK: Compatible types

  /// Forgets which types are compatible: before its definition, an enum is compatible with each integer type.
  func forgetCompatible() { compatible.removeAll() }

  /// Returns whether two types are compatible, as redeclarations must be.
  ///
  /// Source: C11, section 6.2.7. Qualifiers of a parameter are not compared.
  ///
  /// - Throws: `limitExceeded` if all comparisons together take more steps than there are tokens, and 100,000. The result
  ///   for a pair is stored, so that types that are parts of many others are compared once.
  func isCompatible(
    _ left: QualifiedType, _ right: QualifiedType, ignoringQualifiers: Bool = false, at token: Token
  ) throws(SyntaxFailure) -> Bool {
    let qualifiers: QualifiedType.Flags = [.const, .volatile, .atomic]
    if !ignoringQualifiers, left.flags.intersection(qualifiers) != right.flags.intersection(qualifiers) { return false }
    if left.id == right.id { return true }
    comparisons -= 1
    guard comparisons >= 0 else { throw SyntaxFailure("too many parts of types are compared", at: token, code: .limitExceeded) }
    switch (node(left), node(right)) {
    case (.basic(let one), .basic(let other)), (.complex(let one), .complex(let other)): return one == other
    case (.vector(let one, let size), .vector(let other, let otherSize)): return one == other && size == otherSize
    case (.record(let one), .record(let other)): return one == other
    case (.enumeration(let one), .enumeration(let other)): return one == other
    case (.enumeration(let one), .basic(let other)), (.basic(let other), .enumeration(let one)):
      return enumerations[Int(one)].underlying.map { $0 == other } ?? true
    case (.unsupported(let one, _), .unsupported(let other, _)): return one == other
    default: break
    }
    let pair = TypePair(left: left.id, right: right.id)
    if let known = compatible[pair] { return known }
    let result = try areDerivedCompatible(node(left), node(right), token)
    compatible[pair] = result
    return result
  }

  private func areDerivedCompatible(_ left: TypeNode, _ right: TypeNode, _ token: Token) throws(SyntaxFailure) -> Bool {
    switch (left, right) {
    case (.pointer(let one), .pointer(let other)), (.block(let one), .block(let other)):
      return try isCompatible(one, other, at: token)
    case (.array(let one, let count), .array(let other, let otherCount)):
      guard count == nil || otherCount == nil || count == otherCount else { return false }
      return try isCompatible(one, other, at: token)
    case (.function(let one), .function(let other)):
      let (one, other) = (functions[Int(one)], functions[Int(other)])
      guard try isCompatible(one.result, other.result, ignoringQualifiers: true, at: token) else { return false }
      guard one.hasPrototype, other.hasPrototype else { return true }
      guard one.parameters.count == other.parameters.count, one.isVariadic == other.isVariadic else { return false }
      for (left, right) in zip(one.parameters, other.parameters) {
        guard try isCompatible(left, right, ignoringQualifiers: true, at: token) else { return false }
      }
      return true
    default: return false
    }
  }

  /// Whether a type states parameters or a number of elements that another does not.
  func isMoreComplete(_ type: QualifiedType, than other: QualifiedType) -> Bool {
    switch (node(type), node(other)) {
    // What an attribute of one declaration refuses is refused.
    case (.function(let new), .function(let old)) where (functions[Int(new)].refusal == nil) != (functions[Int(old)].refusal == nil):
      functions[Int(new)].refusal != nil
    case (.function(let new), .function(let old)): functions[Int(new)].hasPrototype && !functions[Int(old)].hasPrototype
    case (.array(_, let new), .array(_, let old)): new != nil && old == nil
    default: false
    }
  }
}

/// Two types that are compared.
private struct TypePair: Hashable, Sendable {
  var left: TypeID
  var right: TypeID
}

// MARK: Layout

extension TypeTable {
  /// The size and the alignment of a type, or nil for an incomplete type and for a function.
  func layout(of type: QualifiedType) -> NodeLayout? {
    guard var layout = naturalLayout(of: type) else { return nil }
    if type.alignment > 0 { layout.alignment = Int(type.alignment) }
    // An atomic type of a size that one instruction can access is aligned to it.
    if type.flags.contains(.atomic), layout.size <= 16, layout.size & (layout.size - 1) == 0 {
      layout.alignment = max(layout.alignment, layout.size)
    }
    return layout
  }

  private func naturalLayout(of type: QualifiedType) -> NodeLayout? {
    switch node(type) {
    case .basic(.void): nil
    case .basic(let basic): layout(of: basic)
    case .complex(let part): NodeLayout(size: 2 * part.size(target), alignment: part.size(target))
    case .vector(_, let size): NodeLayout(size: size, alignment: vectorAlignment(size))
    case .pointer, .block: NodeLayout(size: 8, alignment: 8)
    case .array(_, nil), .function: nil
    case .array(let element, let count?): arrayLayout(of: element, count)
    case .record(let index): records[Int(index)].layout
    case .enumeration(let index): enumerations[Int(index)].underlying.map(layout)
    case .unsupported(_, let size): size.map { NodeLayout(size: $0, alignment: min($0, 16)) }
    }
  }

  private func layout(of basic: Basic) -> NodeLayout { NodeLayout(size: basic.size(target), alignment: basic.size(target)) }

  /// The alignment of a vector of a size, if none is stated.
  func vectorAlignment(_ size: Int) -> Int { min(size, target.largestVectorAlignment ?? size) }

  private func arrayLayout(of element: QualifiedType, _ count: Int) -> NodeLayout? {
    guard let inner = layout(of: element) else { return nil }
    let (size, overflow) = inner.size.multipliedReportingOverflow(by: count)
    return overflow || size > Self.largestSize ? nil : NodeLayout(size: size, alignment: inner.alignment)
  }

  /// Computes the layout of a record whose members are known: its size, its alignment and the first bit of each member.
  ///
  /// The rules are those of gcc and clang for the System V psABI for x86-64, section 3.1.2, and AAPCS64, section 10.1. Apple's
  /// platforms have those of x86-64.
  func layOut(_ index: Int32, at token: Token) throws(SyntaxFailure) {
    let record = records[Int(index)]
    guard record.refusal == nil else { return }
    var alignment = 1
    var end = 0
    var widest = 0
    var positions: [Int] = []
    for member in record.members ?? [] {
      if record.isUnion { end = 0 }
      var natural: NodeLayout
      if case .array(let element, nil) = node(member.type), let inner = layout(of: element) {
        natural = NodeLayout(size: 0, alignment: member.type.alignment > 0 ? Int(member.type.alignment) : inner.alignment)
      } else if let known = layout(of: member.type) {
        natural = known
      } else {
        // A type whose size is unknown: the record has none either, and cannot be passed.
        return
      }
      let isPacked = record.isPacked || member.isPacked
      // What a bit-field of no bits aligns its record to, whatever the packing.
      let unpacked = max(natural.alignment, member.alignment)
      if isPacked { natural.alignment = 1 }
      var boundary = max(natural.alignment, member.alignment)
      if record.packing > 0 { boundary = min(boundary, record.packing) }
      var position = end
      if let width = member.width {
        let unit = 8 * natural.size
        if width == 0 {
          position = end.roundedUp(to: max(unit, 8 * member.alignment))
          if target.alignsUnnamedBitFields { alignment = max(alignment, unpacked) }
        } else {
          if member.alignment > 0 { position = end.roundedUp(to: 8 * boundary) }
          if !isPacked, record.packing == 0, position / unit != (position + width - 1) / unit { position = position.roundedUp(to: unit) }
          if !member.name.isNone || target.alignsUnnamedBitFields { alignment = max(alignment, boundary) }
        }
        end = position + width
      } else {
        position = end.roundedUp(to: 8 * boundary)
        alignment = max(alignment, boundary)
        end = position + 8 * natural.size
      }
      positions.append(position)
      widest = max(widest, end)
      guard widest / 8 <= Self.largestSize else {
        throw tooLarge(at: token)
      }
    }
    records[Int(index)].memberAlignment = alignment
    alignment = max(alignment, record.alignment)
    let size = ((widest + 7) / 8).roundedUp(to: alignment)
    guard size <= Self.largestSize else {
      throw tooLarge(at: token)
    }
    records[Int(index)].layout = NodeLayout(size: size, alignment: alignment)
    records[Int(index)].positions = positions
  }

  func tooLarge(at token: Token) -> SyntaxFailure {
    SyntaxFailure("the type is larger than \(Self.largestSize) bytes", at: token, code: .limitExceeded)
  }

  /// Returns the first bit and the type of a member, also of a struct without a name within the record.
  func member(_ name: Name, of index: Int32) -> (bit: Int, type: QualifiedType, isBitField: Bool)? {
    let record = records[Int(index)]
    guard record.layout != nil else { return nil }
    for (member, bit) in zip(record.members ?? [], record.positions) {
      if member.name == name { return (bit, member.type, member.width != nil) }
      if member.name.isNone, member.width == nil, case .record(let inner) = node(member.type), let found = self.member(name, of: inner) {
        return (bit + found.bit, found.type, found.isBitField)
      }
    }
    return nil
  }
}

// MARK: - Arithmetic

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
