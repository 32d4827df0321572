// void call_with_mark(cffi_kernel kernel, void *frame, const void *implementation, const void *context)
//   Calls the implementation by a kernel with a number of its own in x19, which an unwinder must find again.
//
// int keeps_registers(cffi_kernel kernel, void *frame, const void *context)
//   Calls, by a kernel, a function that changes every register it may, and tells whether x18, the stack pointer and the registers
//   that a callee must keep are what they were.
//
// void spoil(void)
//   Changes every register that a function may.
//
// void closure_function(void *frame, unsigned zero, void *body)
//   A function of Swift as a closure's entry calls it: hands what is in the context's register on as a fourth argument.

.text
.globl closure_function
.type closure_function, %function
closure_function:
  hint #34
  mov x3, x20
  b closure_body
.size closure_function, . - closure_function

.globl spoil
.type spoil, %function
spoil:
  hint #34
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
  mov x\n, #-1
  .endr
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 31
  fmov d\n, x0
  .endr
  ret

.globl call_with_mark
.type call_with_mark, %function
call_with_mark:
  .cfi_startproc
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  str x19, [sp, #16]
  .cfi_offset x19, -16
  mov x9, x0
  mov x0, x1
  mov x1, x2
  mov x2, x3
  mov x19, #1919
  blr x9
  ldr x19, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
.size call_with_mark, . - call_with_mark

.globl keeps_registers
keeps_registers:
  stp x29, x30, [sp, #-176]!
  stp x18, x19, [sp, #16]
  stp x20, x21, [sp, #32]
  stp x22, x23, [sp, #48]
  stp x24, x25, [sp, #64]
  stp x26, x27, [sp, #80]
  str x28, [sp, #96]
  stp d8, d9, [sp, #112]
  stp d10, d11, [sp, #128]
  stp d12, d13, [sp, #144]
  stp d14, d15, [sp, #160]
  mov x9, x0
  mov x0, x1
  mov x19, x2
  adr x1, spoil
  mov x2, x19
  mov x19, sp
  .irp n, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
  mov x\n, #\n
  .endr
  .irp n, 8, 9, 10, 11, 12, 13, 14, 15
  mov x10, #\n
  fmov d\n, x10
  .endr
  blr x9
  mov x9, sp
  cmp x9, x19
  .irp n, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
  ccmp x\n, #\n, #0, eq
  .endr
  .irp n, 8, 9, 10, 11, 12, 13, 14, 15
  fmov x9, d\n
  ccmp x9, #\n, #0, eq
  .endr
  cset w0, eq
  mov sp, x19
  ldp d14, d15, [sp, #160]
  ldp d12, d13, [sp, #144]
  ldp d10, d11, [sp, #128]
  ldp d8, d9, [sp, #112]
  ldr x28, [sp, #96]
  ldp x26, x27, [sp, #80]
  ldp x24, x25, [sp, #64]
  ldp x22, x23, [sp, #48]
  ldp x20, x21, [sp, #32]
  ldp x18, x19, [sp, #16]
  ldp x29, x30, [sp], #176
  ret

.section .note.GNU-stack, "", %progbits
