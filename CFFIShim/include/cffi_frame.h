#ifndef CFFI_FRAME_H
#define CFFI_FRAME_H

// The layouts that assembly, C and Swift must agree on: the register images of the kernels and closure entries, and
// the structs that both read. The assembler files and C include this header; each offset is asserted below.

// System V x86-64: the register image, in bytes from the start of a frame.

#define CFFI_SYSV_RESULT_GENERAL 0   // rax, rdx after the call
#define CFFI_SYSV_RESULT_VECTOR 16   // xmm0, xmm1 after the call
#define CFFI_SYSV_RESULT_X87 0       // st(0), st(1) after the call instead, 16 bytes each
#define CFFI_SYSV_GENERAL 32         // rdi, rsi, rdx, rcx, r8, r9
#define CFFI_SYSV_VECTOR 80          // xmm0 to xmm7, the low eight bytes of each
#define CFFI_SYSV_STACK 144          // stack words
#define CFFI_SYSV_CALLER_STACK 176   // incoming call: the caller's stack words, above the saved registers

// The wide image contains all 16 bytes of each vector register.
#define CFFI_SYSV_WIDE_RESULT_VECTOR_1 208  // xmm1 after the call
#define CFFI_SYSV_WIDE_STACK 224
#define CFFI_SYSV_WIDE_CALLER_STACK 256

// AAPCS64: the register image, in bytes from the start of a frame.

#define CFFI_AAPCS64_RESULT_GENERAL 0     // x0, x1 after the call
#define CFFI_AAPCS64_RESULT_VECTOR 16     // v0 to v3 after the call, the low eight bytes of each
#define CFFI_AAPCS64_GENERAL 48           // x0 to x7
#define CFFI_AAPCS64_INDIRECT_RESULT 112  // x8, the address of a result in memory
#define CFFI_AAPCS64_VECTOR 128           // v0 to v7, the low eight bytes of each
#define CFFI_AAPCS64_STACK 192            // stack words
#define CFFI_AAPCS64_CALLER_STACK 224     // incoming call: the caller's stack words, above the saved registers

// The wide image contains all 16 bytes of each vector register.
#define CFFI_AAPCS64_WIDE_GENERAL 80
#define CFFI_AAPCS64_WIDE_INDIRECT_RESULT 144
#define CFFI_AAPCS64_WIDE_VECTOR 160
#define CFFI_AAPCS64_WIDE_STACK 288
#define CFFI_AAPCS64_WIDE_CALLER_STACK 320

// AAPCS64: the context of a kernel, a `cffi_aapcs64_stack`.

#define CFFI_AAPCS64_CONTEXT_WORDS 0
#define CFFI_AAPCS64_CONTEXT_ALIGNMENT 4
#define CFFI_AAPCS64_CONTEXT_COUNT 8
#define CFFI_AAPCS64_CONTEXT_ADDRESSES 12
#define CFFI_AAPCS64_CONTEXT_ADDRESS_SIZE 8

// The Swift convention: the register image, in bytes from the start of a frame. Both processors share its first part.

#define CFFI_SWIFT_RESULT_GENERAL 0   // rax, rdx, rcx, r8 or x0 to x3 after the call
#define CFFI_SWIFT_ERROR 32           // r12 or x21 after the call; not null if the function threw
#define CFFI_SWIFT_SELF 40            // r13 or x20
#define CFFI_SWIFT_INDIRECT_RESULT 48 // rax or x8, the address of a result in memory
#define CFFI_SWIFT_RESULT_VECTOR 64   // xmm0 to xmm3 or v0 to v3 after the call, the low eight bytes of each
#define CFFI_SWIFT_GENERAL 96         // rdi, rsi, rdx, rcx, r8, r9 or x0 to x7
#define CFFI_SWIFT_SYSV_VECTOR 144    // xmm0 to xmm7, the low eight bytes of each
#define CFFI_SWIFT_SYSV_STACK 208     // the end of the image
#define CFFI_SWIFT_AAPCS64_VECTOR 160 // v0 to v7, the low eight bytes of each
#define CFFI_SWIFT_AAPCS64_STACK 224  // the end of the image

