// Loops that call a function for the rows of a batch, in the System V convention of x86-64:
// loop(registers: rdi, implementation: rsi, rows: rdx, distance: rcx), where the registers are a cffi_row_registers.
//
// A loop loads each register from its block of words. The blocks of a loop without stack arguments that stores at most one
// register are read at a distance: so the column of an only register is read where it is. The number of registers is a
// constant of each loop, so that a row has no branches but the call and the end of the loop. A loop may load more registers
// than the call has arguments. The table at the end contains all loops.

#include "cffi_rows.h"

#if defined(__x86_64__)

#include "cffi_x86_64.h"

#define TABLE SYMBOL(cffi_row_loops)
#if defined(__APPLE__)
#define HIDDEN .private_extern
#else
#define HIDDEN .hidden
#endif

// The registers are in rbx, the row in r12, the implementation in r13, the results in r14 and r15.
.macro ENTER_LOOP
  ENTER_FRAME
  pushq %rbx
  .cfi_offset %rbx, -24
  pushq %r12
  .cfi_offset %r12, -32
  pushq %r13
  .cfi_offset %r13, -40
  pushq %r14
  .cfi_offset %r14, -48
  pushq %r15
  .cfi_offset %r15, -56
  subq $(8), %rsp
  movq %rdi, %rbx
  movq %rsi, %r13
  movq CFFI_ROWS_RESULTS(%rbx), %r14
  movq CFFI_ROWS_RESULTS + 8(%rbx), %r15
  xorl %r12d, %r12d
  subq %rdx, %r12
.endm

.macro LEAVE_LOOP
  leaq -40(%rbp), %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbx
  .cfi_restore %r12
  .cfi_restore %r13
  .cfi_restore %r14
  .cfi_restore %r15
  .cfi_restore %rbp
  ret
  .cfi_endproc
.endm

// The end of the block of a general register; those of the vector registers follow.
#define BLOCK_END(index) (CFFI_ROWS_WORDS + 8 * CFFI_ROWS_BLOCK * (index + 1))

.macro LOAD_WORD block, register
  movq BLOCK_END(\block)(%rbx,%r12,8), \register
.endm

.macro LOAD_NUMBER block, register
  movsd BLOCK_END(6 + \block)(%rbx,%r12,8), \register
.endm

// Loads the registers of a row.
.macro LOAD_ROW general, vector
  .if \general > 0
  LOAD_WORD 0, %rdi
  .endif
  .if \general > 1
  LOAD_WORD 1, %rsi
  .endif
  .if \general > 2
  LOAD_WORD 2, %rdx
  .endif
  .if \general > 3
  LOAD_WORD 3, %rcx
  .endif
  .if \general > 4
  LOAD_WORD 4, %r8
  LOAD_WORD 5, %r9
  .endif
  .if \vector > 0
  LOAD_NUMBER 0, %xmm0
  .endif
  .if \vector > 1
  LOAD_NUMBER 1, %xmm1
  .endif
  .if \vector > 2
  LOAD_NUMBER 2, %xmm2
  .endif
  .if \vector > 3
  LOAD_NUMBER 3, %xmm3
  .endif
  .if \vector > 4
  LOAD_NUMBER 4, %xmm4
  LOAD_NUMBER 5, %xmm5
  LOAD_NUMBER 6, %xmm6
  LOAD_NUMBER 7, %xmm7
  .endif
.endm

// Copies the stack arguments of a row to the stack, whose words the last callee may have changed: 8, 16 or 32 bytes, or
// any multiple of 16.
.macro COPY_STACK size, source
  .if \size == 8
  movq (\source), %rax
  movq %rax, (%rsp)
  .elseif \size == 16
  movups (\source), %xmm0
  movups %xmm0, (%rsp)
  .elseif \size == 32
  movups (\source), %xmm0
  movups 16(\source), %xmm1
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  .else
  movq CFFI_ROWS_STACK_SIZE(%rbx), %rax
2:
  movups -16(\source,%rax), %xmm0
  movups %xmm0, -16(%rsp,%rax)
  subq $(16), %rax
  jnz 2b
  .endif
  addq CFFI_ROWS_STACK_STRIDE(%rbx), \source
