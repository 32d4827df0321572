#ifndef CFFI_SANITIZER_H
#define CFFI_SANITIZER_H

#include <stddef.h>

// The locks of Swift's Synchronization module are made of atomics that the thread sanitizer does not see, so it takes guarded state for unguarded.
// These tell it. Without that sanitizer they do nothing.

/// Tells the thread sanitizer that this thread has taken the lock known by an address.
void cffi_lock_taken(const void *_Nonnull lock);

/// Tells the thread sanitizer that this thread is about to give the lock back.
void cffi_lock_given_back(const void *_Nonnull lock);

// Memory that was mapped, not allocated, is none the leak detection of the address sanitizer looks for pointers in. Without it this does nothing.

/// Tells the leak detection that what mapped memory points to is in use, for as long as the process lives.
void cffi_memory_has_roots(const void *_Nonnull memory, size_t size);

#endif
