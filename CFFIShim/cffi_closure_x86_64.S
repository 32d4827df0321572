// Stubs and entries of closures under the System V convention of x86-64.
//
// A stub puts the address of its slot into r11 and jumps to the slot's entry. An entry fills the registers of the frame that the kernel of the
// same name reads (those named `few` leave out the vector registers past the fourth), calls the function of Swift with it and with the slot's
// body, and loads the result registers from it. Stack words stay where the caller has them, at a fixed distance from the frame. The offsets of a
// frame and of a slot are those of cffi_frame.h.

#include "cffi_frame.h"

#if defined(__x86_64__)

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#define BEGIN(name) .globl SYMBOL(name); .private_extern SYMBOL(name); .p2align 4; SYMBOL(name):
#define END(name)
#define THREAD %gs:0
#else
#define SYMBOL(name) name
#define BEGIN(name) .globl name; .hidden name; .type name, @function; .p2align 4; name:
#define END(name) .size name, . - name
#define THREAD %fs:0
#endif

.macro SAVE_GENERAL
  movq %rdi, CFFI_SYSV_GENERAL(%rsp)
  movq %rsi, CFFI_SYSV_GENERAL + 8(%rsp)
  movq %rdx, CFFI_SYSV_GENERAL + 16(%rsp)
  movq %rcx, CFFI_SYSV_GENERAL + 24(%rsp)
  movq %r8, CFFI_SYSV_GENERAL + 32(%rsp)
  movq %r9, CFFI_SYSV_GENERAL + 40(%rsp)
.endm

.macro SAVE_FEW_VECTOR
  movsd %xmm0, CFFI_SYSV_VECTOR(%rsp)
  movsd %xmm1, CFFI_SYSV_VECTOR + 8(%rsp)
  movsd %xmm2, CFFI_SYSV_VECTOR + 16(%rsp)
  movsd %xmm3, CFFI_SYSV_VECTOR + 24(%rsp)
.endm

.macro SAVE_VECTOR
  SAVE_FEW_VECTOR
  movsd %xmm4, CFFI_SYSV_VECTOR + 32(%rsp)
  movsd %xmm5, CFFI_SYSV_VECTOR + 40(%rsp)
  movsd %xmm6, CFFI_SYSV_VECTOR + 48(%rsp)
  movsd %xmm7, CFFI_SYSV_VECTOR + 56(%rsp)
.endm

.macro SAVE_WIDE
  movaps %xmm0, CFFI_SYSV_VECTOR(%rsp)
  movaps %xmm1, CFFI_SYSV_VECTOR + 16(%rsp)
  movaps %xmm2, CFFI_SYSV_VECTOR + 32(%rsp)
  movaps %xmm3, CFFI_SYSV_VECTOR + 48(%rsp)
  movaps %xmm4, CFFI_SYSV_VECTOR + 64(%rsp)
  movaps %xmm5, CFFI_SYSV_VECTOR + 80(%rsp)
  movaps %xmm6, CFFI_SYSV_VECTOR + 96(%rsp)
  movaps %xmm7, CFFI_SYSV_VECTOR + 112(%rsp)
.endm

// Whatever the result is, it is in some of these.
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

// Fills a frame and calls the function of Swift with it.
.macro CALL save
  SAVE_GENERAL
  \save
  movq CFFI_CLOSURE_CONTEXT(%rbx), %r13
  movq %rsp, %rdi
  xorl %esi, %esi
  movq CFFI_CLOSURE_BODY(%rbx), %rdx
  call *CFFI_CLOSURE_FUNCTION(%rbx)
.endm

// A whole entry, with the names of the macros that save the vector registers and load the result. It counts the call,
// so that a closure released meanwhile lives until it ends. The slot stays in rbx, the function's context is in r13.
// `size` is that of the register image: what the entry saves above it is a `cffi_sysv_saved`.
.macro ENTER save, load, size=CFFI_SYSV_STACK
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
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
  // The first to call becomes the owner. The argument registers still hold the arguments: only rax, r10 and r11 are free.
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

.text

BEGIN(cffi_closure_entry_sysv_general)
  ENTER SAVE_NOTHING, LOAD_RESULT
END(cffi_closure_entry_sysv_general)

// Most functions take at most four floating-point arguments, and stores are what an entry mostly waits for.
BEGIN(cffi_closure_entry_sysv_few_vector)
  ENTER SAVE_FEW_VECTOR, LOAD_RESULT
END(cffi_closure_entry_sysv_few_vector)

BEGIN(cffi_closure_entry_sysv_vector)
  ENTER SAVE_VECTOR, LOAD_RESULT
END(cffi_closure_entry_sysv_vector)

// Functions with a result in st(0) are rare, so these serve them with any arguments.
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

// Where the stub of a freed closure goes.
BEGIN(cffi_closure_entry_closed)
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %r11, %rdi
  call SYMBOL(cffi_closure_called_closed)
  ud2
  .cfi_endproc
END(cffi_closure_entry_closed)

// Stubs whose slots begin at `slots`, an address fixed when the program is linked.
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

// Stubs whose slots begin right behind them, so that the same pages can be mapped again with other slots.
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

#if defined(__linux__)
// The object allows shadow stacks and indirect branch tracking, and needs no executable stack.
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

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", @progbits
#endif
