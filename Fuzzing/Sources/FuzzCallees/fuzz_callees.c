#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "FuzzCallees.h"

#include <stdio.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

uint64_t fuzz_nothing(void) { return 0; }

int8_t fuzz_same_c(int8_t value) { return value; }
uint16_t fuzz_same_S(uint16_t value) { return value; }
int32_t fuzz_same_i(int32_t value) { return value; }
int64_t fuzz_same_q(int64_t value) { return value; }
uint64_t fuzz_same_Q(uint64_t value) { return value; }
float fuzz_same_f(float value) { return value; }
double fuzz_same_d(double value) { return value; }
bool fuzz_same_B(bool value) { return value; }
const char *fuzz_same_text(const char *value) { return value; }

int fuzz_memory_file(void) {
#ifdef __linux__
  return memfd_create("fuzz", 0);
#else
  FILE *file = tmpfile();
  return file ? fileno(file) : -1;
#endif
}
