#if os(Linux) && (arch(x86_64) || arch(arm64))
  @testable import DynamicInvocation
  import TestSupport
  import Testing

  /// Exceptions of C++ that pass through what the engine puts between two functions of C++.
  @Suite(.measured) struct ExceptionTests {
    private static let compilers: [CCompiler] = [CCompiler(command: "g++"), CCompiler(command: "clang++")]

    private static let source = """
      #include <stdexcept>

      extern "C" {
        typedef void (*kernel)(void *frame, const void *implementation, const void *context);
        typedef void (*code)(void);
        struct counting { int *count; ~counting() { *count += 1; } };

        // Callees: the first is of any types, as it reads no argument.
        int fail(void) { throw std::runtime_error("from the callee"); }
        long fail_at(long value) { if (value < 0) throw std::out_of_range("negative"); return value + 1; }
        long fail_message(void *target, void *selector, long value) { return fail_at(value); }

        // 1 when the exception came through the kernel and the caller was cleaned up.
        int is_caught(kernel kernel, void *frame, const void *context) {
          int cleaned = 0;
          try {
            counting mine{&cleaned};
            kernel(frame, (const void *)fail, context);
          } catch (const std::runtime_error &error) { return cleaned; }
          return -1;
        }

        // The same through a closure, called as a function of each kind of types.
        #define CALL(name, type, ...) \\
          int name(code closure) { \\
            int cleaned = 0; \\
            try { counting mine{&cleaned}; ((type)closure)(__VA_ARGS__); } catch (const std::out_of_range &) { return cleaned; } \\
            return -1; \\
          }
        typedef float wide __attribute__((vector_size(16)));
        CALL(call_general, long (*)(long), 1)
        CALL(call_few_vector, long (*)(double, long), 1, 2)
        CALL(call_vector, long (*)(double, double, double, double, double, double), 1, 2, 3, 4, 5, 6)
        CALL(call_few_stack, long (*)(long, long, long, long, long, long, long, long), 1, 2, 3, 4, 5, 6, 7, 8)
        CALL(call_stack, long (*)(long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, double), \\
          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
        CALL(call_long_double, long double (*)(long), 1)
        CALL(call_complex, _Complex long double (*)(long), 1)
        CALL(call_wide, long (*)(wide, long), wide{1, 2, 3, 4}, 1)
        CALL(call_wide_long_double, long double (*)(wide), wide{1, 2, 3, 4})
        CALL(call_wide_complex, _Complex long double (*)(wide), wide{1, 2, 3, 4})

        // What the code returns, or -1 for an exception.
        long call(long (*closure)(long), long value) {
          try { return closure(value); } catch (const std::out_of_range &) { return -1; }
        }
        long send(long (*message)(void *, const void *, long), void *target, const void *selector, long value) {
          try { return message(target, selector, value); } catch (const std::out_of_range &) { return -1; }
        }
      }
      """

    /// The callers of closures, and the types that they call them with.
    private static let closures: [(caller: String, types: String)] = [
      ("call_general", "qq"), ("call_few_vector", "qdq"), ("call_vector", "qdddddd"), ("call_few_stack", "qqqqqqqqq"),
      ("call_stack", "qqqqqqqqqqqqqqqqqd"), ("call_long_double", "Dq"), ("call_complex", "jDq"), ("call_wide", "q![16,16f]q"),
      ("call_wide_long_double", "D![16,16f]"), ("call_wide_complex", "jD![16,16f]"),
    ]

    private static func library(_ compiler: CCompiler) throws -> DynamicLibrary? {
      guard compiler.available else { return nil }
      return try DynamicLibrary(compiler.sharedLibrary(source: source, flags: ["-x", "c++", "-std=gnu++17", "-O2"], name: "exceptions"))
    }

    #if arch(x86_64)
      @Test("A C++ exception passes through every kernel, and the caller is cleaned up", arguments: UnwindingTests.kernels, compilers)
      func kernels(kernel: (name: String, types: String), compiler: CCompiler) throws {
        guard let library = try Self.library(compiler) else { return }
        for _ in 0..<3 { try expectEqual(UnwindingTests.check("is_caught", in: library, kernel), 1) }
      }
    #endif

    @Test("A C++ exception passes through every closure entry, the Swift closure and a call that it makes", arguments: closures, compilers)
    func entries(closure: (caller: String, types: String), compiler: CCompiler) throws {
      guard let library = try Self.library(compiler) else { return }
      let fail = try library.function("fail_at", types: "qq")
      let code = try Closure(MethodSignature(types: closure.types)) { _ in
        let _: Int = try fail(-1)
        Issue.record("the callee came back")
      }
      let caught: Int32 = try library.function(closure.caller, types: "i^v")(code.pointer)
      expectEqual(caught, 1)
    }

    @Test("After an exception the closure can be called again, and its captures stay for ever, as documented", arguments: compilers)
    func afterwards(compiler: CCompiler) throws {
      guard let library = try Self.library(compiler) else { return }
      let tracker = LifetimeTracker()
      let fail = try library.function("fail_at", types: "qq")
      let call = try library.function("call", types: "q^vq")
      do {
        let object = tracker.object(10)
        let closure = try Closure(types: "qq") { (value: Int) -> Int in (try? fail(value) as Int).map { $0 + object.payload } ?? -2 }
        for value in [5, -5, 6, -6, 7] {
          let got: Int = try call(closure.pointer, value)
          expectEqual(got, (value < 0 ? -1 : value + 11))
        }
      }
      expectEqual(tracker.liveCount, 1)
      try LifetimeTracker.check { tracker in
        let object = tracker.object(20)
        let closure = try Closure(types: "qq") { (value: Int) -> Int in (try? fail(value) as Int).map { $0 + object.payload } ?? -2 }
        let got: Int = try call(closure.pointer, 5)
        expectEqual(got, 26)
      }
    }

    @Test("A C++ exception passes through forwarding, which goes on afterwards at any depth of the stack", arguments: compilers)
    func forwarding(compiler: CCompiler) throws {
      guard let library = try Self.library(compiler) else { return }
      final class Failing {}
      let signature = try MethodSignature(types: "q@:q")
      let table = MethodTable.of(Failing.self)
      // Both compilers at the same time, each with its own callee.
      let selector = MethodSelector("fail \(compiler):")
      try table.replace(selector, Implementation(library.symbol("fail_message"), methodSignature: signature, keeping: library))
      let proxy = InvocationProxy(target: InvocationProxy(target: Failing()))
      let code = try Implementation.forwarding(signature)
      let function = try library.function("send", types: "q^v@:q")
      func send(_ value: Int, below depth: Int) throws -> Int {
        guard depth > 0 else {
          let target = Unmanaged<AnyObject>.passUnretained(proxy)
          let result: Int = try withExtendedLifetime(proxy) { try function(code.pointer, target, selector, value) }
          return result
        }
        // Deeper in the stack than what the exception left there, and over it.
        return try withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory -> Int in
          let filling = UInt8(truncatingIfNeeded: depth)
          memory.initializeMemory(as: UInt8.self, repeating: filling)
          let result: Int = try send(value, below: depth - 1)
          return memory[7] == filling ? result : -2
        }
      }
      for round in 0..<40 {
        let depth = round * 7 % 40
        try expectEqual(send(-1, below: depth), -1)
        try expectEqual(send(round, below: (depth + 13) % 40), round + 1)
      }
      let message = try Invocation(target: proxy, selector: selector)
      try message.setArgument(4, at: 2)
      try expectEqual(message.result(as: Int.self), 5)
    }
  }
#endif
