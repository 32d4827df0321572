#ifndef CFFI_ERROR_H
#define CFFI_ERROR_H

#include <stddef.h>
#if defined(__linux__)
#include <features.h>
#endif

// C has no errors. A method of Swift that can throw is told the place for its error by a variable of the thread, as if that were an argument: the
// caller sets it right before the call, the method takes it first of all. In between nobody else runs on the thread.

#if defined(__GLIBC__)
// A variable found without a call, also from a library that is loaded later: eight bytes, for which the C library has room.
#define CFFI_ERROR_PLACE_MODEL __attribute__((tls_model("initial-exec")))
#else
#define CFFI_ERROR_PLACE_MODEL
#endif

/// The place, of each thread.
extern _Thread_local CFFI_ERROR_PLACE_MODEL void *_Nullable cffi_error_place;

/// Sets the place for the error of the method that is called next; NULL for none.
static inline void cffi_set_error_place(void *_Nullable place) { cffi_error_place = place; }

/// Returns the place that the caller has set, and leaves none; NULL when the caller does not know of errors.
static inline void *_Nullable cffi_take_error_place(void) {
  void *place = cffi_error_place;
  cffi_error_place = NULL;
  return place;
}

/// Returns an address that no other thread of the process has at the same time.
static inline const void *_Nonnull cffi_thread_identity(void) { return &cffi_error_place; }

#endif
