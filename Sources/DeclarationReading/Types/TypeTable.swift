package import TypeEncodings

/// The types that a source states: nodes in arrays, which refer to each other by index, with their layout.
///
/// The `package` members are for the macro that writes the types in Swift, and for the tests that write them in C.
package final class TypeTable {
  /// The maximum number of parts of one type, as text or as an encoding.
  package static let mostParts = 100_000
  static let largestSize = TypeEncoding.Limits.size

  package let target: TargetABI
  /// The identifiers of the source, also of tags, members and parameters.
  package internal(set) var names: NameTable
  private var nodes: [TypeNode]
  /// The number of levels of each type.
  private var levels: [UInt8]
  package internal(set) var functions: [FunctionNode] = []
  package internal(set) var records: [RecordNode] = []
  package internal(set) var enumerations: [EnumerationNode] = []
  /// The record or the enumeration that each tag declares.
  var tags: [Name: Tag] = [:]
  /// Whether the source is C23, whose rules for empty parentheses and for `u8` differ.
  var isC23 = false
  /// The types of string literals by their lengths, as literals of macros are read again and again.
  private var textTypes: [Int: QualifiedType] = [:]
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
    (isC23, textTypes) = (other.isC23, other.textTypes)
  }

  // MARK: Nodes

  func add(_ node: TypeNode) -> TypeID {
    levels.append(UInt8(clamping: level(of: node)))
    nodes.append(node)
    return TypeID(index: Int32(nodes.count - 1))
  }

  /// Adds a type that is derived from others, and throws if they are nested too deep.
  ///
  /// This bounds each walk over types that follows pointers, elements, results and parameters.
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

  package func node(_ type: QualifiedType) -> TypeNode { nodes[Int(type.id.index)] }

  func unsupported(_ reason: String, size: Int?) -> QualifiedType {
    QualifiedType(id: add(.unsupported(reason, size: size)))
  }

  /// The type of a string literal with so many characters.
  func text(of count: Int) -> QualifiedType {
    if let known = textTypes[count] { return known }
    let type = QualifiedType(id: add(.array(QualifiedType(.char), count: count + 1)))
    textTypes[count] = type
    return type
  }

  /// The integer type of an enum, which is `int` while it is incomplete.
  func underlying(_ enumeration: Int32) -> Basic { enumerations[Int(enumeration)].underlying ?? .int }

  /// The index of the record that a type is, or nil.
  func record(_ type: QualifiedType) -> Int32? { if case .record(let index) = node(type) { index } else { nil } }

  /// `'struct point'`, for messages.
  package func recordName(_ index: Int32) -> String {
    let record = records[Int(index)]
    return "'" + (record.isUnion ? "union " : "struct ") + (record.name.isNone ? "without a name" : names.text(record.name)) + "'"
  }

  /// Returns a type with qualifiers; the qualifiers of an array are its elements'.
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
      records[Int(index)].layout = TypeEncoding.StatedLayout(
        TypeEncoding.Layout(size: isArray ? 24 : 32, alignment: 8),
        positions: isArray ? [0, 32, 64, 128] : [0, 64, 128, 192, 224])
      tags[name] = .record(index)
    }
    let record = QualifiedType(id: add(.record(index)))
    return isArray ? QualifiedType(id: add(.array(record, count: 1))) : record
  }

  /// Whether a type is the struct of variable argument lists on x86-64, where such a list is an array of one.
  package func isArgumentList(_ type: QualifiedType) -> Bool {
    guard let index = record(type), !records[Int(index)].name.isNone else { return false }
    return records[Int(index)].declaration < 0 && names.text(records[Int(index)].name) == "__va_list_tag"
  }

  /// Whether a type is the pointer that a variable argument list is on Apple's AArch64.
  package func isArgumentListPointer(_ type: QualifiedType) -> Bool { type.id == argumentListPointer }

  // MARK: Compatible types

  /// Forgets which types are compatible: before its definition, an enum is compatible with each integer type.
  func forgetCompatible() { compatible.removeAll() }

  /// Returns whether two types are compatible, as redeclarations must be.
  ///
  /// Source: C11, section 6.2.7. Qualifiers of a parameter are not compared.
  ///
  /// - Throws: `limitExceeded` if all comparisons together take more steps than the number of tokens plus 100,000. The
  ///   result for a pair is stored, so that types that are parts of many others are compared once.
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
  func layout(of type: QualifiedType) -> TypeEncoding.Layout? {
    guard var layout = naturalLayout(of: type) else { return nil }
    if type.alignment > 0 { layout.alignment = Int(type.alignment) }
    // An atomic type of a size that one instruction can access is aligned to it.
    if type.flags.contains(.atomic), layout.size <= 16, layout.size & (layout.size - 1) == 0 {
      layout.alignment = max(layout.alignment, layout.size)
    }
    return layout
  }

  private func naturalLayout(of type: QualifiedType) -> TypeEncoding.Layout? {
    switch node(type) {
    case .basic(.void): nil
    case .basic(let basic): layout(of: basic)
    case .complex(let part): TypeEncoding.Layout(size: 2 * part.size(target), alignment: part.size(target))
    case .vector(_, let size): TypeEncoding.Layout(size: size, alignment: vectorAlignment(size))
    case .pointer, .block: TypeEncoding.Layout(size: 8, alignment: 8)
    case .array(_, nil), .function: nil
    case .array(let element, let count?): arrayLayout(of: element, count)
    case .record(let index): records[Int(index)].layout?.layout
    case .enumeration(let index): enumerations[Int(index)].underlying.map(layout)
    case .unsupported(_, let size): size.map { TypeEncoding.Layout(size: $0, alignment: min($0, 16)) }
    }
  }

  private func layout(of basic: Basic) -> TypeEncoding.Layout {
    TypeEncoding.Layout(size: basic.size(target), alignment: basic.size(target))
  }

  /// The alignment of a vector of a size, if none is stated.
  func vectorAlignment(_ size: Int) -> Int { min(size, target.largestVectorAlignment ?? size) }

  private func arrayLayout(of element: QualifiedType, _ count: Int) -> TypeEncoding.Layout? {
    guard let inner = layout(of: element) else { return nil }
    let (size, overflow) = inner.size.multipliedReportingOverflow(by: count)
    return overflow || size > Self.largestSize ? nil : TypeEncoding.Layout(size: size, alignment: inner.alignment)
  }

  /// Computes the layout of a record whose members are known.
  func layOut(_ index: Int32, at token: Token) throws(SyntaxFailure) {
    let record = records[Int(index)]
    guard record.refusal == nil else { return }
    var layout = RecordLayout(isUnion: record.isUnion, packing: record.packing > 0 ? record.packing : nil, target: target)
    var positions: [Int] = []
    for member in record.members ?? [] {
      var known = self.layout(of: member.type)
      if case .array(let element, nil) = node(member.type), let inner = self.layout(of: element) {
        known = TypeEncoding.Layout(size: 0, alignment: member.type.alignment > 0 ? Int(member.type.alignment) : inner.alignment)
      }
      // A type whose size is unknown: the record has none either, and cannot be passed.
      guard let known else { return }
      positions.append(
        layout.place(
          size: known.size, alignment: known.alignment, statedAlignment: member.alignment, isPacked: record.isPacked || member.isPacked,
          width: member.width, isNamed: !member.name.isNone))
      guard layout.occupied <= Self.largestSize else { throw tooLarge(at: token) }
    }
    let whole = layout.finish(minimumAlignment: record.alignment)
    guard whole.size <= Self.largestSize else { throw tooLarge(at: token) }
    records[Int(index)].layout = TypeEncoding.StatedLayout(whole, positions: positions)
  }

  func tooLarge(at token: Token) -> SyntaxFailure {
    SyntaxFailure("the type is larger than \(Self.largestSize) bytes", at: token, code: .limitExceeded)
  }

  /// Returns the first bit and the type of a member, also of a struct without a name within the record.
  func member(_ name: Name, of index: Int32) -> (bit: Int, type: QualifiedType, isBitField: Bool)? {
    let record = records[Int(index)]
    guard let layout = record.layout else { return nil }
    for (member, bit) in zip(record.members ?? [], layout.positions) {
      if member.name == name { return (bit, member.type, member.width != nil) }
      if member.name.isNone, member.width == nil, case .record(let inner) = node(member.type), let found = self.member(name, of: inner) {
        return (bit + found.bit, found.type, found.isBitField)
      }
    }
    return nil
  }
}

