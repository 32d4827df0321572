#ifndef CFFI_ERROR_H
#define CFFI_ERROR_H

#include <stddef.h>
#if defined(__linux__)
#include <features.h>
#endif

// C has no errors. The address of the memory for a thrown error is passed to a Swift method through a thread-local
// variable, like an additional argument. The caller sets it directly before the call, and the method reads and clears
// it first. No other code runs on the thread in between.

#if defined(__GLIBC__)
// The initial-exec model accesses the variable without a call. It also works in a library that is loaded at run time,
// since the C library reserves static TLS space that is sufficient for eight bytes.
#define CFFI_ERROR_PLACE_MODEL __attribute__((tls_model("initial-exec")))
#else
#define CFFI_ERROR_PLACE_MODEL
#endif

/// The address of the memory for a thrown error, for each thread.
extern _Thread_local CFFI_ERROR_PLACE_MODEL void *_Nullable cffi_error_place;

/// Sets the address of the memory for an error of the method that is called next, or NULL.
static inline void cffi_set_error_place(void *_Nullable place) { cffi_error_place = place; }

/// Returns the address that the caller set and resets it to NULL.
///
/// Returns NULL if the caller does not support errors.
static inline void *_Nullable cffi_take_error_place(void) {
  void *place = cffi_error_place;
  cffi_error_place = NULL;
  return place;
}

/// Returns an address that is unique among the running threads of the process.
static inline const void *_Nonnull cffi_thread_identity(void) { return &cffi_error_place; }

#endif