// The wide image contains all 16 bytes of each vector register, and is followed by stack words.
#define CFFI_SWIFT_WIDE_GENERAL 128
#define CFFI_SWIFT_SYSV_WIDE_VECTOR 176
#define CFFI_SWIFT_SYSV_WIDE_STACK 304
#define CFFI_SWIFT_AAPCS64_WIDE_VECTOR 192
#define CFFI_SWIFT_AAPCS64_WIDE_STACK 320

// An incoming call: the caller's stack words, above the frame record.
#define CFFI_SWIFT_SYSV_WIDE_CALLER_STACK 320
#define CFFI_SWIFT_AAPCS64_WIDE_CALLER_STACK 336

// The context of a closure: the function that its entry calls is the first field after the header of an object.
#define CFFI_SWIFT_CLOSURE_FUNCTION 16

// Asynchronous functions have a wide image and no stack words. Two words take their place: the address of the function's
// async context, and the address of its code.
#if defined(__aarch64__)
#define CFFI_SWIFT_ASYNC_CONTEXT 320
#define CFFI_SWIFT_ASYNC_CODE 328
#else
#define CFFI_SWIFT_ASYNC_CONTEXT 304
#define CFFI_SWIFT_ASYNC_CODE 312
#endif

// A slot of a closure, a `cffi_closure_slot`.

#define CFFI_CLOSURE_ENTRY 0
#define CFFI_CLOSURE_FUNCTION 8
#define CFFI_CLOSURE_CONTEXT 16
#define CFFI_CLOSURE_BODY 24
#define CFFI_CLOSURE_OWNER 32
#define CFFI_CLOSURE_RUNNING 40
#define CFFI_CLOSURE_RUNNING_ELSEWHERE 44
#define CFFI_CLOSURE_ABANDONED 48
#define CFFI_CLOSURE_SLOT_SIZE 64  // a cache line

/// The number of stubs in a bank.
#define CFFI_CLOSURE_BANK_SIZE 1024

#if defined(__x86_64__)
#define CFFI_CLOSURE_STUB_SIZE 16
#else
// A stub may need four instructions to load an address, and a bank must fill whole pages of 64 KiB.
#define CFFI_CLOSURE_STUB_SIZE 64
#endif

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/// The register image of System V x86-64.
typedef struct {
  uint64_t general_results[2];
  uint64_t vector_results[2];
  uint64_t general[6];
  uint64_t vector[8];
} cffi_sysv_image;

/// The register image of System V x86-64 with whole vector registers.
typedef struct {
  uint64_t general_results[2];
  uint64_t vector_result_0[2];
  uint64_t general[6];
  uint64_t vector[8][2];
  uint64_t vector_result_1[2];
} cffi_sysv_wide_image;

/// The words above the image of a closure's entry on x86-64: the saved rbx, r13 and rbp, and the return address.
typedef struct {
  uint64_t words[4];
} cffi_sysv_saved;

/// The register image of AAPCS64.
typedef struct {
  uint64_t general_results[2];
  uint64_t vector_results[4];
  uint64_t general[8];
  uint64_t indirect_result;
  uint64_t padding;
  uint64_t vector[8];
} cffi_aapcs64_image;

/// The register image of AAPCS64 with whole vector registers.
typedef struct {
  uint64_t general_results[2];
  uint64_t vector_results[4][2];
  uint64_t general[8];
  uint64_t indirect_result;
  uint64_t padding;
  uint64_t vector[8][2];
} cffi_aapcs64_wide_image;

/// The words above the image of a closure's entry on AArch64: the frame record, and the saved x19 and x20.
typedef struct {
  uint64_t words[4];
} cffi_aapcs64_saved;

/// The stack words that a kernel of AAPCS64 copies to the stack.
///
/// The stack words of a frame are the arguments on the stack, followed by the composites passed by reference. The
/// callee may change a composite, so each call copies it again.
typedef struct cffi_aapcs64_stack {
  /// The number of stack words.
  uint32_t words;
  /// The alignment of the first stack word on the stack, a power of two, at least 16.
  uint32_t alignment;
  /// The number of entries of `addresses`.
  uint32_t count;
  /// For each composite, the offset in the frame of the word for its address, and the offset of its copy from the first
  /// stack word.
  struct {
    uint32_t word;
    uint32_t target;
  } addresses[];
} cffi_aapcs64_stack;

