// The entry that calls an asynchronous Swift function on AArch64.
//
// An asynchronous function receives its async context in x22 and self in x20. A context begins with the address of the
// caller's context and the address of the function that continues the caller. The callee tail-calls that function with its own
// context in x22, the result in the registers of arguments, and the error in x20. The result in memory is an argument.
// No register is saved, and the stack pointer does not change: x19, x21, x23 to x30 belong to the caller.

#include "cffi_frame.h"

#if defined(__aarch64__) && defined(__ELF__)

#include "cffi_aarch64.h"

// The context of the entry: its caller's context, the continuation of its caller, the frame.
#define PARENT 0
#define CONTINUATION 8
#define FRAME 16
#define CONTEXT_SIZE 32
// The first field of an object.
#define FIRST_FIELD 16

BEGIN cffi_async_enter
  ldr x9, [x20, #FIRST_FIELD]
  str x9, [x22, #FRAME]
  ldr x10, [x9, #CFFI_SWIFT_ASYNC_CONTEXT]
  str x22, [x10, #PARENT]
  LOAD_ADDRESS x11, cffi_async_continue, 0
  str x11, [x10, #CONTINUATION]
  mov x22, x10
  ldr x16, [x9, #CFFI_SWIFT_ASYNC_CODE]
  ldr x20, [x9, #CFFI_SWIFT_SELF]
  LOAD_ARGUMENTS x9
  br x16
END cffi_async_enter

BEGIN cffi_async_continue
  ldr x22, [x22, #PARENT]
  ldr x9, [x22, #FRAME]
  STORE_RESULTS x9, x20
  ldr x16, [x22, #CONTINUATION]
  br x16
END cffi_async_continue

.section .rodata, "a"
.globl cffi_async_entry_pointer
.hidden cffi_async_entry_pointer
.type cffi_async_entry_pointer, %object
.p2align 3
cffi_async_entry_pointer:
  .word cffi_async_enter - .
  .word CONTEXT_SIZE
.size cffi_async_entry_pointer, . - cffi_async_entry_pointer

#elif defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
