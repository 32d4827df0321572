#ifndef CFFI_FORWARDING_H
#define CFFI_FORWARDING_H

#include <stddef.h>

// The messages that a thread is just forwarding, one within the other, lie in a list on its stack. Swift has no variables of a thread, so the head of
// the list is kept here.

/// Returns the innermost message that this thread is forwarding, or NULL.
void *_Nullable cffi_innermost_forwarding(void);

/// Sets the innermost message that this thread is forwarding; NULL for none.
void cffi_set_innermost_forwarding(void *_Nullable forwarding);

/// Copies words of this thread's stack.
///
/// In C because what lies there may belong to another frame by now, and a sanitizer would report the reading.
void cffi_copy_stack_words(void *_Nonnull to, const void *_Nonnull from, size_t count);

#endif
