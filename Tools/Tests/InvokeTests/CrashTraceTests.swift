#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// What the Swift runtime says of a crash in a function that the program calls, if one asks for it.
  @Suite(.measured) struct CrashTraceTests {
    private static let source = """
      int crashing_function(const volatile int *address) { return *address + 1; }
      int calling_function(int number, const int *address) { return crashing_function(address) + number; }
      """

    // A sanitizer takes the signal before the runtime sees it, and reports the crash that is wanted here.
    @Test(
      "A signal in a callee leaves a trace with the names of the callee, the kernel and the program's own functions",
      .enabled(if: Sanitizer.current == nil))
    func crash() throws {
      let library = try CCompiler.gcc.sharedLibrary(source: Self.source, flags: ["-O0"], name: "crash")
      let run = try Program.run(
        ["call", library, "calling_function", "ii^i", "3", "null"],
        environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no,timeout=60s"])
      #expect(run.status == 1)
      #expect(run.output == "")
      #expect(run.errors.contains("Error: 'calling_function' of '\(library)' crashed: signal "))
      // A toolchain may come without the helper, or not be where the program looks for it.
      guard run.errors.contains("crashing_function") else { return }
      var rest = run.errors[...]
      for name in ["crashing_function", "calling_function", "cffi_kernel_", "WorkerCommand.run"] {
        let range = rest.range(of: name)
        #expect(range != nil, "\(name) in \(run.errors)")
        if let range { rest = rest[range.upperBound...] }
      }
    }
  }
#endif
