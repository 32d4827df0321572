import TypeEncodings

/// The encoding of a struct or union, and the number of its parts.
struct RecordEncoding: Sendable {
  var type: TypeEncoding
  var parts: Int
}

/// A reason for which a type cannot be used.
struct Refusal: Error {
  var reason: String
  var code: InvocationError.Code = .unsupportedType
}

/// Conversion of types to encodings.
///
/// The text is what clang's `@encode` writes: the members of a struct that a pointer points to are written once, at the
/// outermost level.
extension DeclarationReader {
  /// The maximum number of parts of one encoding.
  static let mostParts = 100_000

  /// What is written of a type, which depends on how deep it is within another.
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
  mutating func encoding(of type: QualifiedType, _ detail: Detail = Detail()) throws(Refusal) -> TypeEncoding {
    var parts = 0
    return try encoding(of: type, detail, &parts)
  }

  private mutating func encoding(of type: QualifiedType, _ detail: Detail, _ parts: inout Int) throws(Refusal) -> TypeEncoding {
    parts += 1
    let qualifiers: TypeEncoding.Qualifiers = type.flags.contains(.atomic) ? .atomic : []
    func scalar(_ basic: Basic) -> TypeEncoding {
      guard let scalar = basic.scalar(target) else { return TypeEncoding(.void, qualifiers: qualifiers) }
      return TypeEncoding(.scalar(scalar), qualifiers: qualifiers)
    }
    switch node(type) {
    case .basic(let basic): return scalar(basic)
    case .complex(let part): return TypeEncoding(.complex(part.scalar(target) ?? .double), qualifiers: qualifiers)
    case .vector(let element, let size):
      guard let scalar = element.scalar(target) else { throw Refusal(reason: "a vector of \(element.name)") }
      return TypeEncoding(.vector(element: scalar, count: size / scalar.size, size: size, alignment: size), qualifiers: qualifiers)
    case .pointer(let target): return try pointer(type, to: target, detail, qualifiers, &parts)
    case .block: return TypeEncoding(.block(nil), qualifiers: qualifiers)
    case .array(let element, nil) where !detail.isMember:
      return TypeEncoding(.pointer(try pointee(element, detail.element, &parts)), qualifiers: qualifiers)
    case .array(let element, let count):
      var detail = detail.element
      detail.isMember = true
      let inner = try encoding(of: element, detail, &parts)
      do {
        return try TypeEncoding(arrayOf: inner, count: count ?? 0, qualifiers: qualifiers)
      } catch {
        throw Refusal(reason: error.reason, code: error.code)
      }
    case .function: return TypeEncoding(.unknown)
    case .enumeration(let index):
      let enumeration = enumerations[Int(index)]
      guard let basic = enumeration.underlying else {
        guard detail.isOutermost || detail.isMember else { return scalar(.int) }
        throw Refusal(reason: "'enum \(names.text(enumeration.name))' is incomplete: its definition is missing")
      }
      // As clang encodes it, unless an enumerator does not fit `int`.
      return scalar(!enumeration.isFixed && enumeration.fitsInt && basic.size == 4 ? .int : basic)
    case .record(let index):
      let record = records[Int(index)]
      let name = record.name.isNone ? "?" : names.text(record.name)
      guard detail.hasMembers else { return try self.record(name, record.isUnion, nil, qualifiers) }
      do {
        try complete(index)
      } catch {
        throw Refusal(reason: error.reason, code: error.code)
      }
      guard records[Int(index)].members != nil else { return try self.record(name, record.isUnion, [], qualifiers) }
      let encoding = try recordEncoding(index, name)
      parts += encoding.parts
      guard parts <= Self.mostParts else { throw Refusal(reason: "a type of more than \(Self.mostParts) parts", code: .limitExceeded) }
      guard !qualifiers.isEmpty else { return encoding.type }
      throw Refusal(reason: "an atomic struct has no type encoding")
    case .unsupported(let reason, _): throw Refusal(reason: reason)
    }
  }

  /// Returns the encoding of a struct or union without its members.
  func incomplete(_ index: Int32) throws(Refusal) -> TypeEncoding {
    let record = records[Int(index)]
    return try self.record(record.name.isNone ? "?" : names.text(record.name), record.isUnion, nil, [])
  }

  private func record(
    _ name: String, _ isUnion: Bool, _ members: [(name: String?, type: TypeEncoding)]?, _ qualifiers: TypeEncoding.Qualifiers,
    _ override: TypeEncoding.LayoutOverride? = nil
  ) throws(Refusal) -> TypeEncoding {
    do {
      return try TypeEncoding(record: name, isUnion: isUnion, members: members, qualifiers: qualifiers, override: override)
    } catch {
      throw Refusal(reason: error.reason, code: error.code)
    }
  }

  // MARK: Pointers

  private mutating func pointer(
    _ type: QualifiedType, to target: QualifiedType, _ detail: Detail, _ qualifiers: TypeEncoding.Qualifiers, _ parts: inout Int
  ) throws(Refusal) -> TypeEncoding {
    var qualifiers = qualifiers
    if detail.isOutermost, isReadOnly(type, target) { qualifiers.insert(.const) }
    if case .basic(let basic) = node(target), [.char, .signedChar, .unsignedChar].contains(basic), !target.flags.contains(.atomic) {
      return TypeEncoding(.cString, qualifiers: qualifiers)
    }
    return TypeEncoding(.pointer(try pointee(target, detail.pointee, &parts)), qualifiers: qualifiers)
  }