// MARK: - Arithmetic

/// The keywords of an arithmetic type that were read.
struct ArithmeticWords {
  enum Width {
    case plain, short, long, longLong
  }

  enum Sign {
    case plain, signed, unsigned
  }

  var base: Keyword?
  var width = Width.plain
  var sign = Sign.plain
  var isComplex = false
  /// Whether a word was read that cannot follow another one.
  var isInvalid = false

  var isEmpty: Bool { base == nil && width == .plain && sign == .plain && !isComplex }

  /// Adds a word besides the base, and returns whether the keyword is such a word.
  mutating func add(_ keyword: Keyword) -> Bool {
    switch keyword {
    case .short: (width, isInvalid) = (.short, isInvalid || width != .plain)
    case .long: (width, isInvalid) = (width == .plain ? .long : .longLong, isInvalid || width == .short || width == .longLong)
    case .signed: (sign, isInvalid) = (.signed, isInvalid || sign != .plain)
    case .unsigned: (sign, isInvalid) = (.unsigned, isInvalid || sign != .plain)
    case .complex: (isComplex, isInvalid) = (true, isInvalid || isComplex)
    default: return false
    }
    return true
  }
}

extension TypeTable {
  /// Returns the type that keywords state.
  ///
  /// Source: C11, section 6.7.2, paragraph 2.
  ///
  /// - Parameter next: The token after them, for messages.
  func type(of words: ArithmeticWords, _ start: Token, next: @autoclosure () -> String) throws(SyntaxFailure) -> QualifiedType {
    let isDefault = words.base == nil && words.width == .plain && words.sign == .plain
    var result: Basic?
    switch (words.base ?? (isDefault && words.isComplex ? .double : .int), words.width, words.sign) {
    case _ where words.isInvalid: break
    case (.char, .plain, .plain): result = .char
    case (.char, .plain, .signed): result = .signedChar
    case (.char, .plain, .unsigned): result = .unsignedChar
    case (.int, .short, let sign): result = sign == .unsigned ? .unsignedShort : .short
    case (.int, .plain, let sign): result = sign == .unsigned ? .unsignedInt : .int
    case (.int, .long, let sign): result = sign == .unsigned ? .unsignedLong : .long
    case (.int, .longLong, let sign): result = sign == .unsigned ? .unsignedLongLong : .longLong
    case (.int128, .plain, let sign): result = sign == .unsigned ? .unsignedInt128 : .int128
    case (.double, .plain, .plain): result = .double
    case (.double, .long, .plain): result = .longDouble
    case (.void, .plain, .plain): result = words.isComplex ? nil : .void
    case (.bool, .plain, .plain): result = words.isComplex ? nil : .bool
    case (.float, .plain, .plain): result = .float
    case (.float32, .plain, .plain): result = .float32
    case (.float64, .plain, .plain): result = .float64
    case (.float32x, .plain, .plain): result = .float32x
    case (.float16, .plain, .plain): result = .float16
    case (.int128Type, .plain, .plain): result = .int128
    case (.uint128Type, .plain, .plain): result = .unsignedInt128
    case (.vaList, .plain, .plain): return argumentList()
    case (.float64x, .plain, .plain) where target.longDouble != .double: result = .float64x
    case (.float80, .plain, .plain) where target.longDouble == .extended: result = .longDouble
    // On AArch64 Linux `long double` has this format.
    case (.float128, .plain, .plain) where target.longDouble == .quad: result = .longDouble
    case (let base, .plain, .plain):
      if let (name, size) = Self.withoutEncoding[base] {
        return unsupported("\(name) has no type encoding", size: base == .float128 && words.isComplex ? 2 * size : size)
      }
      if base == .float64x { return unsupported("_Float64x is no type of this platform", size: nil) }
      if base == .float80 { return unsupported("__float80 is a type of x86-64 only", size: nil) }
    default: break
    }
    guard let result else { throw SyntaxFailure("the words before \(next()) are not a type", at: start) }
    return words.isComplex ? QualifiedType(id: add(.complex(result))) : QualifiedType(result)
  }

