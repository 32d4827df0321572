// Kernels of the Swift convention on AArch64: cffi_kernel(frame: x0, function: x1, stack words: x2).
//
// The Swift convention passes self in x20 and the address of a result in memory in x8, returns an error in x21 and a
// result in x0 to x3 and v0 to v3. x20 and x21 are preserved for the C caller. Each kernel has a frame record and
// complete call frame information. cffi_frame.h defines the offsets.

#include "cffi_frame.h"

#if defined(__aarch64__)

#include "cffi_aarch64.h"

// The frame is stored in x19 and the function in x9 until the call.
.macro ENTER
  stp x29, x30, [sp, #-48]!
  .cfi_def_cfa_offset 48
  .cfi_offset x29, -48
  .cfi_offset x30, -40
  stp x19, x20, [sp, #16]
  .cfi_offset x19, -32
  .cfi_offset x20, -24
  str x21, [sp, #32]
  .cfi_offset x21, -16
  mov x29, sp
  .cfi_def_cfa x29, 48
  mov x19, x0
  mov x9, x1
.endm

.macro LEAVE
  mov sp, x29
  .cfi_def_cfa sp, 48
  ldr x21, [sp, #32]
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #48
  .cfi_def_cfa_offset 0
  .cfi_restore x21
  .cfi_restore x20
  .cfi_restore x19
  .cfi_restore x30
  .cfi_restore x29
  ret
.endm

.macro LOAD_GENERAL at
  ldp x0, x1, [x19, #\at]
  ldp x2, x3, [x19, #\at + 16]
  ldp x4, x5, [x19, #\at + 32]
  ldp x6, x7, [x19, #\at + 48]
.endm

// The error register is cleared for every callee: one that does not throw preserves it.
.macro CALL
  ldp x20, x8, [x19, #CFFI_SWIFT_SELF]
  mov x21, xzr
  blr x9
.endm

.macro STORE_GENERAL
  stp x0, x1, [x19, #CFFI_SWIFT_RESULT_GENERAL]
  stp x2, x3, [x19, #CFFI_SWIFT_RESULT_GENERAL + 16]
  str x21, [x19, #CFFI_SWIFT_ERROR]
.endm

BEGIN SYMBOL(cffi_kernel_swift_aapcs64_general)
  ENTER
  LOAD_GENERAL CFFI_SWIFT_GENERAL
  CALL
  STORE_GENERAL
  LEAVE
END SYMBOL(cffi_kernel_swift_aapcs64_general)

BEGIN SYMBOL(cffi_kernel_swift_aapcs64_vector)
  ENTER
  LOAD_GENERAL CFFI_SWIFT_GENERAL
  ldp d0, d1, [x19, #CFFI_SWIFT_AAPCS64_VECTOR]
  ldp d2, d3, [x19, #CFFI_SWIFT_AAPCS64_VECTOR + 16]
  ldp d4, d5, [x19, #CFFI_SWIFT_AAPCS64_VECTOR + 32]
  ldp d6, d7, [x19, #CFFI_SWIFT_AAPCS64_VECTOR + 48]
  CALL
  STORE_GENERAL
  stp d0, d1, [x19, #CFFI_SWIFT_RESULT_VECTOR]
  stp d2, d3, [x19, #CFFI_SWIFT_RESULT_VECTOR + 16]
  LEAVE
END SYMBOL(cffi_kernel_swift_aapcs64_vector)

// The context is the number of stack words.
BEGIN SYMBOL(cffi_kernel_swift_aapcs64_wide)
  ENTER
  cbz x2, 2f
  add x10, x2, #1
  and x10, x10, #-2
  sub sp, sp, x10, lsl #3
  add x11, x19, #CFFI_SWIFT_AAPCS64_WIDE_STACK
  mov x12, sp
1:
  ldr x10, [x11], #8
  str x10, [x12], #8
  sub x2, x2, #1
  cbnz x2, 1b
2:
  LOAD_ARGUMENTS x19
  CALL
  STORE_RESULTS x19, x21
  LEAVE
END SYMBOL(cffi_kernel_swift_aapcs64_wide)

// Called in the Swift convention: self is in x4 and the code in x5. x21 is zero, and returns the error.
BEGIN SYMBOL(cffi_swift_method_entry)
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  str x20, [sp, #16]
  .cfi_offset x20, -16
  mov x29, sp
  mov x20, x4
  blr x5
  ldr x20, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_def_cfa_offset 0
  .cfi_restore x20
  .cfi_restore x30
  .cfi_restore x29
  ret
END SYMBOL(cffi_swift_method_entry)

#if defined(__ELF__)

// The code of a function value whose context is an object that is a `cffi_swift_closure` after its header. It stores the
// registers for arguments to a wide frame, calls the function of the object with the frame and the object, and loads the
// registers for results. The error register is loaded too: it keeps its value unless the function stores an error.
BEGIN cffi_swift_closure_entry
  ENTER_FRAME
  sub sp, sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK
  str x21, [sp, #CFFI_SWIFT_ERROR]
  str x8, [sp, #CFFI_SWIFT_INDIRECT_RESULT]
  STORE_ARGUMENTS sp
  mov x0, sp
  mov x1, x20
  ldr x9, [x20, #CFFI_SWIFT_CLOSURE_FUNCTION]
  blr x9
  LOAD_RESULTS sp, x21
  LEAVE_FRAME
  ret
END cffi_swift_closure_entry

#endif

#elif defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
