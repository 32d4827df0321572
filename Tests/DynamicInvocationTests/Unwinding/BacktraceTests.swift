#if os(Linux) && (arch(x86_64) || arch(arm64))
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// What a debugger or a crash report shows of calls that go through the engine: who called, and who was called.
  @Suite(.measured) struct BacktraceTests {
    private static let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <execinfo.h>
      #include <signal.h>
      #include <string.h>
      #include <unistd.h>

      typedef long (*function)(long);
      typedef long (*message)(void *target, const void *selector, long value);
      static _Thread_local char names[8192];

      static __attribute__((noinline)) void look(void) {
        void *addresses[128];
        int count = backtrace(addresses, 128);
        names[0] = 0;
        for (int i = 0; i < count; i += 1) {
          Dl_info info;
          if (!dladdr((char *)addresses[i] - 1, &info) || !info.dli_sname || strlen(names) + strlen(info.dli_sname) > 8000) continue;
          strcat(strcat(names, info.dli_sname), " ");
        }
      }

      const char *names_seen(void) { return names; }
      long innermost_callee(long value) { look(); return value + 1; }
      long method_of_c(void *target, const void *selector, long value) { look(); return value + 1; }
      long calling_function(function code, long value) { return code(value) + 1; }
      long sending_function(message code, void *target, const void *selector, long value) { return code(target, selector, value) + 1; }

      static void report(int number) {
        void *addresses[128];
        backtrace_symbols_fd(addresses, backtrace(addresses, 128), 2);
        _exit(7);
      }
      long crashing_callee(const volatile long *address) { return *address + 1; }
      void report_crashes(void) {
        void *addresses[1];
        backtrace(addresses, 1);  // loads what it needs
        signal(SIGSEGV, report);
      }
      """

    private static func library(_ compiler: CCompiler) throws -> DynamicLibrary {
      try DynamicLibrary(
        compiler.sharedLibrary(source: source, flags: ["-O2", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"], name: "backtrace"))
    }

    /// Whether all names are there, the callee's before the caller's.
    private static func follow(_ names: [String], in trace: String) -> Bool {
      var rest = trace[...]
      for name in names {
        guard let range = rest.range(of: name) else { return false }
        rest = rest[range.upperBound...]
      }
      return true
    }

    @Test("A backtrace names callee and caller on both sides of a kernel and of a closure entry", arguments: CCompiler.all)
    func closures(compiler: CCompiler) throws {
      let library = try Self.library(compiler)
      let innermost = try library.function("innermost_callee", types: "qq")
      let closure = try Closure(types: "qq") { (value: Int) -> Int in (try? innermost(value) as Int) ?? -1 }
      let result: Int = try library.function("calling_function", types: "q^vq")(closure.pointer, 5)
      expectEqual(result, 7)
      let names: String = try library.function("names_seen", types: "*")()
      expect(Self.follow(["innermost_callee", "calling_function"], in: names), "\(names)")
    }

    @Test("A backtrace names callee and caller on both sides of a forwarding entry", arguments: CCompiler.all)
    func forwarding(compiler: CCompiler) throws {
      final class Answering {}
      let library = try Self.library(compiler)
      let signature = try MethodSignature(types: "q@:q")
      let method = Implementation(try library.symbol("method_of_c"), methodSignature: signature, keeping: library)
      // Both compilers at the same time: each library has its own place for the names.
      let selector = MethodSelector("answer \(compiler):")
      try MethodTable.of(Answering.self).replace(selector, method)
      let send = try library.function("sending_function", types: "q^v@:q")
      for target in [Relay(Answering()), InvocationProxy(target: Answering())] as [AnyObject] {
        let code = try Implementation.forwarding(signature)
        let result: Int = try withExtendedLifetime(target) { try send(code.pointer, Unmanaged.passUnretained(target), selector, 5) }
        expectEqual(result, 7)
        let names: String = try library.function("names_seen", types: "*")()
        expect(Self.follow(["method_of_c", "sending_function"], in: names), "\(names)")
      }
    }

    /// The handler of the signal writes the names itself: Swift's helper may be switched off.
    @Test("A crash in a callee leaves a trace with the names of callee and caller")
    func signal() async throws {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        let library = try Self.library(.gcc)
        try library.function("report_crashes", types: "v")() as Void
        let crash = try library.function("crashing_callee", types: "q^q")
        let closure = try Closure(types: "qq") { (value: Int) -> Int in (try? crash(UnsafeRawPointer?.none) as Int) ?? value }
        let _: Int = try library.function("calling_function", types: "q^vq")(closure.pointer, 5)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      expect(Self.follow(["crashing_callee", "calling_function"], in: text), "\(text)")
    }
  }
#endif
