// Stubs and entries of closures for AAPCS64, the convention of 64-bit Arm.
//
// A stub loads the address of its slot into x16 and jumps to the entry of the slot. An entry stores the argument
// registers to a frame with the layout of the kernel of the same name, calls the Swift function with the frame and the
// body of the slot, and loads the result registers from the frame. Stack words stay in the caller's frame, at a fixed
// distance. Values passed by reference stay in the caller's memory, and the frame contains their addresses.
// cffi_frame.h defines the offsets of a frame and of a slot. x18 is reserved for the platform and is not used.

#include "cffi_frame.h"

#if defined(__aarch64__)

#include "cffi_aarch64.h"

// Increments the count of running calls, so that a closure that is released during the call stays alive until the call
// returns. The slot stays in x19; x20 is the context register of a Swift function. The argument registers still contain
// the arguments: only x9 to x17 are available.
.macro ENTER
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  stp x19, x20, [sp, #16]
  .cfi_offset x19, -16
  .cfi_offset x20, -8
  mov x29, sp
  .cfi_def_cfa x29, 32
  mov x19, x16
  THREAD x9
  ldr x10, [x19, #CFFI_CLOSURE_OWNER]
  cmp x9, x10
  b.ne 8f
1:
  ldr w10, [x19, #CFFI_CLOSURE_RUNNING]
  add w10, w10, #1
  str w10, [x19, #CFFI_CLOSURE_RUNNING]
2:
.endm

// The first thread that calls becomes the owner.
.macro ENTER_FROM_ANOTHER_THREAD
8:
  add x11, x19, #CFFI_CLOSURE_OWNER
81:
  ldaxr x10, [x11]
  cbnz x10, 82f
  stlxr w12, x9, [x11]
  cbnz w12, 81b
  b 1b
82:
  clrex
  add x11, x19, #CFFI_CLOSURE_RUNNING_ELSEWHERE
83:
  ldaxr w10, [x11]
  add w10, w10, #1
  stlxr w12, w10, [x11]
  cbnz w12, 83b
  b 2b
.endm

.macro SAVE_GENERAL at
  stp x0, x1, [sp, #\at]
  stp x2, x3, [sp, #\at + 16]
  stp x4, x5, [sp, #\at + 32]
  stp x6, x7, [sp, #\at + 48]
  str x8, [sp, #\at + 64]
.endm

.macro SAVE_VECTOR
  stp d0, d1, [sp, #CFFI_AAPCS64_VECTOR]
  stp d2, d3, [sp, #CFFI_AAPCS64_VECTOR + 16]
  stp d4, d5, [sp, #CFFI_AAPCS64_VECTOR + 32]
  stp d6, d7, [sp, #CFFI_AAPCS64_VECTOR + 48]
.endm

.macro SAVE_WIDE
  stp q0, q1, [sp, #CFFI_AAPCS64_WIDE_VECTOR]
  stp q2, q3, [sp, #CFFI_AAPCS64_WIDE_VECTOR + 32]
  stp q4, q5, [sp, #CFFI_AAPCS64_WIDE_VECTOR + 64]
  stp q6, q7, [sp, #CFFI_AAPCS64_WIDE_VECTOR + 96]
.endm

// The count is decremented with a store-release, after all loads of the function: a thread that observes the new count
// may release the captured values of the function. The load after it is a load-acquire, which is never reordered before
// a store-release.
.macro CALL
  ldr x20, [x19, #CFFI_CLOSURE_CONTEXT]
  mov x0, sp
  mov w1, #0
  ldr x2, [x19, #CFFI_CLOSURE_BODY]
  ldr x9, [x19, #CFFI_CLOSURE_FUNCTION]
  blr x9
  THREAD x9
  ldr x10, [x19, #CFFI_CLOSURE_OWNER]
  cmp x9, x10
  b.ne 9f
  add x11, x19, #CFFI_CLOSURE_RUNNING
  ldr w10, [x11]
  sub w10, w10, #1
  stlr w10, [x11]
5:
  add x11, x19, #CFFI_CLOSURE_ABANDONED
  ldar w10, [x11]
  cbnz w10, 7f
6:
.endm

.macro LEAVE
  mov sp, x29
  .cfi_remember_state
  .cfi_def_cfa sp, 32
  ldp x19, x20, [sp, #16]
  .cfi_restore x19
  .cfi_restore x20
  ldp x29, x30, [sp], #32
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_restore_state
  ENTER_FROM_ANOTHER_THREAD
9:
  add x11, x19, #CFFI_CLOSURE_RUNNING_ELSEWHERE
91:
  ldaxr w10, [x11]
  sub w10, w10, #1
  stlxr w12, w10, [x11]
  cbnz w12, 91b
  b 5b
7:
  mov x0, x19
  bl SYMBOL(cffi_closure_exited)
  b 6b
.endm

// Loads all result registers. The result, of any type, is in some of them.
.macro LOAD_RESULT
  ldp x0, x1, [sp, #CFFI_AAPCS64_RESULT_GENERAL]
  ldp d0, d1, [sp, #CFFI_AAPCS64_RESULT_VECTOR]
  ldp d2, d3, [sp, #CFFI_AAPCS64_RESULT_VECTOR + 16]
.endm

BEGIN SYMBOL(cffi_closure_entry_aapcs64_general)
  ENTER
  sub sp, sp, #CFFI_AAPCS64_STACK
  SAVE_GENERAL CFFI_AAPCS64_GENERAL
  CALL
  LOAD_RESULT
  LEAVE
END SYMBOL(cffi_closure_entry_aapcs64_general)

BEGIN SYMBOL(cffi_closure_entry_aapcs64_vector)
  ENTER
  sub sp, sp, #CFFI_AAPCS64_STACK
  SAVE_GENERAL CFFI_AAPCS64_GENERAL
  SAVE_VECTOR
  CALL
  LOAD_RESULT
  LEAVE
END SYMBOL(cffi_closure_entry_aapcs64_vector)

BEGIN SYMBOL(cffi_closure_entry_aapcs64_wide)
  ENTER
  sub sp, sp, #CFFI_AAPCS64_WIDE_STACK
  SAVE_GENERAL CFFI_AAPCS64_WIDE_GENERAL
  SAVE_WIDE
  CALL
  ldp x0, x1, [sp, #CFFI_AAPCS64_RESULT_GENERAL]
  ldp q0, q1, [sp, #CFFI_AAPCS64_RESULT_VECTOR]
  ldp q2, q3, [sp, #CFFI_AAPCS64_RESULT_VECTOR + 32]
  LEAVE
END SYMBOL(cffi_closure_entry_aapcs64_wide)

// The entry of a released closure.
BEGIN SYMBOL(cffi_closure_entry_closed)
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  mov x0, x16
  bl SYMBOL(cffi_closure_called_closed)
  brk #1
END SYMBOL(cffi_closure_entry_closed)

// Stubs whose slots begin at `cffi_closure_slots`, at an offset that is determined when the program is linked.
HIDDEN SYMBOL(cffi_closure_stubs)
.p2align 6
SYMBOL(cffi_closure_stubs):
  .cfi_startproc
.set offset, 0
.rept CFFI_CLOSURE_BANK_SIZE
  hint #34
  LOAD_ADDRESS x16, SYMBOL(cffi_closure_slots), offset
  ldr x17, [x16, #CFFI_CLOSURE_ENTRY]
  br x17
  .p2align 6
  .set offset, offset + CFFI_CLOSURE_SLOT_SIZE
.endr
  END SYMBOL(cffi_closure_stubs)

// Stubs whose slots begin directly after them, so that the same pages can be mapped again with other slots. The size of
// a page may be 64 KiB.
#if defined(__APPLE__)
// Apple's pages have 16 KiB, to which its linker aligns a segment.
.section __TEXT,__closure_stubs,regular,pure_instructions
.p2align 14
#else
.section .text.cffi_closure_copied_stubs, "ax", %progbits
.p2align 16
#endif
HIDDEN SYMBOL(cffi_closure_copied_stubs)
SYMBOL(cffi_closure_copied_stubs):
  .cfi_startproc
.rept CFFI_CLOSURE_BANK_SIZE
10:
  hint #34
  adr x16, 10b + CFFI_CLOSURE_BANK_SIZE * CFFI_CLOSURE_STUB_SIZE
  ldr x17, [x16, #CFFI_CLOSURE_ENTRY]
  br x17
  .p2align 6
.endr
  END SYMBOL(cffi_closure_copied_stubs)

#elif defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