  /// What a pointer points to may have no encoding: the pointer has one.
  private mutating func pointee(_ target: QualifiedType, _ detail: Detail, _ parts: inout Int) throws(Refusal) -> TypeEncoding {
    if case .unsupported = node(target) { return TypeEncoding(.void) }
    let before = parts
    do {
      return try encoding(of: target, detail, &parts)
    } catch {
      guard case .record(let index) = node(target) else { throw error }
      parts = before + 1
      return try incomplete(index)
    }
  }

  /// Whether clang writes `r` before a pointer: for a typedef if it is const itself, otherwise if what the innermost
  /// pointer points to is const.
  private func isReadOnly(_ type: QualifiedType, _ target: QualifiedType) -> Bool {
    if type.flags.contains(.typedefName) { return type.flags.contains(.const) }
    var inner = target
    while case .pointer(let next) = node(inner) { inner = next }
    // The qualifiers of an array are those of its elements.
    while case .array(let element, _) = node(inner) { inner = element }
    return inner.flags.contains(.const)
  }

  // MARK: Structs and unions

  private mutating func recordEncoding(_ index: Int32, _ name: String) throws(Refusal) -> RecordEncoding {
    if let known = recordEncodings[index] { return known }
    let record = records[Int(index)]
    var members: [(name: String?, type: TypeEncoding)] = []
    var parts = 0
    guard let layout = record.layout else { throw Refusal(reason: unsupportedMember(of: index)) }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw Refusal(reason: "nested deeper than \(Self.deepest) levels", code: .limitExceeded) }
    for (member, position) in zip(record.members ?? [], record.positions) {
      let memberName = member.name.isNone ? nil : names.text(member.name)
      var type: TypeEncoding
      do throws(Refusal) {
        if let width = member.width {
          type = TypeEncoding(.bitField(TypeEncoding.BitField(width: width, container: container(of: member.type), position: position)))
          parts += 1
        } else {
          type = try encoding(of: member.type, .member, &parts)
        }
      } catch {
        throw Refusal(reason: "member '\(memberName ?? "?")' of \(recordName(index)): \(error.reason)", code: error.code)
      }
      members.append((memberName, type))
    }
    guard parts <= Self.mostParts else { throw Refusal(reason: "a type of more than \(Self.mostParts) parts", code: .limitExceeded) }
    let type = try laidOut(name, record, layout, members)
    let result = RecordEncoding(type: type, parts: parts)
    recordEncodings[index] = result
    return result
  }

  private func unsupportedMember(of index: Int32) -> String {
    for member in records[Int(index)].members ?? [] {
      if case .unsupported(let reason, nil) = node(member.type) {
        return "member '\(names.text(member.name))' of \(recordName(index)): \(reason)"
      }
    }
    return "\(recordName(index)) has a member without a size"
  }

  /// The type of a bit-field, whose sign decides how its bits are read.
  private func container(of type: QualifiedType) -> TypeEncoding.Scalar {
    switch node(type) {
    case .basic(let basic): basic.scalar(target) ?? .int32
    case .enumeration(let index): (enumerations[Int(index)].underlying ?? .int).scalar(target) ?? .int32
    default: .int32
    }
  }

  /// Returns the encoding with the layout of the declaration: that of its members, or packed and aligned, or stated.
  private func laidOut(
    _ name: String, _ record: RecordNode, _ layout: NodeLayout, _ members: [(name: String?, type: TypeEncoding)]
  ) throws(Refusal) -> TypeEncoding {
    func fits(_ type: TypeEncoding) -> Bool {
      guard type.size == layout.size, type.alignment == layout.alignment else { return false }
      let fields =
        switch type.kind {
        case .structure(let found), .union(let found): found.fields ?? []
        default: [TypeEncoding.Field]()
        }
      return zip(fields, record.positions).allSatisfy { field, position in
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
    let stated = TypeEncoding.StatedLayout(size: layout.size, alignment: layout.alignment, positions: record.positions)
    return try self.record(name, record.isUnion, members, [], TypeEncoding.LayoutOverride(stated))
  }

  // MARK: Functions

  /// Returns the types of a function.
  mutating func methodTypes(_ index: Int32) throws(Refusal) -> MethodTypes {
    let function = functions[Int(index)]
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
  private mutating func value(_ type: QualifiedType, _ what: String) throws(Refusal) -> TypeEncoding {
    do throws(Refusal) {
      if case .record(let index) = node(type) {
        do {
          try complete(index)
        } catch {
          throw Refusal(reason: error.reason, code: error.code)
        }
        let record = records[Int(index)]
        guard let members = record.members else { throw Refusal(reason: "\(recordName(index)) is incomplete: its definition is missing") }
        // A transparent union is passed as its first member.
        if record.isUnion, record.isTransparent, let first = members.first { return try encoding(of: first.type) }
      }
      return try encoding(of: type)
    } catch {
      throw Refusal(reason: "\(what): \(error.reason)", code: error.code)
    }
  }
}
