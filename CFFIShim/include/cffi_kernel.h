#ifndef CFFI_KERNEL_H
#define CFFI_KERNEL_H

#include "cffi_frame.h"

#if defined(_WIN32)
#error "Windows is not supported: its calling convention has no kernels"
#endif

#if defined(__has_feature)
#if __has_feature(ptrauth_calls)
#error "arm64e is not supported: the kernels call unsigned addresses; build for arm64"
#endif
#endif

/// Calls `implementation` with the arguments in `frame`, and stores the result in `frame`.
///
/// A kernel does not read types: the plan determines the layout of the frame, with the offsets in cffi_frame.h.
/// `context` is specific to the kernel: on x86-64 the number of stack words in the low half and the alignment of the
/// stack in the high half, on AArch64 a `cffi_aapcs64_stack`, for libffi a `cffi_call_plan`.
typedef void (*cffi_kernel)(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);

/// Executes a kernel with errno cleared directly before the call and read directly after it.
void cffi_call_capturing_errno(
    cffi_kernel _Nonnull kernel, void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context,
    int *_Nonnull captured_errno);

// The native kernels: the name of each kernel, and the name of the closure entry for the same frame layout. The code is
// in assembly, in cffi_kernel_*.S, because C can neither pass an arbitrary number of stack words nor read all result
// registers. The table of the convention in Swift specifies the calls and the frame layout of each kernel. The packed
// kernels, for Apple's variant of AAPCS64, are in C: they copy narrow arguments to their stack words and call a kernel.

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
  each(aapcs64_wide, aapcs64_wide) \
  each(aapcs64_packed_stack, aapcs64_vector) \
  each(aapcs64_packed_wide, aapcs64_wide)

// The kernels of the Swift convention, whose context is the number of stack words. No closure has their frame layout.

#define CFFI_SWIFT_SYSV_KERNELS(each) \
  each(swift_sysv_general, none) \
  each(swift_sysv_vector, none) \
  each(swift_sysv_wide, none)

#define CFFI_SWIFT_AAPCS64_KERNELS(each) \
  each(swift_aapcs64_general, none) \
  each(swift_aapcs64_vector, none) \
  each(swift_aapcs64_wide, none)

#define CFFI_DECLARE_KERNEL(name, entry) \
  void cffi_kernel_##name(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context);

// A table also contains the kernels of other processors. On this processor such a kernel is a function that traps.
#define CFFI_DECLARE_TRAP(name, entry) \
  static inline void cffi_kernel_##name(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable context) { \
    __builtin_trap(); \
  }

#if defined(__x86_64__)
CFFI_SYSV_KERNELS(CFFI_DECLARE_KERNEL)
#else
CFFI_SYSV_KERNELS(CFFI_DECLARE_TRAP)
#endif

#if defined(__aarch64__)
CFFI_AAPCS64_KERNELS(CFFI_DECLARE_KERNEL)
#else
CFFI_AAPCS64_KERNELS(CFFI_DECLARE_TRAP)
#endif

#if defined(__x86_64__) && defined(__ELF__)
CFFI_SWIFT_SYSV_KERNELS(CFFI_DECLARE_KERNEL)
#else
CFFI_SWIFT_SYSV_KERNELS(CFFI_DECLARE_TRAP)
#endif

#if defined(__aarch64__) && defined(__ELF__)
CFFI_SWIFT_AAPCS64_KERNELS(CFFI_DECLARE_KERNEL)
#else
CFFI_SWIFT_AAPCS64_KERNELS(CFFI_DECLARE_TRAP)
#endif

/// Calls a Swift method whose arguments are words: up to four in the first general registers, then self and the code.
///
/// It is called in the Swift convention, and passes on the result and the error.
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__ELF__)
void cffi_swift_method_entry(void);
#else
static inline void cffi_swift_method_entry(void) { __builtin_trap(); }
#endif

/// The code of a function value of the Swift convention, whose context is an object of Swift.
///
/// The first field of the object is the function that is called with a frame and the object. The frame is a wide
/// register image, in which CFFI_SWIFT_ERROR is the register for errors. The stack words of the caller begin 16 bytes
/// after the end of the image. The function stores the result in the frame, or the error.
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__ELF__)
void cffi_swift_closure_entry(void);
#else
static inline void cffi_swift_closure_entry(void) { __builtin_trap(); }
#endif

#undef CFFI_DECLARE_KERNEL
#undef CFFI_DECLARE_TRAP

#endif
