#ifndef CFFI_LOCK_H
#define CFFI_LOCK_H

#include <stdint.h>

// Locks of the C library. A Mutex of Swift's Synchronization module stores the thread ID of its owner. That ID is
// different in the child process after fork, so the Mutex can be neither unlocked nor waited for there. Also,
// ThreadSanitizer does not recognize it.

/// A lock, which must not be moved.
///
/// It contains a pthread_mutex_t.
typedef struct {
  uint64_t storage[8];
} cffi_lock;

/// Initializes a lock, which is unlocked.
void cffi_lock_make(cffi_lock *_Nonnull lock);

/// Destroys a lock, which must be unlocked.
void cffi_lock_end(cffi_lock *_Nonnull lock);

/// Acquires a lock, and waits until it is available.
///
/// The thread must not hold it already.
void cffi_lock_take(cffi_lock *_Nonnull lock);

/// Releases a lock.
void cffi_lock_give_back(cffi_lock *_Nonnull lock);

/// Makes every later fork acquire the lock first, and release it in both processes.
///
/// The data that the lock protects is then consistent in the child process, and the lock is unlocked. The lock must
/// never be destroyed.
///
/// - Parameter order: Locks with a lower number are acquired first. A thread that holds a lock may acquire only a lock
///   with a higher number.
void cffi_lock_take_at_fork(cffi_lock *_Nonnull lock, int order);

#endif
