#include "cffi_memory.h"

#include <stdlib.h>
#include <string.h>

char *cffi_copy_string(const char *string) { return strdup(string); }

void *cffi_allocate_zeroed(size_t size, size_t alignment) {
  // What malloc and calloc align to on the 64-bit platforms.
  if (alignment <= 16) return calloc(1, size);
  void *memory;
  if (posix_memalign(&memory, alignment, size) != 0) return NULL;
  return memset(memory, 0, size);
}

void cffi_free(void *memory) { free(memory); }
