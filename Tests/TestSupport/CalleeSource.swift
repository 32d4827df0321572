public import DynamicInvocation

/// The C source of functions that check their arguments, one for each of a list of signatures.
///
/// The function `f<n>` compares each argument with the bytes and the mask that `set_expected` received on the same
/// thread, and its address with the alignment of its type. It reports the first wrong argument through `first_wrong`, and
/// returns the given result. It overwrites its arguments after the comparison, since the callee owns them. `call_count`
/// returns the number of calls of such functions on the same thread.
///
/// In the opposite direction, `c<n>` calls code of the same types with the given arguments and copies the result to an
/// address. There is no such function for a variadic signature. `probe<n>` sets the bits of one member of type `n`;
/// `layout<n>` returns its size and alignment.
public struct CalleeSource: Sendable {
  /// The text of the source.
  public let text: String
  /// The types without duplicates.
  public let types: [TypeEncoding]

  /// Creates the source for signatures.
  ///
  /// - Parameters:
  ///   - probing: Whether to add `probe<n>` and `layout<n>` for each type.
  ///   - calling: Whether to add `c<n>` for each signature that is not variadic.
  public init(_ signatures: [CallSignature], probing: Bool = false, calling: Bool = false) {
    var names = TypeNames()
    let functions = signatures.enumerated().map { index, signature in
      Self.function("f\(index)", signature, names: &names)
    }
    let callers = signatures.enumerated().filter { calling && $1.fixedCount == nil }.map { index, signature in
      Self.caller("c\(index)", signature, names: &names)
    }
    let probes = probing ? names.types.enumerated().map { Self.probe($0, $1) } : []
    types = names.types
    text = ([Self.prologue] + names.definitions + functions + callers + probes).joined(separator: "\n")
  }

  private static let prologue = """
    #include <stdarg.h>
    #include <stddef.h>
    #include <string.h>
    static _Thread_local const unsigned char *const *values, *const *masks;
    static _Thread_local const void *announced;
    static _Thread_local int wrong;
    static _Thread_local unsigned long long calls;
    void set_expected(const unsigned char *const *v, const unsigned char *const *m, const void *r) {
      values = v; masks = m; announced = r; wrong = -1;
    }
    int first_wrong(void) { return wrong; }
    unsigned long long call_count(void) { return calls; }
    static __attribute__((noinline)) void check(void *argument, size_t size, size_t alignment, int index) {
      unsigned char *bytes = argument;
      const unsigned char *value = values[index], *mask = masks[index];
    #ifdef __aarch64__
      if (alignment > 16) alignment = 16;  // AAPCS64 aligns no argument on the stack to more, and gcc leaves it where it lies.
    #endif
      volatile size_t address = (size_t)argument;  // The compiler thinks it knows that it is aligned.
      if (address % alignment && wrong < 0) wrong = index;
      for (size_t i = 0; i < size; i += 1) {
        if ((bytes[i] ^ value[i]) & mask[i] && wrong < 0) wrong = index;
        bytes[i] ^= 0xFF;
      }
    }
    """

  private static func function(_ name: String, _ signature: CallSignature, names: inout TypeNames) -> String {
    let result = names.name(of: signature.types.result)
    let arguments = signature.types.arguments.map { names.name(of: $0) }
    let fixed = signature.fixedCount ?? arguments.count
    var parameters = (0..<fixed).map { "\(arguments[$0]) a\($0)" }
    var body = ["calls += 1;"]
    if signature.fixedCount != nil {
      parameters.append("...")
      body.append("va_list list; va_start(list, a\(fixed - 1));")
    }
    for index in fixed..<arguments.count {
      body.append("\(arguments[index]) a\(index) = va_arg(list, \(arguments[index]));")
    }
    if signature.fixedCount != nil { body.append("va_end(list);") }
    for index in arguments.indices { body.append("check(&a\(index), sizeof a\(index), _Alignof(\(arguments[index])), \(index));") }
    if result != "void" { body.append("return *(const \(result) *)announced;") }
    return "\(result) \(name)(\(parameters.isEmpty ? "void" : parameters.joined(separator: ", "))) { \(body.joined(separator: " ")) }"
  }

  private static func caller(_ name: String, _ signature: CallSignature, names: inout TypeNames) -> String {
    let result = names.name(of: signature.types.result)
    let arguments = signature.types.arguments.map { names.name(of: $0) }
    let variables = arguments.enumerated().map { "\($1) a\($0); memcpy(&a\($0), values[\($0)], sizeof a\($0));" }
    let list = arguments.isEmpty ? "void" : arguments.joined(separator: ", ")
    let call = "((\(result) (*)(\(list)))code)(\(arguments.indices.map { "a\($0)" }.joined(separator: ", ")))"
    let body = result == "void" ? "\(call);" : "\(result) r = \(call); memcpy(to, &r, sizeof r);"
    return "void \(name)(void *code, void *to) { \((variables + [body]).joined(separator: " ")) }"
  }

  private static func probe(_ index: Int, _ type: TypeEncoding) -> String {
    let cases = type.cMembers.enumerated().map { number, member in
      let path = member.path.hasPrefix("(") ? "(" + member.path.dropFirst().replacing("__ ", with: "__ (*value)") : "(*value)" + member.path
      let set = member.isBitField ? "\(path) = \(member.bits.count == 1 ? "1" : "-1")" : "memset(&\(path), 255, \(member.bits.count / 8))"
      return "case \(number): \(set); break;"
    }
    return """
      void probe\(index)(t\(index) *value, int member) { switch (member) { \(cases.joined(separator: " ")) } }
      unsigned long layout\(index)(int which) { return which ? _Alignof(t\(index)) : sizeof(t\(index)); }
      """
  }

  /// Assigns each type a unique name in C.
  private struct TypeNames {
    private var known: [String: String] = [:]
    private(set) var types: [TypeEncoding] = []
    private(set) var definitions: [String] = []

    mutating func name(of type: TypeEncoding) -> String {
      switch type.kind {
      case .void: return "void"
      // As an argument it is a pointer.
      case .array: return "void *"
      default: break
      }
      let key = type.cTypedef("name")
      if let name = known[key] { return name }
      let name = "t\(types.count)"
      known[key] = name
      types.append(type)
      definitions.append(type.cTypedef(name))
      return name
    }
  }
}

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
  /// If a packing concerns the type or one of its parts, each struct in it has a definition of its own before it, so that the
  /// packing of one struct does not affect another.
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
