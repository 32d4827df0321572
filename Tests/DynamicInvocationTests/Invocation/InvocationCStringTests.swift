import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct InvocationCStringTests {
  private func address(_ invocation: Invocation, _ index: Int = 0) throws -> UnsafeRawPointer {
    try invocation.argument(at: index, as: UnsafeRawPointer.self)
  }

  @Test func textsAreCopiedAlways() throws {
    for retains in [true, false] {
      let invocation = try InvocationFixtures.invocation("v*", retainsArguments: retains)
      for text in ["", "a", "ä€😀", String(repeating: "x", count: 10_000)] {
        try invocation.setArgument(text, at: 0)
        try expectEqual(invocation.argument(at: 0, as: String.self), text)
        try invocation.setArgument(boxed: .string(text), at: 0)
        guard case .string(text) = try invocation.boxedArgument(at: 0) else {
          Issue.record("the box is \(try invocation.boxedArgument(at: 0))")
          continue
        }
        try invocation.setArgument(Optional(text), at: 0)
        try expectEqual(invocation.argument(at: 0, as: String?.self), text)
      }
      try invocation.setArgument(String?.none, at: 0)
      try expectNil(invocation.argument(at: 0, as: String?.self))
      expectError(.nullNotAllowed) { _ = try invocation.argument(at: 0, as: String.self) }
    }
  }

  /// From its own former value: the old copy ends only after the new one is made.
  @Test func setFromItself() throws {
    let invocation = try InvocationFixtures.invocation("v*")
    try invocation.setArgument("text", at: 0)
    try invocation.setArgument(invocation.argument(at: 0, as: UnsafePointer<CChar>.self), at: 0)
    try expectEqual(invocation.argument(at: 0, as: String.self), "text")
    try invocation.setArgument(invocation.argument(at: 0, as: UnsafePointer<CChar>.self) + 2, at: 0)
    try expectEqual(invocation.argument(at: 0, as: String.self), "xt")
  }

  @Test func constantPointersAreCopiedWhenArgumentsAreKept() throws {
    var text: [CChar] = [0x61, 0x62, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try require(buffer.baseAddress)
      for (types, retains, copies) in [
        ("v*", true, true), ("vr*", true, true), ("vn*", true, true), ("v*", false, false), ("vo*", true, false), ("vN*", true, false),
      ] {
        base[0] = 0x61
        let invocation = try InvocationFixtures.invocation(types, retainsArguments: retains)
        try invocation.setArgument(UnsafePointer(base), at: 0)
        try expectEqual((address(invocation) != UnsafeRawPointer(base)), copies, "\(types)")
        base[0] = 0x7A
        try expectEqual(invocation.argument(at: 0, as: String.self), (copies ? "ab" : "zb"))
        var word = UnsafePointer(base)
        try invocation.setArgument(from: &word, at: 0)
        try expectEqual((address(invocation) != UnsafeRawPointer(base)), copies, "\(types)")
      }
    }
  }

  @Test func mutablePointersAreOutputBuffers() throws {
    var text: [CChar] = [0x61, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try require(buffer.baseAddress)
      let invocation = try InvocationFixtures.invocation("v*")
      try invocation.setArgument(base, at: 0)
      try expectEqual(address(invocation), UnsafeRawPointer(base))
      try invocation.setArgument(UnsafeMutableRawPointer(base), at: 0)
      try expectEqual(address(invocation), UnsafeRawPointer(base))
      try invocation.setArgument(boxed: .pointer(base), at: 0)
      try expectEqual(address(invocation), UnsafeRawPointer(base))
    }
    // A real one, which writes through the pointer.
    let copy = try DynamicLibrary.process.function("strcpy", types: "*o*r*").makeInvocation()
    var output = [CChar](repeating: 1, count: 16)
    try output.withUnsafeMutableBufferPointer { buffer in
      try expectEqual(copy.result(require(buffer.baseAddress), "hello", as: String.self), "hello")
    }
    expect(output[0] == 0x68 && output[5] == 0 && output[6] == 1)
  }

  @Test func retainArgumentsCopiesWhatWasSet() throws {
    var text: [CChar] = [0x61, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try require(buffer.baseAddress)
      let invocation = try InvocationFixtures.invocation("v*o**", retainsArguments: false)
      try invocation.setArguments([UnsafePointer(base), UnsafePointer(base), "own"])
      let own = try address(invocation, 2)
      invocation.retainArguments()
      base[0] = 0x7A
      try expect(invocation.argument(at: 0, as: String.self) == "a" && invocation.argument(at: 1, as: String.self) == "z")
      try expect(address(invocation, 1) == UnsafeRawPointer(base) && address(invocation, 2) == own)
    }
  }

  /// 400 MB of texts pass through, and what they took is given back.
  ///
  /// In a process of its own, where no other test takes memory.
  @Test(.enabled(if: ResidentMemory.isTelling, "the size of the process cannot be read, or a sanitizer keeps what is freed"))
  func nothingLeaks() async {
    await #expect(processExitsWith: .success) {
      let length = try DynamicLibrary.process.function("strlen", types: "Q*")
      let text = String(repeating: "x", count: 10_000)
      let invocation = length.makeInvocation()
      let before = try ResidentMemory.size
      for _ in 0..<20_000 {
        try invocation.setArgument(text, at: 0)
        try invocation.setArgument(boxed: .string(text), at: 0)
        let count: UInt = try length(text)
        try require(count == 10_000)
      }
      try require(ResidentMemory.size - before < 100_000_000)
    }
  }
}
