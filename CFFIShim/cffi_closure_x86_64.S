// Stubs and entries of closures under the System V convention of x86-64.
//
// A stub puts the address of its slot into r11 and jumps to the slot's entry. An entry fills the registers of the frame that the kernel of the
// same name reads (those named `few` leave out the vector registers past the fourth), calls the function of Swift with it and with the slot's
// body, and loads the result registers from it. Stack words stay where the caller has them, at a fixed distance from the frame. The offsets of a
// frame are those of cffi_kernel.h, the offsets of a slot those that cffi_closure.c asserts.

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
#define OWNER 32
#define RUNNING 40
#define RUNNING_ELSEWHERE 44
#define ABANDONED 48

#define STUBS 1024
#define STUB_SIZE 16
#define SLOT_SIZE 64

// The image of the registers. The four words above it are what an entry saves, and the return address; then come the caller's stack words.
#define FRAME_SIZE 144
#define WIDE_FRAME_SIZE 224

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

// Whatever the result is, it is in some of these.
.macro LOAD_RESULT
  movq 0(%rsp), %rax
  movq 8(%rsp), %rdx
  movsd 16(%rsp), %xmm0
  movsd 24(%rsp), %xmm1
.endm

.macro LOAD_WIDE_RESULT
  movq 0(%rsp), %rax
  movq 8(%rsp), %rdx
  movups 16(%rsp), %xmm0
  movups 208(%rsp), %xmm1
.endm

.macro LOAD_X87
  fldt 0(%rsp)
.endm

.macro LOAD_COMPLEX_X87
  fldt 16(%rsp)
  fldt 0(%rsp)
.endm

.macro SAVE_NOTHING
.endm

// Fills a frame and calls the function of Swift with it.
.macro CALL save
  SAVE_GENERAL
  \save
  movq CONTEXT(%rbx), %r13
  movq %rsp, %rdi
  xorl %esi, %esi
  movq BODY(%rbx), %rdx
  call *FUNCTION(%rbx)
.endm

// A whole entry, with the names of the macros that save the vector registers and load the result. It counts the call, so that a closure released
// meanwhile lives until it ends. The slot stays in rbx, the function's context is in r13.
.macro ENTER save, load, size=FRAME_SIZE
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
  cmpq OWNER(%rbx), %rax
  jne 8f
1:
  incl RUNNING(%rbx)
  CALL \save
  decl RUNNING(%rbx)
5:
  cmpl $0, ABANDONED(%rbx)
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
  lock cmpxchgq %r10, OWNER(%rbx)
  je 1b
  lock incl RUNNING_ELSEWHERE(%rbx)
  CALL \save
  lock decl RUNNING_ELSEWHERE(%rbx)
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
  ENTER SAVE_WIDE, LOAD_WIDE_RESULT, WIDE_FRAME_SIZE
END(cffi_closure_entry_sysv_wide)

BEGIN(cffi_closure_entry_sysv_wide_x87)
  ENTER SAVE_WIDE, LOAD_X87, WIDE_FRAME_SIZE
END(cffi_closure_entry_sysv_wide_x87)

BEGIN(cffi_closure_entry_sysv_wide_complex_x87)
  ENTER SAVE_WIDE, LOAD_COMPLEX_X87, WIDE_FRAME_SIZE
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
