#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// Returns the number of heap allocations of the calling thread so far, or always 0 where they cannot be counted.
///
/// An executable that links this library has its own malloc in front of the C library's, so every allocation is
/// counted.
uint64_t allocation_count(void);

#endif
