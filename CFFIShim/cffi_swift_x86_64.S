// Kernels of the Swift convention on x86-64: cffi_kernel(frame: rdi, function: rsi, stack words: rdx).
//
// The Swift convention passes self in r13 and the address of a result in memory in rax, returns an error in r12 and a
// result in up to four general and four vector registers. r12 and r13 are preserved for the C caller. Each kernel has a
// frame pointer and complete call frame information. cffi_frame.h defines the offsets.

#include "cffi_frame.h"

#if defined(__x86_64__) && defined(__ELF__)

#define BEGIN(name) .globl name; .hidden name; .type name, @function; .p2align 4; name:
#define END(name) .size name, . - name

// The frame is stored in rbx and the function in r11 until the call. The three saved registers and eight bytes of
// padding leave the stack aligned.
.macro ENTER
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rbx
  .cfi_offset %rbx, -24
  pushq %r12
  .cfi_offset %r12, -32
  pushq %r13
  .cfi_offset %r13, -40
  movq %rdi, %rbx
  movq %rsi, %r11
.endm

.macro LEAVE
  movq -24(%rbp), %r13
  movq -16(%rbp), %r12
  movq -8(%rbp), %rbx
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %r13
  .cfi_restore %r12
  .cfi_restore %rbx
  .cfi_restore %rbp
  ret
  .cfi_endproc
.endm

.macro LOAD_GENERAL at
  movq \at(%rbx), %rdi
  movq \at + 8(%rbx), %rsi
  movq \at + 16(%rbx), %rdx
  movq \at + 24(%rbx), %rcx
  movq \at + 32(%rbx), %r8
  movq \at + 40(%rbx), %r9
.endm

// The error register is cleared for every callee: one that does not throw preserves it.
.macro CALL
  movq CFFI_SWIFT_SELF(%rbx), %r13
  movq CFFI_SWIFT_INDIRECT_RESULT(%rbx), %rax
  xorl %r12d, %r12d
  call *%r11
.endm

.macro STORE_GENERAL
  movq %rax, CFFI_SWIFT_RESULT_GENERAL(%rbx)
  movq %rdx, CFFI_SWIFT_RESULT_GENERAL + 8(%rbx)
  movq %rcx, CFFI_SWIFT_RESULT_GENERAL + 16(%rbx)
  movq %r8, CFFI_SWIFT_RESULT_GENERAL + 24(%rbx)
  movq %r12, CFFI_SWIFT_ERROR(%rbx)
.endm

.text

BEGIN(cffi_kernel_swift_sysv_general)
  ENTER
  subq $8, %rsp
  LOAD_GENERAL CFFI_SWIFT_GENERAL
  CALL
  STORE_GENERAL
  LEAVE
END(cffi_kernel_swift_sysv_general)

BEGIN(cffi_kernel_swift_sysv_vector)
  ENTER
  subq $8, %rsp
  LOAD_GENERAL CFFI_SWIFT_GENERAL
  movsd CFFI_SWIFT_SYSV_VECTOR(%rbx), %xmm0
  movsd CFFI_SWIFT_SYSV_VECTOR + 8(%rbx), %xmm1
  movsd CFFI_SWIFT_SYSV_VECTOR + 16(%rbx), %xmm2
  movsd CFFI_SWIFT_SYSV_VECTOR + 24(%rbx), %xmm3
  movsd CFFI_SWIFT_SYSV_VECTOR + 32(%rbx), %xmm4
  movsd CFFI_SWIFT_SYSV_VECTOR + 40(%rbx), %xmm5
  movsd CFFI_SWIFT_SYSV_VECTOR + 48(%rbx), %xmm6
  movsd CFFI_SWIFT_SYSV_VECTOR + 56(%rbx), %xmm7
  CALL
  STORE_GENERAL
  movsd %xmm0, CFFI_SWIFT_RESULT_VECTOR(%rbx)
  movsd %xmm1, CFFI_SWIFT_RESULT_VECTOR + 8(%rbx)
  movsd %xmm2, CFFI_SWIFT_RESULT_VECTOR + 16(%rbx)
  movsd %xmm3, CFFI_SWIFT_RESULT_VECTOR + 24(%rbx)
  LEAVE
END(cffi_kernel_swift_sysv_vector)

// The context is the number of stack words. An odd number is rounded up by the padding.
BEGIN(cffi_kernel_swift_sysv_wide)
  ENTER
  leaq 8(,%rdx,8), %rax
  subq %rax, %rsp
  andq $-16, %rsp
  testq %rdx, %rdx
  jz 2f
1:
  movq CFFI_SWIFT_SYSV_WIDE_STACK - 8(%rbx,%rdx,8), %rax
  movq %rax, -8(%rsp,%rdx,8)
  decq %rdx
  jnz 1b
