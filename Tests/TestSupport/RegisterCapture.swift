public import DynamicInvocation

/// A callee in assembly that stores every argument register and the stack words.
///
/// The compiler that calls it decides what is where, and neither a kernel nor a closure entry takes part.
public enum RegisterCapture {
  /// The most bytes of stack words that are stored.
  public static let largestStack: Int = 16_384

  /// The source in C, for x86-64 and for AArch64.
  ///
  /// `capture` is the callee. `set_capture` states the bytes of stack words, and `captured` returns what the last call on
  /// this thread stored: the general registers (with x8 and a word of padding on AArch64), the vector registers of 16
  /// bytes each, and the stack words. `set_results(registers, x87, memory, size)` states what the next calls return: the
  /// registers as ``RegisterCaller`` stores them, of which `x87` are on the x87 stack, and the bytes of a result in memory
  /// or null.
  public static let source: String = """
    #include <stddef.h>
    #include <string.h>
    #ifdef __aarch64__
    enum { CAPTURED_REGISTERS = 208, CAPTURED_RESULT_ADDRESS = 64 };
    #else
    enum { CAPTURED_REGISTERS = 176, CAPTURED_RESULT_ADDRESS = 0 };
    #endif
    static _Thread_local unsigned char capture_image[CAPTURED_REGISTERS + \(largestStack)];
    static _Thread_local size_t capture_stack;
    struct capture_results { unsigned char registers[\(RegisterCaller.resultSize)]; int x87; };
    static _Thread_local struct capture_results capture_results;
    static _Thread_local const void *capture_memory;
    static _Thread_local size_t capture_memory_size;
    static _Thread_local int capture_returns;
    void set_capture(size_t stack) {
      capture_stack = stack;
      memset(capture_image, 0xA5, sizeof capture_image);
      memset(&capture_results, 0, sizeof capture_results);
      capture_memory = NULL;
      capture_returns = 0;
    }
    void set_results(const unsigned char *registers, int x87, const void *memory, size_t size) {
      memcpy(capture_results.registers, registers, sizeof capture_results.registers);
      capture_results.x87 = x87;
      capture_memory = memory;
      capture_memory_size = size;
      capture_returns = 1;
    }
    const unsigned char *captured(void) { return capture_image; }
    __attribute__((used, visibility("hidden")))
    const struct capture_results *capture_store(const unsigned char *registers, const unsigned char *stack) {
      memcpy(capture_image, registers, CAPTURED_REGISTERS);
      memcpy(capture_image + CAPTURED_REGISTERS, stack, capture_stack);
      // A caller that expects a result in memory may use the address that it gets back.
      if (!capture_returns) memcpy(capture_results.registers, registers, sizeof(void *));
      if (capture_memory) {
        void *result;
        memcpy(&result, registers + CAPTURED_RESULT_ADDRESS, sizeof result);
        memcpy(result, capture_memory, capture_memory_size);
        memcpy(capture_results.registers, &result, sizeof result);
      }
      return &capture_results;
    }
    #ifdef __aarch64__
    __asm__(\(RegisterCaller.quoted(aarch64)));
    #else
    __asm__(\(RegisterCaller.quoted(x86)));
    #endif
    """

  private static let x86 = """
    .text
    .globl capture
    .type capture, @function
    .p2align 4
    capture:
    endbr64
    subq $184, %rsp
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    \((0..<8).map { "movups %xmm\($0), \(48 + 16 * $0)(%rsp)" }.joined(separator: "\n"))
    movq %rsp, %rdi
    leaq 192(%rsp), %rsi
    call capture_store
    movl \(RegisterCaller.resultSize)(%rax), %ecx
    testl %ecx, %ecx
    jz 2f
    cmpl $1, %ecx
    je 1f
    fldt 64(%rax)
    1:
    fldt 48(%rax)
    2:
    movups 16(%rax), %xmm0
    movups 32(%rax), %xmm1
    movq 8(%rax), %rdx
    movq (%rax), %rax
    addq $184, %rsp
    ret
    .size capture, . - capture
    """

  private static let aarch64 = """
    .text
    .globl capture
    .type capture, %function
    .p2align 2
    capture:
    hint #34
    stp x29, x30, [sp, #-224]!
    mov x29, sp
    \((0..<4).map { "stp x\(2 * $0), x\(2 * $0 + 1), [sp, #\(16 + 16 * $0)]" }.joined(separator: "\n"))
    str x8, [sp, #80]
    \((0..<4).map { "stp q\(2 * $0), q\(2 * $0 + 1), [sp, #\(96 + 32 * $0)]" }.joined(separator: "\n"))
    add x0, sp, #16
    add x1, sp, #224
    bl capture_store
    ldp q0, q1, [x0, #16]
    ldp q2, q3, [x0, #48]
    ldp x0, x1, [x0]
    ldp x29, x30, [sp], #224
    ret
    .size capture, . - capture
    """
}

