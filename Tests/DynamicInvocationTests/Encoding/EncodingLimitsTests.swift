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

  /// The offset is that of the first byte that is one level too deep, after one turn more than fits.
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

  @Test(arguments: [
    ("[2147483647c]", Int?(2_147_483_647)), ("[2147483648c]", nil), ("[536870911i]", 2_147_483_644), ("[536870912i]", nil),
    ("[99999999999i]", nil), ("[1000000[1000000d]]", nil), ("{S=[2147483647c]c}", nil), ("{S=d[2147483639c]}", nil),
    ("(U=[2147483647c]c)", 2_147_483_647), ("(U=[2147483647c]i)", nil), ("[2{S=[1073741823c]}]", 2_147_483_646),
    ("[2{S=[1073741824c]}]", nil), ("^[2147483647c]", 8), ("[0[2147483647c]]", 0),
  ]) func size(text: String, size: Int?) throws {
    if let size {
      try expectEqual(TypeEncoding(text).size, size)
    } else {
      expectEqual(refusal(text)?.reason, "the type is larger than 2147483647 bytes")
    }
  }

  @Test func sizeErrorsPointToTheTypeThatIsTooLarge() {
    expectEqual(refusal("{S=i[99999999999i]}")?.byteOffset, 4)
    expectEqual(refusal("^(U=c{T=[2147483647c]c})")?.byteOffset, 5)
  }

  @Test(arguments: [
    ("[9223372036854775808c]", 1), ("[99999999999999999999999999999999i]", 1), ("{a=b99999999999999999999}", 4),
    ("{a=b0I99999999999999999999}", 6), ("<99999999999999999999f>", 1), ("![99999999999999999999,16f]", 2), ("{a=b17179869177I3}", 3),
  ]) func numbers(text: String, offset: Int) {
    expectEqual(refusal(text)?.byteOffset, offset)
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
