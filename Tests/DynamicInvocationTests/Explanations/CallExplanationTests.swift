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

  private static func abi(_ row: TextTable.Row) throws -> CallExplanation.ABI { try require(CallExplanation.ABI(rawValue: row[0])) }

  @Test func places() throws {
    for row in TextTable.explanations.rows("Places") {
      try expectEqual(Self.locations(row[1], Self.abi(row)), row.list(2, " | "), "\(row[1]) by \(row)")
    }
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
    @Test func namesTheKernelOfAConvention() throws {
      for row in TextTable.explanations.rows("Kernels") {
        let explanation = CallExplanation(try MethodTypes(row[1]), abi: try Self.abi(row))
        expectEqual([explanation.backend, explanation.reason], [row[2], row[3]], "\(row[1]) by \(row)")
        expectEqual(explanation.frameLength.map { $0 >= 152 }, true)
        expectNil(explanation.refusal)
      }
    }
  #endif

  #if arch(x86_64)
    @Test(.enabled(if: CallBackend.libffi.isAvailable)) func whatLibFFIIsGiven() throws {
      for row in TextTable.explanations.rows("What libffi is given on x86-64") {
        try expectEqual(Self.locations(row[1], .libffi), row.list(2, " | "), row[1])
      }
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
