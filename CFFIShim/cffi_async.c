#include "cffi_async.h"

#include <stddef.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__ELF__)

extern const int cffi_async_entry_pointer[2];

const void *cffi_async_entry(void) { return cffi_async_entry_pointer; }

#else

const void *cffi_async_entry(void) { return NULL; }

#endif
