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

// Calls a variant with whole vectors of adjacent elements: in assembly. The type of the elements does not matter: they
// are passed unchanged in the same registers.
typedef void vector_loop(const void *variant, const char *a, const char *b, char *results, size_t size);
vector_loop cffi_vector_loop_16, cffi_vector_loop_32, cffi_vector_loop_64;

static void whole(cffi_vector_width width, const void *variant, const char *a, const char *b, char *results, size_t size) {
  if (size == 0) return;
  switch (width) {
  case CFFI_VECTOR_16: cffi_vector_loop_16(variant, a, b, results, size); break;
  case CFFI_VECTOR_32: cffi_vector_loop_32(variant, a, b, results, size); break;
  case CFFI_VECTOR_64: cffi_vector_loop_64(variant, a, b, results, size); break;
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
    whole(width, variant, columns[0].address, columns[is_pair].address, results, row * element);
  }
  char left[BLOCK * 8] __attribute__((aligned(64))), right[BLOCK * 8] __attribute__((aligned(64))),
      answers[BLOCK * 8] __attribute__((aligned(64)));
  while (row < count) {
    const size_t rows = count - row < BLOCK ? count - row : BLOCK;
    const size_t size = (rows * element + width - 1) / width * width;
    pack(left, columns[0], element, row, rows, size / element);
    if (is_pair) pack(right, columns[1], element, row, rows, size / element);
    whole(width, variant, left, is_pair ? right : left, answers, size);
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
