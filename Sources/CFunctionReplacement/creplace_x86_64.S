// The entries of replaced Swift functions on x86-64. A stub has loaded the address of its slot into r11, which like r10 is
// no register of the Swift convention.
//
// The Swift convention passes self in r13, an error in r12 and the address of a result in memory in rax. An asynchronous
// function has its context in r14, and returns an error in r13. cffi_frame.h defines the offsets of a frame and of a slot.

#include "cffi_frame.h"

#if defined(__x86_64__) && defined(__ELF__)

#include "../../CFFIShim/cffi_x86_64.h"
#include "creplace.h"

// The registers for results of an asynchronous function, to and from memory; the one for the error is apart.
.macro STORE_RESULTS base, words, vectors
  movq %rdi, \words(\base)
  movq %rsi, \words + 8(\base)
  movq %rdx, \words + 16(\base)
  movq %rcx, \words + 24(\base)
  STORE_VECTORS movups, \base, \vectors, 16, 4
.endm

.macro LOAD_RESULTS base, words, vectors
  movq \words(\base), %rdi
  movq \words + 8(\base), %rsi
  movq \words + 16(\base), %rdx
  movq \words + 24(\base), %rcx
  LOAD_VECTORS movups, \base, \vectors, 16, 4
.endm

// Stores the registers to a frame on the stack, and calls the function of the slot. That function either has stored the results
// to the frame, or returns the code of another function. The other function is then entered as if the caller had called it: it
// finds the stack words where they are.
BEGIN(creplace_enter)
  ENTER_FRAME
  subq $CFFI_SWIFT_SYSV_WIDE_STACK, %rsp
  movq %rax, CFFI_SWIFT_RESULT_GENERAL(%rsp)
  movq %rax, CFFI_SWIFT_INDIRECT_RESULT(%rsp)
  movq %r12, CFFI_SWIFT_ERROR(%rsp)
  movq %r13, CFFI_SWIFT_SELF(%rsp)
  STORE_WORDS %rsp, CFFI_SWIFT_WIDE_GENERAL
  STORE_VECTORS movaps, %rsp, CFFI_SWIFT_SYSV_WIDE_VECTOR, 16
  movq %rsp, %rdi
  movq CFFI_CLOSURE_BODY(%r11), %rsi
  call *CFFI_CLOSURE_FUNCTION(%r11)
  testq %rax, %rax
  jnz 1f
  .cfi_remember_state
  RETURN_SWIFT_RESULTS
  .cfi_restore_state
1:
  movq %rax, %r11
  movq CFFI_SWIFT_INDIRECT_RESULT(%rsp), %rax
  LOAD_WORDS %rsp, CFFI_SWIFT_WIDE_GENERAL
  LOAD_VECTORS movaps, %rsp, CFFI_SWIFT_SYSV_WIDE_VECTOR, 16
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  jmp *%r11
  .cfi_endproc
END(creplace_enter)

// Stores the registers to the frame in the context, calls the function of the slot, and then the asynchronous function
// whose async function pointer it returns, with a context of its own and the registers of the frame.
BEGIN(creplace_enter_async)
  .cfi_startproc
  endbr64
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  movq %r13, CREPLACE_FRAME + CFFI_SWIFT_SELF(%r14)
  movq $0, CREPLACE_FRAME + CFFI_SWIFT_ERROR(%r14)
  movq $0, CREPLACE_FRAME + CREPLACE_ASYNC_CALL(%r14)
  STORE_WORDS %r14, (CREPLACE_FRAME + CFFI_SWIFT_WIDE_GENERAL)
  STORE_VECTORS movups, %r14, (CREPLACE_FRAME + CFFI_SWIFT_SYSV_WIDE_VECTOR), 16
  leaq CREPLACE_FRAME(%r14), %rdi
  movq CFFI_CLOSURE_BODY(%r11), %rsi
  call *CFFI_CLOSURE_FUNCTION(%r11)
  movq %rax, CREPLACE_FRAME + CREPLACE_ASYNC_TARGET(%r14)
  movl 4(%rax), %edi
  call swift_task_alloc@PLT
  movq %r14, CREPLACE_PARENT(%rax)
  leaq creplace_continue(%rip), %r11
  movq %r11, CREPLACE_CONTINUATION(%rax)
  leaq CREPLACE_FRAME(%r14), %r10
  movq %rax, %r14
  movq CREPLACE_ASYNC_TARGET(%r10), %r11
  movslq (%r11), %rax
  addq %rax, %r11
  movq CFFI_SWIFT_SELF(%r10), %r13
  LOAD_WORDS %r10, CFFI_SWIFT_WIDE_GENERAL
  LOAD_VECTORS movups, %r10, CFFI_SWIFT_SYSV_WIDE_VECTOR, 16
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  jmp *%r11
  .cfi_endproc
