import TestSupport
import Testing
@testable import TypeEncodings

@testable import DynamicInvocation

/// Every element of the grammar, and what is made of it.
@Suite(.measured) struct TypeEncodingParsingTests {
  typealias Scalar = TypeEncoding.Scalar

  @Test(arguments: Scalar.allCases) func scalars(scalar: Scalar) throws {
    let text = String(Unicode.Scalar(scalar.rawValue))
    let type = try TypeEncoding(text, blankIsFloat16: true)
    guard case .scalar(scalar) = type.kind else {
      Issue.record("\(text) is \(type.kind)")
      return
    }
    expectEqual(type.size, scalar.size)
    expectEqual(type.alignment, scalar.size)
    expectEqual(type.valueKind, ValueKind(scalar))
    expectEqual(type.description, text)
  }

  @Test(arguments: [("l", 4, 8), ("L", 4, 8), ("q", 8, 8), ("Q", 8, 8), ("^l", 8, 8), ("[3l]", 12, 24), ("{S=cL}", 8, 16)])
  func longFollowsTheDialect(text: String, next: Int, gnu: Int) throws {
    try expectEqual(TypeEncoding(text).size, next)
    try expectEqual(TypeEncoding(text, dialect: .next).size, next)
    try expectEqual(TypeEncoding(text, dialect: .gnu).size, gnu)
  }

  @Test(arguments: [
    ("*", ValueKind.cString), ("%", .cString), ("@", .object), ("@\"NSString\"", .object), ("@?", .block), ("#", .classObject),
    (":", .selector), ("^v", .pointer), ("^?", .pointer), ("^{Opaque}", .pointer), ("^{Opaque=}", .pointer), ("^^*", .pointer),
    ("@?<v@?@i>", .block), ("@?<v@?@?<i@?>>", .block),
  ]) func pointers(text: String, kind: ValueKind) throws {
    let type = try TypeEncoding(text)
    expectEqual(type.valueKind, kind)
    expectEqual(type.size, 8)
    expectEqual(type.alignment, 8)
    expectEqual(type.description, text)
  }

  @Test(arguments: ["v", "?", "{Opaque}", "(Opaque)", "[4{Opaque}]", "{S=i{Opaque}}", "b3", "{}", "{S=v}", "(u=?i)"])
  func typesWithoutASize(text: String) throws {
    let type = try TypeEncoding(text)
    expectNil(type.size)
    expectNil(type.alignment)
    expectNil(type.stride)
  }

  @Test func objectAnnotations() throws {
    func annotation(_ text: String) throws -> String? {
      guard case .object(let annotation) = try TypeEncoding(text).kind else { return "no object" }
      return annotation
    }
    try expectNil(annotation("@"))
    try expectEqual(annotation("@\"NSString\""), "NSString")
    try expectEqual(annotation("@\"<NSCopying><NSCoding>\""), "<NSCopying><NSCoding>")
    try expectEqual(annotation("@\"View<Drawing>\""), "View<Drawing>")
    try expectEqual(annotation("@\"\""), "")
    try expectEqual(annotation("r@\"Überschrift\""), "Überschrift")
  }

  @Test func blockSignatures() throws {
    guard case .block(let types?) = try parsedType("@?<v24@?0@\"A\"8i16@?<Bi>20>").kind else {
      Issue.record("no block with a signature")
      return
    }
    expectEqual(types.text(), "v@?@\"A\"i@?<Bi>")
    expectEqual(types.statedFrameSize, 24)
    expectEqual(types.statedOffsets, [0, 8, 16, 20])
    // A vector after a block: no signature begins with a digit.
    let pair = try MethodTypes("v@?<4f>")
    expectEqual(pair.arguments.count, 2)
    expectEqual(pair.text(), "v@?![16,16f]")
  }