/// The arguments that a kernel of Apple's variant copies within a frame before a call.
///
/// On the stack of Apple's variant a narrow argument has only its own bytes, and shares a word with others. In a frame
/// each of them has its own word, so that it can be set alone. This follows the addresses of a `cffi_aapcs64_stack`.
typedef struct cffi_aapcs64_packing {
  /// The number of entries of `moves`.
  uint32_t count;
  /// For each argument, the offset in the frame of its own word, the offset of its bytes in the stack words, and its size.
  struct {
    uint32_t word;
    uint32_t packed;
    uint32_t size;
  } moves[];
} cffi_aapcs64_packing;

/// The first part of the register images of the Swift convention.
typedef struct {
  uint64_t general_results[4];
  uint64_t error;
  uint64_t self;
  uint64_t indirect_result;
  uint64_t padding;
} cffi_swift_image;

/// The register image of the Swift convention on x86-64.
typedef struct {
  cffi_swift_image first;
  uint64_t vector_results[4];
  uint64_t general[6];
  uint64_t vector[8];
} cffi_swift_sysv_image;

/// The register image of the Swift convention on x86-64 with whole vector registers.
typedef struct {
  cffi_swift_image first;
  uint64_t vector_results[4][2];
  uint64_t general[6];
  uint64_t vector[8][2];
} cffi_swift_sysv_wide_image;

/// The register image of the Swift convention on AArch64.
typedef struct {
  cffi_swift_image first;
  uint64_t vector_results[4];
  uint64_t general[8];
  uint64_t vector[8];
} cffi_swift_aapcs64_image;

/// The register image of the Swift convention on AArch64 with whole vector registers.
typedef struct {
  cffi_swift_image first;
  uint64_t vector_results[4][2];
  uint64_t general[8];
  uint64_t vector[8][2];
} cffi_swift_aapcs64_wide_image;

/// The data of a stub: the entry that it jumps to, and the number of running calls.
///
/// Slots are never unmapped, so that a call can always read its slot when it returns.
typedef struct cffi_closure_slot {
  /// The entry that the stub jumps to.
  const void *_Nullable entry;
  /// The code of the Swift function, whose arguments are the frame, zero and the body, and its context in the Swift
  /// calling convention.
  const void *_Nullable function;
  void *_Nullable context;
  /// The object that keeps the function and its context alive.
  ///
  /// For a free slot, the next free slot.
  void *_Nullable body;
  /// The first thread that called.
  ///
  /// It counts its calls without atomic instructions; other threads use atomic instructions.
  const void *_Nullable owner;
  /// The number of running calls of the owner, and of other threads.
  uint32_t running;
  uint32_t running_elsewhere;
  /// Whether the closure was released and its slot is not free yet.
  ///
  /// The last running call then calls the handler of `cffi_closure_on_last_exit`.
  uint32_t abandoned;
  /// The code pointer that is passed to C.
  const void *_Nullable stub;
} cffi_closure_slot;

#define CFFI_ASSERT_OFFSET(type, member, offset) _Static_assert(offsetof(type, member) == offset, #offset)

CFFI_ASSERT_OFFSET(cffi_sysv_image, general_results, CFFI_SYSV_RESULT_GENERAL);
CFFI_ASSERT_OFFSET(cffi_sysv_image, general_results, CFFI_SYSV_RESULT_X87);
CFFI_ASSERT_OFFSET(cffi_sysv_image, vector_results, CFFI_SYSV_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_sysv_image, general, CFFI_SYSV_GENERAL);
CFFI_ASSERT_OFFSET(cffi_sysv_image, vector, CFFI_SYSV_VECTOR);
_Static_assert(sizeof(cffi_sysv_image) == CFFI_SYSV_STACK, "CFFI_SYSV_STACK");
_Static_assert(sizeof(cffi_sysv_image) + sizeof(cffi_sysv_saved) == CFFI_SYSV_CALLER_STACK, "CFFI_SYSV_CALLER_STACK");

