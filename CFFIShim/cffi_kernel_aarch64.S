// Kernels of AAPCS64, the convention of 64-bit Arm: cffi_kernel(frame: x0, implementation: x1, context: x2).
//
// Each kernel has a frame record and complete call frame information, so that backtraces and exceptions work through
// it. x18 is reserved for the platform and is not used. cffi_frame.h defines the offsets. Apple's platforms place stack
// and variadic arguments by other rules, which the plan of a call follows; the kernels are the same.

#include "cffi_frame.h"

#if defined(__aarch64__)

#include "cffi_aarch64.h"

// The frame is stored in x19 and the implementation in x9 until the call.
.macro ENTER
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  str x19, [sp, #16]
  .cfi_offset x19, -16
  mov x29, sp
  .cfi_def_cfa x29, 32
  mov x19, x0
  mov x9, x1
.endm

.macro LEAVE
  mov sp, x29
  .cfi_def_cfa sp, 32
  ldr x19, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_def_cfa_offset 0
  .cfi_restore x19
  .cfi_restore x29
  .cfi_restore x30
  ret
.endm

// The context is a cffi_aapcs64_stack. For each composite that is passed by reference, the address of its copy is
// written to the word from which the call loads it. The stack words, which contain the copies, are copied after that.
// The copy uses words, not vectors: a vector load of words that were just written would wait until all of the stores
// have reached the cache.
.macro COPY_STACK from
  ldp w10, w11, [x2, #CFFI_AAPCS64_CONTEXT_WORDS]
  ldr w12, [x2, #CFFI_AAPCS64_CONTEXT_COUNT]
  add x13, x2, #CFFI_AAPCS64_CONTEXT_ADDRESSES
  sub x14, sp, x10, lsl #3
  neg x11, x11
  and x15, x14, x11
  mov sp, x15
  cbz w12, 2f
1:
  ldp w3, w4, [x13], #CFFI_AAPCS64_CONTEXT_ADDRESS_SIZE
  add x4, x15, x4
  str x4, [x19, x3]
  sub w12, w12, #1
  cbnz w12, 1b
2:
  cbz w10, 4f
  add x13, x19, #\from
3:
  ldr x3, [x13], #8
  str x3, [x15], #8
  sub w10, w10, #1
  cbnz w10, 3b
4:
.endm

.macro LOAD_GENERAL at
  ldp x0, x1, [x19, #\at]
  ldp x2, x3, [x19, #\at + 16]
  ldp x4, x5, [x19, #\at + 32]
  ldp x6, x7, [x19, #\at + 48]
  ldr x8, [x19, #\at + 64]
.endm

.macro LOAD_VECTOR
  ldp d0, d1, [x19, #CFFI_AAPCS64_VECTOR]
  ldp d2, d3, [x19, #CFFI_AAPCS64_VECTOR + 16]
  ldp d4, d5, [x19, #CFFI_AAPCS64_VECTOR + 32]
  ldp d6, d7, [x19, #CFFI_AAPCS64_VECTOR + 48]
.endm

.macro LOAD_WIDE
  ldp q0, q1, [x19, #CFFI_AAPCS64_WIDE_VECTOR]
  ldp q2, q3, [x19, #CFFI_AAPCS64_WIDE_VECTOR + 32]
  ldp q4, q5, [x19, #CFFI_AAPCS64_WIDE_VECTOR + 64]
  ldp q6, q7, [x19, #CFFI_AAPCS64_WIDE_VECTOR + 96]
.endm

// Stores all result registers. The result, of any type, is in some of them: three stores are cheaper than a branch by
// type.
.macro STORE_RESULT
  stp x0, x1, [x19, #CFFI_AAPCS64_RESULT_GENERAL]
  stp d0, d1, [x19, #CFFI_AAPCS64_RESULT_VECTOR]
  stp d2, d3, [x19, #CFFI_AAPCS64_RESULT_VECTOR + 16]
.endm

BEGIN SYMBOL(cffi_kernel_aapcs64_general)
  ENTER
  LOAD_GENERAL CFFI_AAPCS64_GENERAL
  blr x9
  STORE_RESULT
  LEAVE
END SYMBOL(cffi_kernel_aapcs64_general)

BEGIN SYMBOL(cffi_kernel_aapcs64_vector)
  ENTER
  LOAD_GENERAL CFFI_AAPCS64_GENERAL
  LOAD_VECTOR
  blr x9
  STORE_RESULT
  LEAVE
END SYMBOL(cffi_kernel_aapcs64_vector)

BEGIN SYMBOL(cffi_kernel_aapcs64_stack)
  ENTER
  COPY_STACK CFFI_AAPCS64_STACK
  LOAD_GENERAL CFFI_AAPCS64_GENERAL
  LOAD_VECTOR
  blr x9
  STORE_RESULT
  LEAVE
END SYMBOL(cffi_kernel_aapcs64_stack)

BEGIN SYMBOL(cffi_kernel_aapcs64_wide)
  ENTER
  COPY_STACK CFFI_AAPCS64_WIDE_STACK
  LOAD_GENERAL CFFI_AAPCS64_WIDE_GENERAL
  LOAD_WIDE
  blr x9
  stp x0, x1, [x19, #CFFI_AAPCS64_RESULT_GENERAL]
  stp q0, q1, [x19, #CFFI_AAPCS64_RESULT_VECTOR]
  stp q2, q3, [x19, #CFFI_AAPCS64_RESULT_VECTOR + 32]
  LEAVE
END SYMBOL(cffi_kernel_aapcs64_wide)

#elif defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
