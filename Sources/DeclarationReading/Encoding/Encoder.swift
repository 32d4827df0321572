import TypeEncodings

/// The encoding of a struct or union, and the number of its parts.
struct RecordEncoding: Sendable {
  var type: TypeEncoding
  var parts: Int
  /// The number of types that are nested in it.
  var levels: Int
  /// Whether it contains a flexible array that the encoding does not distinguish from an array of no elements.
  var hasLoneArray: Bool
}

/// A reason for which a type cannot be used.
final class Refusal: Error {
  let reason: String
  let code: InvocationError.Code

  init(reason: String, code: InvocationError.Code = .unsupportedType) { (self.reason, self.code) = (reason, code) }

  /// Returns the same refusal with what it is about.
  func about(_ what: String) -> Refusal { Refusal(reason: "\(what): \(reason)", code: code) }
}

/// Converts types to encodings.
///
/// The text is what clang's `@encode` writes: the members of a struct that a pointer points to are written once, at the
/// outermost level.
final class Encoder {
  let types: TypeTable
  /// The encodings of records, or why they have none, computed once.
  private var known: [Int32: Result<RecordEncoding, Refusal>] = [:]

  init(_ types: TypeTable) { self.types = types }

  /// Creates an encoder of a copy of the types.
  convenience init(copying other: Encoder, _ types: TypeTable) {
    self.init(types)
    known = other.known
  }

  /// What is written for a type, which depends on how deep it is within another.
  struct Detail {
    var isOutermost = true
    /// Whether the members of structs are written.
    var hasMembers = true
    /// Whether the members of structs behind the next pointer are written.
    var hasPointeeMembers = true
    var isMember = false

    static let member = Detail(isOutermost: false, hasMembers: true, hasPointeeMembers: false, isMember: true)
    var pointee: Detail { Detail(isOutermost: false, hasMembers: hasPointeeMembers, hasPointeeMembers: false) }
    var element: Detail { Detail(isOutermost: false, hasMembers: hasMembers, hasPointeeMembers: false) }
  }

  /// Returns the encoding of a type.
  func encoding(of type: QualifiedType, _ detail: Detail = Detail()) throws(Refusal) -> TypeEncoding {
    var extent = Extent()
    return try encoding(of: type, detail, &extent)
  }

  /// How large an encoding is.
  private struct Extent {
    var parts = 0
    /// The number of types that contain what is encoded now.
    var level = 0
    /// The greatest level.
    var deepest = 0

    /// Adds types that are nested in what is encoded now.
    mutating func require(levels: Int) throws(Refusal) {
      deepest = max(deepest, level + levels)
      guard deepest <= TokenReader.deepest else {
        throw Refusal(reason: "nested deeper than \(TokenReader.deepest) levels", code: .limitExceeded)
      }
    }

    mutating func addParts(_ count: Int) throws(Refusal) {
      parts += count
      guard parts <= TypeTable.mostParts else {
        throw Refusal(reason: "a type of more than \(TypeTable.mostParts) parts", code: .limitExceeded)
      }
    }
  }

  private func encoding(of type: QualifiedType, _ detail: Detail, _ extent: inout Extent) throws(Refusal) -> TypeEncoding {
    extent.parts += 1
    guard !type.flags.contains(.otherMemory) else {
      throw Refusal(reason: "it is in another address space, whose addresses are no pointers")
    }
    try extent.require(levels: 1)
    extent.level += 1
    defer { extent.level -= 1 }
    // Only the types that contain others are handled here, so that this function takes little of the stack.
    switch types.node(type) {
    case .pointer(let target): return try pointer(type, to: target, detail, &extent)
    case .array(let element, nil) where !detail.isMember:
      return TypeEncoding(.pointer(try pointee(element, detail.element, &extent)), qualifiers: qualifiers(type))
    case .array(let element, let count):
      var detail = detail.element
      detail.isMember = true
      let inner = try encoding(of: element, detail, &extent)
      return try made { () throws(InvocationError) in try TypeEncoding(arrayOf: inner, count: count ?? 0, qualifiers: qualifiers(type)) }
    case .record(let index) where detail.hasMembers: return try defined(index, qualifiers(type), &extent)
    default: return try leaf(type, detail)
    }
  }

  private func qualifiers(_ type: QualifiedType) -> TypeEncoding.Qualifiers { type.flags.contains(.atomic) ? .atomic : [] }

  /// Returns what is made of an encoding, or the reason for which it is refused.
  private func made(_ make: () throws(InvocationError) -> TypeEncoding) throws(Refusal) -> TypeEncoding {
    do throws(InvocationError) { return try make() } catch { throw Refusal(reason: error.reason, code: error.code) }
  }

