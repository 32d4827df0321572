// void swift_callee(...)
//   A callee of the Swift convention: stores what it receives in swift_received, reads swift_stack_words stack words, and
//   returns and throws what swift_returned holds.
//
// int swift_keeps_registers(cffi_kernel kernel, void *frame, const void *words)
//   Calls swift_callee by a kernel, and tells whether the registers for self and the error, which the callee changes, and
//   the stack pointer are what they were.

.text
.globl swift_callee
.type swift_callee, %function
swift_callee:
  hint #34
  adrp x9, swift_received
  add x9, x9, :lo12:swift_received
  stp x0, x1, [x9]
  stp x2, x3, [x9, #16]
  stp x4, x5, [x9, #32]
  stp x6, x7, [x9, #48]
  stp x8, x20, [x9, #64]
  str x21, [x9, #80]
  stp q0, q1, [x9, #96]
  stp q2, q3, [x9, #128]
  stp q4, q5, [x9, #160]
  stp q6, q7, [x9, #192]
  add x9, x9, #224
  adrp x10, swift_stack_words
  ldr x10, [x10, :lo12:swift_stack_words]
  mov x11, sp
1:
  cbz x10, 2f
  ldr x12, [x11], #8
  str x12, [x9], #8
  sub x10, x10, #1
  b 1b
2:
  adrp x9, swift_returned
  add x9, x9, :lo12:swift_returned
  ldp x0, x1, [x9]
  ldp x2, x3, [x9, #16]
  ldr x21, [x9, #32]
  ldp q0, q1, [x9, #48]
  ldp q2, q3, [x9, #80]
  .irp n, 4, 5, 6, 7, 8, 20
  mov x\n, #-1
  .endr
  ret
.size swift_callee, . - swift_callee

.globl swift_keeps_registers
.type swift_keeps_registers, %function
swift_keeps_registers:
  stp x29, x30, [sp, #-48]!
  stp x19, x20, [sp, #16]
  str x21, [sp, #32]
  mov x9, x0
  mov x0, x1
  adrp x1, swift_callee
  add x1, x1, :lo12:swift_callee
  mov x19, sp
  mov x20, #20
  mov x21, #21
  blr x9
  mov x9, sp
  cmp x9, x19
  ccmp x20, #20, #0, eq
  ccmp x21, #21, #0, eq
  cset w0, eq
  mov sp, x19
  ldr x21, [sp, #32]
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #48
  ret
.size swift_keeps_registers, . - swift_keeps_registers

.section .note.GNU-stack, "", %progbits
