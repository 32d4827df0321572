import TestSupport
import Testing

@testable import DynamicInvocation

/// Signatures: what they tell, that equal ones are one object, and what no signature can be made of.
@Suite(.measured) struct MethodSignatureTests {
  @Test func whatItTells() throws {
    let signature = try MethodSignature(types: "{Rect={Point=dd}{Size=dd}}40@0:8q16r*24[4i]32")
    expectEqual(signature.numberOfArguments, 5)
    expectEqual(signature.returnLength, 32)
    expectEqual(signature.returnType.description, "{Rect={Point=dd}{Size=dd}}")
    expect(signature.isMethod)
    expect(!signature.isOneway)
    expectNil(signature.fixedArgumentCount)
    try expectEqual(signature.argumentType(at: 3).description, "r*")
    try expectEqual(signature.argumentType(at: 4).description, "[4i]")
    expectEqual(signature.description, "{Rect={Point=dd}{Size=dd}}@:qr*[4i]")
    // The result and five words.
    expect(signature.frameLength >= 32 + 5 * 8)
    expect(signature.frameLength.isMultiple(of: 16))
    try expectEqual(MethodSignature(types: "v").returnLength, 0)
    try expectEqual(MethodSignature(types: "v").numberOfArguments, 0)
    try expectEqual(MethodSignature(types: "{E=}{E=}").returnLength, 0)
  }

  @Test(arguments: [-1, 5, Int.min, Int.max]) func indicesOutOfRange(index: Int) throws {
    let signature = try MethodSignature(types: "v@:iii")
    let error = expectThrows(InvocationError.self) { try signature.argumentType(at: index) }
    expectEqual(error?.code, .indexOutOfRange)
    expectEqual(error?.description, "argument \(index): the signature has arguments 0 to 4")
    let none = expectThrows(InvocationError.self) { try MethodSignature(types: "v").argumentType(at: index) }
    expectEqual(none?.reason, "the signature has no arguments")
  }

  // MARK: Interning

  private func pair(_ row: TextTable.Row) throws -> (MethodSignature, MethodSignature) {
    (try MethodSignature(types: row[0]), try MethodSignature(types: row[1]))
  }

  @Test(arguments: TextTable.encodings.rows("Signatures that are one object")) func equalSpellingsShareOneObject(row: TextTable.Row) throws
  {
    let (left, right) = try pair(row)
    expect(left.storage === right.storage)
    expectEqual(left, right)
    expectEqual(left.hashValue, right.hashValue)
    try expect(MethodSignature(MethodTypes(left.description)).storage === left.storage)
  }

  @Test func dialectsAreKeptApart() throws {
    let (next, gnu) = (try MethodSignature(types: "l@:L"), try MethodSignature(types: "l@:L", dialect: .gnu))
    expect(next != gnu)
    expectEqual(next.returnLength, 4)
    expectEqual(gnu.returnLength, 8)
    expect(gnu.storage === (try MethodSignature(types: "q@:Q")).storage)
    expect(next.storage === (try MethodSignature(types: "i@:I", dialect: .gnu)).storage)
  }

  /// A text is looked up as the caller wrote it; nothing the table keeps for itself can be reached by a malformed one.
  @Test(arguments: TypeEncoding.Dialect.allCases) func malformedTextsAreNeverFound(dialect: TypeEncoding.Dialect) throws {
    let held = try MethodSignature(types: "v@:ddq{Held=b3}", dialect: dialect)
    for text in ["=v@:ddq{Held=b3}", "=v@:ddq{Held=b0I3}", " v@:ddq{Held=b3}", "v@:ddq{Held=b3}%p1", "v@:ddq{Held=b3} "] {
      expectThrows(InvocationError.self, "\(text)") { try MethodSignature(types: text, dialect: dialect) }
    }
    expectEqual(held.numberOfArguments, 6)
  }

  /// A lookup never answers for other types whose text looks alike.
  @Test func blocksAndUnknownTypesAreKeptApart() throws {
    let held = try MethodSignature(types: "v@?")
    let error = expectThrows(InvocationError.self) { try MethodSignature(types: "v@0?8") }
    expectEqual(error?.code, .unsupportedType)
    expectEqual(error?.argument, .index(1))
    expectEqual(held.numberOfArguments, 1)
  }

