/// A caller in assembly that loads every argument register and the stack words with given bytes, and stores every
/// register of the result.
///
/// No compiler decides what is where, so the bits that a convention leaves undefined can be anything.
public enum RegisterCaller {
  /// The bytes of the result registers: two general ones, then xmm0, xmm1, st(0) and st(1), or v0 to v3, 16 bytes each.
  public static let resultSize: Int = 80

  /// The source in C, for x86-64 and for AArch64.
  ///
  /// `load_registers(image, stack, code, results, x87)` calls `code`. `image` is what ``RegisterCapture`` stores,
  /// `stack` the number of bytes of its stack words, a multiple of eight, and `x87` the number of results on the x87
  /// stack. It returns 1 if the callee kept the stack pointer and every register that it must keep, and left nothing else
  /// on the x87 stack.
  public static let source: String = """
    #include <stddef.h>
    int load_registers(const unsigned char *image, size_t stack, const void *code, unsigned char *results, int x87);
    #ifdef __aarch64__
    __asm__(\(quoted(aarch64)));
    #else
    __asm__(\(quoted(x86)));
    #endif
    """

  /// Returns assembly as the strings of an `__asm__`.
  static func quoted(_ assembly: String) -> String {
    assembly.split(separator: "\n").map { "\"\($0)\\n\"" }.joined(separator: "\n")
  }

  /// The code for x86-64.
  ///
  /// rbx and r12 to r14 contain marks and r15 the stack pointer. The environment of the x87 unit that `fnstenv` stores
  /// has the tags of its registers at byte 8, all ones when they are empty.
  private static let x86 = """
    .text
    .globl load_registers
    .type load_registers, @function
    .p2align 4
    load_registers:
    endbr64
    pushq %rbp
    movq %rsp, %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushq %rcx
    pushq %r8
    movq %rdi, %r10
    movq %rdx, %r11
    movq %rsi, %rcx
    subq %rcx, %rsp
    andq $-64, %rsp
    leaq 176(%r10), %rsi
    movq %rsp, %rdi
    rep movsb
    \((0..<8).map { "movups \(48 + 16 * $0)(%r10), %xmm\($0)" }.joined(separator: "\n"))
    movq $0x1B1B, %rbx
    movq $0x1212, %r12
    movq $0x1313, %r13
    movq $0x1414, %r14
    movq %rsp, %r15
    movq (%r10), %rdi
    movq 8(%r10), %rsi
    movq 16(%r10), %rdx
    movq 24(%r10), %rcx
    movq 32(%r10), %r8
    movq 40(%r10), %r9
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
    cmpq $0x1B1B, %rbx
    jne 2f
    cmpq $0x1212, %r12
    jne 2f
    cmpq $0x1313, %r13
    jne 2f
    cmpq $0x1414, %r14
    jne 2f
    leaq -96(%rbp), %rsp
    fnstenv (%rsp)
    cmpw $-1, 8(%rsp)
    fldenv (%rsp)
    jne 2f
    movl $1, %eax
    2:
    leaq -40(%rbp), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size load_registers, . - load_registers
    """

  /// The code for AArch64.
  ///
  /// x20 to x28 contain their numbers, d8 to d15 the numbers from 21 to 28, and x19 the stack pointer.
  private static let aarch64 = """
    .text
    .globl load_registers
    .type load_registers, %function
    .p2align 2
    load_registers:
    hint #34
    stp x29, x30, [sp, #-176]!
    mov x29, sp
    \((0..<5).map { "stp x\(19 + 2 * $0), x\(20 + 2 * $0), [sp, #\(16 + 16 * $0)]" }.joined(separator: "\n"))
    \((0..<4).map { "stp d\(8 + 2 * $0), d\(9 + 2 * $0), [sp, #\(96 + 16 * $0)]" }.joined(separator: "\n"))
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
    \((20...28).map { "mov x\($0), #\($0)" }.joined(separator: "\n"))
    \((8...15).map { "fmov d\($0), x\($0 + 13)" }.joined(separator: "\n"))
    mov x19, sp
    \((0..<4).map { "ldp q\(2 * $0), q\(2 * $0 + 1), [x9, #\(80 + 32 * $0)]" }.joined(separator: "\n"))
    \((0..<4).map { "ldp x\(2 * $0), x\(2 * $0 + 1), [x9, #\(16 * $0)]" }.joined(separator: "\n"))
    ldr x8, [x9, #64]
    blr x10
    ldr x9, [x29, #160]
    stp x0, x1, [x9]
    stp q0, q1, [x9, #16]
    stp q2, q3, [x9, #48]
    mov x9, sp
    cmp x9, x19
    \((20...28).map { "ccmp x\($0), #\($0), #0, eq" }.joined(separator: "\n"))
    \((8...15).map { "fmov x9, d\($0)\nccmp x9, #\($0 + 13), #0, eq" }.joined(separator: "\n"))
    cset w0, eq
    mov sp, x29
    \((0..<4).map { "ldp d\(8 + 2 * $0), d\(9 + 2 * $0), [sp, #\(96 + 16 * $0)]" }.joined(separator: "\n"))
    \((0..<5).map { "ldp x\(19 + 2 * $0), x\(20 + 2 * $0), [sp, #\(16 + 16 * $0)]" }.joined(separator: "\n"))
    ldp x29, x30, [sp], #176
    ret
    .size load_registers, . - load_registers
    """
}
