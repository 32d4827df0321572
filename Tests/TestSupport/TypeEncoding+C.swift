public import DynamicInvocation

/// A part of a type that C can name and that contains no padding: a scalar, an array of scalars, a bit-field.
public struct CMember: Sendable {
  /// The C expression for it after a variable of the type: `.m1.m0[2]`; empty for the variable itself.
  public let path: String
  /// Its bits, counted from the start of the type.
  public let bits: Range<Int>
  /// Whether it is a bit-field, which has no address.
  public let isBitField: Bool
}

extension TypeEncoding {
  /// Returns the C declaration of a variable of this type, with members named `m0`, `m1`, ...
  ///
  /// An array does not decay to a pointer: it is declared as an array. A declaration cannot state a packing other than
  /// 1; see ``cTypedef(_:)``.
  public func cDeclaration(_ name: String) -> String { cDeclaration(name) { $0.cRecord($1) { $0.cDeclaration($1) } } }

  private func cDeclaration(_ name: String, record: (TypeEncoding, String) -> String) -> String {
    let atomic = qualifiers.contains(.atomic) ? "_Atomic " : ""
    return switch kind {
    case .void: "void \(name)"
    case .scalar(let scalar): "\(atomic)\(scalar.cName) \(name)"
    case .complex(let part): "\(atomic)_Complex \(part.cName) \(name)"
    case .vector(let element, _, let size, _): "__typeof__(\(element.cName) __attribute__((vector_size(\(size))))) \(name)"
    case .cString, .atom: "char *\(atomic)\(name)"
    case .object, .block, .classObject, .selector, .pointer: "void *\(atomic)\(name)"
    case .array(let count, let element): element.cDeclaration("\(name)[\(count)]", record: record)
    case .structure, .union: record(self, name)
    case .bitField(let field): "\(field.container.cName) \(field.width == 0 ? "" : name):\(field.width)"
    case .unknown: preconditionFailure("a function has no declaration of a variable")
    }
  }

  private func cRecord(_ name: String, member: (TypeEncoding, String) -> String) -> String {
    let (keyword, record): (String, Record?) =
      switch kind {
      case .structure(let record): ("struct", record)
      case .union(let record): ("union", record)
      default: ("", nil)
      }
    let members = (record?.fields ?? []).enumerated().map { "\(member($1.type, "m\($0)"));" }.joined(separator: " ")
    return "\(keyword) \(cAttributes){ \(members) } \(name)"
  }

  /// Returns the C definition of a type name for this type.
  ///
  /// If a packing concerns it or one of its parts, each struct in it has a definition of its own before it, so that the
  /// packing of one does not affect another.
  public func cTypedef(_ name: String) -> String {
    guard hasPragma else { return "typedef \(cDeclaration(name));" }
    var definitions: [String] = []
    define(name, &definitions)
    return definitions.joined(separator: "\n")
  }

  private func define(_ name: String, _ definitions: inout [String]) {
    var count = 0
    let text = cRecord(name) { member, memberName in
      member.cDeclaration(memberName) { record, variable in
        let type = "\(name)_\(count)"
        count += 1
        record.define(type, &definitions)
        return "\(type) \(variable)"
      }
    }
    let definition = "typedef \(text);"
    guard let packing = layoutOverride?.packing, packing != 1 else { return definitions.append(definition) }
    definitions.append("#pragma pack(push, \(packing))\n\(definition)\n#pragma pack(pop)")
  }

  /// Whether the type or a part of it has a packing that only a pragma states.
  private var hasPragma: Bool {
    switch kind {
    case .structure(let record), .union(let record):
      (layoutOverride?.packing ?? 1) != 1 || (record.fields ?? []).contains { $0.type.hasPragma }
    case .array(_, let element): element.hasPragma
    default: false
    }
  }

  private var cAttributes: String {
    var attributes: [String] = []
    if layoutOverride?.packing == 1 { attributes.append("packed") }
    if let alignment = layoutOverride?.minimumAlignment { attributes.append("aligned(\(alignment))") }
    return attributes.isEmpty ? "" : "__attribute__((\(attributes.joined(separator: ", ")))) "
  }

  /// The parts that C can name, in the order of their declaration.
  ///
  /// They include all members of a union.
  public var cMembers: [CMember] {
    var members: [CMember] = []
    collect("", at: 0, into: &members)
    return members
  }

  private func collect(_ path: String, at offset: Int, into members: inout [CMember]) {
    switch kind {
    case .structure(let record), .union(let record):
      for (index, field) in (record.fields ?? []).enumerated() {
        let inner = "\(path).m\(index)"
        if case .bitField(let bitField) = field.type.kind {
          guard bitField.width > 0, let bits = field.bits else { continue }
          members.append(CMember(path: inner, bits: bits.lowerBound + offset..<bits.upperBound + offset, isBitField: true))
        } else {
          field.type.collect(inner, at: offset + 8 * field.offset, into: &members)
        }
      }
    case .array(let count, let element):
      let stride = 8 * (element.stride ?? 0)
      if case .scalar(let scalar) = element.kind, scalar != .longDouble {
        members.append(CMember(path: path, bits: offset..<offset + count * stride, isBitField: false))
      } else {
        for index in 0..<count { element.collect("\(path)[\(index)]", at: offset + index * stride, into: &members) }
      }
    case .complex(.longDouble):
      for (index, part) in ["__real__ ", "__imag__ "].enumerated() {
        members.append(CMember(path: "(\(part)" + path + ")", bits: offset + 128 * index..<offset + 128 * index + 80, isBitField: false))
      }
    case .scalar(.longDouble):
      members.append(CMember(path: path, bits: offset..<offset + LongDoubleFormat.host.bits, isBitField: false))
    default:
      members.append(CMember(path: path, bits: offset..<offset + 8 * (size ?? 0), isBitField: false))
    }
  }
}
