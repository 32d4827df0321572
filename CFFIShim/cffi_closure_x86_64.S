// Stubs and entries of closures under the System V convention of x86-64.
//
// A stub puts the address of its slot into r11 and jumps to the slot's entry. An entry fills the frame that the kernel of the same name
// reads (those named `few` leave out the vector registers past the fourth), calls the function of Swift with it and with the slot's body,
// and loads the result registers from it. The offsets of a frame are those of cffi_kernel.h, the offsets of a slot those that
// cffi_closure.c asserts.

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

#define ENTRY 0
#define FUNCTION 8
#define CONTEXT 16
#define BODY 24
#define STACK_WORDS 32
#define ABANDONED 36
#define OWNER 40
#define RUNNING 48
#define RUNNING_ELSEWHERE 52

#define STUBS 1024
#define STUB_SIZE 16
#define SLOT_SIZE 64

// A frame without stack words: the image and a word for padding, up to a multiple of 16.
#define FRAME_SIZE 160
// With at most eight stack words.
#define FEW_STACK_FRAME_SIZE 224

// Counts the call, so that a closure released meanwhile lives until it ends. The slot stays in rbx, the function's context is in r13.
.macro ENTER
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
  movq %r11, %rbx
  movq THREAD, %rax
  cmpq OWNER(%rbx), %rax
  jne 8f
1:
  incl RUNNING(%rbx)
2:
.endm

// The argument registers still hold the arguments: only rax, r10 and r11 are free.
.macro ENTER_FROM_ANOTHER_THREAD
8:
  movq %rax, %r10
  xorl %eax, %eax
  lock cmpxchgq %r10, OWNER(%rbx)
  je 1b
  lock incl RUNNING_ELSEWHERE(%rbx)
  jmp 2b
.endm

.macro SAVE_GENERAL
  movq %rdi, 32(%rsp)
  movq %rsi, 40(%rsp)
  movq %rdx, 48(%rsp)
  movq %rcx, 56(%rsp)
  movq %r8, 64(%rsp)
  movq %r9, 72(%rsp)
.endm

.macro SAVE_FEW_VECTOR
  movsd %xmm0, 80(%rsp)
  movsd %xmm1, 88(%rsp)
  movsd %xmm2, 96(%rsp)
  movsd %xmm3, 104(%rsp)
.endm

.macro SAVE_VECTOR
  SAVE_FEW_VECTOR
  movsd %xmm4, 112(%rsp)
  movsd %xmm5, 120(%rsp)
  movsd %xmm6, 128(%rsp)
  movsd %xmm7, 136(%rsp)
.endm

.macro SAVE_WIDE
  movaps %xmm0, 80(%rsp)
  movaps %xmm1, 96(%rsp)
  movaps %xmm2, 112(%rsp)
  movaps %xmm3, 128(%rsp)
  movaps %xmm4, 144(%rsp)
  movaps %xmm5, 160(%rsp)
  movaps %xmm6, 176(%rsp)
  movaps %xmm7, 192(%rsp)
.endm

// Makes the frame and saves all registers into it: `save` names the macro for the vector registers, `to` the first stack word in the frame.
// The caller's stack words begin above the return address.
.macro SAVE_WITH_STACK to, save
  movl STACK_WORDS(%rbx), %eax
  leaq \to+8+15(,%rax,8), %r10
  andq $-16, %r10
  subq %r10, %rsp
  SAVE_GENERAL
  \save
  testl %eax, %eax
  jz 4f
3:
  movq 16-8(%rbp,%rax,8), %rcx
  movq %rcx, \to-8(%rsp,%rax,8)
  decl %eax
  jnz 3b
4:
.endm

.macro CALL
  movq CONTEXT(%rbx), %r13
  movq %rsp, %rdi
  movq BODY(%rbx), %rsi
  call *FUNCTION(%rbx)
  movq THREAD, %rax
  cmpq OWNER(%rbx), %rax
  jne 9f
  decl RUNNING(%rbx)
5:
  movl ABANDONED(%rbx), %eax
  testl %eax, %eax
  jne 7f
6:
.endm

.macro LEAVE
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
  ENTER_FROM_ANOTHER_THREAD
9:
  lock decl RUNNING_ELSEWHERE(%rbx)
  jmp 5b
