#ifndef FUZZ_CALLEES_H
#define FUZZ_CALLEES_H

#include <stdbool.h>
#include <stdint.h>

// The functions that lines of a batch may call. Each except for the first returns its argument, which the answer must
// then show.

/// Returns zero. Accepts any arguments, since it does not read them.
uint64_t fuzz_nothing(void);

int8_t fuzz_same_c(int8_t value);
uint16_t fuzz_same_S(uint16_t value);
int32_t fuzz_same_i(int32_t value);
int64_t fuzz_same_q(int64_t value);
uint64_t fuzz_same_Q(uint64_t value);
float fuzz_same_f(float value);
double fuzz_same_d(double value);
bool fuzz_same_B(bool value);
const char *fuzz_same_text(const char *value);

/// Creates a file in memory. Returns its descriptor, or -1.
int fuzz_memory_file(void);

#endif
