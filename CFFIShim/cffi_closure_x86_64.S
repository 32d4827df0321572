// Stubs and entries of closures for the System V convention of x86-64.
//
// A stub loads the address of its slot into r11 and jumps to the entry of the slot. An entry stores the argument
// registers to a frame with the layout of the kernel of the same name (entries named `few` store only the first four
// vector registers), calls the Swift function with the frame and the body of the slot, and loads the result registers
// from the frame. Stack words stay in the caller's frame, at a fixed distance. cffi_frame.h defines the offsets of a
// frame and of a slot.

#include "cffi_frame.h"

#if defined(__x86_64__)

#include "cffi_x86_64.h"

.macro SAVE_FEW_VECTOR
  STORE_VECTORS movsd, %rsp, CFFI_SYSV_VECTOR, 8, 4
.endm

.macro SAVE_VECTOR
  STORE_VECTORS movsd, %rsp, CFFI_SYSV_VECTOR, 8
.endm

.macro SAVE_WIDE
  STORE_VECTORS movaps, %rsp, CFFI_SYSV_VECTOR, 16
.endm

// Loads all result registers. The result, of any type, is in some of them.
.macro LOAD_RESULT
  movq CFFI_SYSV_RESULT_GENERAL(%rsp), %rax
  movq CFFI_SYSV_RESULT_GENERAL + 8(%rsp), %rdx
  movsd CFFI_SYSV_RESULT_VECTOR(%rsp), %xmm0
  movsd CFFI_SYSV_RESULT_VECTOR + 8(%rsp), %xmm1
.endm

.macro LOAD_WIDE_RESULT
  movq CFFI_SYSV_RESULT_GENERAL(%rsp), %rax
  movq CFFI_SYSV_RESULT_GENERAL + 8(%rsp), %rdx
  movups CFFI_SYSV_RESULT_VECTOR(%rsp), %xmm0
  movups CFFI_SYSV_WIDE_RESULT_VECTOR_1(%rsp), %xmm1
.endm

.macro LOAD_X87
  fldt CFFI_SYSV_RESULT_X87(%rsp)
.endm

.macro LOAD_COMPLEX_X87
  fldt CFFI_SYSV_RESULT_X87 + 16(%rsp)
  fldt CFFI_SYSV_RESULT_X87(%rsp)
.endm

.macro SAVE_NOTHING
.endm

// Stores the registers to a frame and calls the Swift function with it.
.macro CALL save
  STORE_WORDS %rsp, CFFI_SYSV_GENERAL
  \save
  movq CFFI_CLOSURE_CONTEXT(%rbx), %r13
  movq %rsp, %rdi
  xorl %esi, %esi
  movq CFFI_CLOSURE_BODY(%rbx), %rdx
  call *CFFI_CLOSURE_FUNCTION(%rbx)
.endm

// A complete entry. `save` and `load` are the macros that save the vector registers and load the result. The entry
// increments the count of running calls, so that a closure that is released during the call stays alive until the call
// returns. The slot stays in rbx, and the context of the function is in r13. `size` is the size of the register image:
// the registers that the entry saves above it are a `cffi_sysv_saved`.
.macro ENTER save, load, size=CFFI_SYSV_STACK
  ENTER_FRAME
  pushq %r13
  .cfi_offset %r13, -24
  pushq %rbx
  .cfi_offset %rbx, -32
  subq $\size, %rsp
  movq %r11, %rbx
  movq THREAD, %rax
  cmpq CFFI_CLOSURE_OWNER(%rbx), %rax
  jne 8f
1:
  incl CFFI_CLOSURE_RUNNING(%rbx)
  CALL \save
  decl CFFI_CLOSURE_RUNNING(%rbx)
5:
  cmpl $0, CFFI_CLOSURE_ABANDONED(%rbx)
  jne 7f
6:
  \load
  movq -16(%rbp), %rbx
  movq -8(%rbp), %r13
  .cfi_remember_state
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbx
  .cfi_restore %r13
  .cfi_restore %rbp
  ret
  .cfi_restore_state
  // The first thread that calls becomes the owner. The argument registers still contain the arguments: only rax, r10
  // and r11 are available.
