#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "cffi_long_double.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// The x87 format has ten bytes; the other bytes of its storage are padding.
#if LDBL_MANT_DIG == 64
#define CFFI_LONG_DOUBLE_BYTES 10
#else
#define CFFI_LONG_DOUBLE_BYTES sizeof(long double)
#endif

#ifdef LDBL_DECIMAL_DIG
#define CFFI_LONG_DOUBLE_DIGITS LDBL_DECIMAL_DIG
#else
#define CFFI_LONG_DOUBLE_DIGITS DECIMAL_DIG
#endif

static long double cffi_load(const void *source) {
  long double number = 0;
  memcpy(&number, source, CFFI_LONG_DOUBLE_BYTES);
  return number;
}

static void cffi_store(long double number, void *value) {
  memset(value, 0, sizeof(long double));
  memcpy(value, &number, CFFI_LONG_DOUBLE_BYTES);
}

void cffi_long_double_copy(const void *source, void *value) { cffi_store(cffi_load(source), value); }

void cffi_long_double_canonicalize(const void *source, void *value) {
  // The addition normalizes representations that x87 accepts but does not generate, and -0 + 0 is 0.
  volatile long double zero = 0;
  cffi_store(cffi_load(source) + zero, value);
}

void cffi_long_double_set_double(double number, void *value) { cffi_store(number, value); }

double cffi_long_double_get_double(const void *value) { return (double)cffi_load(value); }

bool cffi_long_double_get_exact_double(const void *value, double *number) {
  const long double wide = cffi_load(value);
  *number = (double)wide;
  return (long double)*number == wide;
}

void cffi_long_double_set_magnitude(uint64_t high, uint64_t low, bool is_negative, void *value) {
  const long double magnitude = (long double)((unsigned __int128)high << 64 | low);
  cffi_store(is_negative ? -magnitude : magnitude, value);
}

bool cffi_long_double_get_exact_magnitude(const void *value, uint64_t *high, uint64_t *low) {
  const long double wide = fabsl(cffi_load(value));
  if (!(wide < 0x1p128L)) return false;
  const unsigned __int128 magnitude = (unsigned __int128)wide;
  *high = (uint64_t)(magnitude >> 64);
  *low = (uint64_t)magnitude;
  return (long double)magnitude == wide;
}

bool cffi_long_double_is_equal(const void *left, const void *right) { return cffi_load(left) == cffi_load(right); }
bool cffi_long_double_is_less(const void *left, const void *right) { return cffi_load(left) < cffi_load(right); }

// Sets the C locale temporarily for the current thread: LC_NUMERIC determines the decimal point, and printf has no
// locale parameter.
typedef struct {
  locale_t own;
  locale_t previous;
  int saved_errno;
} cffi_c_locale;

static bool cffi_enter_c_locale(cffi_c_locale *scope) {
  scope->saved_errno = errno;
  scope->own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (scope->own == (locale_t)0) {
    errno = scope->saved_errno;
    return false;
  }
  scope->previous = uselocale(scope->own);
  return true;
}

static void cffi_leave_c_locale(const cffi_c_locale *scope) {
  uselocale(scope->previous);
  freelocale(scope->own);
  errno = scope->saved_errno;
}

bool cffi_long_double_parse(const char *text, void *value) {
  cffi_c_locale scope;
  if (!cffi_enter_c_locale(&scope)) return false;
  char *end = NULL;
  errno = 0;
  const long double number = strtold(text, &end);
  // ERANGE is also set for numbers that are too small, which are only rounded.
  const bool overflows = errno == ERANGE && fabsl(number) > 1;
  const bool whole = end != text && *end == 0 && !isspace((unsigned char)*text);
  cffi_leave_c_locale(&scope);
  if (!whole || overflows) return false;
  cffi_store(number, value);
  return true;
}

size_t cffi_long_double_format(const void *value, char *text, size_t capacity) {
  const long double number = cffi_load(value);
  // printf would write the sign of a NaN, which depends on the operation that created it.
  if (number != number) return (size_t)snprintf(text, capacity, "nan");
  cffi_c_locale scope;
  if (!cffi_enter_c_locale(&scope)) return 0;
  int length = 0;
  for (int digits = 0; digits < CFFI_LONG_DOUBLE_DIGITS; digits += 1) {
    length = snprintf(text, capacity, "%.*Le", digits, number);
    if (strtold(text, NULL) == number) break;
  }
  cffi_leave_c_locale(&scope);
  return length < 0 || (size_t)length >= capacity ? 0 : (size_t)length;
}
