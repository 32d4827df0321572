import CallExplanations
import CallFrames
import DynamicInvocation
import TestSupport
import Testing

/// A build without the trait LibFFI: what needs libffi is refused with the name of the trait, and nothing else needs it.
@Suite("Builds without libffi", .measured) struct WithoutLibFFITests {
  @Test func nativeCallsAreInEachBuild() {
    expect(CallBackend.automatic.isAvailable && CallBackend.native.isAvailable)
  }

  @Test(.enabled(if: !CallBackend.libffi.isAvailable), arguments: ["v", "ddd", "{S=dq}@:{R=dddd}"])
  func refusalNamesTheTrait(types: String) throws {
    #expect(throws: Never.self) { try MethodSignature(types: types) }
    let error = try requireThrows(InvocationError.self) { try MethodSignature(types: types, backend: .libffi) }
    expect(error.code == .unsupportedType && error.argument == nil)
    expectEqual(error.reason, "a call with libffi needs the trait LibFFI of swift-invocation, without which this was built")
  }

  @Test(.enabled(if: !CallBackend.libffi.isAvailable)) func anExplanationNamesTheTrait() throws {
    let explanation = CallExplanation(try MethodTypes("ddd"), abi: .libffi)
    expect(explanation.backend == "sysv-vector" || explanation.backend == "aapcs64-vector")
    expect(explanation.result.location.hasPrefix("refused: ") && explanation.result.location.contains("trait LibFFI"))
    expectEqual(explanation.arguments.count, 2)
  }
}
