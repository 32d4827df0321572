#include "workloads.h"

#include <stdatomic.h>
#include <time.h>

double workload_cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static _Atomic uint64_t allocations;

uint64_t workload_allocations(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }

#if defined(__GLIBC__)
#include <errno.h>

// The executable's own malloc comes before the C library's, so every allocation of the process passes here and is counted.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void count_one(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_one();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count_one();
  void *block = __libc_memalign(alignment, size);
  if (!block) return ENOMEM;
  *memory = block;
  return 0;
}
#endif
