import DynamicInvocation
import InvocationRecords
import Foundation
import TestSupport
import Testing

/// Values as text: nothing is followed that may not be there, and no text grows past a bound.
@Suite(.measured) struct ValueDescriptionTests {
  // MARK: What is not followed

  /// Bytes of a type as an invocation has them; bytes with references in them cannot be made otherwise.
  private static func read(_ type: String, _ bytes: [UInt8]) throws -> BoxedValue {
    let invocation = try InvocationFixtures.invocation("v\(type)")
    try bytes.withUnsafeBytes { bytes in try invocation.setArgument(from: try require(bytes.baseAddress), at: 0) }
    return try invocation.boxedArgument(at: 0)
  }

  @Test("A union is shown as its bytes, whatever its members are", arguments: ["(Value=d*)", "(Value=d@)", "(Value=d#)", "(Value=d:)"])
  func unions(type: String) throws {
    let invocation = try InvocationFixtures.invocation("v\(type)")
    try withUnsafeBytes(of: 1.0) { bytes in try invocation.setArgument(from: try require(bytes.baseAddress), at: 0) }
    expectEqual(invocation.description, "v\(type)((000000000000f03f))")
    expectEqual("\(try Self.read(type, [1, 2, 3, 4, 5, 6, 7, 0xFF]))", "(01020304050607ff)")
  }

  @Test("A long union is cut, one within a struct is its bytes, an empty one nothing")
  func otherUnions() throws {
    let long = try EncodedBytes("(Long=[100C]d)", bytes: Array(repeating: 0xAB, count: 104))
    expectEqual("\(long)", "(" + String(repeating: "ab", count: 32) + "...)")
    expectEqual("\(try EncodedBytes("{S=i(U=QS)}", bytes: [7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]))", "{7, (0102030405060708)}")
    expectEqual("\(try EncodedBytes("[2(U=C)]", bytes: [1, 2]))", "{(01), (02)}")
    expectEqual("\(try EncodedBytes("(U=)", bytes: []))", "()")
  }

