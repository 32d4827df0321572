#include "workloads.h"

// A function for each number of arguments.
#define PARAMETERS_1(name) int64_t name
#define PARAMETERS_2(name) PARAMETERS_1(name##a), PARAMETERS_1(name##b)
#define PARAMETERS_4(name) PARAMETERS_2(name##a), PARAMETERS_2(name##b)
#define PARAMETERS_8(name) PARAMETERS_4(name##a), PARAMETERS_4(name##b)
#define PARAMETERS_16(name) PARAMETERS_8(name##a), PARAMETERS_8(name##b)
#define PARAMETERS_32(name) PARAMETERS_16(name##a), PARAMETERS_16(name##b)
#define SUM_1(name) name
#define SUM_2(name) SUM_1(name##a) + SUM_1(name##b)
#define SUM_4(name) SUM_2(name##a) + SUM_2(name##b)
#define SUM_8(name) SUM_4(name##a) + SUM_4(name##b)
#define SUM_16(name) SUM_8(name##a) + SUM_8(name##b)
#define SUM_32(name) SUM_16(name##a) + SUM_16(name##b)
#define SUM_FUNCTION(count) \
  static int64_t sum_##count(PARAMETERS_##count(v)) { return SUM_##count(v); }

static int64_t sum_0(void) { return 0; }
#define COUNTS(each) each(1) each(2) each(4) each(8) each(16) each(32)
COUNTS(SUM_FUNCTION)

#define SUM_CASE(count) \
  case count: return (const void *)sum_##count;

const void *workload_sum_callee(size_t arguments) {
  switch (arguments) {
    SUM_CASE(0)
    COUNTS(SUM_CASE)
  default: return 0;
  }
}

// A function for each size of a struct.
#define BLOCK_FUNCTION(size) \
  typedef struct { \
    int64_t words[size / 8]; \
  } block_##size; \
  static int64_t take_##size(block_##size block) { return block.words[0] + block.words[size / 8 - 1]; }

#define SIZES(each) each(8) each(16) each(32) each(64) each(128) each(256) each(512) each(1024) each(2048) each(4096)
SIZES(BLOCK_FUNCTION)

#define BLOCK_CASE(size) \
  case size: return (const void *)take_##size;

const void *workload_block_callee(size_t size) {
  switch (size) {
    SIZES(BLOCK_CASE)
  default: return 0;
  }
}
