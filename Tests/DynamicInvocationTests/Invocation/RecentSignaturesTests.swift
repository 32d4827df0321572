import TestSupport
import Testing

@testable import DynamicInvocation

/// Signatures found again by the words of a string: the text decides, wherever it lies.
@Suite(.measured) struct RecentSignaturesTests {
  @Test("Equal texts find one signature: literals, texts on the heap, slices, short and long")
  func sameText() throws {
    for text in [
      "v", "q@:qq", "v@:qqqqqqqqqqqq", "v@:qqqqqqqqqqqqq", "d@:idfc^vs{II=ii}d", "{Rect={Point=dd}{Size=dd}}@:{Rect={Point=dd}{Size=dd}}",
    ] {
      let first = try MethodSignature(types: text)
      let onHeap = String(decoding: Array(text.utf8), as: UTF8.self)
      let slice = String((">>" + text + "<<").dropFirst(2).dropLast(2))
      for other in [text, onHeap, slice, onHeap, text] {
        let again = try MethodSignature(types: other)
        expect(again.storage === first.storage)
        expectEqual(again.types.text(), text)
      }
    }
  }

  @Test("Another text at the same address is another signature")
  func sameAddress() throws {
    // One buffer that each text in turn is written to: the words of the string do not change, its bytes do.
    var text = String(repeating: "q", count: 40)
    let codes: [Character] = ["q", "d", "i", "f", "s", "C"]
    for round in 0..<600 {
      let code = codes[round % codes.count]
      text.removeAll(keepingCapacity: true)
      text.append("v@:")
      for _ in 0..<(20 + round % 2) { text.append(code) }
      let signature = try MethodSignature(types: text)
      expectEqual(signature.numberOfArguments, 22 + round % 2)
      expectEqual(signature.types.arguments[5].description, String(code))
    }
  }

  @Test("Dialect, backend and fixed arguments count beside the text")
  func otherKeys() throws {
    let text = "i@:l"
    let plain = try MethodSignature(types: text)
    for _ in 0..<3 {
      try expectEqual(MethodSignature(types: text, dialect: .gnu).types.arguments[2].size, MemoryLayout<Int>.size)
      try expectEqual(MethodSignature(types: text).types.arguments[2].size, 4)
      let native = try MethodSignature(types: text, backend: .native)
      expect(native.storage !== plain.storage)
      try expectEqual(MethodSignature(types: text, fixedArgumentCount: 3).fixedArgumentCount, 3)
      try expectNil(MethodSignature(types: text).fixedArgumentCount)
      try expect(MethodSignature(types: text).storage === plain.storage)
    }
  }

  @Test("Malformed texts stay errors, however often they are asked for")
  func malformed() {
    for text in ["", "q@:(", "{", "v@:\u{0}", "größer", "v@:{Unfinished=qqqqqqqqqqqq"] {
      for _ in 0..<3 { expectThrows(InvocationError.self) { try MethodSignature(types: text) } }
    }
  }

  @Test("Texts shorter and longer than what the words of a string hold differ when one byte does", arguments: 1...34)
  func lengths(count: Int) throws {
    let text = "v" + String(repeating: "q", count: count - 1)
    let first = try MethodSignature(types: text)
    try expect(MethodSignature(types: String(decoding: Array(text.utf8), as: UTF8.self)).storage === first.storage)
    for changed in 1..<max(1, count) {
      var other = Array(text.utf8)
      other[changed] = UInt8(ascii: "d")
      for _ in 0..<3 {
        let signature = try MethodSignature(types: String(decoding: other, as: UTF8.self))
        expect(signature.storage !== first.storage && signature.numberOfArguments == count - 1)
        expectEqual(signature.types.arguments[changed - 1].description, "d")
      }
    }
    for _ in 0..<3 { try expect(MethodSignature(types: text).storage === first.storage) }
  }

  @Test("Many texts share few places, on many threads, and each finds its own")
  func threads() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for start in 0..<8 {
        group.addTask {
          (0..<2_000).allSatisfy { step in
            let count = (start * 7 + step) % 60
            let signature = try? MethodSignature(types: "v" + String(repeating: step % 3 == 0 ? "d" : "q", count: count))
            return signature?.numberOfArguments == count
          }
        }
      }
      for await isRight in group { expect(isRight) }
    }
  }
}