  @Test func arrays() throws {
    let table: [(text: String, size: Int, alignment: Int)] = [
      ("[4i]", 16, 4), ("[0c]", 0, 1), ("[3[5s]]", 30, 2), ("[7{P=cd}]", 112, 8), ("[2(U=i[5c])]", 16, 4), ("[000012c]", 12, 1),
      ("[2^[9i]]", 16, 8), ("[3jf]", 24, 4), ("[1t]", 16, 16),
    ]
    for row in table {
      let type = try TypeEncoding(row.text)
      expectEqual(type.size, row.size, "\(row.text)")
      expectEqual(type.alignment, row.alignment, "\(row.text)")
    }
    guard case .array(let count, let element) = try parsedType("[12^{S=i}]").kind else {
      Issue.record("no array")
      return
    }
    expectEqual(count, 12)
    expectEqual(element.description, "^{S=i}")
  }

  @Test(arguments: [
    ("jf", Scalar.float, 8, 4), ("jd", .double, 16, 8), ("jI", .uint32, 8, 4), ("ji", .int32, 8, 4), ("jc", .int8, 2, 1),
    ("jQ", .uint64, 16, 8), ("jt", .int128, 32, 16),
  ]) func complexNumbers(text: String, part: Scalar, size: Int, alignment: Int) throws {
    let type = try TypeEncoding(text)
    guard case .complex(part) = type.kind else {
      Issue.record("\(text) is \(type.kind)")
      return
    }
    expectEqual(type.size, size)
    expectEqual(type.alignment, alignment)
  }

  @Test(arguments: [
    ("![16,16f]", Scalar.float, 4, 16, 16), ("<4f>", .float, 4, 16, 16), ("<3f>", .float, 3, 16, 16), ("<2d>", .double, 2, 16, 16),
    ("![8,8s]", .int16, 4, 8, 8), ("![32,32c]", .int8, 32, 32, 32), ("![16,8d]", .double, 2, 16, 8), ("<5C>", .uint8, 5, 8, 8),
    ("<1i>", .int32, 1, 4, 4), ("<1024f>", .float, 1024, 4096, 4096),
  ]) func vectors(text: String, element: Scalar, count: Int, size: Int, alignment: Int) throws {
    let type = try TypeEncoding(text)
    guard case .vector(element, count, size, alignment) = type.kind else {
      Issue.record("\(text) is \(type.kind)")
      return
    }
    expectEqual(type.size, size)
    expectEqual(type.alignment, alignment)
  }

  @Test func bitFieldsInBothForms() throws {
    func fields(_ text: String, _ dialect: TypeEncoding.Dialect) throws -> [TypeEncoding.BitField] {
      guard case .structure(let record) = try TypeEncoding(text, dialect: dialect).kind else { return [] }
      return (record.fields ?? []).compactMap { if case .bitField(let field) = $0.type.kind { field } else { nil } }
    }
    for dialect in TypeEncoding.Dialect.allCases {
      try expectEqual(
        fields("{S=b3b40b0}", dialect),
        [
          .init(width: 3, container: .uint32, position: nil), .init(width: 40, container: .uint64, position: nil),
          .init(width: 0, container: .uint32, position: nil),
        ])
      try expectEqual(
        fields("{S=b0i3b32i0b32c2b34B1b64Q40}", dialect),
        [
          .init(width: 3, container: .int32, position: 0), .init(width: 0, container: .int32, position: 32),
          .init(width: 2, container: .int8, position: 32), .init(width: 1, container: .bool, position: 34),
          .init(width: 40, container: .uint64, position: 64),
        ])
    }
    // A NeXT bit-field before a plain member is not taken for the GNU form.
    try expectEqual(fields("{S=b3ib4I\"n\"c}", .next), [3, 4].map { .init(width: $0, container: .uint32, position: nil) })
    try expectEqual(fields("{S=b0l33}", .gnu), [.init(width: 33, container: .int64, position: 0)])
  }

  @Test func qualifiers() throws {
    typealias Qualifiers = TypeEncoding.Qualifiers
    let table: [(String, Qualifiers)] = [
      ("ri", .const), ("ni", .in), ("Ni", .inout), ("oi", .out), ("Oi", .byCopy), ("Ri", .byReference), ("Vi", .oneway), ("Ai", .atomic),
      ("|i", .collectorInvisible),
      ("rnNoORVA|i", [.const, .in, .inout, .out, .byCopy, .byReference, .oneway, .atomic, .collectorInvisible]),
      ("VrVi", [.oneway, .const]), ("i", []),
    ]
    for (text, qualifiers) in table { try expectEqual(TypeEncoding(text).qualifiers, qualifiers, "\(text)") }
    // They belong to the type they stand before.
    let pointer = try parsedType("n^r^A{S=ri}")
    expectEqual(pointer.qualifiers, .in)
    guard case .pointer(let inner) = pointer.kind, case .pointer(let record) = inner.kind else {
      Issue.record("no pointer to pointer")
      return
    }
    expectEqual(inner.qualifiers, .const)
    expectEqual(record.qualifiers, .atomic)
    try expectEqual(parsedType("|VroNOnAR@").description, "rnNoORVA|@")
  }

