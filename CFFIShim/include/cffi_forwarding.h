#ifndef CFFI_FORWARDING_H
#define CFFI_FORWARDING_H

// The messages that a thread is just forwarding, one within the other, lie in a list on its stack. Swift has no variables of a thread, so the head of
// the list is kept here.

/// Returns the innermost message that this thread is forwarding, or NULL.
void *_Nullable cffi_innermost_forwarding(void);

/// Sets the innermost message that this thread is forwarding; NULL for none.
void cffi_set_innermost_forwarding(void *_Nullable forwarding);

#endif
