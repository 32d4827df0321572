import CallExplanations
import DynamicInvocation
import InvocationRecords
import Foundation
import TestSupport
import Testing

/// Claims of the article "Security" that no other test shows.
@Suite(.measured) struct SecurityTests {
  #if os(Linux) && (arch(x86_64) || arch(arm64))
    /// In a process of its own, as the libraries that other tests load make such pages: libffi, for the proxies of an Objective-C runtime.
    @Test("Calls on both backends, closures of every bank and forwarding map no page writable and executable")
    func pages() async {
      await #expect(processExitsWith: .success) {
        for backend in CalleeLibrary.backends {
          let absolute: Int = try DynamicLibrary.process.function("labs", MethodSignature(types: "qq", backend: backend))(-5)
          #expect(absolute == 5)
        }
        let closures = try (0..<20_000).map { number in try Closure(types: "qq") { (value: Int) -> Int in value + number } }
        _ = try Implementation.forwarding(MethodSignature(types: "q@:q"))
        let permissions = Set(try ResidentMemory.mappings().map(\.permissions))
        #expect(permissions.contains("r-xp"))
        #expect(!permissions.contains { $0.contains("w") && $0.contains("x") }, "\(permissions)")
        withExtendedLifetime(closures) {}
      }
    }

    @Test(
      "A closure of a signature forced onto libffi is refused: its closures live in writable code",
      .enabled(if: CallBackend.libffi.isAvailable))
    func libffiClosures() throws {
      let signature = try MethodSignature(types: "qq", backend: .libffi)
      let error = expectThrows(InvocationError.self) { try Closure(signature) { _ in } }
      expectEqual(error?.code, .unsupportedType)
      expectEqual(error?.reason.contains("native backend"), true)
    }
  #endif

  @Test("What a terminal or a log would obey is written as an escape in every message")
  func messages() throws {
    let name = "a\u{1B}[31m\nb\r\u{7F}\u{9B}\u{2028}\u{202E}c\u{0}"
    let escaped = #"a\u{1B}[31m\nb\r\u{7F}\u{009B}\u{2028}\u{202E}c\0"#
    let encoding = expectThrows(InvocationError.self) { try MethodSignature(types: "{S=\"\(name)\"i") }
    let text = try require(encoding?.description)
    expect(text.contains(escaped) && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    let symbol = expectThrows(InvocationError.self) { try DynamicLibrary.process.symbol(name) }
    expectEqual(symbol.map { "\($0)".unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }, true)
    // The parts are there as they are, and other texts are left alone.
    expectEqual(encoding?.encoding?.contains(name), true)
    expectEqual(InvocationError(.typeMismatch, "größer → 'x' 👩‍👧").description, "größer → 'x' 👩‍👧")
  }

  /// The parser has read these within their limits; to explain them must not take more than that in time, depth or memory.
  @Test("The largest encodings that are accepted are explained, for every convention")
  func explanations() throws {
    let deep = String(repeating: "{a=", count: 120) + "ic" + String(repeating: "}", count: 120)
    let texts = [
      "v" + String(repeating: "d", count: TypeEncoding.Limits.arguments), "v\(deep)\(deep)", "v^[2147483647c]",
      "{\(String(repeating: "n", count: 200_000))=id}i", "v{a=" + String(repeating: "cq", count: 5_000) + "}",
    ]
    for text in texts {
      let types = try MethodTypes(text)
      for abi in CallExplanation.ABI.allCases {
        expectEqual(CallExplanation(types, abi: abi).arguments.count, types.arguments.count)
      }
    }
  }

  @Test("A decoded record reaches only what the target answers, with its very types")
  func records() throws {
    final class Open {}
    try MethodTable.of(Open.self).replace("twice(_:)", Implementation { (_: Open, value: Int) -> Int in 2 * value })
    func code(_ text: String, invokedOn target: AnyObject?) throws -> InvocationError.Code? {
      let invocation = try JSONDecoder().decode(InvocationRecord.self, from: Data(text.utf8)).makeInvocation(target: target)
      expectNil(invocation.implementation)
      do {
        try invocation.invoke()
        return nil
      } catch let error as InvocationError {
        return error.code
      }
    }
    let open = Open()
    try expectNil(code(#"{"types":"q@:q","selector":"twice(_:)","arguments":[4]}"#, invokedOn: open))
    try expectEqual(code(#"{"types":"q@:*","selector":"twice(_:)","arguments":["4"]}"#, invokedOn: open), .typeMismatch)
    try expectEqual(code(#"{"types":"q@:q","selector":"other(_:)","arguments":[4]}"#, invokedOn: open), .unrecognizedSelector)
    // The record of a function has no code: whoever decodes it must say which.
    try expectEqual(code(#"{"types":"i*","arguments":["rm"]}"#, invokedOn: nil), .noImplementation)
  }

  @Test("A record of a message to a class is no message to an object") func recordsOfClasses() throws {
    final class Open {}
    let record = try JSONDecoder().decode(InvocationRecord.self, from: Data(#"{"types":"v#:i","selector":"x:","arguments":[1]}"#.utf8))
    expectError(.typeMismatch) { _ = try record.makeInvocation(target: Open()) }
    try expect(record.makeInvocation(target: Open.self as AnyObject).target as? AnyClass == Open.self)
  }
}
