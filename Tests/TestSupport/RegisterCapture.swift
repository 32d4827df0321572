public import DynamicInvocation

/// A callee in assembly that stores every argument register and the stack words.
///
/// The compiler that calls it decides what is where, and neither a kernel nor a closure entry takes part.
public enum RegisterCapture {
  /// The most bytes of stack words that are stored.
  public static let largestStack: Int = 16_384

  /// The source in C: `capture` is the callee, `set_capture` states the bytes of stack words, and `captured` returns what
  /// the last call on this thread stored: the general registers (with x8 and a word of padding on AArch64), the vector
  /// registers of 16 bytes each, and the stack words.
  public static let source: String = """
    #include <stddef.h>
    #include <string.h>
    #ifdef __aarch64__
    enum { CAPTURED_REGISTERS = 208 };
    #else
    enum { CAPTURED_REGISTERS = 176 };
    #endif
    static _Thread_local unsigned char capture_image[CAPTURED_REGISTERS + \(largestStack)];
    static _Thread_local size_t capture_stack;
    void set_capture(size_t stack) { capture_stack = stack; memset(capture_image, 0xA5, sizeof capture_image); }
    const unsigned char *captured(void) { return capture_image; }
    __attribute__((used, visibility("hidden"))) void capture_store(const unsigned char *registers, const unsigned char *stack) {
      memcpy(capture_image, registers, CAPTURED_REGISTERS);
      memcpy(capture_image + CAPTURED_REGISTERS, stack, capture_stack);
    }
    #ifdef __aarch64__
    __asm__(
      ".text\\n.globl capture\\n.type capture, %function\\n.p2align 2\\ncapture:\\n"
      "hint #34\\nstp x29, x30, [sp, #-224]!\\nmov x29, sp\\n"
      "stp x0, x1, [sp, #16]\\nstp x2, x3, [sp, #32]\\nstp x4, x5, [sp, #48]\\nstp x6, x7, [sp, #64]\\nstr x8, [sp, #80]\\n"
      "stp q0, q1, [sp, #96]\\nstp q2, q3, [sp, #128]\\nstp q4, q5, [sp, #160]\\nstp q6, q7, [sp, #192]\\n"
      "add x0, sp, #16\\nadd x1, sp, #224\\nbl capture_store\\n"
      "ldr x0, [sp, #16]\\nldp x29, x30, [sp], #224\\nret\\n.size capture, . - capture\\n");
    #else
    __asm__(
      ".text\\n.globl capture\\n.type capture, @function\\n.p2align 4\\ncapture:\\n"
      "endbr64\\nsubq $184, %rsp\\n"
      "movq %rdi, (%rsp)\\nmovq %rsi, 8(%rsp)\\nmovq %rdx, 16(%rsp)\\nmovq %rcx, 24(%rsp)\\nmovq %r8, 32(%rsp)\\nmovq %r9, 40(%rsp)\\n"
      "movups %xmm0, 48(%rsp)\\nmovups %xmm1, 64(%rsp)\\nmovups %xmm2, 80(%rsp)\\nmovups %xmm3, 96(%rsp)\\n"
      "movups %xmm4, 112(%rsp)\\nmovups %xmm5, 128(%rsp)\\nmovups %xmm6, 144(%rsp)\\nmovups %xmm7, 160(%rsp)\\n"
      "movq %rsp, %rdi\\nleaq 192(%rsp), %rsi\\ncall capture_store\\n"
      "movq (%rsp), %rax\\naddq $184, %rsp\\nret\\n.size capture, . - capture\\n");
    #endif
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
  public init(_ layout: CallLayout, _ samples: [ValueSample], isAArch64: Bool) {
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

  private func position(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): 8 * register
    case .vector(let register): vectorStart + 16 * register
    case .stack(let offset): stackStart + offset
    case .indirectResult, .x87: preconditionFailure("no argument is passed there")
    }
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
