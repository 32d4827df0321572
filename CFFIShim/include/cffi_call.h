#ifndef CFFI_CALL_H
#define CFFI_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The one place that finds libffi's header.
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

// Swift 6 refuses the globals ffi_type_* ("shared mutable state"), so each is reached through a getter.
// libffi writes to none of them: an address taken here may be used from any thread.

/// A scalar type of libffi, by the role it plays in a lowered call.
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

/// libffi's descriptor of a scalar type. Never NULL, never freed.
ffi_type *_Nonnull cffi_scalar_type(cffi_scalar scalar);

/// Makes `type` a struct descriptor with a layout stated by the caller.
///
/// libffi recomputes the layout of a struct whose size is zero and trusts any other, so the stated one survives `ffi_prep_cif`.
void cffi_make_aggregate(
    ffi_type *_Nonnull type, size_t size, uint16_t alignment, ffi_type *_Nullable *_Nonnull elements);

/// Prepares a call interface; `fixed` is the number of fixed arguments, or negative for a function that is not variadic.
/// Returns libffi's status: 0 for success.
int cffi_prepare(
    ffi_cif *_Nonnull cif, int fixed, uint32_t count, ffi_type *_Nonnull result,
    ffi_type *_Nullable *_Nullable arguments);

/// One register piece of a result: `size` bytes of the raw result at `source` belong at `offset` of the value.
typedef struct {
  uint16_t source;
  uint16_t offset;
  uint16_t size;
} cffi_result_piece;

/// What a libffi call needs to know of one signature, apart from the frame itself.
typedef struct {
  ffi_cif *_Nonnull cif;
  /// Frame offset of each lowered argument, `cif->nargs` of them.
  const uint32_t *_Nullable offsets;
  /// Where the raw register result goes; unused when `piece_count` is negative (libffi writes the frame itself).
  cffi_result_piece pieces[4];
  /// Pieces to copy; 0 for a result without bytes; -1 when libffi writes the result straight into the frame.
  int32_t piece_count;
} cffi_call_plan;

/// The kernel of the libffi backend; `plan` is a `cffi_call_plan`, and the result lies at the start of the frame.
///
/// This is C because the argument vector must live on the stack, rebuilt for each call: libffi 3.4.3 to 3.6 overwrite the vector's
/// entries with pointers into a frame that is dead when `ffi_call` returns. A register result is received in a
/// scratch buffer, since libffi writes a whole word for a narrower one.
void cffi_kernel_libffi(void *_Nonnull frame, const void *_Nonnull implementation, const void *_Nullable plan);

#endif
