import TestSupport
import Testing

@testable import DynamicInvocation

/// Texts of encodings: canonical, converted, stripped; and the equalities they define.
@Suite(.measured) struct TypeEncodingTextTests {
  @Test(arguments: [
    ("i", "i"), ("l", "i"), ("L", "I"), ("rn^rv", "^v"), ("@\"NSString\"", "@"), ("@?<v@?i>", "@?"), ("{P=\"x\"d\"y\"d}", "{P=dd}"),
    ("{?=ri^{N}}", "{?=i^{N}}"), ("[007i]", "[7i]"), ("<4f>", "![16,16f]"), ("<3f>", "<3f>"), ("{B=b3b5}", "{B=b0I3b3I5}"),
    ("{B=cb3ib40}", "{B=cb8I3ib64Q40}"), ("{B=b31b0b2}", "{B=b0I31b32I0b32I2}"), ("(U=b3b7)", "(U=b0I3b0I7)"), ("b3", "b3"),
    ("{S=@\"C\"?}", "{S=@\"\"?}"), ("%", "%"), ("{L<int>=\"v\"i}", "{L<int>=i}"), ("A^r*", "^*"),
  ]) func canonical(text: String, canonical: String) throws {
    let type = try TypeEncoding(text)
    expectEqual(type.canonicalText, canonical)
    try expectEqual(TypeEncoding(canonical), type)
    try expectEqual(TypeEncoding(canonical).canonicalText, canonical)
    try expectEqual(TypeEncoding(canonical).hashValue, type.hashValue)
  }

  @Test(arguments: [
    ("i", "l"), ("ri", "i"), ("^ri", "^i"), ("@", "@\"NSString\""), ("@?", "@?<v@?>"), ("{P=dd}", "{P=\"x\"d\"y\"d}"),
    ("{B=b3}", "{B=b0I3}"),
    ("![16,16f]", "<4f>"), ("{S=[3l]}", "{S=[3i]}"), ("Ai", "i"), ("{S=b40}", "{S=b0Q40}"), ("^^{N}", "r^n^{N}"),
  ]) func equal(left: String, right: String) throws {
    let (left, right) = (try TypeEncoding(left), try TypeEncoding(right))
    expectEqual(left, right)
    expectEqual(left.hashValue, right.hashValue)
    expect(left.isEqualIgnoringNames(to: right))
    expectEqual(Set([left, right]).count, 1)
  }

  @Test(arguments: [
    ("i", "I"), ("i", "q"), ("*", "^c"), ("@", "#"), ("@", "@?"), ("{a=dd}", "{a=qq}"), ("{a=dd}", "(a=dd)"), ("{a=dd}", "{a={?=dd}}"),
    ("{a}", "{a=}"), ("[2i]", "[3i]"), ("^i", "^I"), ("^v", "^?"), ("{B=b3}", "{B=b4}"), ("{B=b0I3}", "{B=b0i3}"), ("{B=b0I3}", "{B=b1I3}"),
    ("jf", "jd"), ("![16,16f]", "![16,8f]"), ("<3f>", "<4f>"), ("{S=@?}", "{S=@\"C\"?}"), ("t", "T"), ("c", "B"),
  ]) func unequal(left: String, right: String) throws {
    let (left, right) = (try TypeEncoding(left), try TypeEncoding(right))
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

  @Test(arguments: [
    ("l", "i", "i"), ("{B=b3b40}", "{B=b3b40}", "{B=b0I3b3Q40}"), ("{B=cb8c3b32i0b32S9}", "{B=cb3b0b9}", "{B=cb8c3b32i0b32S9}"),
    ("(U=b0q50)", "(U=b50)", "(U=b0q50)"), ("^{N=^{N}i}", "^{N=^{N}i}", "^{N=^{N}i}"), ("<4f>", "![16,16f]", "![16,16f]"),
    ("r^{P=\"x\"d}", "r^{P=\"x\"d}", "r^{P=\"x\"d}"), ("@\"A<B>\"", "@\"A<B>\"", "@\"A<B>\""), ("@?<q@?b3>", "@?<q@?b3>", "@?<q@?b3>"),
  ]) func dialects(text: String, next: String, gnu: String) throws {
    let type = try TypeEncoding(text)
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
  @Test(arguments: ["{B=b3b5}", "{B=b0I3b3I5}", "{B=b3b3I5}", "r^{S=\"a\"[3@\"C\"]}", "![16,16f]", "{S}", "(U)", "{=i}", "@?<v@?<4f>>"])
  func descriptions(text: String) throws {
    let type = try TypeEncoding(text)
    expectEqual(type.description, (text.contains("<4f>") ? "@?<v@?![16,16f]>" : text))
    try expectEqual(TypeEncoding(type.description), type)
  }
}
