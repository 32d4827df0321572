// The entry of replaced Swift functions on AArch64. A stub has loaded the address of its slot into x16.
//
// The Swift convention passes self in x20, an error in x21 and the address of a result in memory in x8.
// cffi_frame.h defines the offsets of a frame and of a slot.

#include "cffi_frame.h"

#if defined(__aarch64__) && defined(__ELF__)

#include "../CFFIShim/cffi_aarch64.h"

.macro LEAVE_FRAME
  mov sp, x29
  .cfi_def_cfa sp, 16
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x30
  .cfi_restore x29
.endm

// Stores the registers to a frame on the stack, and calls the function of the slot. It either has stored the results to
// the frame, or returns the code of another function, which then is called as if it had been called instead: it finds the
// stack words where they are. x20 and x21 are preserved by the function of the slot.
BEGIN creplace_enter
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa x29, 16
  sub sp, sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK
  str x21, [sp, #CFFI_SWIFT_ERROR]
  stp x20, x8, [sp, #CFFI_SWIFT_SELF]
  stp x0, x1, [sp, #CFFI_SWIFT_WIDE_GENERAL]
  stp x2, x3, [sp, #CFFI_SWIFT_WIDE_GENERAL + 16]
  stp x4, x5, [sp, #CFFI_SWIFT_WIDE_GENERAL + 32]
  stp x6, x7, [sp, #CFFI_SWIFT_WIDE_GENERAL + 48]
  stp q0, q1, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR]
  stp q2, q3, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 32]
  stp q4, q5, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 64]
  stp q6, q7, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 96]
  mov x0, sp
  ldr x1, [x16, #CFFI_CLOSURE_BODY]
  ldr x9, [x16, #CFFI_CLOSURE_FUNCTION]
  blr x9
  cbnz x0, 1f
  ldp x0, x1, [sp, #CFFI_SWIFT_RESULT_GENERAL]
  ldp x2, x3, [sp, #CFFI_SWIFT_RESULT_GENERAL + 16]
  ldr x21, [sp, #CFFI_SWIFT_ERROR]
  ldp q0, q1, [sp, #CFFI_SWIFT_RESULT_VECTOR]
  ldp q2, q3, [sp, #CFFI_SWIFT_RESULT_VECTOR + 32]
  .cfi_remember_state
  LEAVE_FRAME
  ret
  .cfi_restore_state
1:
  mov x16, x0
  ldr x8, [sp, #CFFI_SWIFT_INDIRECT_RESULT]
  ldp x0, x1, [sp, #CFFI_SWIFT_WIDE_GENERAL]
  ldp x2, x3, [sp, #CFFI_SWIFT_WIDE_GENERAL + 16]
  ldp x4, x5, [sp, #CFFI_SWIFT_WIDE_GENERAL + 32]
  ldp x6, x7, [sp, #CFFI_SWIFT_WIDE_GENERAL + 48]
  ldp q0, q1, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR]
  ldp q2, q3, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 32]
  ldp q4, q5, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 64]
  ldp q6, q7, [sp, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 96]
  LEAVE_FRAME
  br x16
END creplace_enter

#elif defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
