#ifndef CFFI_KERNEL_H
#define CFFI_KERNEL_H

#include "cffi_frame.h"

/// Calls `implementation` with the arguments in `frame`, and leaves the result there.
///
/// A kernel reads no types: the plan has laid out the frame for it, as cffi_frame.h says. `context` is what the plan
/// gives the kernel: on x86-64 the number of stack words in the low half and the alignment of the stack in the high
/// half, on AArch64 a `cffi_aapcs64_stack`, for libffi its prepared call.
typedef void (*cffi_kernel)(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);

/// Runs a kernel with errno cleared before the call and read at once after it.
void cffi_call_capturing_errno(
    cffi_kernel _Nonnull kernel, void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context,
    int *_Nonnull captured_errno);

// The native kernels: the name of each, and the name of the closure entry that fills the frame which it reads. The
// code is assembly, in cffi_kernel_*.S: C can neither pass any number of stack words nor read all result registers.
// What a kernel is chosen for, and how its frame is laid out, is in the table of its convention in Swift.

#define CFFI_SYSV_KERNELS(each) \
  each(sysv_general, sysv_general) \
  each(sysv_vector, sysv_vector) \
  each(sysv_stack_2, sysv_vector) \
  each(sysv_stack_4, sysv_vector) \
  each(sysv_stack, sysv_vector) \
  each(sysv_x87, sysv_x87) \
  each(sysv_complex_x87, sysv_complex_x87) \
  each(sysv_wide, sysv_wide) \
  each(sysv_wide_x87, sysv_wide_x87) \
  each(sysv_wide_complex_x87, sysv_wide_complex_x87)

#define CFFI_AAPCS64_KERNELS(each) \
  each(aapcs64_general, aapcs64_general) \
  each(aapcs64_vector, aapcs64_vector) \
  each(aapcs64_stack, aapcs64_vector) \
  each(aapcs64_wide, aapcs64_wide)

#define CFFI_DECLARE_KERNEL(name, entry) \
  void cffi_kernel_##name(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);

// A table names the kernels of other processors too; there each is a function that traps.
#define CFFI_DECLARE_TRAP(name, entry) \
  static inline void cffi_kernel_##name(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context) { \
    __builtin_trap(); \
  }

#if defined(__x86_64__)
CFFI_SYSV_KERNELS(CFFI_DECLARE_KERNEL)
#else
CFFI_SYSV_KERNELS(CFFI_DECLARE_TRAP)
#endif

#if defined(__aarch64__) && defined(__ELF__)
CFFI_AAPCS64_KERNELS(CFFI_DECLARE_KERNEL)
#else
CFFI_AAPCS64_KERNELS(CFFI_DECLARE_TRAP)
#endif

#undef CFFI_DECLARE_KERNEL
#undef CFFI_DECLARE_TRAP

#endif
