#ifndef CFFI_MEMORY_H
#define CFFI_MEMORY_H

#include <stddef.h>

// The engine imports no platform C library, so that it reads the same on each; these are the functions of it that it needs.

/// Copies a string that ends in a zero to memory of its own; NULL when there is none left.
char *_Nullable cffi_copy_string(const char *_Nonnull string);

/// Allocates memory filled with zeros; NULL when there is none left. `alignment` is a power of two, at least 16.
///
/// Swift's own allocation takes the slow, aligned way of the C library even for the alignment that malloc gives anyway.
void *_Nullable cffi_allocate_zeroed(size_t size, size_t alignment);

/// Frees what the functions above made.
void cffi_free(void *_Nonnull memory);

#endif
