#ifndef LIBFFI_SHIM_H
#define LIBFFI_SHIM_H

#include <ffi.h>

/// The functions of the installed libffi that have the names of functions here.
ffi_status shim_prep_cif(ffi_cif *cif, ffi_abi abi, unsigned nargs, ffi_type *rtype, ffi_type **atypes);
ffi_status shim_prep_cif_var(ffi_cif *cif, ffi_abi abi, unsigned nfixedargs, unsigned ntotalargs, ffi_type *rtype, ffi_type **atypes);
void shim_call(ffi_cif *cif, void (*function)(void), void *result, void **arguments);

/// Returns the code of a function that jumps to an address that is set later, or NULL.
///
/// libffi states the address of a closure's code before it knows what the closure calls.
void *shim_make_jump(void);

/// Sets the address that such a function jumps to.
void shim_set_jump(void *code, const void *target);

/// Frees such a function.
void shim_free_jump(void *code);

/// Calls the function of a closure.
static inline void shim_run(
    void (*function)(ffi_cif *, void *, void **, void *), ffi_cif *cif, void *result, void **arguments, void *user_data) {
  function(cif, result, arguments, user_data);
}

#endif
