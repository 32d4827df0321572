import CallExplanations
import TestSupport
import Testing

@testable import DynamicInvocation

/// Where each value of a call is passed, by convention.
@Suite(.measured) struct CallExplanationTests {
  static func locations(_ types: String, _ abi: CallExplanation.ABI) throws -> [String] {
    let explanation = CallExplanation(try MethodTypes(types), abi: abi)
    return [explanation.result.location] + explanation.arguments.map(\.location)
  }

  @Test(arguments: [
    ("ddd", ["xmm0", "xmm0", "xmm1"]), ("v@:q", ["nothing", "rdi", "rsi", "rdx"]),
    ("{S=dq}i", ["xmm0 (bytes 0-7), rax (bytes 8-15)", "rdi"]),
    ("{S=qqq}i", ["by reference in rdi", "rsi"]), ("D{S=qqq}", ["st(0)", "stack+0"]),
    ("vqqqqqqqi", ["nothing", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "stack+0", "stack+8"]),
    ("v[4i]{E=}t", ["nothing", "address of the first element in rdi", "nothing", "rsi (bytes 0-7), rdx (bytes 8-15)"]),
    ("{T=qq}", ["rax (bytes 0-7), rdx (bytes 8-15)"]), ("jD", ["st(0) (bytes 0-15), st(1) (bytes 16-31)"]),
  ]) func placesOfSystemV(types: String, expected: [String]) throws {
    try expectEqual(Self.locations(types, .sysv), expected)
  }

  @Test(arguments: [
    ("ddd", ["v0", "v0", "v1"]), ("v@:q", ["nothing", "x0", "x1", "x2"]), ("{S=dq}i", ["x0 (bytes 0-7), x1 (bytes 8-15)", "x0"]),
    ("{S=qqq}i", ["by reference in x8", "x0"]), ("v{S=qqq}", ["nothing", "by reference in x0"]),
    ("v{P=ff}", ["nothing", "v0 (bytes 0-3), v1 (bytes 4-7)"]), ("vqqqqqqqqi", ["nothing"] + (0...7).map { "x\($0)" } + ["stack+0"]),
    ("vit", ["nothing", "x0", "x2 (bytes 0-7), x3 (bytes 8-15)"]),
  ]) func placesOfAAPCS64(types: String, expected: [String]) throws {
    try expectEqual(Self.locations(types, .aapcs64), expected)
  }

  @Test(arguments: [
    ("ddd", ["v0", "v0", "v1"]), ("vit", ["nothing", "x0", "x1 (bytes 0-7), x2 (bytes 8-15)"]),
    // Small arguments share a word of the stack.
    ("vqqqqqqqqcsi", ["nothing"] + (0...7).map { "x\($0)" } + ["stack+0", "stack+2", "stack+4"]),
    ("v[4D]", ["nothing", "address of the first element in x0"]),
  ]) func placesOfApple(types: String, expected: [String]) throws {
    try expectEqual(Self.locations(types, .apple), expected)
  }

  #if !(arch(arm64) && canImport(Darwin))
    @Test("A long double of Apple's platforms has another size, and is refused elsewhere")
    func longDoubleOfApple() throws {
      for types in ["vD", "v{S=i{T=D}}", "vjD"] {
        let explanation = CallExplanation(try MethodTypes(types), abi: .apple)
        expect(explanation.refusal?.code == .unsupportedType && explanation.refusal?.argument == .index(0))
        expect(explanation.reason.hasSuffix("long double has 8 bytes on Apple's platforms, and 16 here"))
      }
      expectEqual(CallExplanation(try MethodTypes("D"), abi: .apple).refusal?.argument, .result)
    }
  #endif

  #if !(arch(arm64) && canImport(Darwin))
    @Test(arguments: [
      ("d@:q", CallExplanation.ABI.sysv, "sysv-general", "all arguments are passed in general registers"),
      ("vd", .sysv, "sysv-vector", "some arguments are passed in vector registers"),
      ("D", .sysv, "sysv-x87", "the result comes back in st(0)"),
      ("d@:q", .aapcs64, "aapcs64-general", "all arguments are passed in general registers"),
      ("vd", .aapcs64, "aapcs64-vector", "some arguments are passed in vector registers"),
      ("vqqqqqqqqi", .aapcs64, "aapcs64-stack", "some arguments are passed on the stack"),
      ("v{S=qqq}", .aapcs64, "aapcs64-stack", "some arguments are passed by reference to a copy on the stack"),
      ("vqqqqqqqq{S=qqq}", .aapcs64, "aapcs64-stack", "some arguments are passed on the stack, and some by reference to a copy there"),
      ("D", .aapcs64, "aapcs64-wide", "whole vector registers are passed"),
    ]) func namesTheKernelOfAConvention(types: String, abi: CallExplanation.ABI, kernel: String, reason: String) throws {
      let explanation = CallExplanation(try MethodTypes(types), abi: abi)
      expect(explanation.backend == kernel && explanation.reason == reason)
      expectEqual(explanation.frameLength.map { $0 >= 152 }, true)
      expectNil(explanation.refusal)
    }
  #endif

  #if arch(x86_64)
    @Test(
      .enabled(if: CallBackend.libffi.isAvailable),
      arguments: [
        ("ddd", ["double", "double", "double"]), ("vi{S=dq}", ["nothing", "uint64", "double (bytes 0-7), uint64 (bytes 8-15)"]),
        ("{S=qqq}{S=qqq}", ["memory (24 bytes, aligned to 8)", "memory (24 bytes, aligned to 8)"]), ("D{E=}", ["longdouble", "nothing"]),
      ]) func whatLibFFIIsGiven(types: String, expected: [String]) throws
    {
      try expectEqual(Self.locations(types, .libffi), expected)
    }
  #endif

  @Test(arguments: CallExplanation.ABI.allCases.filter { $0 != .libffi || CallBackend.libffi.isAvailable })
  func explainsWhatItCanOfARefusedSignature(abi: CallExplanation.ABI) throws {
    let explanation = CallExplanation(try MethodTypes("dqv{P=ii}"), abi: abi)
    expectNil(explanation.backend)
    expectNil(explanation.frameLength)
    expectNil(explanation.stackSize)
    expectEqual(explanation.refusal?.code, .unsupportedType)
    expectEqual(explanation.reason, "argument 1 (v): void is no argument")
    expectEqual(
      explanation.arguments.map(\.location).dropFirst(), ["refused: void is no argument", "not placed, an earlier value is refused"])
    // A word is given to libffi unsigned where a register is all that matters.
    #if arch(x86_64)
      let given = "uint64"
    #else
      let given = "sint64"
    #endif
    expectEqual(explanation.arguments[0].location, ["sysv": "rdi", "aapcs64": "x0", "apple": "x0", "libffi": given][abi.rawValue])
    let result = CallExplanation(try MethodTypes("[3i]qv"), abi: abi)
    expectEqual(result.result.location, "refused: C cannot return an array")
    expectEqual(result.arguments.count, 2)
  }

  #if arch(x86_64)
    @Test func namesTheKernelOfThisHost() throws {
      let explanation = CallExplanation(try MethodTypes("v{S=\"a\"b3\"b\"b5\"in\"{T=cd}(U=is)}"))
      expectEqual(explanation.backend, "sysv-stack-4")
      expectEqual(explanation.reason, "at most four words are passed on the stack")
    }
  #endif
}
