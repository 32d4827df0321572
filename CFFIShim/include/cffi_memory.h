#ifndef CFFI_MEMORY_H
#define CFFI_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// The engine does not import the C library of the platform, so that its source code is the same on every platform.
// These are the functions of the C library that it needs.

/// Copies a null-terminated string to newly allocated memory.
///
/// Returns NULL if no memory is available.
char *_Nullable cffi_copy_string(const char *_Nonnull string);

/// Returns the number of bytes of a C string, without the zero at its end.
size_t cffi_string_length(const char *_Nonnull string);

/// Allocates zeroed memory.
///
/// Returns NULL if no memory is available. `alignment` is a power of two, at least 16. Swift's own allocation uses the
/// slow, aligned path of the C library even for the alignment that malloc guarantees.
void *_Nullable cffi_allocate_zeroed(size_t size, size_t alignment);

/// Returns the size in bytes of memory that was allocated by the functions above, as the allocator knows it: at least
/// what was requested.
size_t cffi_allocated_size(const void *_Nonnull memory);

/// Deallocates memory that was allocated by the functions above.
void cffi_free(void *_Nonnull memory);

/// Copies `count` words of eight bytes one by one.
///
/// Both addresses must be aligned to eight bytes. A wider load of words that were just written would wait until the
/// stores have reached the cache, so the compiler must not combine the loads.
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
/// This function is in C because the memory may belong to another stack frame by now, and AddressSanitizer would report
/// the load in Swift.
void cffi_copy_stack_words(void *_Nonnull to, const void *_Nonnull from, size_t count);

/// Returns the address of the stack frame of the caller, or of a function that it calls.
///
/// Of two functions that run, the inner one has the lower address. The addresses of their variables do not tell this:
/// AddressSanitizer keeps variables on the heap, to detect uses of variables of functions that have returned.
static inline uintptr_t cffi_frame_address(void) { return (uintptr_t)__builtin_frame_address(0); }

/// Registers mapped memory as a root region of LeakSanitizer, which does not scan mapped memory otherwise, so that
/// memory referenced from it is not reported as a leak.
///
/// Does nothing without AddressSanitizer.
void cffi_memory_has_roots(const void *_Nonnull memory, size_t size);

// Functions that the Swift runtime exports but does not declare in a public header.

extern const void *_Nullable swift_dynamicCastClass(const void *_Nonnull object, const void *_Nonnull metadata);

/// Returns whether an object is an instance of a class or of a subclass, without retaining it.
static inline _Bool cffi_is_instance(const void *_Nonnull object, const void *_Nonnull metadata) {
  return swift_dynamicCastClass(object, metadata) != (void *)0;
}

#if !defined(__APPLE__)

extern void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Retains a native Swift object unless its deinitialization has begun.
///
/// Returns whether it was retained. There must be an unowned reference to the object, which keeps its memory allocated.
static inline _Bool cffi_try_retain(const void *_Nonnull object) {
  return swift_tryRetain((void *)object) != (void *)0;
}

#endif

#endif
