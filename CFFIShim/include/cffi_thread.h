#ifndef CFFI_THREAD_H
#define CFFI_THREAD_H

#if defined(__linux__)
#include <features.h>
#endif

// Variables of a thread, which Swift does not have. Each is the head of a list on the thread's stack. The place of a
// method's error is a third one, in cffi_error.h.

// The messages that a thread is forwarding, one within the other.

/// Returns the innermost message that this thread is forwarding, or NULL.
void *_Nullable cffi_innermost_forwarding(void);

/// Sets the innermost message that this thread is forwarding; NULL for none.
void cffi_set_innermost_forwarding(void *_Nullable forwarding);

// The events that a thread is sending, one within the other.

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
