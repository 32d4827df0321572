#ifndef CFFI_CALL_H
#define CFFI_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Calls with libffi. Its header is included by cffi_call.c alone, and only with the trait LibFFI of the package.

/// Returns whether the package was built with libffi.
///
/// If not, the other functions of this header exist, and none can be called: `cffi_prepare` returns -1, and the others
/// trap.
bool cffi_has_libffi(void);

/// The memory of an `ffi_type`, which describes a type to libffi.
typedef struct {
  uint64_t words[3];
} cffi_type;

/// The memory of an `ffi_cif`, the prepared interface of a call.
typedef struct {
  uint64_t words[8];
} cffi_interface;

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
cffi_type *_Nonnull cffi_scalar_type(cffi_scalar scalar);

/// Initializes `type` as a struct descriptor with a layout that the caller specifies.
///
/// libffi computes the layout of a struct whose size is zero and does not change any other layout, so `ffi_prep_cif`
/// preserves the specified layout.
void cffi_make_aggregate(
    cffi_type *_Nonnull type, size_t size, uint16_t alignment, cffi_type *_Nullable *_Nonnull elements);

/// Prepares a call interface and returns libffi's status, which is 0 for success.
///
/// `fixed` is the number of fixed arguments, or negative for a function that is not variadic.
int cffi_prepare(
    cffi_interface *_Nonnull interface, int fixed, uint32_t count, cffi_type *_Nonnull result,
    cffi_type *_Nullable *_Nullable arguments);

/// A piece of a result in registers: `size` bytes at `source` of the raw result are copied to `offset` of the value.
typedef struct {
  uint16_t source;
  uint16_t offset;
  uint16_t size;
} cffi_result_piece;

/// The data that a libffi call requires for one signature, except the frame.
typedef struct {
  cffi_interface *_Nonnull interface;
  /// The frame offsets of the lowered arguments, one for each argument of the interface.
  const uint32_t *_Nullable offsets;
  /// For each argument the size of a value that is passed as the address of a copy aligned to 16 bytes, or 0; NULL if there is none.
  const uint32_t *_Nullable copied;
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
