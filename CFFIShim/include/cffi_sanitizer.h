#ifndef CFFI_SANITIZER_H
#define CFFI_SANITIZER_H

#include <stddef.h>

// Memory that was mapped, not allocated, is none the leak detection of the address sanitizer looks for pointers in. Without it this does nothing.

/// Tells the leak detection that what mapped memory points to is in use, for as long as the process lives.
void cffi_memory_has_roots(const void *_Nonnull memory, size_t size);

#endif
