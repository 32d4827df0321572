// Loops that call a vector variant, of one argument or two, with adjacent elements:
// loop(variant: rdi, a: rsi, b: rdx, results: rcx, size: r8). The size in bytes is a multiple of the vector's, and not
// 0.
//
// They are in assembly because a C compiler passes vectors wider than 16 bytes in registers only in files that are
// compiled for processors that have them.

#if defined(__x86_64__)

#include "cffi_x86_64.h"

// A variant of one argument ignores the second register.
.macro LOOP move, first, second, width
  ENTER_FRAME
  pushq %rbx
  .cfi_offset %rbx, -24
  pushq %r12
  .cfi_offset %r12, -32
  pushq %r13
  .cfi_offset %r13, -40
  pushq %r14
  .cfi_offset %r14, -48
  pushq %r15
  .cfi_offset %r15, -56
  subq $8, %rsp
  movq %rdi, %rbx
  leaq (%rsi,%r8), %r12
  leaq (%rdx,%r8), %r13
  leaq (%rcx,%r8), %r14
  xorl %r15d, %r15d
  subq %r8, %r15
  .p2align 4
1:
  \move (%r12,%r15), \first
  \move (%r13,%r15), \second
  call *%rbx
  \move \first, (%r14,%r15)
  addq $\width, %r15
  jnz 1b
  .if \width > 16
  vzeroupper
  .endif
  leaq -40(%rbp), %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbx
  .cfi_restore %r12
  .cfi_restore %r13
  .cfi_restore %r14
  .cfi_restore %r15
  .cfi_restore %rbp
  ret
  .cfi_endproc
.endm

BEGIN(cffi_vector_loop_16)
  LOOP movups, %xmm0, %xmm1, 16
END(cffi_vector_loop_16)

BEGIN(cffi_vector_loop_32)
  LOOP vmovups, %ymm0, %ymm1, 32
END(cffi_vector_loop_32)

BEGIN(cffi_vector_loop_64)
  LOOP vmovups, %zmm0, %zmm1, 64
END(cffi_vector_loop_64)

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", @progbits
#endif
