#ifndef CFFI_X86_64_H
#define CFFI_X86_64_H

#include "cffi_note.h"

// What the assembly of x86-64 shares, for ELF and for Mach-O on Apple's platforms.
//
// BEGIN and END enclose a function that only this library calls. THREAD is a number that identifies the running thread.
// In a macro without parameters, constants are in parentheses: Apple's assembler reads a number after a dollar sign as
// the number of a parameter.

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#define BEGIN(name) .globl SYMBOL(name); .private_extern SYMBOL(name); .p2align 4; SYMBOL(name):
#define END(name)
#define THREAD %gs:0
#else
#define SYMBOL(name) name
#define BEGIN(name) .globl name; .hidden name; .type name, @function; .p2align 4; name:
#define END(name) .size name, . - name
#define THREAD %fs:0
#endif

// The beginning of a function with a frame pointer and complete call frame information.
.macro ENTER_FRAME
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
.endm

// Loads the general registers for arguments from an offset of the address in a register.
.macro LOAD_WORDS base, at
  movq \at(\base), %rdi
  movq \at + 8(\base), %rsi
  movq \at + 16(\base), %rdx
  movq \at + 24(\base), %rcx
  movq \at + 32(\base), %r8
  movq \at + 40(\base), %r9
.endm

// Stores the general registers for arguments.
.macro STORE_WORDS base, at
  movq %rdi, \at(\base)
  movq %rsi, \at + 8(\base)
  movq %rdx, \at + 16(\base)
  movq %rcx, \at + 24(\base)
  movq %r8, \at + 32(\base)
  movq %r9, \at + 40(\base)
.endm

// Loads vector registers, all eight for arguments or the first four, `size` bytes of each by the instruction `move`.
.macro LOAD_VECTORS move, base, at, size, count=8
  \move \at(\base), %xmm0
  \move \at + \size(\base), %xmm1
  \move \at + 2 * \size(\base), %xmm2
  \move \at + 3 * \size(\base), %xmm3
  .if \count > 4
  \move \at + 4 * \size(\base), %xmm4
  \move \at + 5 * \size(\base), %xmm5
  \move \at + 6 * \size(\base), %xmm6
  \move \at + 7 * \size(\base), %xmm7
  .endif
.endm

// Stores vector registers, as many as LOAD_VECTORS loads.
.macro STORE_VECTORS move, base, at, size, count=8
  \move %xmm0, \at(\base)
  \move %xmm1, \at + \size(\base)
  \move %xmm2, \at + 2 * \size(\base)
  \move %xmm3, \at + 3 * \size(\base)
  .if \count > 4
  \move %xmm4, \at + 4 * \size(\base)
  \move %xmm5, \at + 5 * \size(\base)
  \move %xmm6, \at + 6 * \size(\base)
  \move %xmm7, \at + 7 * \size(\base)
  .endif
.endm

// Loads the result and error registers of the Swift convention from a wide frame at the stack pointer, and returns from a
// function that began with ENTER_FRAME. cffi_frame.h defines the offsets.
.macro RETURN_SWIFT_RESULTS
  movq CFFI_SWIFT_RESULT_GENERAL(%rsp), %rax
  movq CFFI_SWIFT_RESULT_GENERAL + 8(%rsp), %rdx
  movq CFFI_SWIFT_RESULT_GENERAL + 16(%rsp), %rcx
  movq CFFI_SWIFT_RESULT_GENERAL + 24(%rsp), %r8
  movq CFFI_SWIFT_ERROR(%rsp), %r12
  LOAD_VECTORS movaps, %rsp, CFFI_SWIFT_RESULT_VECTOR, 16, 4
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  ret
.endm

#if defined(__linux__)
// The object supports shadow stacks and indirect branch tracking.
PROPERTY_NOTE 0xc0000002, 3
#endif

.text

#endif
