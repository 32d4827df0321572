#ifndef CFFI_THREAD_H
#define CFFI_THREAD_H

#include <stdbool.h>

#if defined(__linux__)
#include <features.h>
#endif

// Thread-local variables, which Swift does not support. Each is the head of a list on the thread's stack. A third
// variable, the address of the memory for a method's error, is in cffi_error.h.

// The messages that a thread is forwarding, as a list from the innermost to the outermost.

/// Returns the innermost message that this thread is forwarding, or NULL.
void *_Nullable cffi_innermost_forwarding(void);

/// Sets the innermost message that this thread is forwarding, or NULL.
void cffi_set_innermost_forwarding(void *_Nullable forwarding);

/// Returns the number of objects that are asking each other for the types of a message on this thread.
unsigned cffi_signature_depth(void);

/// Sets the number of objects that are asking each other for the types of a message on this thread.
void cffi_set_signature_depth(unsigned depth);

// The events that a thread is sending, as a list from the innermost to the outermost.

#if defined(__GLIBC__)
// The initial-exec model accesses the variable without a call. It also works in a library that is loaded at run time,
// since the C library reserves static TLS space that is sufficient for eight bytes.
#define CFFI_PASS_PLACE_MODEL __attribute__((tls_model("initial-exec")))
#else
#define CFFI_PASS_PLACE_MODEL
#endif

/// The innermost event that a thread is sending, for each thread.
extern _Thread_local CFFI_PASS_PLACE_MODEL void *_Nullable cffi_innermost_pass_place;

/// Returns the innermost event that this thread is sending, or NULL.
static inline void *_Nullable cffi_innermost_pass(void) { return cffi_innermost_pass_place; }

/// Sets the innermost event that this thread is sending, or NULL.
static inline void cffi_set_innermost_pass(void *_Nullable pass) { cffi_innermost_pass_place = pass; }

/// Returns the outermost event within which this thread is starting asynchronous handlers, or NULL.
void *_Nullable cffi_starting_pass(void);

/// Sets the outermost event within which this thread is starting asynchronous handlers, or NULL.
void cffi_set_starting_pass(void *_Nullable pass);

/// Returns the address that identifies the executor of the actor on which this thread runs, or NULL without an actor.
const void *_Nullable cffi_current_executor(void);

/// Returns whether this thread is the first one of the process; false where that is not known.
bool cffi_is_main_thread(void);

/// Returns the address of the Swift task that is running on this thread, or NULL outside of tasks.
///
/// `withUnsafeCurrentTask` of Swift retains the task twice, and calls functions for each copy of it.
const void *_Nullable cffi_current_task(void);

#endif
