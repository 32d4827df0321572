import TestSupport
import Testing

@testable import DynamicInvocation

/// Texts of encodings: canonical, converted, stripped; and the equalities they define.
@Suite(.measured) struct TypeEncodingTextTests {
  @Test(arguments: TextTable.encodings.rows("Canonical texts")) func canonical(row: TextTable.Row) throws {
    let (type, canonical) = (try TypeEncoding(row[0]), try TypeEncoding(row[1]))
    expectEqual(type.canonicalText, row[1])
    expectEqual(canonical, type)
    expectEqual(canonical.canonicalText, row[1])
    expectEqual(canonical.hashValue, type.hashValue)
  }

  @Test(arguments: TextTable.encodings.rows("Equal types")) func equal(row: TextTable.Row) throws {
    let (left, right) = (try TypeEncoding(row[0]), try TypeEncoding(row[1]))
    expectEqual(left, right)
    expectEqual(left.hashValue, right.hashValue)
    expect(left.isEqualIgnoringNames(to: right))
    expectEqual(Set([left, right]).count, 1)
  }

  @Test(arguments: TextTable.encodings.rows("Different types")) func unequal(row: TextTable.Row) throws {
    let (left, right) = (try TypeEncoding(row[0]), try TypeEncoding(row[1]))
    expect(left != right)
    expect(!left.isEqualIgnoringNames(to: right))
  }

  @Test func namesMatterOnlyWhenAsked() throws {
    let rect: TypeEncoding = "{CGRect={CGPoint=dd}{CGSize=dd}}"
    let other: TypeEncoding = "{_NSRect={_NSPoint=\"x\"d\"y\"d}{?=dd}}"
    let flat: TypeEncoding = "{Box=dddd}"
    let array: TypeEncoding = "{Box=[4d]}"
    expect(rect != other)
    expect(rect.isEqualIgnoringNames(to: other))
    expect(rect.hasSameLayout(as: other))
    expect(!rect.isEqualIgnoringNames(to: flat))
    expect(rect.hasSameLayout(as: flat))
    expect(flat.hasSameLayout(as: array))
    expect(!rect.hasSameLayout(as: "{Box=dddq}"))
    expect(!rect.hasSameLayout(as: "{Box=ddd}"))
    try expect(parsedType("^{A=i}").isEqualIgnoringNames(to: parsedType("^{B=i}")))
    try expect(!parsedType("^{A=i}").isEqualIgnoringNames(to: parsedType("^{B}")))
    try expect(!parsedType("{A=i}").isEqualIgnoringNames(to: parsedType("(A=i)")))
    // What a pointer points to does not decide how it is passed.
    try expect(parsedType("{A=^i}").hasSameLayout(as: parsedType("{B=^{C}}")))
  }

  @Test func layoutsOfBitFields() throws {
    try expect(parsedType("{A=b3b5}").hasSameLayout(as: parsedType("{B={C=b3b5}}")))
    try expect(!parsedType("{A=b3b5}").hasSameLayout(as: parsedType("{A=b5b3}")))
    try expect(!parsedType("{A=b0I3}").hasSameLayout(as: parsedType("{A=b0i3}")))
    try expect(parsedType("{A=[2{B=b3b9}]}").hasSameLayout(as: parsedType("{A={B=b3b9}{B=b3b9}}")))
    try expect(parsedType("{A=cb3}").hasSameLayout(as: parsedType("{A=cb8I3}")))
  }

  @Test func packingCounts() throws {
    let plain: TypeEncoding = "{P=ci}"
    let packed = try plain.packed()
    expect(packed != plain)
    expect(!packed.isEqualIgnoringNames(to: plain))
    expect(!packed.hasSameLayout(as: plain))
    try expectEqual(packed, (parsedType("{P=ci}").packed(to: 1)))
    expectEqual(packed.canonicalText, plain.canonicalText)
    expectEqual(packed.description, "{P=ci}")
    try expect(plain.aligned(to: 16) != plain)
    let signatures = try (MethodSignature(MethodTypes(result: packed, arguments: [])), MethodSignature(types: "{P=ci}"))
    expect(signatures.0 != signatures.1)
    expect(signatures.0.storage !== signatures.1.storage)
  }

  @Test(arguments: TextTable.encodings.rows("Texts in the dialects of NeXT and GNU")) func dialects(row: TextTable.Row) throws {
    let (type, next, gnu) = (try TypeEncoding(row[0]), row[1], row[2])
    expectEqual(type.text(dialect: .next), next)
    expectEqual(type.text(dialect: .gnu), gnu)
    // Either text reads as itself again, in either dialect.
    for dialect in TypeEncoding.Dialect.allCases {
      try expectEqual(TypeEncoding(gnu, dialect: dialect), type)
      try expectEqual(TypeEncoding(gnu, dialect: dialect).text(dialect: .gnu), gnu)
      try expectEqual(TypeEncoding(next, dialect: dialect).text(dialect: .next), next)
    }
    try expectEqual(type.text(dialect: .gnu), (TypeEncoding(type.text(dialect: .gnu)).text(dialect: .gnu)))
  }

  @Test func longOfTheGNURuntimes() throws {
    let type = try parsedType("{S=lL[2l]^L}", dialect: .gnu)
    expectEqual(type.text(dialect: .gnu), "{S=qQ[2q]^Q}")
    expectEqual(type.text(dialect: .next), "{S=qQ[2q]^Q}")
    try expectEqual(type, (parsedType("{S=qQ[2q]^Q}")))
  }

  @Test func options() throws {
    let type = try parsedType("r^{A<B>=\"o\"@\"C\"\"f\"@?<v@?r*>\"n\"V{N=\"b\"b3}}")
    expectEqual(type.text(dialect: .next), "r^{A<B>=\"o\"@\"C\"\"f\"@?<v@?r*>\"n\"V{N=\"b\"b3}}")
    expectEqual(type.text(dialect: .next, options: []), "^{?=@@?{?=b3}}")
    expectEqual(type.text(dialect: .next, options: .structNames), "^{A<B>=@@?{N=b3}}")
    expectEqual(type.text(dialect: .next, options: .fieldNames), "^{?=\"o\"@\"f\"@?\"n\"{?=\"b\"b3}}")
    expectEqual(type.text(dialect: .next, options: .annotations), "^{?=@\"C\"@?<v@?*>{?=b3}}")
    expectEqual(type.text(dialect: .gnu, options: .qualifiers), "r^{?=@@?V{?=b0I3}}")
  }

  /// The description keeps each bit-field in the form it was read in.
  @Test(arguments: TextTable.encodings.rows("Descriptions").map { $0[0] }) func descriptions(text: String) throws {
    let type = try TypeEncoding(text)
    expectEqual(type.description, (text.contains("<4f>") ? "@?<v@?![16,16f]>" : text))
    try expectEqual(TypeEncoding(type.description), type)
  }
}
