import CallExplanations
import Foundation
import InvocationRecords
import TestSupport
import Testing

@testable import DynamicInvocation

/// What stays in memory for the life of the process is bounded in bytes, and so is the stack that a type takes.
@Suite(.measured) struct MemoryLimitsTests {
  /// A table of the tests' own, since others fill the process's.
  ///
  /// It is for ever, as all are.
  private static let table = SignatureTable()

  /// References that do not keep their signatures.
  private struct Weak {
    weak var storage: PlannedSignature?
  }

  private static func alive(_ count: Int, _ text: (Int) -> String) throws -> [Int] {
    var made: [Weak] = []
    for index in 0..<count {
      made.append(Weak(storage: try table.signature(text(index), dialect: .next, fixedCount: nil, backend: .automatic)))
    }
    return made.indices.filter { made[$0].storage != nil }
  }

  @Test("Signatures of long texts end with who uses them")
  func longSignatures() throws {
    // The text of one is longer than what the table keeps, the other is written with bit-fields of a short form.
    try expectEqual(Self.alive(6) { "v{Long\($0)=" + String(repeating: "i", count: 5_000) + "}" }, [])
    try expectEqual(Self.alive(2) { "v" + String(repeating: "d", count: 16_000 + $0) }, [])
    try expectEqual(Self.alive(2) { "v{Bits\($0)=" + String(repeating: "b3", count: 2_000) + "}" }, [])
    // One in use is one object, whatever it is made from.
    let text = "v{LongHeld=" + String(repeating: "q", count: 5_000) + "}"
    let held = try Self.table.signature(text, dialect: .next, fixedCount: nil, backend: .automatic)
    for _ in 0..<3 { try expect(Self.table.signature(text, dialect: .next, fixedCount: nil, backend: .automatic) === held) }
    try expect(Self.table.signature(MethodTypes(text), fixedCount: nil, backend: .automatic) === held)
    try expect(Self.table.signature(text, dialect: .next, fixedCount: nil, backend: .native) !== held)
  }

  @Test("What the caches keep of a stream of signatures is bounded in bytes of text")
  func streams() throws {
    // 300 KB of text: 32 KB stay in the cache, and the table holds 64 KB, each text twice.
    let alive = try Self.alive(600) { "v{Stream\($0)=" + String(repeating: "i", count: 490) + "}" }
    expect(alive.count * 500 <= 1 << 17, "\(alive.count)")
    let longer = try Self.alive(60) { "v{Longer\($0)=" + String(repeating: "i", count: 4_000) + "}" }
    expect(longer.count * 4_000 <= 1 << 17, "\(longer.count)")
  }

