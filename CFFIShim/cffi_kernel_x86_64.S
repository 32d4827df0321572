// Kernels of the System V convention of x86-64: cffi_kernel(frame: rdi, implementation: rsi, context: rdx).
//
// Each kernel has a frame pointer and complete call frame information, so that backtraces and exceptions work through
// it. cffi_frame.h defines the offsets.

#include "cffi_frame.h"

#if defined(__x86_64__)

#include "cffi_x86_64.h"

// The frame is stored in rbx and the implementation in r11 until the call.
.macro ENTER
  ENTER_FRAME
  pushq %rbx
  .cfi_offset %rbx, -24
  movq %rdi, %rbx
  movq %rsi, %r11
.endm

.macro LEAVE
  movq -8(%rbp), %rbx
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbx
  .cfi_restore %rbp
  ret
  .cfi_endproc
.endm

.macro PAD
  subq $(8), %rsp
.endm

// The number of stack words from which a string instruction copies them: it takes about 30 cycles to start.
#define LONG_COPY 64

// The context contains the number of stack words in the low half and the alignment of the stack in the high half. The
// stack words are below the saved rbx. A short copy uses words, not vectors: a vector load of words that were just
// written would wait until all of the stores have reached the cache.
.macro COPY_STACK from
  movl %edx, %ecx
  shrq $32, %rdx
  negq %rdx
  leaq 0(,%rcx,8), %rax
  subq %rax, %rsp
  andq %rdx, %rsp
  leal -1(%rcx), %eax
  cmpl $LONG_COPY - 1, %eax
  jb 1f
  // Many words, or none. The direction flag is clear: psABI, section 3.2.2.
  leaq \from(%rbx), %rsi
  movq %rsp, %rdi
  rep movsq
  jmp 2f
1:
  movq \from-8(%rbx,%rcx,8), %rax
  movq %rax, -8(%rsp,%rcx,8)
  decl %ecx
  jnz 1b
2:
.endm

.macro LOAD_GENERAL
  LOAD_WORDS %rbx, CFFI_SYSV_GENERAL
.endm

// A variadic callee reads an upper bound of the number of vector registers in use from al; eight is always correct.
.macro LOAD_VECTOR
  LOAD_VECTORS movsd, %rbx, CFFI_SYSV_VECTOR, 8
  movl $(8), %eax
.endm

.macro LOAD_WIDE
  LOAD_VECTORS movups, %rbx, CFFI_SYSV_VECTOR, 16
  movl $(8), %eax
.endm

// A call without storing the result. `load` is the macro that loads the vector registers, `from` the offset of the
// first stack word in the frame.
.macro CALL_WITH_STACK from, load
  ENTER
  COPY_STACK \from
  LOAD_GENERAL
  \load
  call *%r11
.endm

// Stores all result registers. The result, of any type, is in some of them: four stores are cheaper than a branch by
// type.
.macro STORE_RESULT
  movq %rax, CFFI_SYSV_RESULT_GENERAL(%rbx)
  movq %rdx, CFFI_SYSV_RESULT_GENERAL + 8(%rbx)
  movsd %xmm0, CFFI_SYSV_RESULT_VECTOR(%rbx)
  movsd %xmm1, CFFI_SYSV_RESULT_VECTOR + 8(%rbx)
.endm

BEGIN(cffi_kernel_sysv_general)
  ENTER
  PAD
  LOAD_GENERAL
  xorl %eax, %eax
  call *%r11
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_general)

BEGIN(cffi_kernel_sysv_vector)
  ENTER
  PAD
  LOAD_GENERAL
  LOAD_VECTOR
  call *%r11
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_vector)

// A fixed number of stack words, copied without a loop. Bytes after the arguments in the frame may be copied too.
// Together with rbx the words leave the stack aligned.
BEGIN(cffi_kernel_sysv_stack_2)
  ENTER
  PAD
  pushq CFFI_SYSV_STACK + 8(%rbx)
  pushq CFFI_SYSV_STACK(%rbx)
  LOAD_GENERAL
  LOAD_VECTOR
  call *%r11
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_stack_2)

BEGIN(cffi_kernel_sysv_stack_4)
  ENTER
  PAD
  pushq CFFI_SYSV_STACK + 24(%rbx)
  pushq CFFI_SYSV_STACK + 16(%rbx)
  pushq CFFI_SYSV_STACK + 8(%rbx)
  pushq CFFI_SYSV_STACK(%rbx)
  LOAD_GENERAL
  LOAD_VECTOR
  call *%r11
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_stack_4)

BEGIN(cffi_kernel_sysv_stack)
  CALL_WITH_STACK CFFI_SYSV_STACK, LOAD_VECTOR
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_stack)

BEGIN(cffi_kernel_sysv_x87)
  CALL_WITH_STACK CFFI_SYSV_STACK, LOAD_VECTOR
  fstpt CFFI_SYSV_RESULT_X87(%rbx)
  LEAVE
END(cffi_kernel_sysv_x87)

BEGIN(cffi_kernel_sysv_complex_x87)
  CALL_WITH_STACK CFFI_SYSV_STACK, LOAD_VECTOR
  fstpt CFFI_SYSV_RESULT_X87(%rbx)
  fstpt CFFI_SYSV_RESULT_X87 + 16(%rbx)
  LEAVE
END(cffi_kernel_sysv_complex_x87)

BEGIN(cffi_kernel_sysv_wide)
  CALL_WITH_STACK CFFI_SYSV_WIDE_STACK, LOAD_WIDE
  movq %rax, CFFI_SYSV_RESULT_GENERAL(%rbx)
  movq %rdx, CFFI_SYSV_RESULT_GENERAL + 8(%rbx)
  movups %xmm0, CFFI_SYSV_RESULT_VECTOR(%rbx)
  movups %xmm1, CFFI_SYSV_WIDE_RESULT_VECTOR_1(%rbx)
  LEAVE
END(cffi_kernel_sysv_wide)

BEGIN(cffi_kernel_sysv_wide_x87)
  CALL_WITH_STACK CFFI_SYSV_WIDE_STACK, LOAD_WIDE
  fstpt CFFI_SYSV_RESULT_X87(%rbx)
  LEAVE
END(cffi_kernel_sysv_wide_x87)

BEGIN(cffi_kernel_sysv_wide_complex_x87)
  CALL_WITH_STACK CFFI_SYSV_WIDE_STACK, LOAD_WIDE
  fstpt CFFI_SYSV_RESULT_X87(%rbx)
  fstpt CFFI_SYSV_RESULT_X87 + 16(%rbx)
  LEAVE
END(cffi_kernel_sysv_wide_complex_x87)

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", @progbits
#endif
