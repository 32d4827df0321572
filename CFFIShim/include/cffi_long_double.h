#ifndef CFFI_LONG_DOUBLE_H
#define CFFI_LONG_DOUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// This is C because Swift imports `long double` on x86 alone, and offers no locale-independent text for it.
// Each value is passed by address. The address must be aligned as `long double` is; padding is never read, and written as zero.

/// Room for any text that `cffi_long_double_format` writes, its end included.
#define CFFI_LONG_DOUBLE_TEXT 64

void cffi_long_double_copy(const void *_Nonnull source, void *_Nonnull value);

/// Stores the one representation that all numbers equal to `source` share: zero is positive, a significand normal.
void cffi_long_double_canonicalize(const void *_Nonnull source, void *_Nonnull value);

void cffi_long_double_set_double(double number, void *_Nonnull value);
void cffi_long_double_set_int64(int64_t number, void *_Nonnull value);
void cffi_long_double_set_uint64(uint64_t number, void *_Nonnull value);

/// The nearest `double`.
double cffi_long_double_get_double(const void *_Nonnull value);

/// Whether the value is a `double`, which is then stored; never true for a NaN.
bool cffi_long_double_get_exact_double(const void *_Nonnull value, double *_Nonnull number);
/// Whether the value is an `int64_t`, which is then stored.
bool cffi_long_double_get_exact_int64(const void *_Nonnull value, int64_t *_Nonnull number);
/// Whether the value is a `uint64_t`, which is then stored.
bool cffi_long_double_get_exact_uint64(const void *_Nonnull value, uint64_t *_Nonnull number);

/// Stores the nearest number to an integer of 128 bits, given as its magnitude's two words and its sign.
void cffi_long_double_set_magnitude(uint64_t high, uint64_t low, bool is_negative, void *_Nonnull value);
/// Whether the value is an integer whose magnitude has at most 128 bits, which are then stored.
bool cffi_long_double_get_exact_magnitude(const void *_Nonnull value, uint64_t *_Nonnull high, uint64_t *_Nonnull low);

bool cffi_long_double_is_equal(const void *_Nonnull left, const void *_Nonnull right);
bool cffi_long_double_is_less(const void *_Nonnull left, const void *_Nonnull right);

/// Whether the whole text is a number as C writes one, within range, which is then stored. The locale has no influence.
bool cffi_long_double_parse(const char *_Nonnull text, void *_Nonnull value);

/// Writes the value in scientific notation, with the fewest digits that read back as the same value, or `inf`, `-inf`, `nan`.
///
/// The text is as C's `%Le` writes it in the C locale. Returns its length, or 0 when the C library cannot make that locale.
size_t cffi_long_double_format(const void *_Nonnull value, char *_Nonnull text, size_t capacity);

#endif