  @Test("Threads that make one signature of a long text get the same object, while others end")
  func longSignaturesOnThreads() async throws {
    let text = "v{LongShared=" + String(repeating: "d", count: 4_200) + "}"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<6 {
            let first = try MethodSignature(types: text)
            let second = try MethodSignature(types: text)
            expect(first.storage === second.storage)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("Layouts of long descriptions are told apart, and equal ones found again")
  func layouts() throws {
    func kind(_ text: String) throws -> ValueKind { try TypeEncoding(text).valueKind }
    let members = String(repeating: "cd", count: 200)
    let first = try kind("{A=\(members)}")
    try expectEqual(kind("{B=\(members)}"), first)
    try expectEqual(kind("{C={D=\(members)}}"), first)
    var kinds: Set<ValueKind> = [first]
    for index in 0..<200 {
      var changed = Array(members)
      changed[2 * index] = "C"
      kinds.insert(try kind("{A=\(String(changed))}"))
    }
    expectEqual(kinds.count, 201)
  }

  @Test(
    "Layouts that stay for the life of the process take no memory for their length",
    .enabled(if: ResidentMemory.isTelling))
  func layoutsTakeLittle() async {
    await #expect(processExitsWith: .success) {
      func layout(_ number: Int) throws -> ValueKind {
        // Each member is a part of the description, of some twenty bytes.
        let digits = String(number + 4_096, radix: 2).map { $0 == "0" ? "c" : "C" }
        return try TypeEncoding("{S=" + digits.joined(separator: "d") + String(repeating: "cd", count: 1_000) + "}").valueKind
      }
      for number in 0..<50 { _ = try layout(number) }
      let before = try ResidentMemory.size
      for number in 50..<450 { _ = try layout(number) }
      let grown = try ResidentMemory.size - before
      // 400 descriptions of 40 KB are 16 MB.
      if grown > 4 << 20 { fatalError("400 layouts take \(grown) bytes") }
    }
  }

  // MARK: The stack

  private static func deepest(_ open: String, _ inner: String, _ close: String) -> String {
    let levels = TypeEncoding.Limits.nesting - 1
    return String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
  }

  private static var deepestTypes: [String] {
    [
      deepest("{S=", "i", "}"), deepest("(U=", "d", ")"), deepest("{S=c", "d", "}"), deepest("^", "v", ""),
      String(repeating: "{S=[1", count: 63) + "C" + String(repeating: "]}", count: 63),
    ]
  }

  /// Reads a type, plans a call with it, and describes, records and explains the call.
  private static func use(_ text: String) throws {
    let types = "v" + text
    let invocation = Invocation(try MethodSignature(types: types))
    let size = invocation.methodSignature.types.arguments[0].size ?? 0
    try [UInt8](repeating: 1, count: max(size, 8)).withUnsafeBytes { bytes in
      if let address = bytes.baseAddress { try invocation.setArgument(from: address, at: 0) }
    }
    precondition("\(invocation)".utf8.count > 8)
    _ = try invocation.boxedArgument(at: 0)
    if !text.hasPrefix("^") { _ = try InvocationRecord(invocation) }
    for abi in CallExplanation.ABI.allCases { _ = CallExplanation(invocation.methodSignature.types, abi: abi) }
    _ = try MethodTypes(types) == invocation.methodSignature.types
  }

  /// In a process of its own, which a stack that is too small ends.
  @Test("The deepest types are read, planned, described and recorded on a stack of a megabyte", .enabled(if: Sanitizer.current == nil))
  func stack() async {
    await #expect(processExitsWith: .success) {
      for text in Self.deepestTypes { try onStack(of: 1 << 20) { Result { try Self.use(text) } }.get() }
    }
  }

  // MARK: Records

  @Test("Types without bytes cost a record nothing, and come back", arguments: [1, 4, 60])
  func recordsOfTypesWithoutBytes(levels: Int) throws {
    let nested = String(repeating: "[32", count: levels) + "{E=}" + String(repeating: "]", count: levels)
    let invocation = Invocation(try MethodSignature(types: "v{S=\(nested)}{T=c\(nested)c}"))
    try [UInt8](repeating: 5, count: 8).withUnsafeBytes { bytes in
      let address = try require(bytes.baseAddress)
      try invocation.setArgument(from: address, at: 0)
      try invocation.setArgument(from: address, at: 1)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(InvocationRecord(invocation))
    expect(String(decoding: data, as: UTF8.self).contains(#""arguments":[[],[5,[],5]]"#))
    let record = try JSONDecoder().decode(InvocationRecord.self, from: data)
    expect("\(record)".utf8.count <= 4_100)
    let again = try record.makeInvocation()
    expectEqual(again.methodSignature, invocation.methodSignature)
    try expectEqual(encoder.encode(InvocationRecord(again)), data)
  }

  @Test("A value of more parts than are recorded is refused, and so is a frame that would not be decoded")
  func recordsThatAreTooLarge() throws {
    let parts = "{S=[100000{T=c" + String(repeating: "{E=}", count: 50) + "}]}"
    let invocation = Invocation(try MethodSignature(types: "v\(parts)"))
    try [UInt8](repeating: 5, count: 100_000).withUnsafeBytes { try invocation.setArgument(from: require($0.baseAddress), at: 0) }
    let error = expectThrows(InvocationError.self) { try InvocationRecord(invocation) }
    expect(error?.code == .limitExceeded && error?.argument == .index(0))
    let text = #"{"types":"v\#(parts)","arguments":[[]]}"#
    let decoded = expectThrows(InvocationError.self) { try JSONDecoder().decode(InvocationRecord.self, from: Data(text.utf8)) }
    expectEqual(decoded?.code, .limitExceeded)
    // The frame has room for the result.
    let large = Invocation(try MethodSignature(types: "{Large=[5000000C]}i"))
    try large.setArgument(Int32(1), at: 0)
    let record = try InvocationRecord(large)
    let refused = expectThrows(InvocationError.self) { try JSONEncoder().encode(record) }
    expectEqual(refused?.code, .limitExceeded)
  }
}
