#if arch(x86_64) && os(Linux)
  @testable import DynamicInvocation
  import TestSupport
  import Testing

  /// What unwinds the stack finds its way through every kernel: backtraces, and thread exit, which unwinds as exceptions do.
  @Suite(.measured) struct UnwindingTests {
    /// A signature for each kernel; the callee looks at no argument.
    static let kernels: [(name: String, types: String)] = [
      ("sysv-general", "iqq"), ("sysv-vector", "idq"), ("sysv-stack-2", "iqqqqqqqd"), ("sysv-stack-4", "i{S=qqq}"),
      ("sysv-stack", "iqqqqqqqqqqqqd"), ("sysv-x87", "Dq"), ("sysv-complex-x87", "jDqqqqqqqq"), ("sysv-wide", "i![16,16f]q"),
      ("sysv-wide-x87", "D![16,16f]"), ("sysv-wide-complex-x87", "jD![16,16f]"), ("libffi", "iqd"),
    ].filter { $0.name != "libffi" || CallBackend.libffi.isAvailable }

    private static let source = """
      #define _GNU_SOURCE
      #include <pthread.h>
      #include <stdint.h>
      #include <stdlib.h>
      #include <unwind.h>

      typedef void (*kernel)(void *frame, const void *implementation, const void *context);
      typedef struct call { kernel kernel; void *frame; const void *implementation, *context; int cleaned; } call;

      static _Thread_local uintptr_t caller_frame;
      static _Thread_local int found;
      static _Thread_local uintptr_t seen;
      #define KEPT 0x1122334455667788

      static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *unused) {
        // The frame of `make` itself, as the unwinder computes it through the kernel.
        // It is the callee of the function that is visited: the registers of the visit before are its registers.
        if (_Unwind_GetCFA(context) == caller_frame) found = 1; else seen = _Unwind_GetGR(context, 3);
        return found ? _URC_END_OF_STACK : _URC_NO_REASON;
      }

      // Callees, of any types: they read no argument.
      int trace(void) { _Unwind_Backtrace(visit, 0); return 0; }
      int leave(void) { pthread_exit(0); }

      static void clean(struct call **call) { (*call)->cleaned += 1; }

      __attribute__((noinline)) static void make(call *call) {
        __attribute__((cleanup(clean))) struct call *mine = call;
        caller_frame = (uintptr_t)__builtin_dwarf_cfa();
        // A kernel has to restore rbx, and to say where it is saved.
        register uintptr_t kept __asm__("rbx") = KEPT;
        __asm__ volatile("" : "+r"(kept));
        call->kernel(call->frame, call->implementation, call->context);
        __asm__ volatile("" : "+r"(kept));
        if (kept != KEPT) abort();
        // Not in place of a tail call: the frame of this function must still be there.
        __asm__ volatile("" : "+r"(mine));
      }

      // A backtrace from the callee: whether it comes to the function that ran the kernel.
      int is_traced(kernel kernel, void *frame, const void *context) {
        call call = {kernel, frame, (const void *)trace, context};
        found = 0;
        make(&call);
        return found;
      }

      static void *start(void *call) { make(call); return 0; }

      // What rbx is in that function, as the unwinder restores it.
      int is_kept(kernel kernel, void *frame, const void *context) {
        return is_traced(kernel, frame, context) && seen == KEPT;
      }

      // The callee ends its thread: how often the caller's cleanup ran.
      int cleanups(kernel kernel, void *frame, const void *context) {
        call call = {kernel, frame, (const void *)leave, context};
        pthread_t thread;
        if (pthread_create(&thread, 0, start, &call) != 0) return -1;
        pthread_join(thread, 0);
        return call.cleaned;
      }
      """

    private typealias Check = @convention(c) (CallPlan.Kernel, UnsafeMutableRawPointer, UnsafeRawPointer?) -> CInt

    /// Calls a function of C with a kernel and a frame for it.
    static func check(_ name: String, in library: DynamicLibrary, _ kernel: (name: String, types: String)) throws -> CInt {
      let backend: CallBackend = kernel.name == "libffi" ? .libffi : .native
      let plan = try MethodSignature(types: kernel.types, backend: backend).storage.plan
      if case .native(let chosen, _) = plan.backend { expectEqual(chosen.name, kernel.name) }
      let frame = UnsafeMutableRawPointer.allocate(byteCount: plan.frameSize, alignment: 64)
      frame.initializeMemory(as: UInt8.self, repeating: 0, count: plan.frameSize)
      defer { frame.deallocate() }
      plan.prepare(frame)
      return unsafeBitCast(try library.symbol(name), to: Check.self)(plan.kernel, frame, plan.context)
    }

    @Test(arguments: kernels, CCompiler.all) func theStackUnwinds(kernel: (name: String, types: String), compiler: CCompiler) throws {
      let path = try compiler.sharedLibrary(source: Self.source, flags: ["-O2", "-fexceptions", "-pthread"], name: "unwinding")
      let library = try DynamicLibrary(path)
      for name in ["is_traced", "is_kept", "cleanups"] { try expectEqual(Self.check(name, in: library, kernel), 1, name) }
    }

    @Test func everyKernelIsTried() {
      expect(Set(SystemV.kernels.map(\.name)).isSubset(of: Self.kernels.map(\.name)))
    }
  }
#endif
