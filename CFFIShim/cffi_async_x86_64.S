// The entry that calls an asynchronous Swift function on x86-64.
//
// An asynchronous function receives its async context in r14 and self in r13. A context begins with the address of the
// caller's context and that of the function that continues the caller. The callee tail-calls that function with its own
// context in r14, the result in the registers of arguments, and the error in r13. The result in memory is an argument.
// No register is saved, and the stack pointer does not change: rbx, rbp, r12 and r15 belong to the caller.

#include "cffi_frame.h"

#if defined(__x86_64__) && defined(__ELF__)

.text

// The context of the entry: that of its caller, the continuation of its caller, the frame.
#define PARENT 0
#define CONTINUATION 8
#define FRAME 16
#define CONTEXT_SIZE 32
// The first field of an object.
#define FIRST_FIELD 16

.hidden cffi_async_enter
.type cffi_async_enter, @function
.p2align 4
cffi_async_enter:
  .cfi_startproc
  endbr64
  movq FIRST_FIELD(%r13), %rax
  movq %rax, FRAME(%r14)
  movq CFFI_SWIFT_ASYNC_CONTEXT(%rax), %r10
  movq %r14, PARENT(%r10)
  leaq cffi_async_continue(%rip), %r11
  movq %r11, CONTINUATION(%r10)
  movq %r10, %r14
  movq CFFI_SWIFT_ASYNC_CODE(%rax), %r11
  movq CFFI_SWIFT_SELF(%rax), %r13
  movq CFFI_SWIFT_WIDE_GENERAL(%rax), %rdi
  movq CFFI_SWIFT_WIDE_GENERAL + 8(%rax), %rsi
  movq CFFI_SWIFT_WIDE_GENERAL + 16(%rax), %rdx
  movq CFFI_SWIFT_WIDE_GENERAL + 24(%rax), %rcx
  movq CFFI_SWIFT_WIDE_GENERAL + 32(%rax), %r8
  movq CFFI_SWIFT_WIDE_GENERAL + 40(%rax), %r9
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR(%rax), %xmm0
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 16(%rax), %xmm1
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 32(%rax), %xmm2
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 48(%rax), %xmm3
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 64(%rax), %xmm4
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 80(%rax), %xmm5
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 96(%rax), %xmm6
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 112(%rax), %xmm7
  jmp *%r11
  .cfi_endproc
.size cffi_async_enter, . - cffi_async_enter

.hidden cffi_async_continue
.type cffi_async_continue, @function
.p2align 4
cffi_async_continue:
  .cfi_startproc
  endbr64
  movq PARENT(%r14), %r14
  movq FRAME(%r14), %rax
  movq %rdi, CFFI_SWIFT_RESULT_GENERAL(%rax)
  movq %rsi, CFFI_SWIFT_RESULT_GENERAL + 8(%rax)
  movq %rdx, CFFI_SWIFT_RESULT_GENERAL + 16(%rax)
  movq %rcx, CFFI_SWIFT_RESULT_GENERAL + 24(%rax)
  movq %r13, CFFI_SWIFT_ERROR(%rax)
  movups %xmm0, CFFI_SWIFT_RESULT_VECTOR(%rax)
  movups %xmm1, CFFI_SWIFT_RESULT_VECTOR + 16(%rax)
  movups %xmm2, CFFI_SWIFT_RESULT_VECTOR + 32(%rax)
  movups %xmm3, CFFI_SWIFT_RESULT_VECTOR + 48(%rax)
  movq CONTINUATION(%r14), %r11
  jmp *%r11
  .cfi_endproc
.size cffi_async_continue, . - cffi_async_continue

.section .rodata, "a"
.globl cffi_async_entry_pointer
.hidden cffi_async_entry_pointer
.type cffi_async_entry_pointer, @object
.p2align 3
cffi_async_entry_pointer:
  .long cffi_async_enter - .
  .long CONTEXT_SIZE
.size cffi_async_entry_pointer, . - cffi_async_entry_pointer

#include "cffi_note_x86_64.h"

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
