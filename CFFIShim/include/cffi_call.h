#ifndef CFFI_CALL_H
#define CFFI_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The only include of libffi's header.
#if defined(__has_include)
#if __has_include(<ffi.h>)
#include <ffi.h>
#elif __has_include(<ffi/ffi.h>)
#include <ffi/ffi.h>
#else
#error "libffi's header ffi.h was not found. Install it: Debian and Ubuntu 'apt-get install libffi-dev', Fedora 'dnf install libffi-devel', Homebrew 'brew install libffi'."
#endif
#else
#include <ffi.h>
#endif

// Swift 6 rejects access to the globals ffi_type_* ("shared mutable state"), so each has a getter. libffi does not
// write to them, so their addresses may be used from any thread.

/// A scalar type of libffi in a lowered call.
typedef enum __attribute__((enum_extensibility(closed))) : uint8_t {
  cffi_scalar_void __attribute__((swift_name("void"))) = 0,
  cffi_scalar_uint8 __attribute__((swift_name("uint8"))) = 1,
  cffi_scalar_sint8 __attribute__((swift_name("sint8"))) = 2,
  cffi_scalar_uint16 __attribute__((swift_name("uint16"))) = 3,
  cffi_scalar_sint16 __attribute__((swift_name("sint16"))) = 4,
  cffi_scalar_uint32 __attribute__((swift_name("uint32"))) = 5,
  cffi_scalar_sint32 __attribute__((swift_name("sint32"))) = 6,
  cffi_scalar_uint64 __attribute__((swift_name("uint64"))) = 7,
  cffi_scalar_sint64 __attribute__((swift_name("sint64"))) = 8,
  cffi_scalar_float __attribute__((swift_name("float"))) = 9,
  cffi_scalar_double __attribute__((swift_name("double"))) = 10,
  cffi_scalar_long_double __attribute__((swift_name("longDouble"))) = 11,
  cffi_scalar_pointer __attribute__((swift_name("pointer"))) = 12,
  cffi_scalar_complex_float __attribute__((swift_name("complexFloat"))) = 13,
  cffi_scalar_complex_double __attribute__((swift_name("complexDouble"))) = 14,
  cffi_scalar_complex_long_double __attribute__((swift_name("complexLongDouble"))) = 15,
} cffi_scalar;

/// Returns libffi's descriptor of a scalar type, which is never deallocated.
ffi_type *_Nonnull cffi_scalar_type(cffi_scalar scalar);

/// Initializes `type` as a struct descriptor with a layout that the caller specifies.
///
/// libffi computes the layout of a struct whose size is zero and does not change any other layout, so `ffi_prep_cif`
/// preserves the specified layout.
void cffi_make_aggregate(
    ffi_type *_Nonnull type, size_t size, uint16_t alignment, ffi_type *_Nullable *_Nonnull elements);

/// Prepares a call interface and returns libffi's status, which is 0 for success.
///
/// `fixed` is the number of fixed arguments, or negative for a function that is not variadic.
int cffi_prepare(
    ffi_cif *_Nonnull cif, int fixed, uint32_t count, ffi_type *_Nonnull result,
    ffi_type *_Nullable *_Nullable arguments);

/// A piece of a result in registers: `size` bytes at `source` of the raw result are copied to `offset` of the value.
typedef struct {
  uint16_t source;
  uint16_t offset;
  uint16_t size;
} cffi_result_piece;

/// The data that a libffi call requires for one signature, except the frame.
typedef struct {
  ffi_cif *_Nonnull cif;
  /// The frame offsets of the lowered arguments, `cif->nargs` entries.
  const uint32_t *_Nullable offsets;
  /// The pieces of the raw result in registers; unused if `piece_count` is negative.
  cffi_result_piece pieces[4];
  /// The number of pieces to copy: 0 for a result without bytes, -1 if libffi writes the result directly to the frame.
  int32_t piece_count;
} cffi_call_plan;

/// The kernel of the libffi backend.
///
/// `plan` is a `cffi_call_plan`, and the result is stored at the start of the frame.
///
/// This function is written in C because the argument vector must be on the stack and rebuilt for each call: libffi
/// 3.4.3 to 3.6 overwrite entries of the vector with pointers to a stack frame that is invalid after `ffi_call`
/// returns. A result in registers is received in a scratch buffer, since libffi writes a whole word for a narrower
/// result.
void cffi_kernel_libffi(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable plan);

#endif
