#ifndef CFFI_NOTE_H
#define CFFI_NOTE_H

#if defined(__linux__)
// The note of an ELF object: the protections of indirect calls and returns that its code supports, as bits of a property.
.macro PROPERTY_NOTE property, bits
.section .note.gnu.property, "a"
  .p2align 3
  .long 4
  .long 16
  .long 5
  .asciz "GNU"
  .long \property
  .long 4
  .long \bits
  .long 0
.endm
#endif

#endif