CFFI_ASSERT_OFFSET(cffi_sysv_wide_image, general_results, CFFI_SYSV_RESULT_GENERAL);
CFFI_ASSERT_OFFSET(cffi_sysv_wide_image, general_results, CFFI_SYSV_RESULT_X87);
CFFI_ASSERT_OFFSET(cffi_sysv_wide_image, vector_result_0, CFFI_SYSV_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_sysv_wide_image, general, CFFI_SYSV_GENERAL);
CFFI_ASSERT_OFFSET(cffi_sysv_wide_image, vector, CFFI_SYSV_VECTOR);
CFFI_ASSERT_OFFSET(cffi_sysv_wide_image, vector_result_1, CFFI_SYSV_WIDE_RESULT_VECTOR_1);
_Static_assert(sizeof(cffi_sysv_wide_image) == CFFI_SYSV_WIDE_STACK, "CFFI_SYSV_WIDE_STACK");
_Static_assert(sizeof(cffi_sysv_wide_image) + sizeof(cffi_sysv_saved) == CFFI_SYSV_WIDE_CALLER_STACK, "CFFI_SYSV_WIDE_CALLER_STACK");

CFFI_ASSERT_OFFSET(cffi_aapcs64_image, general_results, CFFI_AAPCS64_RESULT_GENERAL);
CFFI_ASSERT_OFFSET(cffi_aapcs64_image, vector_results, CFFI_AAPCS64_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_aapcs64_image, general, CFFI_AAPCS64_GENERAL);
CFFI_ASSERT_OFFSET(cffi_aapcs64_image, indirect_result, CFFI_AAPCS64_INDIRECT_RESULT);
CFFI_ASSERT_OFFSET(cffi_aapcs64_image, vector, CFFI_AAPCS64_VECTOR);
_Static_assert(sizeof(cffi_aapcs64_image) == CFFI_AAPCS64_STACK, "CFFI_AAPCS64_STACK");
_Static_assert(sizeof(cffi_aapcs64_image) + sizeof(cffi_aapcs64_saved) == CFFI_AAPCS64_CALLER_STACK, "CFFI_AAPCS64_CALLER_STACK");

CFFI_ASSERT_OFFSET(cffi_aapcs64_wide_image, general_results, CFFI_AAPCS64_RESULT_GENERAL);
CFFI_ASSERT_OFFSET(cffi_aapcs64_wide_image, vector_results, CFFI_AAPCS64_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_aapcs64_wide_image, general, CFFI_AAPCS64_WIDE_GENERAL);
CFFI_ASSERT_OFFSET(cffi_aapcs64_wide_image, indirect_result, CFFI_AAPCS64_WIDE_INDIRECT_RESULT);
CFFI_ASSERT_OFFSET(cffi_aapcs64_wide_image, vector, CFFI_AAPCS64_WIDE_VECTOR);
_Static_assert(sizeof(cffi_aapcs64_wide_image) == CFFI_AAPCS64_WIDE_STACK, "CFFI_AAPCS64_WIDE_STACK");
_Static_assert(
    sizeof(cffi_aapcs64_wide_image) + sizeof(cffi_aapcs64_saved) == CFFI_AAPCS64_WIDE_CALLER_STACK, "CFFI_AAPCS64_WIDE_CALLER_STACK");

CFFI_ASSERT_OFFSET(cffi_aapcs64_stack, words, CFFI_AAPCS64_CONTEXT_WORDS);
CFFI_ASSERT_OFFSET(cffi_aapcs64_stack, alignment, CFFI_AAPCS64_CONTEXT_ALIGNMENT);
CFFI_ASSERT_OFFSET(cffi_aapcs64_stack, count, CFFI_AAPCS64_CONTEXT_COUNT);
CFFI_ASSERT_OFFSET(cffi_aapcs64_stack, addresses, CFFI_AAPCS64_CONTEXT_ADDRESSES);
_Static_assert(sizeof(((cffi_aapcs64_stack *)0)->addresses[0]) == CFFI_AAPCS64_CONTEXT_ADDRESS_SIZE, "CFFI_AAPCS64_CONTEXT_ADDRESS_SIZE");

