#ifndef CFFI_PASS_H
#define CFFI_PASS_H

#if defined(__linux__)
#include <features.h>
#endif

// The events that a thread is just sending, one within the other, lie in a list on its stack. Swift has no variables of a thread, so the head of the
// list is kept here.

#if defined(__GLIBC__)
// A variable found without a call, also from a library that is loaded later: eight bytes, for which the C library has room.
#define CFFI_PASS_PLACE_MODEL __attribute__((tls_model("initial-exec")))
#else
#define CFFI_PASS_PLACE_MODEL
#endif

/// The innermost event, of each thread.
extern _Thread_local CFFI_PASS_PLACE_MODEL void *_Nullable cffi_innermost_pass_place;

/// Returns the innermost event that this thread is sending, or NULL.
static inline void *_Nullable cffi_innermost_pass(void) { return cffi_innermost_pass_place; }

/// Sets the innermost event that this thread is sending; NULL for none.
static inline void cffi_set_innermost_pass(void *_Nullable pass) { cffi_innermost_pass_place = pass; }

#endif