  @Test("An error tells of a union without following it", arguments: ["i", "d", "*", "@", "{S=i}", "^v", ":"])
  func errors(parameter: String) throws {
    let invocation = try InvocationFixtures.invocation("v\(parameter)")
    let box = try Self.read("(Value=d*)", [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
    let error = expectThrows(InvocationError.self) { try invocation.setArgument(boxed: box, at: 0) }
    expectEqual(error?.code, .typeMismatch)
    expectEqual(error?.reason.contains("(000000000000f03f)"), true, "\(error?.reason ?? "")")
  }

  @Test("References in the bytes of a struct are addresses")
  func structs() throws {
    let bytes = [UInt8](repeating: 0x11, count: 8)
    for type in ["{S=*}", "{S=@}", "{S=#}", "{S=:}", "{S=^i}", "{S=@?}", "{S=%}", "{S=[1*]}"] {
      let text = type.contains("[") ? "{{0x1111111111111111}}" : "{0x1111111111111111}"
      expectEqual("\(try Self.read(type, bytes))", text, "\(type)")
    }
    expectEqual("\(try Self.read("{S=*@}", Array(repeating: 0, count: 16)))", "{null, null}")
    // A selector that was interned is known to be there.
    let selector: MethodSelector = "shownSelector(_:)"
    var word = UInt(bitPattern: selector.pointer)
    let words = withUnsafeBytes(of: &word) { Array($0) }
    expectEqual("\(try Self.read("{S=:}", words))", "{shownSelector(_:)}")
    expectEqual("\(try EncodedBytes("i", bytes: [7, 0, 0, 0]))", "7")
  }

  @Test("What the invocation does not keep is an address")
  func whatIsNotKept() throws {
    let signature = try MethodSignature(types: "@@*")
    let object = Receiver()
    let kept = Invocation(signature)
    try kept.setArguments([object, "text\u{1B}[31m"])
    expectEqual(kept.description, #"@@*(<Receiver>, "text\u{1B}[31m")"#)
    try kept.setReturnValue(object)
    expect(kept.description.hasSuffix(" -> <Receiver>"))
    // A text that the callee or the caller owns may have been freed.
    let lent = Invocation(signature, retainsArguments: false)
    try lent.setArgument(object, at: 0)
    let word = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    try lent.setArgument(boxed: .pointer(try require(UnsafeRawPointer(bitPattern: 0x1234))), at: 1)
    expectEqual(lent.description, "@@*(0x\(String(word, radix: 16)), 0x1234)")
    let text = Invocation(try MethodSignature(types: "*"))
    try text.setReturnValue(boxed: .pointer(try require(UnsafeRawPointer(bitPattern: 0x5678))))
    expectEqual(text.description, "*() -> 0x5678")
    let message = Invocation(try MethodSignature(types: "v@:"), retainsArguments: false)
    message.target = object
    message.selector = "run"
    expectEqual(message.description, "-[0x\(String(word, radix: 16)) run]()")
  }

  // MARK: How long it is

  /// The nesting multiplies at each level, the bytes do not.
  private static func nested(_ levels: Int, _ count: Int, of element: String) -> String {
    String(repeating: "[\(count)", count: levels) + element + String(repeating: "]", count: levels)
  }

  @Test("Types without bytes are described within the bound of the whole text", arguments: [4, 5, 20, 120])
  func typesWithoutBytes(levels: Int) throws {
    let type = try TypeEncoding("{S=\(Self.nested(levels, 32, of: "{E=}"))}")
    let value = try EncodedBytes(type, bytes: [])
    expect("\(value)".utf8.count <= 4_100)
    expect("\(value)".hasSuffix("..."))
    let invocation = try InvocationFixtures.invocation("v\(type)i")
    expect("\(invocation)".utf8.count <= 4_100)
    // The error text has the value in it.
    let error = expectThrows(InvocationError.self) { try invocation.setArgument(boxed: .value(value), at: 1) }
    expectEqual(error.map { "\($0)".utf8.count <= 5_000 }, true)
  }

  @Test("A wide value and a long text are cut, and what does not fit is not worked out")
  func longValues() throws {
    let wide = try EncodedBytes(TypeEncoding("{S=" + String(repeating: "[30i]", count: 30) + "}"), bytes: Array(repeating: 1, count: 3_600))
    expect("\(wide)".utf8.count <= 4_100 && "\(wide)".hasSuffix("..."))
    let text = BoxedValue.string(String(repeating: "ä\u{1B}", count: 5_000_000))
    expect("\(text)".utf8.count <= 4_100 && "\(text)".hasSuffix("..."))
    let invocation = try InvocationFixtures.invocation("v*" + String(repeating: "i", count: 10_000))
    try invocation.setArgument(String(repeating: "x", count: 100_000), at: 0)
    for index in 1...10_000 { try invocation.setArgument(Int32(index), at: index) }
    expect("\(invocation)".utf8.count <= 4_100)
    expect("\(invocation)".hasSuffix("..."))
    let record = try InvocationRecord(invocation)
    expect("\(record)".utf8.count <= 4_100)
    let named = try EncodedBytes("{S=i}", bytes: [1, 0, 0, 0])
    expectEqual("\(named)", "{1}")
  }

  @Test("A name of a million characters is shortened in an error") func longNames() throws {
    let name = String(repeating: "n", count: 1_000_000)
    let invocation = Invocation(try MethodSignature(types: "v@:i"))
    invocation.selector = MethodSelector(name + ":")
    let error = expectThrows(InvocationError.self) { try invocation.setArgument(0.5, at: 2) }
    expect((error?.description.utf8.count ?? .max) < 1_000)
    expectEqual(error?.callee?.hasSuffix(name + ":"), true)
  }

  @Test("The arguments of an error are cut, its ends are kept")
  func longErrors() throws {
    let reason = "begin" + String(repeating: "é", count: 100_000) + "end"
    let error = InvocationError(.typeMismatch, reason)
    expect(error.reason.utf8.count <= 4_096 && error.reason.hasPrefix("beginé") && error.reason.hasSuffix("éend"))
    let types = "v" + String(repeating: "{Point=dd}", count: 16_000)
    let invocation = try InvocationFixtures.invocation(types)
    let count = expectThrows(InvocationError.self) { try invocation.setArguments(boxed: []) }
    expectEqual(count.map { "\($0)".utf8.count < 5_000 && "\($0)".hasSuffix("takes 16000") }, true, "\(count.map { "\($0)" } ?? "")")
    let unknown = InvocationError(.symbolNotFound, "no", candidates: [String(repeating: "n", count: 1_000_000)])
    expect("\(unknown)".utf8.count < 1_000)
    // Encodings are cut between scalars, however many of them are one character.
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    let malformed = InvocationError(.malformedEncoding, "no", encoding: marks, byteOffset: 1)
    expect("\(malformed)".utf8.count < 1_000)
  }

  @Test func shortening() {
    expectEqual("abc".shortened(to: 3), "abc")
    expectEqual("abcdefghijklmnopqrst".shortened(to: 12), "abcdef...rst")
    expectEqual(String(repeating: "ä", count: 40).shortened(to: 20), "ääääää...ää")
    expect(String(repeating: "👩‍👧", count: 4).shortened(to: 12).utf8.count <= 12)
  }
}
