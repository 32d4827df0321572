import DynamicInvocation

extension RandomRecord {
  /// The name with its keyword.
  public var cName: String { (isUnion ? "union " : "struct ") + name }

  /// The declaration in C.
  public var declaration: String {
    var body = members.enumerated().map { "  " + Self.declaration(of: $0.element, index: $0.offset) + ";\n" }.joined()
    body = "{\n\(body)}"
    return switch attribute {
    case .none: "\(cName) \(body);\n"
    case .packed: "\(cName) \(body) __attribute__((packed));\n"
    case .pragmaPack(let packing): "#pragma pack(push, \(packing))\n\(cName) \(body);\n#pragma pack(pop)\n"
    case .aligned(let alignment): "\(cName) \(body) __attribute__((aligned(\(alignment))));\n"
    case .packedAndAligned(let alignment): "\(cName) \(body) __attribute__((packed, aligned(\(alignment))));\n"
    }
  }

  /// C statements that write the compiler's layout: size, alignment, and for each named member its first bit and its
  /// last bit plus one.
  public var measurement: String {
    var text = "  { \(cName) value; *out++ = sizeof value; *out++ = _Alignof(\(cName));\n"
    for (index, member) in members.enumerated() {
      switch member {
      case .plain:
        text += "    *out++ = 8 * __builtin_offsetof(\(cName), m\(index)); "
        text += "*out++ = 8 * (__builtin_offsetof(\(cName), m\(index)) + sizeof value.m\(index));\n"
      case .bitField(let container, _):
        text +=
          "    memset(&value, 0, sizeof value); value.m\(index) = \(container == .bool ? "1" : "-1"); out = probe(&value, sizeof value, out);\n"
      case .unitEnd, .padding: break
      }
    }
    return text + "  }\n"
  }

  /// The number of values that ``measurement`` writes.
  public var measurementCount: Int {
    2 + 2 * members.count(where: \.isNamed)
  }

  private static func declaration(of member: Member, index: Int) -> String {
    switch member {
    case .plain(let type): declaration(of: type, named: "m\(index)")
    case .bitField(let container, let width): "\(container.cName) m\(index) : \(width)"
    case .unitEnd(let container): "\(container.cName) : 0"
    case .padding(let container, let width): "\(container.cName) : \(width)"
    }
  }

  private static func declaration(of type: CType, named name: String) -> String {
    switch type {
    case .scalar(let scalar): "\(scalar.cName) \(name)"
    case .complex(let part): "_Complex \(part.cName) \(name)"
    case .pointer: "void *\(name)"
    case .array(let count, let element): declaration(of: element, named: "\(name)[\(count)]")
    case .record(let record): "\(record.cName) \(name)"
    }
  }
}

extension RandomRecord.Member {
  /// Whether it has a name, so that a program can tell where it is.
  public var isNamed: Bool {
    switch self {
    case .plain, .bitField: true
    case .unitEnd, .padding: false
    }
  }
}
