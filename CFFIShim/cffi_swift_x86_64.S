// Kernels of the Swift convention on x86-64: cffi_kernel(frame: rdi, function: rsi, stack words: rdx).
//
// The Swift convention passes self in r13 and the address of a result in memory in rax, returns an error in r12 and a
// result in up to four general and four vector registers. r12 and r13 are preserved for the C caller. Each kernel has a
// frame pointer and complete call frame information. cffi_frame.h defines the offsets.

#include "cffi_frame.h"

#if defined(__x86_64__) && defined(__ELF__)

#include "cffi_x86_64.h"

// The frame is stored in rbx and the function in r11 until the call. The three saved registers and eight bytes of
// padding leave the stack aligned.
.macro ENTER
  ENTER_FRAME
  pushq %rbx
  .cfi_offset %rbx, -24
  pushq %r12
  .cfi_offset %r12, -32
  pushq %r13
  .cfi_offset %r13, -40
  movq %rdi, %rbx
  movq %rsi, %r11
.endm

.macro LEAVE
  movq -24(%rbp), %r13
  movq -16(%rbp), %r12
  movq -8(%rbp), %rbx
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %r13
  .cfi_restore %r12
  .cfi_restore %rbx
  .cfi_restore %rbp
  ret
  .cfi_endproc
.endm

// The error register is cleared for every callee: one that does not throw preserves it.
.macro CALL
  movq CFFI_SWIFT_SELF(%rbx), %r13
  movq CFFI_SWIFT_INDIRECT_RESULT(%rbx), %rax
  xorl %r12d, %r12d
  call *%r11
.endm

.macro STORE_GENERAL
  movq %rax, CFFI_SWIFT_RESULT_GENERAL(%rbx)
  movq %rdx, CFFI_SWIFT_RESULT_GENERAL + 8(%rbx)
  movq %rcx, CFFI_SWIFT_RESULT_GENERAL + 16(%rbx)
  movq %r8, CFFI_SWIFT_RESULT_GENERAL + 24(%rbx)
  movq %r12, CFFI_SWIFT_ERROR(%rbx)
.endm

BEGIN(cffi_kernel_swift_sysv_general)
  ENTER
  subq $8, %rsp
  LOAD_WORDS %rbx, CFFI_SWIFT_GENERAL
  CALL
  STORE_GENERAL
  LEAVE
END(cffi_kernel_swift_sysv_general)

BEGIN(cffi_kernel_swift_sysv_vector)
  ENTER
  subq $8, %rsp
  LOAD_WORDS %rbx, CFFI_SWIFT_GENERAL
  LOAD_VECTORS movsd, %rbx, CFFI_SWIFT_SYSV_VECTOR, 8
  CALL
  STORE_GENERAL
  STORE_VECTORS movsd, %rbx, CFFI_SWIFT_RESULT_VECTOR, 8, 4
  LEAVE
END(cffi_kernel_swift_sysv_vector)

// The context is the number of stack words. An odd number is rounded up by the padding.
BEGIN(cffi_kernel_swift_sysv_wide)
  ENTER
  leaq 8(,%rdx,8), %rax
  subq %rax, %rsp
  andq $-16, %rsp
  testq %rdx, %rdx
  jz 2f
1:
  movq CFFI_SWIFT_SYSV_WIDE_STACK - 8(%rbx,%rdx,8), %rax
  movq %rax, -8(%rsp,%rdx,8)
  decq %rdx
  jnz 1b
2:
  LOAD_WORDS %rbx, CFFI_SWIFT_WIDE_GENERAL
  LOAD_VECTORS movups, %rbx, CFFI_SWIFT_SYSV_WIDE_VECTOR, 16
  CALL
  STORE_GENERAL
  STORE_VECTORS movups, %rbx, CFFI_SWIFT_RESULT_VECTOR, 16, 4
  LEAVE
END(cffi_kernel_swift_sysv_wide)

// Called in the Swift convention: self is in r8 and the code in r9. r12 is zero, and returns the error.
BEGIN(cffi_swift_method_entry)
  .cfi_startproc
  endbr64
  pushq %r13
  .cfi_def_cfa_offset 16
  .cfi_offset %r13, -16
  movq %r8, %r13
  call *%r9
  popq %r13
  .cfi_def_cfa_offset 8
  .cfi_restore %r13
  ret
  .cfi_endproc
END(cffi_swift_method_entry)

// The code of a function value whose context is an object that is a `cffi_swift_closure` after its header. It stores the
// registers for arguments to a wide frame, calls the function of the object with the frame and the object, and loads the
// registers for results. The error register is loaded too: it keeps its value unless the function stores an error.
BEGIN(cffi_swift_closure_entry)
  ENTER_FRAME
  subq $CFFI_SWIFT_SYSV_WIDE_STACK, %rsp
  movq %rax, CFFI_SWIFT_RESULT_GENERAL(%rsp)
  movq %rax, CFFI_SWIFT_INDIRECT_RESULT(%rsp)
  movq %r12, CFFI_SWIFT_ERROR(%rsp)
  STORE_WORDS %rsp, CFFI_SWIFT_WIDE_GENERAL
  STORE_VECTORS movaps, %rsp, CFFI_SWIFT_SYSV_WIDE_VECTOR, 16
  movq %rsp, %rdi
  movq %r13, %rsi
  call *CFFI_SWIFT_CLOSURE_FUNCTION(%r13)
  RETURN_SWIFT_RESULTS
  .cfi_endproc
END(cffi_swift_closure_entry)

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