  @Test func concurrentTasksGetTheSameObject() async throws {
    for round in 0..<8 {
      let text = "q@:{Round\(round)=\(String(repeating: "i", count: 40 + round))}dd*"
      let spellings = [text, try MethodTypes(text).text(frameOffsets: true)]
      let signatures = try await withThrowingTaskGroup(of: MethodSignature.self) { group in
        for index in 0..<64 { group.addTask { try MethodSignature(types: spellings[index % 2]) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      expectEqual(signatures.count, 64)
      expectEqual(Set(signatures.map { ObjectIdentifier($0.storage) }).count, 1)
    }
  }

  /// A stream of different signatures leaves nothing behind but the signatures of the first texts.
  @Test func signaturesOutOfUseAreFreed() throws {
    weak var storage: PlannedSignature?
    let types = try MethodTypes("v@:{Transient=iiiiiii}")
    do {
      let signature = try MethodSignature(types)
      storage = signature.storage
      expect(storage != nil)
    }
    // The table drops what is out of use once it has doubled; other tests may hold many signatures just now.
    for index in 0..<200_000 where storage != nil { _ = try MethodSignature(types: "v{Stream\(index)=i}") }
    expectNil(storage)
    // Made again after it was freed.
    try expectEqual(MethodSignature(types).numberOfArguments, 3)
  }

  /// Texts of one length that begin and end alike, more of them than the cache looks at for one.
  @Test func similarTextsAreToldApart() throws {
    let texts = (0..<64).map {
      "v{Similar=iiiiiiiiiii\(String($0 + 64, radix: 2).replacing("0", with: "d").replacing("1", with: "i"))iiiiiiiiiiiiiiiiiiiiiiiiiiii}"
    }
    let signatures = try texts.map { try MethodSignature(types: $0) }
    for (text, signature) in zip(texts, signatures) {
      expectEqual(signature.description, text)
      try expect(MethodSignature(types: text).storage === signature.storage)
    }
    try expectEqual(MethodSignature(types: "i*i", fixedArgumentCount: 0).fixedArgumentCount, 0)
    try expectNil(MethodSignature(types: "i*i").fixedArgumentCount)
  }

  // MARK: Equality

  @Test(arguments: TextTable.encodings.rows("Signatures that differ")) func structuralInequality(row: TextTable.Row) throws {
    let (left, right) = try pair(row)
    expect(left != right)
  }

  @Test(arguments: TextTable.encodings.rows("Equal signatures that are not the same")) func equalButNotTheSame(row: TextTable.Row) throws {
    let (left, right) = try pair(row)
    expectEqual(left, right)
    expectEqual(left.hashValue, right.hashValue)
    // What each was made with is kept.
    expect(left.description != right.description)
  }

  @Test func fixedArgumentsCount() throws {
    let plain = try MethodSignature(types: "i*i")
    let variadic = try MethodSignature(types: "i*i", fixedArgumentCount: 1)
    expect(plain != variadic)
    expectEqual(variadic.fixedArgumentCount, 1)
    expect(variadic.storage === (try MethodSignature(types: "i12*0i8", fixedArgumentCount: 1)).storage)
    try expect(MethodSignature(types: "i*i", fixedArgumentCount: 2) != variadic)
  }

  // MARK: Refusals

  @Test(arguments: TextTable.encodings.rows("Signatures of types that are not passed")) func unsupportedTypes(row: TextTable.Row) {
    let error = expectThrows(InvocationError.self) { try MethodSignature(types: row[0]) }
    expectEqual(error?.code, .unsupportedType)
    expectEqual(error?.argument?.description, row[1])
    expectEqual(error?.reason, row[2])
    expect(error?.encoding != nil)
  }

  @Test(arguments: [
    ("f", "float", "double (d)"), ("c", "signed char", "int (i)"), ("C", "unsigned char", "int (i)"), ("s", "short", "int (i)"),
    ("S", "unsigned short", "int (i)"), ("B", "_Bool", "int (i)"),
  ])
  func promotedVariadicTypes(type: String, name: String, promoted: String) throws {
    let error = expectThrows(InvocationError.self) { try MethodSignature(types: "i*\(type)", fixedArgumentCount: 1) }
    expectEqual(error?.code, .unsupportedType)
    expectEqual(error?.argument, .index(1))
    expectEqual(error?.encoding, type)
    expectEqual(error?.reason, "a variadic \(name) is passed as \(promoted)")
    // Before the ellipsis it is passed as it is.
    try expectEqual(MethodSignature(types: "i*\(type)", fixedArgumentCount: 2).fixedArgumentCount, 2)
  }

  @Test(arguments: [-1, 3, Int.max, Int.min]) func fixedCountsOutOfRange(count: Int) {
    let error = expectThrows(InvocationError.self) { try MethodSignature(types: "i*i", fixedArgumentCount: count) }
    expectEqual(error?.code, .outOfRange)
    expectEqual(error?.reason, "\(count) fixed arguments of 2")
  }
}
