#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// Heap allocations so far of the calling thread; always 0 where they cannot be counted.
///
/// An executable that links this has a malloc of its own in front of the C library's, so every allocation is seen.
uint64_t allocation_count(void);

#endif