  /// Returns the encoding of a type that contains no other.
  private func leaf(_ type: QualifiedType, _ detail: Detail) throws(Refusal) -> TypeEncoding {
    let qualifiers = qualifiers(type)
    func scalar(_ basic: Basic) -> TypeEncoding {
      guard let scalar = basic.scalar(types.target) else { return TypeEncoding(.void, qualifiers: qualifiers) }
      return TypeEncoding(.scalar(scalar), qualifiers: qualifiers)
    }
    switch types.node(type) {
    case .basic(let basic): return scalar(basic)
    case .complex(let part): return TypeEncoding(.complex(part.scalar(types.target) ?? .double), qualifiers: qualifiers)
    case .vector(let element, let size):
      guard let scalar = element.scalar(types.target) else { throw Refusal(reason: "a vector of \(element.name)") }
      let count = size / element.size(types.target)
      return TypeEncoding(
        .vector(element: scalar, count: count, size: size, alignment: types.vectorAlignment(size)), qualifiers: qualifiers)
    case .block: return TypeEncoding(.block(nil), qualifiers: qualifiers)
    case .function, .pointer, .array: return TypeEncoding(.unknown)
    case .enumeration(let index):
      let enumeration = types.enumerations[Int(index)]
      if let reason = enumeration.refusal { throw Refusal(reason: "an enum: \(reason)") }
      guard let basic = enumeration.underlying else {
        guard detail.isOutermost || detail.isMember else { return scalar(.int) }
        throw Refusal(reason: "'enum \(types.names.text(enumeration.name))' is incomplete: its definition is missing")
      }
      // As clang encodes it, unless an enumerator does not fit `int`.
      return scalar(!enumeration.isFixed && enumeration.fitsInt && basic.size(types.target) == 4 ? .int : basic)
    case .record(let index): return try record(recordText(index), types.records[Int(index)].isUnion, nil, qualifiers)
    case .unsupported(let reason, _): throw Refusal(reason: reason)
    }
  }

  /// The name of a struct or union in an encoding.
  private func recordText(_ index: Int32) -> String {
    types.records[Int(index)].name.isNone ? "?" : types.names.text(types.records[Int(index)].name)
  }

  /// Returns the encoding of a struct or union with its members.
  private func defined(
    _ index: Int32, _ qualifiers: TypeEncoding.Qualifiers, _ extent: inout Extent
  ) throws(Refusal) -> TypeEncoding {
    guard types.records[Int(index)].members != nil else {
      return try record(recordText(index), types.records[Int(index)].isUnion, [], qualifiers)
    }
    encodeRecords(in: index)
    let encoding = try recordEncoding(index)
    try extent.require(levels: encoding.levels)
    try extent.addParts(encoding.parts)
    guard !qualifiers.isEmpty else { return encoding.type }
    throw Refusal(reason: "an atomic struct has no type encoding")
  }

  /// Returns the encoding of a struct or union without its members.
  func incomplete(_ index: Int32) throws(Refusal) -> TypeEncoding {
    try record(recordText(index), types.records[Int(index)].isUnion, nil, [])
  }

  private func record(
    _ name: String, _ isUnion: Bool, _ members: [(name: String?, type: TypeEncoding)]?, _ qualifiers: TypeEncoding.Qualifiers,
    _ override: TypeEncoding.LayoutOverride? = nil
  ) throws(Refusal) -> TypeEncoding {
    try made { () throws(InvocationError) in
      try TypeEncoding(record: name, isUnion: isUnion, members: members, qualifiers: qualifiers, override: override)
    }
  }

  // MARK: Pointers

  private func pointer(
    _ type: QualifiedType, to target: QualifiedType, _ detail: Detail, _ extent: inout Extent
  ) throws(Refusal) -> TypeEncoding {
    var qualifiers = qualifiers(type)
    if detail.isOutermost, isReadOnly(type, target) { qualifiers.insert(.const) }
    guard !target.flags.contains(.otherMemory) else { throw Refusal(reason: "a pointer to another address space is no address") }
    // A list of arguments ends with no zero.
    if types.isArgumentListPointer(type) { return TypeEncoding(.pointer(TypeEncoding(.void)), qualifiers: qualifiers) }
    // Only what is declared as char is a text: other bytes need not end with a zero.
    if case .basic(.char) = types.node(target), !target.flags.contains(.atomic) {
      return TypeEncoding(.cString, qualifiers: qualifiers)
    }
    return TypeEncoding(.pointer(try pointee(target, detail.pointee, &extent)), qualifiers: qualifiers)
  }

