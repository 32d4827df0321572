#include "cffi_sanitizer.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CFFI_THREAD_SANITIZER 1
#endif
#if __has_feature(address_sanitizer)
#define CFFI_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(CFFI_THREAD_SANITIZER)
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

void cffi_lock_taken(const void *lock) { __tsan_acquire((void *)lock); }
void cffi_lock_given_back(const void *lock) { __tsan_release((void *)lock); }
#else
void cffi_lock_taken(const void *lock) { (void)lock; }
void cffi_lock_given_back(const void *lock) { (void)lock; }
#endif

#if defined(CFFI_ADDRESS_SANITIZER)
extern void __lsan_register_root_region(const void *memory, size_t size);

void cffi_memory_has_roots(const void *memory, size_t size) { __lsan_register_root_region(memory, size); }
#else
void cffi_memory_has_roots(const void *memory, size_t size) { (void)memory, (void)size; }
#endif
