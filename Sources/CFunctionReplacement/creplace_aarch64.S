// The entries of replaced Swift functions on AArch64. A stub has loaded the address of its slot into x16.
//
// The Swift convention passes self in x20, an error in x21 and the address of a result in memory in x8. An asynchronous
// function has its context in x22, and returns an error in x20. cffi_frame.h defines the offsets of a frame and of a slot.

#include "cffi_frame.h"

#if defined(__aarch64__) && defined(__ELF__)

#include "../../CFFIShim/cffi_aarch64.h"
#include "creplace.h"

// Stores the registers to a frame on the stack, and calls the function of the slot. That function either has stored the results
// to the frame, or returns the code of another function. The other function is then entered as if the caller had called it: it
// finds the stack words where they are. The function of the slot preserves x20 and x21.
BEGIN creplace_enter
  ENTER_FRAME
  sub sp, sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK
  str x21, [sp, #CFFI_SWIFT_ERROR]
  stp x20, x8, [sp, #CFFI_SWIFT_SELF]
  STORE_ARGUMENTS sp
  mov x0, sp
  ldr x1, [x16, #CFFI_CLOSURE_BODY]
  ldr x9, [x16, #CFFI_CLOSURE_FUNCTION]
  blr x9
  cbnz x0, 1f
  LOAD_RESULTS sp, x21
  .cfi_remember_state
  LEAVE_FRAME
  ret
  .cfi_restore_state
1:
  mov x16, x0
  ldr x8, [sp, #CFFI_SWIFT_INDIRECT_RESULT]
  LOAD_ARGUMENTS sp
  LEAVE_FRAME
  br x16
END creplace_enter

// Keeps the return address, which belongs to the caller, during a call of C.
.macro KEEP_RETURN_ADDRESS
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
.endm

.macro RESTORE_RETURN_ADDRESS
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x30
  .cfi_restore x29
.endm

// Stores the registers to the frame in the context, calls the function of the slot, and then the asynchronous function
// whose async function pointer it returns, with a context of its own and the registers of the frame. x20 and x22 are
// preserved by the functions of C.
BEGIN creplace_enter_async
  KEEP_RETURN_ADDRESS
  add x9, x22, #CREPLACE_FRAME
  str x20, [x9, #CFFI_SWIFT_SELF]
  str xzr, [x9, #CFFI_SWIFT_ERROR]
  str xzr, [x9, #CREPLACE_ASYNC_CALL]
  STORE_ARGUMENTS x9
  mov x0, x9
  ldr x1, [x16, #CFFI_CLOSURE_BODY]
  ldr x10, [x16, #CFFI_CLOSURE_FUNCTION]
  blr x10
  str x0, [x22, #CREPLACE_FRAME + CREPLACE_ASYNC_TARGET]
  ldr w0, [x0, #4]
  bl swift_task_alloc
  str x22, [x0, #CREPLACE_PARENT]
  LOAD_ADDRESS x11, creplace_continue, 0
  str x11, [x0, #CREPLACE_CONTINUATION]
  add x9, x22, #CREPLACE_FRAME
  mov x22, x0
  ldr x10, [x9, #CREPLACE_ASYNC_TARGET]
  ldrsw x11, [x10]
  add x16, x10, x11
  ldr x20, [x9, #CFFI_SWIFT_SELF]
  LOAD_ARGUMENTS x9
  RESTORE_RETURN_ADDRESS
  br x16
END creplace_enter_async

// Enters as creplace_enter_async does, with a context of its own: the caller's has the size that the function of the
// other library needs.
BEGIN creplace_enter_async_imported
  KEEP_RETURN_ADDRESS
  sub sp, sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK + 16
  .cfi_adjust_cfa_offset CFFI_SWIFT_AAPCS64_WIDE_STACK + 16
  STORE_ARGUMENTS sp
  str x16, [sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK]
  mov w0, #CREPLACE_ASYNC_SIZE
  bl swift_task_alloc
  str x22, [x0, #CREPLACE_PARENT]
  LOAD_ADDRESS x11, creplace_leave_imported, 0
  str x11, [x0, #CREPLACE_CONTINUATION]
  mov x22, x0
  ldr x16, [sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK]
  LOAD_ARGUMENTS sp
  add sp, sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK + 16
  .cfi_adjust_cfa_offset -(CFFI_SWIFT_AAPCS64_WIDE_STACK + 16)
  RESTORE_RETURN_ADDRESS
  b creplace_enter_async
END creplace_enter_async_imported

// Frees the context of creplace_enter_async_imported, and continues the caller. The results stay in the registers.
BEGIN creplace_leave_imported
  KEEP_RETURN_ADDRESS
  sub sp, sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK
  .cfi_adjust_cfa_offset CFFI_SWIFT_AAPCS64_WIDE_STACK
  STORE_RESULTS sp, x20
  mov x0, x22
  ldr x22, [x22, #CREPLACE_PARENT]
  bl swift_task_dealloc
  LOAD_RESULTS sp, x20
  add sp, sp, #CFFI_SWIFT_AAPCS64_WIDE_STACK
  .cfi_adjust_cfa_offset -CFFI_SWIFT_AAPCS64_WIDE_STACK
  ldr x16, [x22, #CREPLACE_CONTINUATION]
  RESTORE_RETURN_ADDRESS
  br x16
END creplace_leave_imported

// Continues the caller of the replaced function, with the results of the function that was called, or those in the frame.
BEGIN creplace_continue
  KEEP_RETURN_ADDRESS
  ldr x9, [x22, #CREPLACE_PARENT]
  ldr x10, [x9, #CREPLACE_FRAME + CREPLACE_ASYNC_CALL]
  cbnz x10, 1f
  STORE_RESULTS x9, x20, CREPLACE_FRAME
1:
  mov x0, x22
  mov x22, x9
  bl swift_task_dealloc
  LOAD_RESULTS x22, x20, CREPLACE_FRAME
  ldr x16, [x22, #CREPLACE_CONTINUATION]
  RESTORE_RETURN_ADDRESS
  br x16
END creplace_continue

#elif defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
