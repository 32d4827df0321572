#include "cffi_vector.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)

cffi_vector_width cffi_vector_largest(void) {
  if (__builtin_cpu_supports("avx512f")) return CFFI_VECTOR_64;
  if (__builtin_cpu_supports("avx2")) return CFFI_VECTOR_32;
  return CFFI_VECTOR_16;
}

// The number of elements that are copied at once where a column has gaps; a multiple of every vector.
enum { BLOCK = 64 };

// Copies elements of a column to adjacent memory, and repeats the last one up to `room` elements.
static void pack(char *target, cffi_vector_column column, size_t element, size_t first, size_t count, size_t room) {
  const char *source = column.address + (ptrdiff_t)first * column.stride;
  for (size_t each = 0; each < room; each += 1, target += element) {
    memcpy(target, source, element);
    if (each + 1 < count) source += column.stride;
  }
}

// Calls a variant with whole vectors of adjacent elements. The type of the elements does not matter: they are passed
// unchanged in the same registers.
#define DEFINE_WHOLE(width, features) \
  typedef double vector_##width __attribute__((vector_size(width))); \
  __attribute__((target(features))) static void whole_##width( \
      const void *variant, const char *a, const char *b, char *results, size_t size) { \
    if (b) { \
      vector_##width (*call)(vector_##width, vector_##width) = (vector_##width(*)(vector_##width, vector_##width))(uintptr_t)variant; \
      for (size_t offset = 0; offset < size; offset += width) { \
        vector_##width left, right; \
        memcpy(&left, a + offset, width); \
        memcpy(&right, b + offset, width); \
        left = call(left, right); \
        memcpy(results + offset, &left, width); \
      } \
    } else { \
      vector_##width (*call)(vector_##width) = (vector_##width(*)(vector_##width))(uintptr_t)variant; \
      for (size_t offset = 0; offset < size; offset += width) { \
        vector_##width value; \
        memcpy(&value, a + offset, width); \
        value = call(value); \
        memcpy(results + offset, &value, width); \
      } \
    } \
  }

DEFINE_WHOLE(16, "sse2")
DEFINE_WHOLE(32, "avx2")
DEFINE_WHOLE(64, "avx512f")

static void whole(cffi_vector_width width, const void *variant, const char *a, const char *b, char *results, size_t size) {
  switch (width) {
  case CFFI_VECTOR_16: whole_16(variant, a, b, results, size); break;
  case CFFI_VECTOR_32: whole_32(variant, a, b, results, size); break;
  case CFFI_VECTOR_64: whole_64(variant, a, b, results, size); break;
  case CFFI_VECTOR_NONE: break;
  }
}

void cffi_vector_run(
    const void *variant, cffi_vector_width width, size_t element, const cffi_vector_column *columns, int column_count, char *results,
    size_t count) {
  const bool is_pair = column_count == 2;
  const bool is_adjacent = columns[0].stride == (ptrdiff_t)element && (!is_pair || columns[1].stride == (ptrdiff_t)element);
  size_t row = 0;
  if (is_adjacent) {
    row = count - count % (width / element);
    whole(width, variant, columns[0].address, is_pair ? columns[1].address : NULL, results, row * element);
  }
  char left[BLOCK * 8] __attribute__((aligned(64))), right[BLOCK * 8] __attribute__((aligned(64))),
      answers[BLOCK * 8] __attribute__((aligned(64)));
  while (row < count) {
    const size_t rows = count - row < BLOCK ? count - row : BLOCK;
    const size_t size = (rows * element + width - 1) / width * width;
    pack(left, columns[0], element, row, rows, size / element);
    if (is_pair) pack(right, columns[1], element, row, rows, size / element);
    whole(width, variant, left, is_pair ? right : NULL, answers, size);
    memcpy(results + row * element, answers, rows * element);
    row += rows;
  }
}

#else

cffi_vector_width cffi_vector_largest(void) { return CFFI_VECTOR_NONE; }

void cffi_vector_run(
    const void *variant, cffi_vector_width width, size_t element, const cffi_vector_column *columns, int column_count, char *results,
    size_t count) {
  (void)variant, (void)width, (void)element, (void)columns, (void)column_count, (void)results, (void)count;
  __builtin_trap();
}

#endif
