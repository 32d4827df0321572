import TestSupport
import Testing

@testable import DynamicInvocation

/// Malformed texts: each is refused at the exact byte, with the reason.
@Suite(.measured) struct MalformedEncodingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let offset: Int
    let reason: String

    init(_ text: String, _ offset: Int, _ reason: String) {
      self.text = text
      self.offset = offset
      self.reason = reason
    }

    var testDescription: String { text }
  }

  static let types: [Row] = [
    Row("", 0, "a type is missing"),
    Row("r", 1, "a type is missing"),
    Row("rnNoORVA|", 9, "a type is missing"),
    Row("0", 0, "'0' is no type"),
    Row("x", 0, "'x' is no type"),
    Row("^", 1, "a type is missing"),
    Row("^r", 2, "a type is missing"),
    Row("^^z", 2, "'z' is no type"),
    Row(")", 0, "')' is no type"),
    Row("\u{1}", 0, "byte 1 is no type"),
    Row("é", 0, "byte 195 is no type"),
    Row("ii", 1, "the type ends here, the text does not"),
    Row("i4", 1, "the type ends here, the text does not"),
    Row("i}", 1, "the type ends here, the text does not"),
    Row(" ", 0, "a blank is no type here; compilers write it for _Float16, which is read only when asked for"),
    Row("[", 1, "an array needs its number of elements"),
    Row("[i]", 1, "an array needs its number of elements"),
    Row("[]", 1, "an array needs its number of elements"),
    Row("[-1i]", 1, "an array needs its number of elements"),
    Row("[4]", 2, "an array needs its type of element"),
    Row("[4", 2, "a type is missing"),
    Row("[4i", 3, "the array opened at byte 0 is not closed"),
    Row("[4ii]", 3, "the array opened at byte 0 is not closed"),
    Row("{a=[2[3i}]", 8, "the array opened at byte 5 is not closed"),
    Row("{", 1, "the struct opened at byte 0 is not closed"),
    Row("{ii", 3, "the struct opened at byte 0 is not closed"),
    Row("{a=ii", 5, "the struct opened at byte 0 is not closed"),
    Row("{a=i(u=fd", 9, "the union opened at byte 4 is not closed"),
    Row("(u=fd}", 5, "'}' is no type"),
    Row("{a=i)", 4, "')' is no type"),
    Row("{{}0", 1, "'{' cannot be part of a name"),
    Row("{a[=i}", 2, "'[' cannot be part of a name"),
    Row("{a\"x\"=i}", 2, "'\"' cannot be part of a name"),
    Row("{a^=i}", 2, "'^' cannot be part of a name"),
    Row("(a}", 2, "'}' cannot be part of a name"),
    Row("{A<int=i}", 9, "the name that begins at byte 1 has a bracket that is not closed"),
    Row("{A<(int>=i}", 11, "the name that begins at byte 1 has a bracket that is not closed"),
    Row("{a=\"x", 5, "the member name quoted from byte 3 is not closed"),
    Row("{a=\"x\"", 6, "a type is missing"),
    Row("{a=\"x\"}", 6, "'}' is no type"),
    Row("{a=\"x\"\"y\"i}", 6, "'\"' is no type"),
    Row("@\"NSString", 10, "the class name quoted from byte 1 is not closed"),
    Row("@\"", 2, "the class name quoted from byte 1 is not closed"),
    Row("@?<", 3, "a type is missing"),
    Row("@?<v", 4, "the block signature opened at byte 2 is not closed"),
    Row("@?<>", 3, "'>' is no type"),
    Row("@?<v@?<i>", 9, "the block signature opened at byte 2 is not closed"),
    Row("@?<v+>", 5, "a frame offset needs digits"),
    Row("b", 1, "a bit-field needs its width"),
    Row("{a=bi}", 4, "a bit-field needs its width"),
    Row("b65", 0, "a bit-field of 65 bits does not fit unsigned long long"),
    Row("{a=ib0I33}", 4, "a bit-field of 33 bits does not fit unsigned int"),
    Row("{a=b0c9}", 3, "a bit-field of 9 bits does not fit signed char"),
    Row("{a=b0t129}", 3, "a bit-field of 129 bits does not fit __int128"),
    Row("j", 1, "a complex number needs its type of part"),
    Row("jB", 1, "'B' cannot be part of a complex number"),
    Row("j@", 1, "'@' cannot be part of a complex number"),
    Row("jjf", 1, "'j' cannot be part of a complex number"),
    Row("!", 1, "a vector is written ![size,alignment type]"),
    Row("!f", 1, "a vector is written ![size,alignment type]"),
    Row("![", 2, "a vector needs its size and a comma"),
    Row("![16f]", 4, "a vector needs its size and a comma"),
    Row("![16,f]", 5, "a vector needs its alignment"),
    Row("![16,16", 7, "a vector needs its type of element"),
    Row("![16,16@]", 7, "'@' cannot be an element of a vector"),
    Row("![16,16D]", 7, "'D' cannot be an element of a vector"),
    Row("![16,16f", 8, "the vector opened at byte 0 is not closed"),
    Row("![0,1c]", 0, "a vector of signed char cannot have 0 bytes"),
    Row("^![6,2f]", 1, "a vector of float cannot have 6 bytes"),
    Row("![8192,16f]", 0, "a vector of float cannot have 8192 bytes"),
    Row("![16,3f]", 0, "a vector of 16 bytes cannot be aligned to 3"),
    Row("![16,32f]", 0, "a vector of 16 bytes cannot be aligned to 32"),
    Row("![16,0f]", 0, "a vector of 16 bytes cannot be aligned to 0"),
    Row("<f>", 1, "a vector needs its number of elements"),
    Row("<4", 2, "a vector needs its type of element"),
    Row("<4f", 3, "the vector opened at byte 0 is not closed"),
    Row("<4B>", 2, "'B' cannot be an element of a vector"),
    Row("<0f>", 0, "a vector cannot have 0 elements of float"),
    Row("<1025f>", 0, "a vector cannot have 1025 elements of float"),
    // The bytes of one cannot be counted; this trapped.
    Row("<3555555555555555555d>", 0, "a vector cannot have 3555555555555555555 elements of double"),
    Row("<4ff>", 3, "the vector opened at byte 0 is not closed"),
  ]

  @Test(arguments: types) func malformedType(row: Row) {
    let error = expectThrows(InvocationError.self) { try TypeEncoding(row.text) }
    expectEqual(error?.code, .malformedEncoding)
    expectEqual(error?.byteOffset, row.offset)
    expectEqual(error?.reason, row.reason)
    expectEqual(error?.encoding, row.text)
  }

  static let methods: [Row] = [
    Row("", 0, "a type is missing"),
    Row("16v", 0, "'1' is no type"),
    Row("v+", 2, "a frame offset needs digits"),
    Row("v-", 2, "a frame offset needs digits"),
    Row("v16@+:8", 5, "a frame offset needs digits"),
    Row("v16@0:+-", 8, "a frame offset needs digits"),
    Row("v16@0:8 16", 7, "a blank is no type here; compilers write it for _Float16, which is read only when asked for"),
    Row("v16@0:8r", 8, "a type is missing"),
    Row("v@:>", 3, "'>' is no type"),
    Row("v@:{P=i16", 7, "'1' is no type"),
    Row("v24@0:8q16z", 10, "'z' is no type"),
    Row("v@:,i", 3, "',' is no type"),
  ]

  @Test(arguments: methods) func malformedMethod(row: Row) {
    let error = expectThrows(InvocationError.self) { try MethodTypes(row.text) }
    expectEqual(error?.code, .malformedEncoding)
    expectEqual(error?.byteOffset, row.offset)
    expectEqual(error?.reason, row.reason)
    expectEqual(error?.encoding, row.text)
    // A signature says the same.
    let signatureError = expectThrows(InvocationError.self) { try MethodSignature(types: row.text) }
    expectEqual(signatureError?.description, error?.description)
    expectEqual(signatureError?.code, .malformedEncoding)
  }

  @Test func description() {
    let error = expectThrows(InvocationError.self) { try parsedType("{a=ix}") }
    expectEqual(error?.description, "type encoding '{a=ix}', byte 4: 'x' is no type")
  }

  /// Every proper prefix of a text with all kinds of brackets is malformed, and the error lies within it.
  @Test func truncation() {
    let text = "{S<(a)>=\"f\"[12(U=\"d\"d\"v\"![16,16f])]\"p\"^@?<v24@?0@\"C<P>\"8i16>\"z\"jd}"
    let bytes = Array(text.utf8)
    #expect(throws: Never.self) { try TypeEncoding(text) }
    for length in 0..<bytes.count {
      let prefix = String(decoding: bytes[..<length], as: UTF8.self)
      let error = expectThrows(InvocationError.self) { try TypeEncoding(prefix) }
      expectEqual(error?.code, .malformedEncoding, "\(prefix)")
      expect((0...length).contains(error?.byteOffset ?? -1), "\(prefix)")
    }
  }
}
