import TestSupport
import Testing

@testable import DynamicInvocation

/// Malformed texts: each is refused at the exact byte, with the reason.
@Suite(.measured) struct MalformedEncodingTests {
  private func expectRefused<Result>(_ row: TextTable.Row, _ body: () throws -> Result) -> InvocationError? {
    let error = expectThrows(InvocationError.self) { try body() }
    expectEqual(error?.code, .malformedEncoding)
    expectEqual(error?.byteOffset, row.number(1))
    expectEqual(error?.reason, row[2])
    expectEqual(error?.encoding, row[0])
    return error
  }

  @Test(arguments: TextTable.encodings.rows("Malformed types")) func malformedType(row: TextTable.Row) {
    _ = expectRefused(row) { try TypeEncoding(row[0]) }
  }

  @Test(arguments: TextTable.encodings.rows("Malformed methods")) func malformedMethod(row: TextTable.Row) {
    let error = expectRefused(row) { try MethodTypes(row[0]) }
    // A signature says the same.
    let signatureError = expectThrows(InvocationError.self) { try MethodSignature(types: row[0]) }
    expectEqual(signatureError?.description, error?.description)
    expectEqual(signatureError?.code, .malformedEncoding)
  }

  @Test func description() {
    let error = expectThrows(InvocationError.self) { try parsedType("{a=ix}") }
    expectEqual(error?.description, "type encoding '{a=ix}', byte 4: 'x' is no type")
    expectEqual(expectThrows(InvocationError.self) { try parsedType("\u{1}") }?.reason, "byte 1 is no type")
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
