import TestSupport
import Testing

@testable import DynamicInvocation

/// The bounds of what is read: one step inside is accepted, one step outside is refused.
@Suite(.measured) struct EncodingLimitsTests {
  private func refusal(_ text: String) -> InvocationError? {
    let error = expectThrows(InvocationError.self) { try TypeEncoding(text) }
    expectEqual(error?.code, .limitExceeded)
    return error
  }

  /// The offset is where the first byte is one level too deep, after one turn more than fits.
  @Test(arguments: [
    ("^", "", 127, 128), ("[1", "]", 127, 256), ("{a=", "}", 127, 384), ("(u=", ")", 127, 384), ("@?<", ">", 127, 384),
    ("@?<v@?", ">", 127, 765), ("r^{a=\"x\"", "}", 63, 512),
  ]) func nesting(open: String, close: String, turns: Int, offset: Int) throws {
    func nested(_ turns: Int) -> String {
      String(repeating: open, count: turns) + "i" + String(repeating: close, count: turns)
    }
    let deepest = try TypeEncoding(nested(turns))
    expect(deepest.size != nil)
    try expectEqual(TypeEncoding(deepest.canonicalText), deepest)
    let error = refusal(nested(turns + 1))
    expectEqual(error?.reason, "nested deeper than 128 levels")
    expectEqual(error?.byteOffset, offset)
    // A bomb of open brackets is refused at the same place.
    expectEqual(refusal(String(repeating: open, count: 10_000))?.byteOffset, offset)
  }

  @Test(arguments: TextTable.encodings.rows("Sizes at the limit")) func size(row: TextTable.Row) throws {
    if let size = row.number(1) {
      try expectEqual(TypeEncoding(row[0]).size, size)
    } else {
      expectEqual(refusal(row[0])?.reason, "the type is larger than 2147483647 bytes")
    }
  }

  @Test func sizeErrorsPointToTheTypeThatIsTooLarge() {
    expectEqual(refusal("{S=i[99999999999i]}")?.byteOffset, 4)
    expectEqual(refusal("^(U=c{T=[2147483647c]c})")?.byteOffset, 5)
  }

  @Test(arguments: TextTable.encodings.rows("Numbers past the limit")) func numbers(row: TextTable.Row) {
    expectEqual(refusal(row[0])?.byteOffset, row.number(1))
  }

  /// A type without bytes may have any number of elements; nothing counts through them.
  @Test(arguments: ["{?=}", "{?=b0b0}", "{?=(u=)(u=)}", "[0d]", "(u=[0i][0d])"])
  func arraysWithoutBytes(element: String) throws {
    let type = try parsedType("[9000000000000000000\(element)]")
    expectEqual(type.size, 0)
    expect(type.valueKind.isAggregate)
    try expect(parsedType("{S=[9000000000000000000\(element)]i}").hasSameLayout(as: parsedType("{S=[1\(element)]i}")))
    try expectEqual(MethodSignature(types: "v{S=i[9000000000000000000\(element)]}").numberOfArguments, 1)
  }

  /// The kind of a deeply nested type costs no more than its text: an array looks at its element once.
  @Test(arguments: ["i", "cs"]) func kindsOfDeepTypes(scalars: String) throws {
    var text = "{?=ic}"
    for _ in 0..<60 { text = "{?=[1\(text)]" + String(repeating: scalars, count: 40) + "}" }
    let type = try TypeEncoding(text)
    expect(type.valueKind.isAggregate)
    expect(type.hasSameLayout(as: try TypeEncoding(text.replacing("?", with: "N"))))
    var chain = "{?=ic}"
    for _ in 0..<120 { chain = "[1\(chain)]" }
    try expect(TypeEncoding(chain).hasSameLayout(as: "{Pair=ic}"))
  }

  @Test func length() throws {
    // A name as long as the limit allows, and one byte more.
    let name = String(repeating: "n", count: TypeEncoding.Limits.length - 4)
    try expectEqual(parsedType("{\(name)=i}").size, 4)
    let error = refusal("{\(name)n=i}")
    expectEqual(error?.byteOffset, 1 << 20)
    expect((error?.description.utf8.count ?? 0) < 300)
    expectThrows(InvocationError.self) { try MethodTypes(String(repeating: "v", count: TypeEncoding.Limits.length + 1)) }
  }

  @Test func arguments() throws {
    let limit = TypeEncoding.Limits.arguments
    let types = try MethodTypes("v" + String(repeating: "i", count: limit))
    expectEqual(types.arguments.count, 16_384)
    let error = expectThrows(InvocationError.self) { try MethodTypes("v" + String(repeating: "i", count: limit + 1)) }
    expectEqual(error?.code, .limitExceeded)
    expectEqual(error?.byteOffset, limit + 1)
    expectEqual(error?.reason, "more than 16384 arguments")
    let signature = try MethodSignature(types: "v" + String(repeating: "i", count: limit))
    expectEqual(signature.numberOfArguments, limit)
  }

  /// GNUstep stops at 255 bytes; C++ templates pass that easily.
  @Test func longTexts() throws {
    let members = String(repeating: "cdi^{Node}", count: 2_000)
    let record = "{std::map<\(String(repeating: "std::pair<int, char>, ", count: 500))int>=\(members)}"
    let type = try TypeEncoding(record)
    expectEqual(type.size, 2_000 * 32)
    expectEqual(type.canonicalText, record)
    let signature = try MethodSignature(types: "v@:\(record)\(record)")
    try expectEqual(signature.argumentType(at: 3), type)
    expectEqual(signature.description, "v@:\(record)\(record)")
  }
}