/// The bytes that a call must put in registers and stack words, and a mask of those that it determines.
public struct ExpectedRegisters: Sendable {
  /// The bytes, in the order in which ``RegisterCapture`` stores them.
  public private(set) var bytes: [UInt8]
  private var mask: [UInt8]
  private let vectorStart: Int
  private let stackStart: Int

  /// Creates the image of a call from the placements of a convention.
  ///
  /// Values that are passed by reference are left out, as their addresses are not known.
  ///
  /// - Parameters:
  ///   - layout: The placements.
  ///   - samples: The values of the arguments.
  ///   - isAArch64: Whether the registers are those of AArch64, otherwise of x86-64.
  package init(_ layout: CallLayout, _ samples: [ValueSample], isAArch64: Bool) {
    (vectorStart, stackStart) = isAArch64 ? (80, 208) : (48, 176)
    bytes = Array(repeating: 0, count: stackStart + layout.stackSize.roundedUp(to: 8))
    mask = bytes
    for (placement, sample) in zip(layout.arguments, samples) where placement.passing == .direct {
      for piece in placement.pieces {
        let start = position(of: piece.location)
        for index in 0..<piece.size {
          bytes[start + index] = sample.bytes[piece.offset + index]
          mask[start + index] = sample.mask[piece.offset + index]
        }
      }
    }
  }

  /// The number of bytes of stack words.
  public var stackSize: Int { bytes.count - stackStart }

  /// Returns the offset of a register or stack word in the image.
  package func position(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): 8 * register
    case .vector(let register): vectorStart + 16 * register
    case .stack(let offset): stackStart + offset
    // x8 follows x7.
    case .indirectResult: 64
    case .x87: preconditionFailure("no argument is passed there")
    }
  }

  /// Returns the bytes, with random bits where the call determines none.
  public func filled(using generator: inout SeededGenerator) -> [UInt8] {
    zip(bytes, mask).map { byte, mask in byte & mask | .random(in: .min ... .max, using: &generator) & ~mask }
  }

  /// Returns the first byte in which a captured image differs, told by its register, or nil.
  public func firstDifference(from captured: some RandomAccessCollection<UInt8>) -> String? {
    guard let index = zip(bytes, captured).enumerated().first(where: { ($1.0 ^ $1.1) & mask[$0] != 0 })?.offset else { return nil }
    if index >= stackStart { return "stack+\(index - stackStart)" }
    return index >= vectorStart
      ? "vector \((index - vectorStart) / 16), byte \((index - vectorStart) % 16)" : "general \(index / 8), byte \(index % 8)"
  }
}

extension CalleeLibrary {
  #if arch(x86_64)
    /// Compares the registers and stack words of a call by the engine, and of the same call by the compiler's code, with
    /// the placements of the convention.
    ///
    /// The callee is in assembly. The library must have been compiled with callers. For a variadic signature only the
    /// engine calls.
    ///
    /// - Returns: The failure, or nil.
    /// - Throws: ``InvocationError`` for a signature that the engine rejects.
    public func registerFailure(of index: Int, seed: UInt64) throws -> CallFailure? {
      let signature = signatures[index]
      let types = signature.types
      let layout = try SystemV().layout(of: types)
      guard layout.stackSize <= RegisterCapture.largestStack else { return nil }
      let capture = try library.symbol("capture")
      var generator = SeededGenerator(seed: seed)
      let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
      defer { memory.deallocate() }
      let image = ExpectedRegisters(layout, memory.arguments, isAArch64: false)
      func failure(_ what: String) -> CallFailure {
        CallFailure(signature: signature, compiledBy: compiledBy, index: index, seed: seed, backend: .native, difference: what)
      }

      let invocation = Invocation(
        try MethodSignature(types, fixedArgumentCount: signature.fixedCount, backend: .native), retainsArguments: false)
      for (number, value) in UnsafeBufferPointer(start: memory.values, count: types.arguments.count).enumerated() {
        if let value { try invocation.setArgument(from: value, at: number) }
      }
      let called = try capturing(image.bytes.count, stack: image.stackSize) {
        try invocation.invoke(using: Implementation(capture, keeping: library))
      }
      if let wrong = image.firstDifference(from: called) { return failure("the engine's call: \(wrong)") }
      guard signature.fixedCount == nil else { return nil }

      announce(memory)
      let caller = try library.function("c\(index)", types: "v^v^v")
      var result = [UInt8](repeating: 0, count: memory.resultSample.bytes.count + 16)
      let compiled = try capturing(image.bytes.count, stack: image.stackSize) {
        try result.withUnsafeMutableBytes { try caller(capture, $0.baseAddress) as Void }
      }
      return image.firstDifference(from: compiled).map { failure("the compiler's call: \($0)") }
    }
  #endif
}

