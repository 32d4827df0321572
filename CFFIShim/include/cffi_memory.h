#ifndef CFFI_MEMORY_H
#define CFFI_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// The engine imports no platform C library, so that it reads the same on each; these are the functions of it that it needs.

/// Copies a string that ends in a zero to memory of its own; NULL when there is none left.
char *_Nullable cffi_copy_string(const char *_Nonnull string);

/// Allocates memory filled with zeros; NULL when there is none left. `alignment` is a power of two, at least 16.
///
/// Swift's own allocation takes the slow, aligned way of the C library even for the alignment that malloc gives anyway.
void *_Nullable cffi_allocate_zeroed(size_t size, size_t alignment);

/// Copies `count` words of eight bytes one by one, both aligned for them.
///
/// A wider load of words that were just written would wait until they have reached the cache, so the compiler must not join them.
static inline void cffi_copy_words(void *_Nonnull destination, const void *_Nonnull source, size_t count) {
  uint64_t *to = (uint64_t *)destination;
  const uint64_t *from = (const uint64_t *)source;
  for (size_t index = 0; index < count; index += 1) {
    uint64_t word = from[index];
    __asm__ volatile("" : "+r"(word));
    to[index] = word;
  }
}

/// Frees what the functions above made.
void cffi_free(void *_Nonnull memory);

#endif
