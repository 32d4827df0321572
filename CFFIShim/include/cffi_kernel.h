#ifndef CFFI_KERNEL_H
#define CFFI_KERNEL_H

#include <stdint.h>

/// Calls `implementation` with the arguments that lie in `frame`, and leaves the result there.
///
/// A kernel reads no types: the plan has laid the frame out for it. `context` is what the plan gives the kernel: on x86-64 the number of stack
/// words in the low half and the alignment of the stack in the high half, on AArch64 a `cffi_aapcs64_stack`, for libffi its prepared call.
typedef void (*cffi_kernel)(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);

/// Runs a kernel with errno cleared before the call and read at once after it.
void cffi_call_capturing_errno(
    cffi_kernel _Nonnull kernel, void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context,
    int *_Nonnull captured_errno);

// The register image of System V x86-64, in bytes from the start of a frame. The plan and the kernels must agree.
enum {
  /// rax, rdx, xmm0, xmm1 after the call; or st(0), st(1), sixteen bytes each.
  CFFI_SYSV_RESULT_GENERAL = 0,
  CFFI_SYSV_RESULT_VECTOR = 16,
  /// rdi, rsi, rdx, rcx, r8, r9.
  CFFI_SYSV_GENERAL = 32,
  /// xmm0 to xmm7, their low eight bytes.
  CFFI_SYSV_VECTOR = 80,
  /// Stack words.
  CFFI_SYSV_STACK = 144,
  /// The wide image holds all sixteen bytes of each vector register, and xmm1 after the call behind them.
  CFFI_SYSV_WIDE_RESULT_VECTOR_1 = 208,
  CFFI_SYSV_WIDE_STACK = 224,
  /// In the frame of an incoming call the stack words of the caller, above what a closure's entry saves.
  CFFI_SYSV_CALLER_STACK = 176,
  CFFI_SYSV_WIDE_CALLER_STACK = 256,
};

// The register image of AAPCS64, in bytes from the start of a frame.
enum {
  /// x0, x1 after the call.
  CFFI_AAPCS64_RESULT_GENERAL = 0,
  /// v0 to v3 after the call, their low eight bytes.
  CFFI_AAPCS64_RESULT_VECTOR = 16,
  /// x0 to x7; then x8, the address of a result in memory.
  CFFI_AAPCS64_GENERAL = 48,
  CFFI_AAPCS64_INDIRECT_RESULT = 112,
  /// v0 to v7, their low eight bytes.
  CFFI_AAPCS64_VECTOR = 128,
  /// Stack words.
  CFFI_AAPCS64_STACK = 192,
  /// The wide image holds all sixteen bytes of each vector register.
  CFFI_AAPCS64_WIDE_GENERAL = 80,
  CFFI_AAPCS64_WIDE_INDIRECT_RESULT = 144,
  CFFI_AAPCS64_WIDE_VECTOR = 160,
  CFFI_AAPCS64_WIDE_STACK = 288,
  /// In the frame of an incoming call the stack words of the caller, above what a closure's entry saves.
  CFFI_AAPCS64_CALLER_STACK = 224,
  CFFI_AAPCS64_WIDE_CALLER_STACK = 320,
};

/// What a kernel of AAPCS64 puts on the stack.
///
/// The stack words of a frame are the arguments on the stack, and after them the composites passed by reference: the callee may change those, so
/// each call copies them anew.
typedef struct cffi_aapcs64_stack {
  /// The number of stack words.
  uint32_t words;
  /// The alignment of the first of them on the stack, a power of two, at least 16.
  uint32_t alignment;
  /// The number of entries.
  uint32_t count;
  /// For each composite the offset in the frame of the word that is its address, and where its copy begins, counted from the first stack word.
  struct {
    uint32_t word;
    uint32_t target;
  } addresses[];
} cffi_aapcs64_stack;

#if defined(__x86_64__)
// Assembly: C cannot say a call with any number of stack words, nor take st(0) beside rax and xmm0 from one call.

/// Loads the general registers.
void cffi_kernel_sysv_general(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// Loads the general and the vector registers.
void cffi_kernel_sysv_vector(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// Loads all registers and passes two stack words.
void cffi_kernel_sysv_stack_2(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// Loads all registers and passes four stack words.
void cffi_kernel_sysv_stack_4(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// Loads all registers and copies stack words.
void cffi_kernel_sysv_stack(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// As `stack`, and takes the result from st(0).
void cffi_kernel_sysv_x87(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// As `stack`, and takes the result from st(0) and st(1).
void cffi_kernel_sysv_complex_x87(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// As `stack`, with whole vector registers.
void cffi_kernel_sysv_wide(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// As `wide`, and takes the result from st(0).
void cffi_kernel_sysv_wide_x87(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// As `wide`, and takes the result from st(0) and st(1).
void cffi_kernel_sysv_wide_complex_x87(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
#endif

#if defined(__aarch64__) && defined(__ELF__)
// Assembly: C cannot say a call with any number of stack words, nor take x0, x1 and v0 to v3 from one call.

/// Loads the general registers.
void cffi_kernel_aapcs64_general(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// Loads the general and the vector registers.
void cffi_kernel_aapcs64_vector(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// Loads all registers and copies stack words; the context is a `cffi_aapcs64_stack`.
void cffi_kernel_aapcs64_stack(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
/// As `stack`, with whole vector registers.
void cffi_kernel_aapcs64_wide(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);
#endif

#endif
