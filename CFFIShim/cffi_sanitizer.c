#include "cffi_sanitizer.h"

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
