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

/// Frees what the functions above made.
void cffi_free(void *_Nonnull memory);

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

/// Copies words of this thread's stack.
///
/// In C because what lies there may belong to another frame by now, and a sanitizer would report the reading.
void cffi_copy_stack_words(void *_Nonnull to, const void *_Nonnull from, size_t count);

/// Registers mapped memory as a root region of LeakSanitizer, which does not scan mapped memory by itself; what the
/// memory points to is then no leak.
///
/// Without the address sanitizer it does nothing.
void cffi_memory_has_roots(const void *_Nonnull memory, size_t size);

// Functions that the Swift runtime exports and declares in no public header.

extern const void *_Nullable swift_dynamicCastClass(const void *_Nonnull object, const void *_Nonnull metadata);

/// Whether an object is an instance of a class or of a subclass. Nothing is retained.
static inline _Bool cffi_is_instance(const void *_Nonnull object, const void *_Nonnull metadata) {
  return swift_dynamicCastClass(object, metadata) != (void *)0;
}

#if !defined(__APPLE__)

extern void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Retains a native Swift object unless its end has begun; returns whether it did.
///
/// Somebody must hold an unowned reference to the object, which keeps its memory.
static inline _Bool cffi_try_retain(const void *_Nonnull object) {
  return swift_tryRetain((void *)object) != (void *)0;
}

#endif

#endif