CFFI_ASSERT_OFFSET(cffi_swift_image, general_results, CFFI_SWIFT_RESULT_GENERAL);
CFFI_ASSERT_OFFSET(cffi_swift_image, error, CFFI_SWIFT_ERROR);
CFFI_ASSERT_OFFSET(cffi_swift_image, self, CFFI_SWIFT_SELF);
CFFI_ASSERT_OFFSET(cffi_swift_image, indirect_result, CFFI_SWIFT_INDIRECT_RESULT);
CFFI_ASSERT_OFFSET(cffi_swift_sysv_image, vector_results, CFFI_SWIFT_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_swift_sysv_image, general, CFFI_SWIFT_GENERAL);
CFFI_ASSERT_OFFSET(cffi_swift_sysv_image, vector, CFFI_SWIFT_SYSV_VECTOR);
_Static_assert(sizeof(cffi_swift_sysv_image) == CFFI_SWIFT_SYSV_STACK, "CFFI_SWIFT_SYSV_STACK");
CFFI_ASSERT_OFFSET(cffi_swift_sysv_wide_image, vector_results, CFFI_SWIFT_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_swift_sysv_wide_image, general, CFFI_SWIFT_WIDE_GENERAL);
CFFI_ASSERT_OFFSET(cffi_swift_sysv_wide_image, vector, CFFI_SWIFT_SYSV_WIDE_VECTOR);
_Static_assert(sizeof(cffi_swift_sysv_wide_image) == CFFI_SWIFT_SYSV_WIDE_STACK, "CFFI_SWIFT_SYSV_WIDE_STACK");
_Static_assert(CFFI_SWIFT_SYSV_WIDE_STACK + 16 == CFFI_SWIFT_SYSV_WIDE_CALLER_STACK, "CFFI_SWIFT_SYSV_WIDE_CALLER_STACK");
CFFI_ASSERT_OFFSET(cffi_swift_aapcs64_image, vector_results, CFFI_SWIFT_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_swift_aapcs64_image, general, CFFI_SWIFT_GENERAL);
CFFI_ASSERT_OFFSET(cffi_swift_aapcs64_image, vector, CFFI_SWIFT_AAPCS64_VECTOR);
_Static_assert(sizeof(cffi_swift_aapcs64_image) == CFFI_SWIFT_AAPCS64_STACK, "CFFI_SWIFT_AAPCS64_STACK");
CFFI_ASSERT_OFFSET(cffi_swift_aapcs64_wide_image, vector_results, CFFI_SWIFT_RESULT_VECTOR);
CFFI_ASSERT_OFFSET(cffi_swift_aapcs64_wide_image, general, CFFI_SWIFT_WIDE_GENERAL);
CFFI_ASSERT_OFFSET(cffi_swift_aapcs64_wide_image, vector, CFFI_SWIFT_AAPCS64_WIDE_VECTOR);
_Static_assert(sizeof(cffi_swift_aapcs64_wide_image) == CFFI_SWIFT_AAPCS64_WIDE_STACK, "CFFI_SWIFT_AAPCS64_WIDE_STACK");

CFFI_ASSERT_OFFSET(cffi_closure_slot, entry, CFFI_CLOSURE_ENTRY);
CFFI_ASSERT_OFFSET(cffi_closure_slot, function, CFFI_CLOSURE_FUNCTION);
CFFI_ASSERT_OFFSET(cffi_closure_slot, context, CFFI_CLOSURE_CONTEXT);
CFFI_ASSERT_OFFSET(cffi_closure_slot, body, CFFI_CLOSURE_BODY);
CFFI_ASSERT_OFFSET(cffi_closure_slot, owner, CFFI_CLOSURE_OWNER);
CFFI_ASSERT_OFFSET(cffi_closure_slot, running, CFFI_CLOSURE_RUNNING);
CFFI_ASSERT_OFFSET(cffi_closure_slot, running_elsewhere, CFFI_CLOSURE_RUNNING_ELSEWHERE);
CFFI_ASSERT_OFFSET(cffi_closure_slot, abandoned, CFFI_CLOSURE_ABANDONED);
_Static_assert(sizeof(cffi_closure_slot) == CFFI_CLOSURE_SLOT_SIZE, "CFFI_CLOSURE_SLOT_SIZE");

#undef CFFI_ASSERT_OFFSET

#endif

#endif
