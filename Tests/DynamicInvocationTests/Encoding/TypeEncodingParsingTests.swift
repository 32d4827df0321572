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

  @Test(arguments: TextTable.encodings.rows("Sizes by dialect")) func longFollowsTheDialect(row: TextTable.Row) throws {
    try expectEqual(TypeEncoding(row[0]).size, row.number(1))
    try expectEqual(TypeEncoding(row[0], dialect: .next).size, row.number(1))
    try expectEqual(TypeEncoding(row[0], dialect: .gnu).size, row.number(2))
  }

  @Test(arguments: TextTable.encodings.rows("Pointers")) func pointers(row: TextTable.Row) throws {
    let kinds: [String: ValueKind] = [
      "cString": .cString, "object": .object, "block": .block, "classObject": .classObject, "selector": .selector, "pointer": .pointer,
    ]
    let type = try TypeEncoding(row[0])
    expectEqual(type.valueKind, kinds[row[1]])
    expectEqual(type.size, 8)
    expectEqual(type.alignment, 8)
    expectEqual(type.description, row[0])
  }

  @Test(arguments: TextTable.encodings.rows("Types without a size")) func typesWithoutASize(row: TextTable.Row) throws {
    let type = try TypeEncoding(row[0])
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
    // A vector after a block: no signature begins with a digit.
    let pair = try MethodTypes("v@?<4f>")
    expectEqual(pair.arguments.count, 2)
    expectEqual(pair.text(), "v@?![16,16f]")
  }

  @Test func arrays() throws {
    guard case .array(let count, let element) = try parsedType("[12^{S=i}]").kind else {
      Issue.record("no array")
      return
    }
    expectEqual(count, 12)
    expectEqual(element.description, "^{S=i}")
  }

  @Test(arguments: TextTable.encodings.rows("Complex numbers")) func complexNumbers(row: TextTable.Row) throws {
    let type = try TypeEncoding(row[0])
    guard case .complex(let part) = type.kind else {
      Issue.record("\(row) is \(type.kind)")
      return
    }
    expectEqual("\(part)", row[1])
    expectEqual([type.size, type.alignment], [row.number(2), row.number(3)])
  }

  @Test(arguments: TextTable.encodings.rows("Vectors")) func vectors(row: TextTable.Row) throws {
    let type = try TypeEncoding(row[0])
    guard case .vector(let element, let count, let size, let alignment) = type.kind else {
      Issue.record("\(row) is \(type.kind)")
      return
    }
    expectEqual("\(element)", row[1])
    expectEqual([count, size, alignment], [row.number(2), row.number(3), row.number(4)])
    expectEqual([type.size, type.alignment], [size, alignment])
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
    let names: [String: TypeEncoding.Qualifiers] = [
      "const": .const, "in": .in, "inout": .inout, "out": .out, "byCopy": .byCopy, "byReference": .byReference, "oneway": .oneway,
      "atomic": .atomic, "collectorInvisible": .collectorInvisible, "none": [],
    ]
    for row in TextTable.encodings.rows("Qualifiers") {
      let qualifiers = try row.list(1).map { try require(names[$0]) }
      try expectEqual(TypeEncoding(row[0]).qualifiers, TypeEncoding.Qualifiers(qualifiers), row[0])
    }
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

  @Test(arguments: TextTable.encodings.rows("Names of records").map { $0[0] } + [""]) func recordNames(name: String) throws {
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
