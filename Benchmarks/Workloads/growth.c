#include "workloads.h"

#include "plain_libffi.h"

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
SUM_FUNCTION(1)
SUM_FUNCTION(2)
SUM_FUNCTION(4)
SUM_FUNCTION(8)
SUM_FUNCTION(16)
SUM_FUNCTION(32)

const void *workload_sum_callee(size_t arguments) {
  switch (arguments) {
  case 0: return (const void *)sum_0;
  case 1: return (const void *)sum_1;
  case 2: return (const void *)sum_2;
  case 4: return (const void *)sum_4;
  case 8: return (const void *)sum_8;
  case 16: return (const void *)sum_16;
  case 32: return (const void *)sum_32;
  default: return 0;
  }
}

// A function for each size of a struct.
#define BLOCK_FUNCTION(size) \
  typedef struct { \
    int64_t words[size / 8]; \
  } block_##size; \
  static int64_t take_##size(block_##size block) { return block.words[0] + block.words[size / 8 - 1]; }

BLOCK_FUNCTION(8)
BLOCK_FUNCTION(16)
BLOCK_FUNCTION(32)
BLOCK_FUNCTION(64)
BLOCK_FUNCTION(128)
BLOCK_FUNCTION(256)
BLOCK_FUNCTION(512)
BLOCK_FUNCTION(1024)
BLOCK_FUNCTION(2048)
BLOCK_FUNCTION(4096)

const void *workload_block_callee(size_t size) {
  switch (size) {
  case 8: return (const void *)take_8;
  case 16: return (const void *)take_16;
  case 32: return (const void *)take_32;
  case 64: return (const void *)take_64;
  case 128: return (const void *)take_128;
  case 256: return (const void *)take_256;
  case 512: return (const void *)take_512;
  case 1024: return (const void *)take_1024;
  case 2048: return (const void *)take_2048;
  case 4096: return (const void *)take_4096;
  default: return 0;
  }
}

#if CFFI_LIBFFI

double workload_run_ffi_sum(size_t arguments, size_t count) {
  void (*function)(void) = (void (*)(void))workload_sum_callee(arguments);
  if (!function) return 0;
  ffi_cif call;
  ffi_type *types[workload_most_arguments];
  int64_t values[workload_most_arguments];
  void *vector[workload_most_arguments];
  for (size_t each = 0; each < arguments; each += 1) {
    types[each] = &ffi_type_sint64;
    vector[each] = &values[each];
  }
  ffi_prep_cif(&call, FFI_DEFAULT_ABI, (unsigned)arguments, &ffi_type_sint64, types);
  double sum = 0;
  for (size_t index = 0; index < count; index += 1) {
    for (size_t each = 0; each < arguments; each += 1) values[each] = (int64_t)each + 1;
    ffi_arg result;
    ffi_call(&call, function, &result, vector);
    sum += (double)(int64_t)result;
  }
  return sum;
}

double workload_run_ffi_block(size_t size, size_t count) {
  void (*function)(void) = (void (*)(void))workload_block_callee(size);
  if (!function) return 0;
  const size_t words = size / 8;
  ffi_type *members[workload_largest_block / 8 + 1];
  int64_t block[workload_largest_block / 8];
  for (size_t each = 0; each < words; each += 1) {
    members[each] = &ffi_type_sint64;
    block[each] = (int64_t)each + 1;
  }
  members[words] = 0;
  ffi_type type = {.type = FFI_TYPE_STRUCT, .elements = members};
  ffi_type *types[] = {&type};
  ffi_cif call;
  ffi_prep_cif(&call, FFI_DEFAULT_ABI, 1, &ffi_type_sint64, types);
  double sum = 0;
  for (size_t index = 0; index < count; index += 1) {
    // Filled before each call: libffi 3.4.3 to 3.6 leave pointers to a dead stack frame in it.
    void *vector[] = {block};
    ffi_arg result;
    ffi_call(&call, function, &result, vector);
    sum += (double)(int64_t)result;
  }
  return sum;
}

#else

double workload_run_ffi_sum(size_t arguments, size_t count) { return 0; }

double workload_run_ffi_block(size_t size, size_t count) { return 0; }

#endif
