package import DynamicInvocation

/// Code in assembly on both sides of a call: a callee that stores every argument register and the stack words, and a caller that loads
/// them.
///
/// No compiler decides what is where, and neither a kernel nor a closure entry takes part, so the bits that a convention leaves
/// undefined can be anything.
public enum RegisterProbe {
  /// The most bytes of stack words that are stored.
  public static let largestStack: Int = 16_384
  /// The bytes of the result registers: two general ones, then xmm0, xmm1, st(0) and st(1), or v0 to v3, 16 bytes each.
  public static let resultSize: Int = 80

  /// The source in C, for x86-64 and for AArch64.
  ///
  /// An image of a call is its general registers (with x8 and a word of padding on AArch64), its vector registers of 16 bytes each, and its
  /// stack words.
  ///
  /// `capture` is the callee. `set_capture` states the bytes of stack words, and `captured` returns the image that the last call on this
  /// thread stored. `set_results(registers, x87, memory, size)` states what the next calls return: the result registers, with `x87`
  /// results on the x87 stack, and the bytes of a result in memory or null.
  ///
  /// `load_registers(image, stack, code, results, x87)` calls `code` with an image with `stack` bytes of stack words, a multiple of
  /// eight, and stores the result registers. It returns 1 if the callee kept the stack pointer and every register that it must keep, and
  /// left nothing besides the `x87` results on the x87 stack.
  public static let source: String = """
    #include <stddef.h>
    #include <string.h>
    int load_registers(const unsigned char *image, size_t stack, const void *code, unsigned char *results, int x87);
    #ifdef __aarch64__
    enum { CAPTURED_REGISTERS = 208, CAPTURED_RESULT_ADDRESS = 64 };
    #else
    enum { CAPTURED_REGISTERS = 176, CAPTURED_RESULT_ADDRESS = 0 };
    #endif
    static _Thread_local unsigned char capture_image[CAPTURED_REGISTERS + \(largestStack)];
    static _Thread_local size_t capture_stack;
    struct capture_results { unsigned char registers[\(resultSize)]; int x87; };
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
    __asm__(\(quoted(aarch64)));
    #else
    __asm__(\(quoted(x86)));
    #endif
    """

  /// Returns assembly as the strings of an `__asm__`.
  private static func quoted(_ assembly: String) -> String {
    assembly.split(separator: "\n").map { "\"\($0)\\n\"" }.joined(separator: "\n")
  }

  private static func each<Elements: Sequence>(_ elements: Elements, _ line: (Int, Elements.Element) -> String) -> String {
    elements.enumerated().map { line($0.offset, $0.element) }.joined(separator: "\n")
  }