  /// What a pointer points to may have no encoding; the pointer still has one.
  private func pointee(_ target: QualifiedType, _ detail: Detail, _ extent: inout Extent) throws(Refusal) -> TypeEncoding {
    let before = extent
    do {
      return try encoding(of: target, detail, &extent)
    } catch {
      extent = before
      extent.parts += 1
      if case .record(let index) = types.node(target) { return try incomplete(index) }
      guard error.code == .unsupportedType else { throw error }
      return TypeEncoding(.void)
    }
  }

  /// Whether clang writes `r` before a pointer: for a typedef, if the typedef is const itself; otherwise, if the target
  /// of the innermost pointer is const.
  private func isReadOnly(_ type: QualifiedType, _ target: QualifiedType) -> Bool {
    if type.flags.contains(.typedefName) { return type.flags.contains(.const) }
    var inner = target
    while case .pointer(let next) = types.node(inner) { inner = next }
    // The qualifiers of an array are its elements'.
    while case .array(let element, _) = types.node(inner) { inner = element }
    return inner.flags.contains(.const)
  }

  // MARK: Structs and unions

  /// Encodes the structs and unions that another one contains, the innermost first: a chain of them is longer than the stack.
  private func encodeRecords(in outer: Int32) {
    var waiting = [(index: outer, next: 0)]
    while let last = waiting.last {
      let members = known[last.index] == nil ? types.records[Int(last.index)].members ?? [] : []
      guard last.next < members.count else {
        waiting.removeLast()
        _ = try? recordEncoding(last.index)
        continue
      }
      waiting[waiting.count - 1].next += 1
      var type = members[last.next].type
      while case .array(let element, _) = types.node(type) { type = element }
      if case .record(let inner) = types.node(type), known[inner] == nil { waiting.append((inner, 0)) }
    }
  }

  private func recordEncoding(_ index: Int32) throws(Refusal) -> RecordEncoding {
    if let known = known[index] { return try known.get() }
    let result = Result { () throws(Refusal) in try newRecordEncoding(index) }
    known[index] = result
    return try result.get()
  }

  private func newRecordEncoding(_ index: Int32) throws(Refusal) -> RecordEncoding {
    guard let layout = types.records[Int(index)].layout else { throw Refusal(reason: unsupportedMember(of: index)) }
    var members: [(name: String?, type: TypeEncoding)] = []
    var extent = Extent()
    for (position, bit) in layout.positions.enumerated() { members.append(try member(position, of: index, at: bit, &extent)) }
    try extent.addParts(0)
    let type = try laidOut(recordText(index), types.records[Int(index)], layout, members)
    return RecordEncoding(type: type, parts: extent.parts, levels: extent.deepest, hasLoneArray: hasLoneArray(types.records[Int(index)]))
  }

  /// Whether a flexible array is the only member, or a member of a union or of a struct without bytes, here or in a member.
  private func hasLoneArray(_ record: RecordNode) -> Bool {
    let members = record.members ?? []
    return members.contains { member in
      if case .array(_, nil) = types.node(member.type) { return record.isUnion || members.count == 1 || record.layout?.layout.size == 0 }
      var type = member.type
      while case .array(let element, _) = types.node(type) { type = element }
      return types.record(type).flatMap { try? known[$0]?.get().hasLoneArray } ?? false
    }
  }

  private func member(
    _ position: Int, of index: Int32, at bit: Int, _ extent: inout Extent
  ) throws(Refusal) -> (name: String?, type: TypeEncoding) {
    let member = types.records[Int(index)].members?[position] ?? MemberNode(name: .none, type: QualifiedType(.int))
    let name = member.name.isNone ? nil : types.names.text(member.name)
    if let width = member.width {
      extent.parts += 1
      if case .enumeration(let inner) = types.node(member.type), let reason = types.enumerations[Int(inner)].refusal {
        throw Refusal(reason: "member '\(name ?? "?")' of \(types.recordName(index)): \(reason)")
      }
      return (name, bitField(width, member, of: index, at: bit))
    }
    do throws(Refusal) {
      return (name, try encoding(of: member.type, .member, &extent))
    } catch {
      throw error.about("member '\(name ?? "?")' of \(types.recordName(index))")
    }
  }

