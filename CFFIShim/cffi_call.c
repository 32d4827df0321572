#include "cffi_call.h"
#include "cffi_kernel.h"

#include <errno.h>
#include <string.h>

#if CFFI_LIBFFI

// The only include of libffi's header. The SDK of macOS has it in a folder.
#if __has_include(<ffi.h>)
#include <ffi.h>
#elif __has_include(<ffi/ffi.h>)
#include <ffi/ffi.h>
#else
#error "libffi's header ffi.h was not found. Install it (Debian and Ubuntu 'apt-get install libffi-dev', Fedora 'dnf install libffi-devel', macOS 'xcode-select --install'), or build without it: depend on swift-invocation with 'traits: []'."
#endif

_Static_assert(sizeof(ffi_type) <= sizeof(cffi_type), "a cffi_type holds an ffi_type");
_Static_assert(sizeof(ffi_cif) <= sizeof(cffi_interface), "a cffi_interface holds an ffi_cif");

bool cffi_has_libffi(void) { return true; }

static ffi_type *scalar_type(cffi_scalar scalar) {
  switch (scalar) {
  case cffi_scalar_void: return &ffi_type_void;
  case cffi_scalar_uint8: return &ffi_type_uint8;
  case cffi_scalar_sint8: return &ffi_type_sint8;
  case cffi_scalar_uint16: return &ffi_type_uint16;
  case cffi_scalar_sint16: return &ffi_type_sint16;
  case cffi_scalar_uint32: return &ffi_type_uint32;
  case cffi_scalar_sint32: return &ffi_type_sint32;
  case cffi_scalar_uint64: return &ffi_type_uint64;
  case cffi_scalar_sint64: return &ffi_type_sint64;
  case cffi_scalar_float: return &ffi_type_float;
  case cffi_scalar_double: return &ffi_type_double;
  case cffi_scalar_long_double: return &ffi_type_longdouble;
  case cffi_scalar_pointer: return &ffi_type_pointer;
#ifdef FFI_TARGET_HAS_COMPLEX_TYPE
  case cffi_scalar_complex_float: return &ffi_type_complex_float;
  case cffi_scalar_complex_double: return &ffi_type_complex_double;
  case cffi_scalar_complex_long_double: return &ffi_type_complex_longdouble;
#else
  // Unreachable in practice: the lowering uses complex types only where they exist, and cffi_prepare rejects a NULL
  // type.
  case cffi_scalar_complex_float:
  case cffi_scalar_complex_double:
  case cffi_scalar_complex_long_double: break;
#endif
  }
  return &ffi_type_void;
}

cffi_type *cffi_scalar_type(cffi_scalar scalar) { return (cffi_type *)scalar_type(scalar); }

void cffi_make_aggregate(cffi_type *memory, size_t size, uint16_t alignment, cffi_type **elements) {
  ffi_type *type = (ffi_type *)memory;
  type->size = size;
  type->alignment = alignment;
  type->type = FFI_TYPE_STRUCT;
  type->elements = (ffi_type **)elements;
}

int cffi_prepare(cffi_interface *interface, int fixed, uint32_t count, cffi_type *result, cffi_type **arguments) {
  ffi_cif *cif = (ffi_cif *)interface;
  ffi_type *result_type = (ffi_type *)result, **types = (ffi_type **)arguments;
  if (fixed < 0) return ffi_prep_cif(cif, FFI_DEFAULT_ABI, count, result_type, types);
  return ffi_prep_cif_var(cif, FFI_DEFAULT_ABI, (unsigned)fixed, count, result_type, types);
}

void cffi_kernel_libffi(void *frame, const void *implementation, const void *context) {
  const cffi_call_plan *plan = context;
  ffi_cif *cif = (ffi_cif *)plan->interface;
  const unsigned count = cif->nargs;
  void *vector[count + 1];
  size_t copied = 0;
  for (unsigned index = 0; index < count; index += 1) {
    vector[index] = (char *)frame + plan->offsets[index];
    if (plan->copied) copied += ((size_t)plan->copied[index] + 15) & ~(size_t)15;
  }

  // The callee may change the copies.
  _Alignas(16) unsigned char copies[copied + 16];
  void *addresses[copied ? count : 1];
  for (unsigned index = 0; copied && index < count; index += 1) {
    const size_t size = plan->copied[index];
    if (!size) continue;
    copied -= (size + 15) & ~(size_t)15;
    addresses[index] = memcpy(copies + copied, vector[index], size);
    vector[index] = &addresses[index];
  }

  // Sufficient for any result that is returned in registers, and aligned for long double.
  _Alignas(16) unsigned char scratch[64];
  ffi_call(cif, (void (*)(void))implementation, plan->piece_count < 0 ? frame : scratch, vector);
  for (int32_t index = 0; index < plan->piece_count; index += 1) {
    const cffi_result_piece piece = plan->pieces[index];
    memcpy((char *)frame + piece.offset, scratch + piece.source, piece.size);
  }
}

#else

bool cffi_has_libffi(void) { return false; }

cffi_type *cffi_scalar_type(cffi_scalar scalar) { __builtin_trap(); }

void cffi_make_aggregate(cffi_type *type, size_t size, uint16_t alignment, cffi_type **elements) { __builtin_trap(); }

int cffi_prepare(cffi_interface *interface, int fixed, uint32_t count, cffi_type *result, cffi_type **arguments) { return -1; }

void cffi_kernel_libffi(void *frame, const void *implementation, const void *context) { __builtin_trap(); }

#endif

void cffi_call_capturing_errno(
    cffi_kernel kernel, void *frame, const void *implementation, const void *context, int *captured_errno) {
  errno = 0;
  kernel(frame, implementation, context);
  *captured_errno = errno;
}