2:
  LOAD_GENERAL CFFI_SWIFT_WIDE_GENERAL
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR(%rbx), %xmm0
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 16(%rbx), %xmm1
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 32(%rbx), %xmm2
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 48(%rbx), %xmm3
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 64(%rbx), %xmm4
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 80(%rbx), %xmm5
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 96(%rbx), %xmm6
  movups CFFI_SWIFT_SYSV_WIDE_VECTOR + 112(%rbx), %xmm7
  CALL
  STORE_GENERAL
  movups %xmm0, CFFI_SWIFT_RESULT_VECTOR(%rbx)
  movups %xmm1, CFFI_SWIFT_RESULT_VECTOR + 16(%rbx)
  movups %xmm2, CFFI_SWIFT_RESULT_VECTOR + 32(%rbx)
  movups %xmm3, CFFI_SWIFT_RESULT_VECTOR + 48(%rbx)
  LEAVE
END(cffi_kernel_swift_sysv_wide)

// Called in the Swift convention: self is in r8 and the code in r9. r12 is zero, and returns the error.
BEGIN(cffi_swift_method_entry)
  .cfi_startproc
  endbr64
  pushq %r13
  .cfi_def_cfa_offset 16
  .cfi_offset %r13, -16
  movq %r8, %r13
  call *%r9
  popq %r13
  .cfi_def_cfa_offset 8
  .cfi_restore %r13
  ret
  .cfi_endproc
END(cffi_swift_method_entry)

// The code of a function value whose context is an object that is a `cffi_swift_closure` after its header. It stores the
// registers for arguments to a wide frame, calls the function of the object with the frame and the object, and loads the
// registers for results. The error register is loaded too: it keeps its value unless the function stores an error.
BEGIN(cffi_swift_closure_entry)
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $CFFI_SWIFT_SYSV_WIDE_STACK, %rsp
  movq %rax, CFFI_SWIFT_RESULT_GENERAL(%rsp)
  movq %rax, CFFI_SWIFT_INDIRECT_RESULT(%rsp)
  movq %r12, CFFI_SWIFT_ERROR(%rsp)
  movq %rdi, CFFI_SWIFT_WIDE_GENERAL(%rsp)
  movq %rsi, CFFI_SWIFT_WIDE_GENERAL + 8(%rsp)
  movq %rdx, CFFI_SWIFT_WIDE_GENERAL + 16(%rsp)
  movq %rcx, CFFI_SWIFT_WIDE_GENERAL + 24(%rsp)
  movq %r8, CFFI_SWIFT_WIDE_GENERAL + 32(%rsp)
  movq %r9, CFFI_SWIFT_WIDE_GENERAL + 40(%rsp)
  movaps %xmm0, CFFI_SWIFT_SYSV_WIDE_VECTOR(%rsp)
  movaps %xmm1, CFFI_SWIFT_SYSV_WIDE_VECTOR + 16(%rsp)
  movaps %xmm2, CFFI_SWIFT_SYSV_WIDE_VECTOR + 32(%rsp)
  movaps %xmm3, CFFI_SWIFT_SYSV_WIDE_VECTOR + 48(%rsp)
  movaps %xmm4, CFFI_SWIFT_SYSV_WIDE_VECTOR + 64(%rsp)
  movaps %xmm5, CFFI_SWIFT_SYSV_WIDE_VECTOR + 80(%rsp)
  movaps %xmm6, CFFI_SWIFT_SYSV_WIDE_VECTOR + 96(%rsp)
  movaps %xmm7, CFFI_SWIFT_SYSV_WIDE_VECTOR + 112(%rsp)
  movq %rsp, %rdi
  movq %r13, %rsi
  call *CFFI_SWIFT_CLOSURE_FUNCTION(%r13)
  movq CFFI_SWIFT_RESULT_GENERAL(%rsp), %rax
  movq CFFI_SWIFT_RESULT_GENERAL + 8(%rsp), %rdx
  movq CFFI_SWIFT_RESULT_GENERAL + 16(%rsp), %rcx
  movq CFFI_SWIFT_RESULT_GENERAL + 24(%rsp), %r8
  movq CFFI_SWIFT_ERROR(%rsp), %r12
  movaps CFFI_SWIFT_RESULT_VECTOR(%rsp), %xmm0
  movaps CFFI_SWIFT_RESULT_VECTOR + 16(%rsp), %xmm1
  movaps CFFI_SWIFT_RESULT_VECTOR + 32(%rsp), %xmm2
  movaps CFFI_SWIFT_RESULT_VECTOR + 48(%rsp), %xmm3
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  ret
  .cfi_endproc
END(cffi_swift_closure_entry)

#include "cffi_note_x86_64.h"

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