END(creplace_enter_async)

// Enters as creplace_enter_async does, with a context of its own: the caller's has the size that the function of the
// other library needs.
BEGIN(creplace_enter_async_imported)
  .cfi_startproc
  endbr64
  subq $200, %rsp
  .cfi_adjust_cfa_offset 200
  STORE_VECTORS movaps, %rsp, 0, 16
  STORE_WORDS %rsp, 128
  movq %r11, 176(%rsp)
  movl $CREPLACE_ASYNC_SIZE, %edi
  call swift_task_alloc@PLT
  movq %r14, CREPLACE_PARENT(%rax)
  leaq creplace_leave_imported(%rip), %r11
  movq %r11, CREPLACE_CONTINUATION(%rax)
  movq %rax, %r14
  movq 176(%rsp), %r11
  LOAD_WORDS %rsp, 128
  LOAD_VECTORS movaps, %rsp, 0, 16
  addq $200, %rsp
  .cfi_adjust_cfa_offset -200
  jmp creplace_enter_async
  .cfi_endproc
END(creplace_enter_async_imported)

// Frees the context of creplace_enter_async_imported, and continues the caller. The results stay in the registers.
BEGIN(creplace_leave_imported)
  .cfi_startproc
  endbr64
  subq $104, %rsp
  .cfi_adjust_cfa_offset 104
  STORE_RESULTS %rsp, 64, 0
  movq %r14, %rdi
  movq CREPLACE_PARENT(%r14), %r14
  call swift_task_dealloc@PLT
  LOAD_RESULTS %rsp, 64, 0
  addq $104, %rsp
  .cfi_adjust_cfa_offset -104
  jmp *CREPLACE_CONTINUATION(%r14)
  .cfi_endproc
END(creplace_leave_imported)

// Continues the caller of the replaced function, with the results of the function that was called, or those in the frame.
BEGIN(creplace_continue)
  .cfi_startproc
  endbr64
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  movq CREPLACE_PARENT(%r14), %r10
  cmpq $0, CREPLACE_FRAME + CREPLACE_ASYNC_CALL(%r10)
  jne 1f
  STORE_RESULTS %r10, (CREPLACE_FRAME + CFFI_SWIFT_RESULT_GENERAL), (CREPLACE_FRAME + CFFI_SWIFT_RESULT_VECTOR)
  movq %r13, CREPLACE_FRAME + CFFI_SWIFT_ERROR(%r10)
1:
  movq %r14, %rdi
  movq %r10, %r14
  call swift_task_dealloc@PLT
  LOAD_RESULTS %r14, (CREPLACE_FRAME + CFFI_SWIFT_RESULT_GENERAL), (CREPLACE_FRAME + CFFI_SWIFT_RESULT_VECTOR)
  movq CREPLACE_FRAME + CFFI_SWIFT_ERROR(%r14), %r13
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  jmp *CREPLACE_CONTINUATION(%r14)
  .cfi_endproc
END(creplace_continue)

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