  @Test func memberNames() throws {
    func names(_ text: String) throws -> [String?] {
      switch try TypeEncoding(text).kind {
      case .structure(let record), .union(let record): (record.fields ?? []).map(\.name)
      default: []
      }
    }
    try expectEqual(names("{P=\"x\"d\"y\"d}"), ["x", "y"])
    try expectEqual(names("(U=\"i\"i\"f\"f)"), ["i", "f"])
    try expectEqual(names("{P=d\"y\"di}"), [nil, "y", nil])
    try expectEqual(names("{B=\"a\"b3\"b\"b0I4\"\"i}"), ["a", "b", ""])
    // After an object a quoted string is its class, unless a type follows it.
    try expectEqual(names("{S=\"a\"@\"b\"i}"), ["a", "b"])
    try expectEqual(names("{S=\"a\"@\"NSString\"\"b\"i}"), ["a", "b"])
    try expectEqual(names("{S=\"a\"@\"NSString\"}"), ["a"])
    try expectEqual(names("{S=\"a\"^@\"b\"i}"), ["a", "b"])
    try expectEqual(names("{S=\"a\"{T=\"q\"@\"C\"}\"b\"@?<v@?>\"c\"i}"), ["a", "b", "c"])
    try expectEqual(parsedType("{S=\"a\"@\"C\"\"b\"i}").description, "{S=\"a\"@\"C\"\"b\"i}")
  }

  @Test(arguments: [
    "?", "", "CGRect", "_NSRange", "P<int, double>", "vector<std::string, std::allocator<std::string>>", "P<int (*)(char), void *>",
    "L<(anonymous namespace)::P<int>>", "(anonymous namespace)::Inner", "K<3, '}'>", "K<4, '<'>", "K<5, '='>", "K<6, '\"'>", "K<7, '('>",
    "K<8, '>'>", "K<9, '\\''>", "K<9, '\\\\'>", "K<9, '\\xFF'>", "F<&operator<>", "F<&operator<<>", "F<&operator>>", "F<&operator>>>",
    "F<&A::operator->>", "F<&A::operator()>", "F<(1 < 2)>", "A<{1, 2}>", "L<(lambda at a.mm:10:10)>", "L<int[3]>", "größe", "a b",
  ]) func recordNames(name: String) throws {
    for (open, close) in [("{", "}"), ("(", ")")] {
      let type = try TypeEncoding(open + name + "=ic" + close)
      let record: TypeEncoding.Record
      switch type.kind {
      case .structure(let structure): record = structure
      case .union(let union): record = union
      default:
        Issue.record("\(type) is no record")
        return
      }
      expectEqual(record.name, name)
      expectEqual(record.fields?.count, 2)
      let incomplete = try parsedType("^" + open + name + close)
      expectEqual(incomplete.description, "^" + open + name + close)
    }
  }

  @Test func literals() {
    let type: TypeEncoding = "{Pair=id}"
    expectEqual(type.size, 16)
    expectEqual(type.description, "{Pair=id}")
  }

  @Test func literalsTrapWhenMalformed() async {
    await #expect(processExitsWith: .failure) {
      let type: TypeEncoding = "{Pair=id"
      _ = type
    }
  }

  @Test func float16OnRequestOnly() throws {
    expectThrows(InvocationError.self) { try parsedType(" ") }
    expectThrows(InvocationError.self) { try MethodTypes("v@: 16") }
    try expectEqual(MethodTypes("v18@0:8 16", blankIsFloat16: true).arguments[2].size, 2)
    try expectEqual(parsedType("{S= i }", blankIsFloat16: true).size, 12)
  }
}
