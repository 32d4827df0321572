// The entry that calls an asynchronous Swift function on x86-64.
//
// An asynchronous function receives its async context in r14 and self in r13. A context begins with the address of the
// caller's context and the address of the function that continues the caller. The callee tail-calls that function with its own
// context in r14, the result in the registers of arguments, and the error in r13. The result in memory is an argument.
// No register is saved, and the stack pointer does not change: rbx, rbp, r12 and r15 belong to the caller.

#include "cffi_frame.h"

#if defined(__x86_64__) && defined(__ELF__)

#include "cffi_x86_64.h"

// The context of the entry: its caller's context, the continuation of its caller, the frame.
#define PARENT 0
#define CONTINUATION 8
#define FRAME 16
#define CONTEXT_SIZE 32
// The first field of an object.
#define FIRST_FIELD 16

BEGIN(cffi_async_enter)
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
  LOAD_WORDS %rax, CFFI_SWIFT_WIDE_GENERAL
  LOAD_VECTORS movups, %rax, CFFI_SWIFT_SYSV_WIDE_VECTOR, 16
  jmp *%r11
  .cfi_endproc
END(cffi_async_enter)

BEGIN(cffi_async_continue)
  .cfi_startproc
  endbr64
  movq PARENT(%r14), %r14
  movq FRAME(%r14), %rax
  movq %rdi, CFFI_SWIFT_RESULT_GENERAL(%rax)
  movq %rsi, CFFI_SWIFT_RESULT_GENERAL + 8(%rax)
  movq %rdx, CFFI_SWIFT_RESULT_GENERAL + 16(%rax)
  movq %rcx, CFFI_SWIFT_RESULT_GENERAL + 24(%rax)
  movq %r13, CFFI_SWIFT_ERROR(%rax)
  STORE_VECTORS movups, %rax, CFFI_SWIFT_RESULT_VECTOR, 16, 4
  movq CONTINUATION(%r14), %r11
  jmp *%r11
  .cfi_endproc
END(cffi_async_continue)

.section .rodata, "a"
.globl cffi_async_entry_pointer
.hidden cffi_async_entry_pointer
.type cffi_async_entry_pointer, @object
.p2align 3
cffi_async_entry_pointer:
  .long cffi_async_enter - .
  .long CONTEXT_SIZE
.size cffi_async_entry_pointer, . - cffi_async_entry_pointer

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
