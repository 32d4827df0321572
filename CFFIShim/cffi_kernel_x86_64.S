// Kernels of the System V convention of x86-64: cffi_kernel(frame: rdi, implementation: rsi, context: rdx).
//
// Each keeps a frame pointer and full call frame information, so that backtraces and exceptions pass through it.
// The offsets are those of cffi_kernel.h.

#if defined(__x86_64__)

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#define BEGIN(name) .globl SYMBOL(name); .p2align 4; SYMBOL(name):
#define END(name)
#else
#define SYMBOL(name) name
#define BEGIN(name) .globl name; .hidden name; .type name, @function; .p2align 4; name:
#define END(name) .size name, . - name
#endif

// The context's halves: stack words in rcx, the alignment of the stack in rax. The area lies below the saved rbx.
.macro ENTER
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
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
  subq $8, %rsp
.endm

// Words, never vectors: a vector load over words just written would wait for them all to reach the cache.
.macro COPY_STACK from
  movl %edx, %ecx
  shrq $32, %rdx
  negq %rdx
  leaq 0(,%rcx,8), %rax
  subq %rax, %rsp
  andq %rdx, %rsp
  testl %ecx, %ecx
  jz 2f
1:
  movq \from-8(%rbx,%rcx,8), %rax
  movq %rax, -8(%rsp,%rcx,8)
  decl %ecx
  jnz 1b
2:
.endm

.macro LOAD_GENERAL
  movq 32(%rbx), %rdi
  movq 40(%rbx), %rsi
  movq 48(%rbx), %rdx
  movq 56(%rbx), %rcx
  movq 64(%rbx), %r8
  movq 72(%rbx), %r9
.endm

// A variadic callee reads in al how many vector registers may be in use; eight is always true enough.
.macro LOAD_VECTOR
  movsd 80(%rbx), %xmm0
  movsd 88(%rbx), %xmm1
  movsd 96(%rbx), %xmm2
  movsd 104(%rbx), %xmm3
  movsd 112(%rbx), %xmm4
  movsd 120(%rbx), %xmm5
  movsd 128(%rbx), %xmm6
  movsd 136(%rbx), %xmm7
  movl $8, %eax
.endm

.macro LOAD_WIDE
  movups 80(%rbx), %xmm0
  movups 96(%rbx), %xmm1
  movups 112(%rbx), %xmm2
  movups 128(%rbx), %xmm3
  movups 144(%rbx), %xmm4
  movups 160(%rbx), %xmm5
  movups 176(%rbx), %xmm6
  movups 192(%rbx), %xmm7
  movl $8, %eax
.endm

// Everything up to the result: `load` names the macro for the vector registers, `from` the first stack word in the frame.
.macro CALL_WITH_STACK from, load
  ENTER
  COPY_STACK \from
  LOAD_GENERAL
  \load
  call *%r11
.endm

// Whatever the result is, it is in some of these: four stores are cheaper than a jump by type.
.macro STORE_RESULT
  movq %rax, 0(%rbx)
  movq %rdx, 8(%rbx)
  movsd %xmm0, 16(%rbx)
  movsd %xmm1, 24(%rbx)
.endm

.text

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

// A fixed number of stack words, in straight line: what lies behind the arguments in the frame may go along. With rbx they
// leave the stack aligned.
BEGIN(cffi_kernel_sysv_stack_2)
  ENTER
  PAD
  pushq 152(%rbx)
  pushq 144(%rbx)
  LOAD_GENERAL
  LOAD_VECTOR
  call *%r11
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_stack_2)

BEGIN(cffi_kernel_sysv_stack_4)
  ENTER
  PAD
  pushq 168(%rbx)
  pushq 160(%rbx)
  pushq 152(%rbx)
  pushq 144(%rbx)
  LOAD_GENERAL
  LOAD_VECTOR
  call *%r11
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_stack_4)

BEGIN(cffi_kernel_sysv_stack)
  CALL_WITH_STACK 144, LOAD_VECTOR
  STORE_RESULT
  LEAVE
END(cffi_kernel_sysv_stack)

BEGIN(cffi_kernel_sysv_x87)
  CALL_WITH_STACK 144, LOAD_VECTOR
  fstpt 0(%rbx)
  LEAVE
END(cffi_kernel_sysv_x87)

BEGIN(cffi_kernel_sysv_complex_x87)
  CALL_WITH_STACK 144, LOAD_VECTOR
  fstpt 0(%rbx)
  fstpt 16(%rbx)
  LEAVE
END(cffi_kernel_sysv_complex_x87)

BEGIN(cffi_kernel_sysv_wide)
  CALL_WITH_STACK 224, LOAD_WIDE
  movq %rax, 0(%rbx)
  movq %rdx, 8(%rbx)
  movups %xmm0, 16(%rbx)
  movups %xmm1, 208(%rbx)
  LEAVE
END(cffi_kernel_sysv_wide)

BEGIN(cffi_kernel_sysv_wide_x87)
  CALL_WITH_STACK 224, LOAD_WIDE
  fstpt 0(%rbx)
  LEAVE
END(cffi_kernel_sysv_wide_x87)

BEGIN(cffi_kernel_sysv_wide_complex_x87)
  CALL_WITH_STACK 224, LOAD_WIDE
  fstpt 0(%rbx)
  fstpt 16(%rbx)
  LEAVE
END(cffi_kernel_sysv_wide_complex_x87)

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
