#ifndef CFFI_LONG_DOUBLE_H
#define CFFI_LONG_DOUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// These functions are in C because Swift imports `long double` only on x86, and has no locale-independent conversion
// between it and text. Each value is passed by address. The address must be aligned for `long double`. Padding is not
// read, and is written as zero.

/// A size that is sufficient for any text that `cffi_long_double_format` writes, including the terminating null.
#define CFFI_LONG_DOUBLE_TEXT 64

void cffi_long_double_copy(const void *_Nonnull source, void *_Nonnull value);

/// Stores the canonical representation of all numbers equal to `source`: zero is positive, and the significand is
/// normalized.
void cffi_long_double_canonicalize(const void *_Nonnull source, void *_Nonnull value);

void cffi_long_double_set_double(double number, void *_Nonnull value);

/// Returns the nearest `double`.
double cffi_long_double_get_double(const void *_Nonnull value);

/// Stores the value as a `double` if it is exactly representable, and returns whether it is.
///
/// Returns false for a NaN.
bool cffi_long_double_get_exact_double(const void *_Nonnull value, double *_Nonnull number);

/// Stores the number nearest to an integer, which is passed as the two words of its 128-bit magnitude and its sign.
void cffi_long_double_set_magnitude(uint64_t high, uint64_t low, bool is_negative, void *_Nonnull value);
/// Stores the magnitude of the value if it is an integer of at most 128 bits, and returns whether it is.
bool cffi_long_double_get_exact_magnitude(const void *_Nonnull value, uint64_t *_Nonnull high, uint64_t *_Nonnull low);

bool cffi_long_double_is_equal(const void *_Nonnull left, const void *_Nonnull right);
bool cffi_long_double_is_less(const void *_Nonnull left, const void *_Nonnull right);

/// Parses a text and stores the number.
///
/// Returns whether the whole text is a number in C syntax and within range. The result does not depend on the locale.
bool cffi_long_double_parse(const char *_Nonnull text, void *_Nonnull value);

/// Writes the value in scientific notation, with the fewest digits that are parsed as the same value, or `inf`, `-inf`,
/// `nan`.
///
/// The format is C's `%Le` in the C locale. Returns the length of the text, or 0 if the C library cannot create
/// that locale.
size_t cffi_long_double_format(const void *_Nonnull value, char *_Nonnull text, size_t capacity);

#endif
