#include "callgrind_requests.h"

#include <stdint.h>

// Valgrind numbers the requests of a tool starting from the two letters of its name, in the order of callgrind.h.
enum {
  first_request = 'C' << 24 | 'T' << 16,
  request_zero_stats = first_request + 1,
  request_dump_stats_at = first_request + 3,
  request_start_instrumentation = first_request + 4,
  request_stop_instrumentation = first_request + 5,
};

// Executes the sequence that valgrind.h specifies for each processor: four rotations of a register by 128 bits in
// total, which change nothing, followed by an unusual no-op. One register points to the request and its arguments,
// another receives the result.
static void tell(uintptr_t request, uintptr_t argument) {
  volatile uintptr_t words[6] = {request, argument};
#if defined(__linux__) && defined(__x86_64__)
  uintptr_t answer = 0;
  __asm__ volatile(
      "rolq $3, %%rdi\n\t"
      "rolq $13, %%rdi\n\t"
      "rolq $61, %%rdi\n\t"
      "rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(answer)
      : "a"(words)
      : "cc", "memory");
#elif defined(__linux__) && defined(__aarch64__)
  register uintptr_t answer __asm__("x3") = 0;
  register volatile uintptr_t *place __asm__("x4") = words;
  __asm__ volatile(
      "ror x12, x12, #3\n\t"
      "ror x12, x12, #13\n\t"
      "ror x12, x12, #51\n\t"
      "ror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      : "+r"(answer)
      : "r"(place)
      : "cc", "memory");
#else
  (void)words;
#endif
}

void callgrind_start_counting(void) { tell(request_start_instrumentation, 0); }

void callgrind_stop_counting(void) { tell(request_stop_instrumentation, 0); }

void callgrind_forget_counts(void) { tell(request_zero_stats, 0); }

void callgrind_write_counts(const char *name) { tell(request_dump_stats_at, (uintptr_t)name); }

const char *callgrind_requests_compiler(void) { return __VERSION__; }
