#include "cffi_memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

char *cffi_copy_string(const char *string) { return strdup(string); }

size_t cffi_string_length(const char *string) { return strlen(string); }

void *cffi_allocate_zeroed(size_t size, size_t alignment) {
  // The alignment that malloc and calloc guarantee on 64-bit platforms.
  if (alignment <= 16) return calloc(1, size);
  void *memory;
  if (posix_memalign(&memory, alignment, size) != 0) return NULL;
  return memset(memory, 0, size);
}

size_t cffi_allocated_size(const void *memory) {
#if defined(__APPLE__)
  return malloc_size(memory);
#else
  return malloc_usable_size((void *)memory);
#endif
}

void cffi_free(void *memory) { free(memory); }

#if defined(__clang__) || defined(__GNUC__)
__attribute__((no_sanitize("address")))
#endif
void cffi_copy_stack_words(void *to, const void *from, size_t count) {
  // Volatile, so that the compiler does not replace the loop by memcpy, which a sanitizer intercepts.
  const volatile uintptr_t *source = from;
  volatile uintptr_t *target = to;
  for (size_t index = 0; index < count; index += 1) target[index] = source[index];
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CFFI_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(CFFI_ADDRESS_SANITIZER)
extern void __lsan_register_root_region(const void *memory, size_t size);

void cffi_memory_has_roots(const void *memory, size_t size) { __lsan_register_root_region(memory, size); }
#else
void cffi_memory_has_roots(const void *memory, size_t size) { (void)memory, (void)size; }
#endif
