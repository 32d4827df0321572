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
        #expect(try invocation.argument(at: 0, as: String.self) == text)
        try invocation.setArgument(boxed: .string(text), at: 0)
        guard case .string(text) = try invocation.boxedArgument(at: 0) else {
          Issue.record("the box is \(try invocation.boxedArgument(at: 0))")
          continue
        }
        try invocation.setArgument(Optional(text), at: 0)
        #expect(try invocation.argument(at: 0, as: String?.self) == text)
      }
      try invocation.setArgument(String?.none, at: 0)
      #expect(try invocation.argument(at: 0, as: String?.self) == nil)
      #expect(InvocationFixtures.code { _ = try invocation.argument(at: 0, as: String.self) } == .nullNotAllowed)
    }
  }

  /// From its own former value: the old copy ends only after the new one is made.
  @Test func setFromItself() throws {
    let invocation = try InvocationFixtures.invocation("v*")
    try invocation.setArgument("text", at: 0)
    try invocation.setArgument(invocation.argument(at: 0, as: UnsafePointer<CChar>.self), at: 0)
    #expect(try invocation.argument(at: 0, as: String.self) == "text")
    try invocation.setArgument(invocation.argument(at: 0, as: UnsafePointer<CChar>.self) + 2, at: 0)
    #expect(try invocation.argument(at: 0, as: String.self) == "xt")
  }

  @Test func constantPointersAreCopiedWhenArgumentsAreKept() throws {
    var text: [CChar] = [0x61, 0x62, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try #require(buffer.baseAddress)
      for (types, retains, copies) in [
        ("v*", true, true), ("vr*", true, true), ("vn*", true, true), ("v*", false, false), ("vo*", true, false), ("vN*", true, false),
      ] {
        base[0] = 0x61
        let invocation = try InvocationFixtures.invocation(types, retainsArguments: retains)
        try invocation.setArgument(UnsafePointer(base), at: 0)
        #expect(try (address(invocation) != UnsafeRawPointer(base)) == copies, "\(types)")
        base[0] = 0x7A
        #expect(try invocation.argument(at: 0, as: String.self) == (copies ? "ab" : "zb"))
        var word = UnsafePointer(base)
        try invocation.setArgument(from: &word, at: 0)
        #expect(try (address(invocation) != UnsafeRawPointer(base)) == copies, "\(types)")
      }
    }
  }

  @Test func mutablePointersAreOutputBuffers() throws {
    var text: [CChar] = [0x61, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try #require(buffer.baseAddress)
      let invocation = try InvocationFixtures.invocation("v*")
      try invocation.setArgument(base, at: 0)
      #expect(try address(invocation) == UnsafeRawPointer(base))
      try invocation.setArgument(UnsafeMutableRawPointer(base), at: 0)
      #expect(try address(invocation) == UnsafeRawPointer(base))
      try invocation.setArgument(boxed: .pointer(base), at: 0)
      #expect(try address(invocation) == UnsafeRawPointer(base))
    }
    // A real one, which writes through the pointer.
    let copy = try DynamicLibrary.process.function("strcpy", types: "*o*r*").makeInvocation()
    var output = [CChar](repeating: 1, count: 16)
    try output.withUnsafeMutableBufferPointer { buffer in
      try copy.setArgument(#require(buffer.baseAddress), at: 0)
      try copy.setArgument("hello", at: 1)
      try copy.invoke()
      #expect(try copy.returnValue(as: String.self) == "hello")
    }
    #expect(output[0] == 0x68 && output[5] == 0 && output[6] == 1)
  }

  @Test func retainArgumentsCopiesWhatWasSet() throws {
    var text: [CChar] = [0x61, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try #require(buffer.baseAddress)
      let invocation = try InvocationFixtures.invocation("v*o**", retainsArguments: false)
      try invocation.setArgument(UnsafePointer(base), at: 0)
      try invocation.setArgument(UnsafePointer(base), at: 1)
      try invocation.setArgument("own", at: 2)
      let own = try address(invocation, 2)
      invocation.retainArguments()
      base[0] = 0x7A
      #expect(try invocation.argument(at: 0, as: String.self) == "a" && invocation.argument(at: 1, as: String.self) == "z")
      #expect(try address(invocation, 1) == UnsafeRawPointer(base) && address(invocation, 2) == own)
    }
  }

  @Test func copiesOfAnInvocationHaveTheirOwn() throws {
    let invocation = try InvocationFixtures.invocation("v*")
    try invocation.setArgument("text", at: 0)
    let copy = invocation.copy()
    #expect(try address(copy) != address(invocation))
    try invocation.setArgument("other", at: 0)
    #expect(try copy.argument(at: 0, as: String.self) == "text")
  }

  /// 400 MB of texts pass through, and what they took is given back.
  ///
  /// In a process of its own, where no other test takes memory.
  @Test(.enabled(if: Sanitizer.givesMemoryBack, "a sanitizer keeps what is freed")) func nothingLeaks() async {
    await #expect(processExitsWith: .success) {
      let length = try DynamicLibrary.process.function("strlen", types: "Q*")
      let text = String(repeating: "x", count: 10_000)
      let invocation = length.makeInvocation()
      let before = try MemoryInUse.bytes()
      for _ in 0..<20_000 {
        try invocation.setArgument(text, at: 0)
        try invocation.setArgument(boxed: .string(text), at: 0)
        let count: UInt = try length(text)
        try #require(count == 10_000)
      }
      try #require(try MemoryInUse.bytes() - before < 100_000_000)
    }
  }
}

/// The memory that the process has in use.
enum MemoryInUse {
  /// The resident bytes, in whole pages; 0 where the system does not tell.
  static func bytes() throws -> Int {
    let read = try DynamicLibrary.process.function("open", types: "i*i")
    let descriptor: Int32 = try read("/proc/self/statm", Int32(0))
    guard descriptor >= 0 else { return 0 }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count: Int = try buffer.withUnsafeMutableBytes { bytes in
      try DynamicLibrary.process.function("read", types: "qi^vQ")(descriptor, bytes.baseAddress, UInt(bytes.count))
    }
    try DynamicLibrary.process.function("close", types: "ii")(descriptor)
    let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
  }
}