  private func bitField(_ width: Int, _ member: MemberNode, of index: Int32, at position: Int) -> TypeEncoding {
    var declaration: TypeEncoding.BitField.Declaration = member.name.isNone ? .unnamed : []
    if types.records[Int(index)].isPacked || member.isPacked { declaration.insert(.packed) }
    return TypeEncoding(
      .bitField(
        TypeEncoding.BitField(width: width, container: container(of: member.type), position: position, declaration: declaration)))
  }

  private func unsupportedMember(of index: Int32) -> String {
    var (path, index) = ("", index)
    for _ in 0..<TokenReader.deepest {
      if let reason = types.records[Int(index)].refusal { return path + "\(types.recordName(index)): \(reason)" }
      var inner: Int32?
      for member in types.records[Int(index)].members ?? [] where inner == nil {
        var type = member.type
        while case .array(let element, _) = types.node(type) { type = element }
        let place = "member '\(member.name.isNone ? "?" : types.names.text(member.name))' of \(types.recordName(index)): "
        if case .unsupported(let reason, nil) = types.node(type) { return path + place + reason }
        guard case .record(let next) = types.node(type), types.records[Int(next)].layout == nil else { continue }
        (path, inner) = (path + place, next)
      }
      guard let inner else { break }
      index = inner
    }
    return path + "\(types.recordName(index)) has a member without a size"
  }

  /// The type of a bit-field, whose sign decides how its bits are read.
  private func container(of type: QualifiedType) -> TypeEncoding.Scalar {
    switch types.node(type) {
    case .basic(let basic): basic.scalar(types.target) ?? .int32
    case .enumeration(let index): types.underlying(index).scalar(types.target) ?? .int32
    default: .int32
    }
  }

  /// Returns the encoding with the declared layout: by the members alone, by packing and alignment, or as it is stated.
  private func laidOut(
    _ name: String, _ record: RecordNode, _ stated: TypeEncoding.StatedLayout, _ members: [(name: String?, type: TypeEncoding)]
  ) throws(Refusal) -> TypeEncoding {
    func fits(_ type: TypeEncoding) -> Bool {
      guard type.node.layout == stated.layout else { return false }
      let fields =
        switch type.kind {
        case .structure(let found), .union(let found): found.fields ?? []
        default: [TypeEncoding.Field]()
        }
      return zip(fields, stated.positions).allSatisfy { field, position in
        field.bits.map { $0.lowerBound == position } ?? (8 * field.offset == position)
      }
    }
    let natural = try self.record(name, record.isUnion, members, [])
    if fits(natural) { return natural }
    let packing = record.isPacked ? 1 : record.packing
    let alignment = record.alignment
    if let override = try? TypeEncoding.LayoutOverride(
      packing: packing > 0 ? packing : nil, minimumAlignment: alignment > 0 ? alignment : nil)
    {
      let type = try self.record(name, record.isUnion, members, [], override)
      if fits(type) { return type }
    }
    return try self.record(name, record.isUnion, members, [], TypeEncoding.LayoutOverride(stated))
  }

  // MARK: Functions

  /// Returns the types of a function.
  func methodTypes(_ index: Int32) throws(Refusal) -> MethodTypes {
    let function = types.functions[Int(index)]
    if let reason = function.refusal { throw Refusal(reason: reason) }
    guard function.hasPrototype else {
      throw Refusal(
        reason: "the parentheses are empty, so that the parameters are not known: a function without parameters is declared with (void)",
        code: .malformedDeclaration)
    }
    let result = try value(function.result, "return value")
    var arguments: [TypeEncoding] = []
    for (position, parameter) in function.parameters.enumerated() {
      arguments.append(try value(parameter, "parameter \(position)"))
    }
    return MethodTypes(result: result, arguments: arguments)
  }

  /// Returns the encoding of a type that is passed by value.
  private func value(_ type: QualifiedType, _ what: String) throws(Refusal) -> TypeEncoding {
    do throws(Refusal) {
      if case .record(let index) = types.node(type) {
        let record = types.records[Int(index)]
        guard let members = record.members else {
          throw Refusal(reason: "\(types.recordName(index)) is incomplete: its definition is missing")
        }
        // A transparent union is passed as its first member.
        if record.isUnion, record.isTransparent, record.refusal == nil, let first = members.first { return try encoding(of: first.type) }
      }
      let encoding = try encoding(of: type)
      // On x86-64 only, in registers only.
      if types.target.argumentList == .array, encoding.size ?? 0 <= 16, let index = types.record(type),
        try recordEncoding(index).hasLoneArray
      {
        throw Refusal(reason: "\(types.recordName(index)) has a flexible array, with which gcc and clang pass it differently")
      }
      return encoding
    } catch {
      throw error.about(what)
    }
  }
}