7:
  movq %rbx, %rdi
  call SYMBOL(cffi_closure_exited)
  jmp 6b
  .cfi_endproc
.endm

// Whatever the result is, it is in some of these.
.macro LOAD_RESULT
  movq 0(%rsp), %rax
  movq 8(%rsp), %rdx
  movsd 16(%rsp), %xmm0
  movsd 24(%rsp), %xmm1
.endm

.text

BEGIN(cffi_closure_entry_sysv_general)
  ENTER
  subq $FRAME_SIZE, %rsp
  SAVE_GENERAL
  CALL
  LOAD_RESULT
  LEAVE
END(cffi_closure_entry_sysv_general)

// Most functions take at most four floating-point arguments, and stores are what an entry mostly waits for.
BEGIN(cffi_closure_entry_sysv_few_vector)
  ENTER
  subq $FRAME_SIZE, %rsp
  SAVE_GENERAL
  SAVE_FEW_VECTOR
  CALL
  LOAD_RESULT
  LEAVE
END(cffi_closure_entry_sysv_few_vector)

BEGIN(cffi_closure_entry_sysv_vector)
  ENTER
  subq $FRAME_SIZE, %rsp
  SAVE_GENERAL
  SAVE_VECTOR
  CALL
  LOAD_RESULT
  LEAVE
END(cffi_closure_entry_sysv_vector)

// A frame of constant size, whose stores need not wait for its address; there is at least one word.
BEGIN(cffi_closure_entry_sysv_few_stack)
  ENTER
  subq $FEW_STACK_FRAME_SIZE, %rsp
  SAVE_GENERAL
  SAVE_FEW_VECTOR
  movl STACK_WORDS(%rbx), %eax
3:
  movq 16-8(%rbp,%rax,8), %rcx
  movq %rcx, 144-8(%rsp,%rax,8)
  decl %eax
  jnz 3b
  CALL
  LOAD_RESULT
  LEAVE
END(cffi_closure_entry_sysv_few_stack)

BEGIN(cffi_closure_entry_sysv_stack)
  ENTER
  SAVE_WITH_STACK 144, SAVE_VECTOR
  CALL
  LOAD_RESULT
  LEAVE
END(cffi_closure_entry_sysv_stack)

// Functions with a result in st(0) are rare, so these serve them with any arguments.
BEGIN(cffi_closure_entry_sysv_x87)
  ENTER
  SAVE_WITH_STACK 144, SAVE_VECTOR
  CALL
  fldt 0(%rsp)
  LEAVE
END(cffi_closure_entry_sysv_x87)

BEGIN(cffi_closure_entry_sysv_complex_x87)
  ENTER
  SAVE_WITH_STACK 144, SAVE_VECTOR
  CALL
  fldt 16(%rsp)
  fldt 0(%rsp)
  LEAVE
END(cffi_closure_entry_sysv_complex_x87)

BEGIN(cffi_closure_entry_sysv_wide)
  ENTER
  SAVE_WITH_STACK 224, SAVE_WIDE
  CALL
  movq 0(%rsp), %rax
  movq 8(%rsp), %rdx
  movups 16(%rsp), %xmm0
  movups 208(%rsp), %xmm1
  LEAVE
END(cffi_closure_entry_sysv_wide)

BEGIN(cffi_closure_entry_sysv_wide_x87)
  ENTER
  SAVE_WITH_STACK 224, SAVE_WIDE
  CALL
  fldt 0(%rsp)
  LEAVE
END(cffi_closure_entry_sysv_wide_x87)

BEGIN(cffi_closure_entry_sysv_wide_complex_x87)
  ENTER
  SAVE_WITH_STACK 224, SAVE_WIDE
  CALL
  fldt 16(%rsp)
  fldt 0(%rsp)
  LEAVE
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
.rept STUBS
10:
  endbr64
  leaq SYMBOL(cffi_closure_slots) + (10b - SYMBOL(cffi_closure_stubs)) * (SLOT_SIZE / STUB_SIZE)(%rip), %r11
  jmpq *ENTRY(%r11)
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
.rept STUBS
11:
  endbr64
  leaq 12f + (11b - SYMBOL(cffi_closure_copied_stubs)) * (SLOT_SIZE / STUB_SIZE)(%rip), %r11
  jmpq *ENTRY(%r11)
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
