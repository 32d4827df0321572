#include "cffi_forwarding.h"

#include <stddef.h>
#include <stdint.h>

static _Thread_local void *innermost_forwarding = NULL;

void *cffi_innermost_forwarding(void) { return innermost_forwarding; }

void cffi_set_innermost_forwarding(void *forwarding) { innermost_forwarding = forwarding; }

#if defined(__clang__) || defined(__GNUC__)
__attribute__((no_sanitize("address")))
#endif
void cffi_copy_stack_words(void *to, const void *from, size_t count) {
  // Volatile, so that it becomes no call of memcpy, which a sanitizer watches too.
  const volatile uintptr_t *source = from;
  volatile uintptr_t *target = to;
  for (size_t index = 0; index < count; index += 1) target[index] = source[index];
}
