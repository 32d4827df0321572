#ifndef CFFI_AARCH64_H
#define CFFI_AARCH64_H

#include "cffi_note.h"

// What the assembly of AArch64 needs of an object format: ELF, or Mach-O on Apple's platforms.
//
// BEGIN and END enclose a function that only this library calls. It begins with a landing pad for an indirect call,
// which does nothing on processors without branch target identification. LOAD_ADDRESS loads the address of a symbol of
// this library plus an offset. THREAD loads a number that identifies the running thread.

#if defined(__APPLE__)

#define SYMBOL(name) _##name

.macro HIDDEN name
  .globl \name
  .private_extern \name
.endm

.macro END name
  .cfi_endproc
.endm

.macro LOAD_ADDRESS register, symbol, offset
  adrp \register, \symbol@PAGE + \offset
  add \register, \register, \symbol@PAGEOFF + \offset
.endm

// The register contains the address of the thread's data. Former systems store a processor number in its low bits.
.macro THREAD register
  mrs \register, tpidrro_el0
  and \register, \register, #~7
.endm

#else

#define SYMBOL(name) name

.macro HIDDEN name
  .globl \name
  .hidden \name
  .type \name, %function
.endm

.macro END name
  .cfi_endproc
  .size \name, . - \name
.endm

.macro LOAD_ADDRESS register, symbol, offset
  adrp \register, \symbol + \offset
  add \register, \register, :lo12:\symbol + \offset
.endm

.macro THREAD register
  mrs \register, tpidr_el0
.endm

#endif

.macro BEGIN name
  HIDDEN \name
  .p2align 4
\name:
  .cfi_startproc
  hint #34
.endm

// The registers for arguments, to and from a wide image of the Swift convention (cffi_frame.h).
.macro STORE_ARGUMENTS frame
  stp x0, x1, [\frame, #CFFI_SWIFT_WIDE_GENERAL]
  stp x2, x3, [\frame, #CFFI_SWIFT_WIDE_GENERAL + 16]
  stp x4, x5, [\frame, #CFFI_SWIFT_WIDE_GENERAL + 32]
  stp x6, x7, [\frame, #CFFI_SWIFT_WIDE_GENERAL + 48]
  stp q0, q1, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR]
  stp q2, q3, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 32]
  stp q4, q5, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 64]
  stp q6, q7, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 96]
.endm

.macro LOAD_ARGUMENTS frame
  ldp x0, x1, [\frame, #CFFI_SWIFT_WIDE_GENERAL]
  ldp x2, x3, [\frame, #CFFI_SWIFT_WIDE_GENERAL + 16]
  ldp x4, x5, [\frame, #CFFI_SWIFT_WIDE_GENERAL + 32]
  ldp x6, x7, [\frame, #CFFI_SWIFT_WIDE_GENERAL + 48]
  ldp q0, q1, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR]
  ldp q2, q3, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 32]
  ldp q4, q5, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 64]
  ldp q6, q7, [\frame, #CFFI_SWIFT_AAPCS64_WIDE_VECTOR + 96]
.endm

// The registers for results and the one for the error, to and from such an image at an offset.
.macro STORE_RESULTS frame, error, at=0
  stp x0, x1, [\frame, #\at + CFFI_SWIFT_RESULT_GENERAL]
  stp x2, x3, [\frame, #\at + CFFI_SWIFT_RESULT_GENERAL + 16]
  str \error, [\frame, #\at + CFFI_SWIFT_ERROR]
  stp q0, q1, [\frame, #\at + CFFI_SWIFT_RESULT_VECTOR]
  stp q2, q3, [\frame, #\at + CFFI_SWIFT_RESULT_VECTOR + 32]
.endm

.macro LOAD_RESULTS frame, error, at=0
  ldp x0, x1, [\frame, #\at + CFFI_SWIFT_RESULT_GENERAL]
  ldp x2, x3, [\frame, #\at + CFFI_SWIFT_RESULT_GENERAL + 16]
  ldr \error, [\frame, #\at + CFFI_SWIFT_ERROR]
  ldp q0, q1, [\frame, #\at + CFFI_SWIFT_RESULT_VECTOR]
  ldp q2, q3, [\frame, #\at + CFFI_SWIFT_RESULT_VECTOR + 32]
.endm

// The beginning and the end of a function with a frame record, with complete call frame information.
.macro ENTER_FRAME
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa x29, 16
.endm

.macro LEAVE_FRAME
  mov sp, x29
  .cfi_def_cfa sp, 16
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x30
  .cfi_restore x29
.endm

#if defined(__linux__)
// The object supports branch target identification, and does not require an executable stack.
PROPERTY_NOTE 0xc0000000, 1
.section .note.GNU-stack, "", %progbits
#endif

.text

#endif