  private static let arguments = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]

  /// The code for x86-64.
  ///
  /// In the caller rbx and r12 to r14 contain marks and r15 the stack pointer. The environment of the x87 unit that `fnstenv` stores has
  /// the tags of its registers at byte 8, all ones when they are empty.
  private static let x86 = """
    .text
    .globl capture, load_registers
    .type capture, @function
    .p2align 4
    capture:
    endbr64
    subq $184, %rsp
    \(each(arguments) { "movq %\($1), \(8 * $0)(%rsp)" })
    \(each(0..<8) { "movups %xmm\($1), \(48 + 16 * $0)(%rsp)" })
    movq %rsp, %rdi
    leaq 192(%rsp), %rsi
    call capture_store
    movl \(resultSize)(%rax), %ecx
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
    .type load_registers, @function
    .p2align 4
    load_registers:
    endbr64
    pushq %rbp
    movq %rsp, %rbp
    \(each(["rbx", "r12", "r13", "r14", "r15", "rcx", "r8"]) { "pushq %\($1)" })
    movq %rdi, %r10
    movq %rdx, %r11
    movq %rsi, %rcx
    subq %rcx, %rsp
    andq $-64, %rsp
    leaq 176(%r10), %rsi
    movq %rsp, %rdi
    rep movsb
    \(each(0..<8) { "movups \(48 + 16 * $0)(%r10), %xmm\($1)" })
    \(each(["rbx", "r12", "r13", "r14"]) { "movq $\(0x1B1B + $0), %\($1)" })
    movq %rsp, %r15
    \(each(arguments) { "movq \(8 * $0)(%r10), %\($1)" })
    call *%r11
    movq -48(%rbp), %r10
    movq %rax, (%r10)
    movq %rdx, 8(%r10)
    movups %xmm0, 16(%r10)
    movups %xmm1, 32(%r10)
    movl -56(%rbp), %ecx
    testl %ecx, %ecx
    jz 1f
    fstpt 48(%r10)
    cmpl $1, %ecx
    je 1f
    fstpt 64(%r10)
    1:
    xorl %eax, %eax
    cmpq %rsp, %r15
    jne 2f
    \(each(["rbx", "r12", "r13", "r14"]) { "cmpq $\(0x1B1B + $0), %\($1)\njne 2f" })
    leaq -96(%rbp), %rsp
    fnstenv (%rsp)
    cmpw $-1, 8(%rsp)
    fldenv (%rsp)
    jne 2f
    movl $1, %eax
    2:
    leaq -40(%rbp), %rsp
    \(each(["r15", "r14", "r13", "r12", "rbx", "rbp"]) { "popq %\($1)" })
    ret
    .size load_registers, . - load_registers
    """

  /// The code for AArch64.
  ///
  /// In the caller x20 to x28 contain their numbers, d8 to d15 the numbers from 21 to 28, and x19 the stack pointer.
  private static let aarch64 = """
    .text
    .globl capture, load_registers
    .type capture, %function
    .p2align 2
    capture:
    hint #34
    stp x29, x30, [sp, #-224]!
    mov x29, sp
    \(each(0..<4) { "stp x\(2 * $1), x\(2 * $1 + 1), [sp, #\(16 + 16 * $0)]" })
    str x8, [sp, #80]
    \(each(0..<4) { "stp q\(2 * $1), q\(2 * $1 + 1), [sp, #\(96 + 32 * $0)]" })
    add x0, sp, #16
    add x1, sp, #224
    bl capture_store
    ldp q0, q1, [x0, #16]
    ldp q2, q3, [x0, #48]
    ldp x0, x1, [x0]
    ldp x29, x30, [sp], #224
    ret
    .size capture, . - capture
    .type load_registers, %function
    .p2align 2
    load_registers:
    hint #34
    stp x29, x30, [sp, #-176]!
    mov x29, sp
    \(each(0..<5) { "stp x\(19 + 2 * $1), x\(20 + 2 * $1), [sp, #\(16 + 16 * $0)]" })
    \(each(0..<4) { "stp d\(8 + 2 * $1), d\(9 + 2 * $1), [sp, #\(96 + 16 * $0)]" })
    str x3, [sp, #160]
    mov x9, x0
    mov x10, x2
    sub x11, sp, x1
    and sp, x11, #-64
    mov x12, sp
    add x13, x9, #208
    cbz x1, 2f
    1:
    ldr x14, [x13], #8
    str x14, [x12], #8
    subs x1, x1, #8
    b.ne 1b
    2:
    \(each(20...28) { "mov x\($1), #\($1)" })
    \(each(8...15) { "fmov d\($1), x\($1 + 13)" })
    mov x19, sp
    \(each(0..<4) { "ldp q\(2 * $1), q\(2 * $1 + 1), [x9, #\(80 + 32 * $0)]" })
    \(each(0..<4) { "ldp x\(2 * $1), x\(2 * $1 + 1), [x9, #\(16 * $0)]" })
    ldr x8, [x9, #64]
    blr x10
    ldr x9, [x29, #160]
    stp x0, x1, [x9]
    stp q0, q1, [x9, #16]
    stp q2, q3, [x9, #48]
    mov x9, sp
    cmp x9, x19
    \(each(20...28) { "ccmp x\($1), #\($1), #0, eq" })
    \(each(8...15) { "fmov x9, d\($1)\nccmp x9, #\($1 + 13), #0, eq" })
    cset w0, eq
    mov sp, x29
    \(each(0..<4) { "ldp d\(8 + 2 * $1), d\(9 + 2 * $1), [sp, #\(96 + 16 * $0)]" })
    \(each(0..<5) { "ldp x\(19 + 2 * $1), x\(20 + 2 * $1), [sp, #\(16 + 16 * $0)]" })
    ldp x29, x30, [sp], #176
    ret
    .size load_registers, . - load_registers
    """
}

/// The bytes that a call must put in registers and stack words, and a mask of those that it determines.
public struct ExpectedRegisters: Sendable {
  /// The bytes, in the order of an image of ``RegisterProbe``.
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
  ///   - isAArch64: Whether the registers are AArch64's, otherwise x86-64's.
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

extension CallLayout.Placement {
  /// The number of x87 registers.
  var x87Count: Int {
    pieces.count { piece in
      if case .x87 = piece.location { true } else { false }
    }
  }

  /// Returns the bytes of a result from the result registers of ``RegisterProbe``.
  public func value(in results: [UInt8], size: Int) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: size)
    for piece in pieces {
      let start = Self.resultPosition(of: piece.location)
      value.replaceSubrange(piece.offset..<piece.offset + piece.size, with: results[start..<start + piece.size])
    }
    return value
  }

  /// Stores the bytes of a result in the result registers of ``RegisterProbe``.
  func store(_ value: [UInt8], in results: inout [UInt8]) {
    for piece in pieces {
      let start = Self.resultPosition(of: piece.location)
      results.replaceSubrange(start..<start + piece.size, with: value[piece.offset..<piece.offset + piece.size])
    }
  }

  private static func resultPosition(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): 8 * register
    case .vector(let register): 16 + 16 * register
    case .x87(let register): 48 + 16 * register
    case .stack, .indirectResult: preconditionFailure("no result is passed there")
    }
  }
}
