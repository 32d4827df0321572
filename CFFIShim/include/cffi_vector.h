#ifndef CFFI_VECTOR_H
#define CFFI_VECTOR_H

#include <stddef.h>
#include <stdint.h>

// Calls of vector variants: functions of the vector function ABI of x86-64, which compute several elements at once.
//
// Source: Vector Function ABI, Intel, and "Vector ABI" of the GNU C library.

/// The registers of a variant, ordered by size.
typedef enum cffi_vector_width {
  CFFI_VECTOR_NONE = 0,
  /// xmm registers: class `b`, SSE.
  CFFI_VECTOR_16 = 16,
  /// ymm registers: class `d`, AVX2.
  CFFI_VECTOR_32 = 32,
  /// zmm registers: class `e`, AVX-512.
  CFFI_VECTOR_64 = 64,
} cffi_vector_width;

/// Returns the largest registers that the processor and the system support.
cffi_vector_width cffi_vector_largest(void);

/// A column of numbers: the address of the first and the distance in bytes between two of them.
typedef struct cffi_vector_column {
  const char *_Nullable address;
  ptrdiff_t stride;
} cffi_vector_column;

/// Calls a variant of one or two arguments for `count` elements of `element` bytes each, four or eight.
///
/// Elements that are missing in the last vector are copies of the last element, whose results are dropped.
void cffi_vector_run(
    const void *_Nonnull variant, cffi_vector_width width, size_t element, const cffi_vector_column *_Nonnull columns, int column_count,
    char *_Nonnull results, size_t count);

#endif