.endm

// A loop: the numbers of general and vector registers, what is stored of a result (0: nothing, 1: rax, 2: xmm0, 3: rax,
// xmm0, rdx and xmm1), and the size of the stack arguments (0: none, 1: any). al is an upper bound of the number of
// vector registers, for variadic functions.
//
// The address of the stack arguments is in the register of a result that is not stored, or in memory.
.macro LOOP general, vector, results, stack
  .p2align 5
row_loop_\general\()_\vector\()_\results\()_\stack:
  ENTER_LOOP
  .if \stack
  subq CFFI_ROWS_STACK_SIZE(%rbx), %rsp
  .if \results == 1
  movq CFFI_ROWS_STACK(%rbx), %r15
  .elseif \results < 3
  movq CFFI_ROWS_STACK(%rbx), %r14
  .endif
  .elseif \results < 3
  addq %rcx, %rbx
  .endif
  .p2align 5
1:
  .if \stack
  .if \results == 1
  COPY_STACK \stack, %r15
  .elseif \results < 3
  COPY_STACK \stack, %r14
  .else
  movq CFFI_ROWS_STACK(%rbx), %rcx
  COPY_STACK \stack, %rcx
  movq %rcx, CFFI_ROWS_STACK(%rbx)
  .endif
  .endif
  LOAD_ROW \general, \vector
  movl $\vector, %eax
  call *%r13
  .if \results == 1 || \results == 3
  movq %rax, (%r14,%r12,8)
  .endif
  .if \results > 1
  movsd %xmm0, (%r15,%r12,8)
  .endif
  .if \results == 3
  movq CFFI_ROWS_RESULTS + 16(%rbx), %rax
  movq %rdx, (%rax,%r12,8)
  movq CFFI_ROWS_RESULTS + 24(%rbx), %rax
  movsd %xmm1, (%rax,%r12,8)
  .endif
  incq %r12
  jnz 1b
  .if \stack
  .if \results == 1
  movq %r15, CFFI_ROWS_STACK(%rbx)
  .elseif \results < 3
  movq %r14, CFFI_ROWS_STACK(%rbx)
  .endif
  .endif
  LEAVE_LOOP
.endm

.macro ENTRY general, vector, results, stack
  .long row_loop_\general\()_\vector\()_\results\()_\stack - TABLE
.endm

// The loops with a number of vector registers, each by a macro: LOOP or ENTRY.
.macro GENERAL each, vector, results
  \each 0, \vector, \results, 0
  \each 1, \vector, \results, 0
  \each 2, \vector, \results, 0
  \each 3, \vector, \results, 0
  \each 4, \vector, \results, 0
  \each 6, \vector, \results, 0
.endm

.macro VECTOR each, results
  GENERAL \each, 0, \results
  GENERAL \each, 1, \results
  GENERAL \each, 2, \results
  GENERAL \each, 3, \results
  GENERAL \each, 4, \results
  GENERAL \each, 8, \results
.endm

// The loops with stack arguments of a size, which load all general registers.
.macro STACK each, stack
  \each 6, 0, 0, \stack
  \each 6, 2, 0, \stack
  \each 6, 4, 0, \stack
  \each 6, 8, 0, \stack
  \each 6, 0, 1, \stack
  \each 6, 2, 1, \stack
  \each 6, 4, 1, \stack
  \each 6, 8, 1, \stack
  \each 6, 0, 2, \stack
  \each 6, 2, 2, \stack
  \each 6, 4, 2, \stack
  \each 6, 8, 2, \stack
  \each 6, 8, 3, \stack
.endm

// All loops, in the order that cffi_rows.c computes an index of.
.macro ALL each
  VECTOR \each, 0
  VECTOR \each, 1
  VECTOR \each, 2
  \each 6, 8, 3, 0
  STACK \each, 1
  STACK \each, 8
  STACK \each, 16
  STACK \each, 32
.endm

ALL LOOP

// The offsets of the loops from the table.
.globl TABLE
HIDDEN TABLE
.p2align 2
TABLE:
ALL ENTRY

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", @progbits
#endif
