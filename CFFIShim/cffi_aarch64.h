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

#if defined(__linux__)
// The object supports branch target identification, and does not require an executable stack.
PROPERTY_NOTE 0xc0000000, 1
.section .note.GNU-stack, "", %progbits
#endif

.text

#endif
