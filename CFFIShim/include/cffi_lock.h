#ifndef CFFI_LOCK_H
#define CFFI_LOCK_H

#include <stdint.h>

// Locks of the C library. Those of Swift's Synchronization module know their owner by the number of its thread, which is another in the child of a
// fork: there they can neither be given back nor waited for. The thread sanitizer does not see them, either.

/// A lock; it does not move. The bytes are those of a pthread_mutex_t.
typedef struct {
  uint64_t storage[8];
} cffi_lock;

/// Makes a lock that nobody has.
void cffi_lock_make(cffi_lock *_Nonnull lock);

/// Ends a lock that nobody has.
void cffi_lock_end(cffi_lock *_Nonnull lock);

/// Takes a lock, waiting for it; the thread must not have it already.
void cffi_lock_take(cffi_lock *_Nonnull lock);

/// Gives a lock back.
void cffi_lock_give_back(cffi_lock *_Nonnull lock);

/// Has every fork from now on take the lock first, and give it back in both processes.
///
/// What the lock guards is then whole in the child, and the lock free. The lock must never end.
///
/// - Parameter order: Locks of a lower number are taken first. A thread that has one lock may take another only of a higher number.
void cffi_lock_take_at_fork(cffi_lock *_Nonnull lock, int order);

#endif