extension RegisterCapture {
  #if arch(x86_64) || arch(arm64)
    /// Calls the callee in assembly twice with random arguments by a native kernel.
    ///
    /// The registers and stack words that the callee finds are compared with the placements of the convention. Its result
    /// is in the registers of the convention, with random bits in all others.
    ///
    /// - Parameters:
    ///   - types: The types of the call, of which none is disputed between compilers.
    ///   - seed: The seed of the values.
    /// - Returns: What is wrong, or nil.
    /// - Throws: ``InvocationError`` for types that the engine rejects; a failure of the compiler.
    public static func callFailure(of types: MethodTypes, seed: UInt64) throws -> String? {
      let layout = try CallPlan.convention.layout(of: types)
      guard layout.stackSize <= largestStack else { return nil }
      let code = try code.get()
      let invocation = Invocation(try MethodSignature(types, backend: .native), retainsArguments: false)
      var generator = SeededGenerator(seed: seed)
      for round in 0..<2 {
        let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
        defer { memory.deallocate() }
        // In any order: a value must not reach into its neighbor.
        for index in types.arguments.indices.shuffled(using: &generator) {
          if let value = memory.values[index] { try invocation.setArgument(from: value, at: index) }
        }
        let registers = ExpectedRegisters(layout, memory.arguments, isAArch64: RegisterCaller.isAArch64)
        code.setCapture(registers.stackSize)
        code.setResults(layout.result, memory, using: &generator)
        try invocation.invoke(using: Implementation(try code.capture, keeping: code.library))
        let captured = UnsafeBufferPointer(start: code.captured(), count: registers.bytes.count)
        if let wrong = registers.firstDifference(from: captured) { return "call \(round): \(wrong)" }
        if let wrong = try difference(invocation, types, memory) { return "call \(round): \(wrong)" }
      }
      return nil
    }

    private static func difference(_ invocation: Invocation, _ types: MethodTypes, _ memory: SampleMemory) throws -> String? {
      for (index, argument) in memory.arguments.enumerated() where !argument.bytes.isEmpty {
        var back = [UInt8](repeating: 0, count: argument.bytes.count)
        try back.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getArgument(into: address, at: index) } }
        if let byte = argument.firstDifference(from: back) { return "argument \(index) reads back wrong at byte \(byte)" }
      }
      let size = memory.resultSample.bytes.count
      guard size > 0 else { return nil }
      var result = [UInt8](repeating: 0xA5, count: size + 16)
      try result.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
      if let byte = memory.resultSample.firstDifference(from: result) { return "the result is wrong at byte \(byte)" }
      return result[size...].contains { $0 != 0xA5 } ? "the result is longer than its type" : nil
    }

    private struct Code: Sendable {
      typealias SetCapture = @convention(c) (Int) -> Void
      typealias SetResults = @convention(c) (UnsafePointer<UInt8>, CInt, UnsafeRawPointer?, Int) -> Void
      typealias Captured = @convention(c) () -> UnsafePointer<UInt8>

      let library: DynamicLibrary
      let setCapture: SetCapture
      let captured: Captured
      private let setResults: SetResults

      init() throws {
        library = try DynamicLibrary(CCompiler.clang.sharedLibrary(source: RegisterCapture.source, name: "registerCapture"))
        setCapture = unsafeBitCast(try library.symbol("set_capture"), to: SetCapture.self)
        captured = unsafeBitCast(try library.symbol("captured"), to: Captured.self)
        setResults = unsafeBitCast(try library.symbol("set_results"), to: SetResults.self)
      }

      /// The code of the callee.
      var capture: UnsafeRawPointer { get throws { try library.symbol("capture") } }

      /// Has the callee return the result of the samples.
      func setResults(_ placement: CallLayout.Placement, _ memory: SampleMemory, using generator: inout SeededGenerator) {
        var registers = (0..<RegisterCaller.resultSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let isInMemory = placement.passing == .reference
        if !isInMemory { placement.store(memory.resultSample.bytes, in: &registers) }
        setResults(registers, CInt(placement.x87Count), isInMemory ? memory.result : nil, memory.resultSample.bytes.count)
      }
    }

    private static let code: Result<Code, any Error> = Result { try Code() }
  #endif
}
