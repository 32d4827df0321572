// The note of an object of x86-64 assembly: included once, at its end.

#if defined(__linux__)
// The object supports shadow stacks and indirect branch tracking.
.section .note.gnu.property, "a"
  .p2align 3
  .long 4
  .long 16
  .long 5
  .asciz "GNU"
  .long 0xc0000002
  .long 4
  .long 3
  .long 0
#endif
