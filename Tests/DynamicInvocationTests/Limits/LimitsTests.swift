import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// Sizes well past any use, carried out; and one step past each bound, refused with its error.
///
/// The article "Limits" has a row for each.
@Suite(.measured) struct LimitsTests {
  private static let callees = """
    #include <string.h>
    typedef struct { unsigned char bytes[1000000]; } large;
    typedef struct { unsigned char bytes[67108864]; } huge;
    long sum_large(long before, large value, double after) {
      long sum = before + (long)after;
      for (long i = 0; i < 1000000; i += 1) sum += value.bytes[i];
      return sum;
    }
    huge make_huge(int filling) {
      static huge value;  // too large for a stack
      memset(&value, filling, sizeof value);
      return value;
    }
    """

  private static func error(_ types: MethodTypes, backend: CallBackend = .automatic) -> InvocationError? {
    do {
      _ = try MethodSignature(types, backend: backend)
      return nil
    } catch {
      return error
    }
  }

  @Test("4,096 arguments of four kinds arrive, on both backends and in a closure", arguments: CalleeLibrary.backends)
  func arguments(backend: CallBackend) throws {
    // A compiler takes half a minute for as many as a signature may have.
    let count = 4_096
    let kinds = ["i", "d", "q", "f"]
    let signature = CallSignature("q", (0..<count).map { StructZoo.type(kinds[$0 % 4]) })
    let library = try CalleeLibrary([signature], compiler: .gcc, flags: ["-O0"], calling: true, name: "arguments")
    guard case .right = try library.outcome(of: 0, seed: 16, backend: backend) else {
      Issue.record("an argument arrived wrong")
      return
    }
    expect(library.callCount >= 2)
    if CalleeLibrary.hasClosures, backend == .native { try expectNil(library.callbackFailure(of: 0, seed: 16)?.description) }
  }

  // libffi reads the members of a struct on AArch64, and the engine gives it at most 65,536.
  @Test(
    "A struct of a megabyte goes in by value, one of 64 comes out, on both backends",
    arguments: CalleeLibrary.backends.filter { $0 == .native || TargetABI.host == .x86_64 || TargetABI.host == .appleX86_64 })
  func structs(backend: CallBackend) throws {
    let library = try DynamicLibrary(CCompiler.gcc.sharedLibrary(source: Self.callees, flags: ["-O1"], name: "large"))
    let sum = Invocation(try MethodSignature(types: "qq{large=[1000000C]}d", backend: backend))
    try sum.setArgument(5, at: 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try bytes.withUnsafeBytes { if let address = $0.baseAddress { try sum.setArgument(from: address, at: 1) } }
    try sum.setArgument(2.0, at: 2)
    try sum.invoke(using: Implementation(library.symbol("sum_large"), keeping: library))
    try expectEqual(sum.returnValue(as: Int.self), bytes.reduce(7) { $0 + Int($1) })

    let make = Invocation(try MethodSignature(types: "{huge=[67108864C]}i", backend: backend))
    try make.setArgument(0x5A as Int32, at: 0)
    try make.invoke(using: Implementation(library.symbol("make_huge"), keeping: library))
    let result = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 26, alignment: 8)
    defer { result.deallocate() }
    if let address = result.baseAddress {
      try make.getReturnValue(into: address)
      // Each byte is that before it; a loop over them takes seconds in a debug build.
      expect(result[0] == 0x5A && memcmp(address, address + 1, result.count - 1) == 0)
    }
  }

  @Test("A frame of more than 256 megabytes, and more than one on the stack, are refused", arguments: CalleeLibrary.backends)
  func frames(backend: CallBackend) throws {
    let result = try require(Self.error(MethodTypes(result: "{a=[268435457c]}", arguments: []), backend: backend))
    expect(result.code == .limitExceeded && result.argument == .result && result.reason.contains("268435456"))
    // libffi reads the members of a struct on AArch64, so that one of so many is refused there.
    if backend == .native || TargetABI.host != .aarch64 {
      expectNil(Self.error(MethodTypes(result: "{a=[268000000c]}", arguments: []), backend: backend))
    }
    #if arch(x86_64)
      let argument = try require(Self.error(MethodTypes(result: "v", arguments: ["{a=[1048577c]}"]), backend: backend))
      expect(argument.code == .limitExceeded && argument.argument == .index(0) && argument.reason.contains("1048576"))
      expectNil(Self.error(MethodTypes(result: "v", arguments: ["{a=[1048576c]}"]), backend: backend))
    #endif
  }

  @Test("200,000 selectors are each found again")
  func selectors() {
    let selectors = (0..<200_000).map { MethodSelector("limit of selectors \($0)") }
    expectEqual(Set(selectors).count, selectors.count)
    for number in stride(from: 0, to: selectors.count, by: 97) {
      expectEqual(MethodSelector("limit of selectors \(number)"), selectors[number])
      expectEqual(selectors[number].name, "limit of selectors \(number)")
    }
  }

  @Test("20,000 signatures in use at the same time are each made once")
  func signatures() throws {
    let texts = (0..<20_000).map { "v{N\($0)=i}" }
    let signatures = try texts.map { try MethodSignature(types: $0) }
    expectEqual(Set(signatures).count, texts.count)
    for (text, signature) in zip(texts, signatures) where try MethodSignature(types: text) != signature {
      Issue.record("\(text) is another")
    }
  }
}