  /// The types that have a size and no encoding.
  private static let withoutEncoding: [Keyword: (name: String, size: Int)] = [
    // Only a pointer to `__fp16` is passed. As a variadic argument `__fp16` is promoted; `_Float16` is not.
    .float128: ("__float128", 16), .brainFloat: ("__bf16", 2), .storedHalf: ("__fp16", 2), .decimal32: ("_Decimal32", 4),
    .decimal64: ("_Decimal64", 8), .decimal128: ("_Decimal128", 16),
  ]

  /// Returns the type of a name of `<stdint.h>`, `<stddef.h>`, `<stdarg.h>` or `<stdbool.h>`, or nil.
  func standardType(_ name: Name) -> QualifiedType? {
    let text = names.text(name)
    var type: QualifiedType
    switch text {
    case "wchar_t": type = QualifiedType(target.isWideCharacterSigned ? .int : .unsignedInt)
    case "va_list": type = argumentList()
    case "nullptr_t": type = QualifiedType(id: add(.pointer(QualifiedType(.void))))
    default:
      guard let basic = (target.isApple ? StandardTypes.apple : StandardTypes.linux)[text] else { return nil }
      type = QualifiedType(basic)
    }
    type.flags.insert(.typedefName)
    return type
  }
}

/// The arithmetic types of `<stdint.h>`, `<stddef.h>` and `<stdbool.h>` on 64-bit platforms, which a declaration may use
/// without a header.
private enum StandardTypes {
  static let linux: [String: Basic] = {
    var types: [String: Basic] = [
      "size_t": .unsignedLong, "ssize_t": .long, "ptrdiff_t": .long, "intptr_t": .long, "uintptr_t": .unsignedLong, "intmax_t": .long,
      "uintmax_t": .unsignedLong, "wint_t": .unsignedInt, "char8_t": .unsignedChar, "char16_t": .unsignedShort, "char32_t": .unsignedInt,
      "bool": .bool, "off_t": .long, "time_t": .long, "pid_t": .int,
    ]
    for size in [1, 2, 4, 8] {
      for (prefix, size, width) in [("", size, 8 * size), ("_least", size, 8 * size), ("_fast", size == 1 ? 1 : 8, 8 * size)] {
        types["int\(prefix)\(width)_t"] = .integer(size: size, isSigned: true)
        types["uint\(prefix)\(width)_t"] = .integer(size: size, isSigned: false)
      }
    }
    return types
  }()

  static let apple: [String: Basic] = {
    var types = linux
    (types["wint_t"], types["off_t"]) = (.int, .longLong)
    for width in [8, 16, 32, 64] {
      for prefix in ["", "_least", "_fast"] {
        types["int\(prefix)\(width)_t"] = width == 64 ? .longLong : linux["int\(width)_t"]
        types["uint\(prefix)\(width)_t"] = width == 64 ? .unsignedLongLong : linux["uint\(width)_t"]
      }
    }
    return types
  }()
}
