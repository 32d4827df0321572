#ifndef CFFI_KERNEL_H
#define CFFI_KERNEL_H

#include "cffi_frame.h"

/// Calls `implementation` with the arguments in `frame`, and leaves the result there.
///
/// A kernel reads no types: the plan has laid out the frame for it, as cffi_frame.h says. `context` is what the plan gives the kernel: on x86-64 the number of stack
/// words in the low half and the alignment of the stack in the high half, on AArch64 a `cffi_aapcs64_stack`, for libffi its prepared call.
typedef void (*cffi_kernel)(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);

/// Runs a kernel with errno cleared before the call and read at once after it.
void cffi_call_capturing_errno(
    cffi_kernel _Nonnull kernel, void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context,
    int *_Nonnull captured_errno);

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