8:
  movq %rax, %r10
  xorl %eax, %eax
  lock cmpxchgq %r10, CFFI_CLOSURE_OWNER(%rbx)
  je 1b
  lock incl CFFI_CLOSURE_RUNNING_ELSEWHERE(%rbx)
  CALL \save
  lock decl CFFI_CLOSURE_RUNNING_ELSEWHERE(%rbx)
  jmp 5b
7:
  movq %rbx, %rdi
  call SYMBOL(cffi_closure_exited)
  jmp 6b
  .cfi_endproc
.endm

BEGIN(cffi_closure_entry_sysv_general)
  ENTER SAVE_NOTHING, LOAD_RESULT
END(cffi_closure_entry_sysv_general)

// Most functions have at most four floating-point arguments, and stores are the main cost of an entry.
BEGIN(cffi_closure_entry_sysv_few_vector)
  ENTER SAVE_FEW_VECTOR, LOAD_RESULT
END(cffi_closure_entry_sysv_few_vector)

BEGIN(cffi_closure_entry_sysv_vector)
  ENTER SAVE_VECTOR, LOAD_RESULT
END(cffi_closure_entry_sysv_vector)

// Functions with a result in st(0) are rare, so these entries have no variants for fewer vector registers.
BEGIN(cffi_closure_entry_sysv_x87)
  ENTER SAVE_VECTOR, LOAD_X87
END(cffi_closure_entry_sysv_x87)

BEGIN(cffi_closure_entry_sysv_complex_x87)
  ENTER SAVE_VECTOR, LOAD_COMPLEX_X87
END(cffi_closure_entry_sysv_complex_x87)

BEGIN(cffi_closure_entry_sysv_wide)
  ENTER SAVE_WIDE, LOAD_WIDE_RESULT, CFFI_SYSV_WIDE_STACK
END(cffi_closure_entry_sysv_wide)

BEGIN(cffi_closure_entry_sysv_wide_x87)
  ENTER SAVE_WIDE, LOAD_X87, CFFI_SYSV_WIDE_STACK
END(cffi_closure_entry_sysv_wide_x87)

BEGIN(cffi_closure_entry_sysv_wide_complex_x87)
  ENTER SAVE_WIDE, LOAD_COMPLEX_X87, CFFI_SYSV_WIDE_STACK
END(cffi_closure_entry_sysv_wide_complex_x87)

// The entry of a released closure.
BEGIN(cffi_closure_entry_closed)
  ENTER_FRAME
  movq %r11, %rdi
  call SYMBOL(cffi_closure_called_closed)
  ud2
  .cfi_endproc
END(cffi_closure_entry_closed)

// Stubs whose slots begin at `cffi_closure_slots`, at an offset that is determined when the program is linked.
BEGIN(cffi_closure_stubs)
  .cfi_startproc
.rept CFFI_CLOSURE_BANK_SIZE
10:
  endbr64
  leaq SYMBOL(cffi_closure_slots) + (10b - SYMBOL(cffi_closure_stubs)) * (CFFI_CLOSURE_SLOT_SIZE / CFFI_CLOSURE_STUB_SIZE)(%rip), %r11
  jmpq *CFFI_CLOSURE_ENTRY(%r11)
  .p2align 4
.endr
  .cfi_endproc
END(cffi_closure_stubs)

// Stubs whose slots begin directly after them, so that the same pages can be mapped again with other slots.
#if defined(__linux__)
.section .text.cffi_closure_copied_stubs, "ax", @progbits
#endif
.p2align 12
BEGIN(cffi_closure_copied_stubs)
  .cfi_startproc
.rept CFFI_CLOSURE_BANK_SIZE
11:
  endbr64
  leaq 12f + (11b - SYMBOL(cffi_closure_copied_stubs)) * (CFFI_CLOSURE_SLOT_SIZE / CFFI_CLOSURE_STUB_SIZE)(%rip), %r11
  jmpq *CFFI_CLOSURE_ENTRY(%r11)
  .p2align 4
.endr
12:
  .cfi_endproc
END(cffi_closure_copied_stubs)

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", @progbits
#endif
