#ifndef CFFI_STRING_H
#define CFFI_STRING_H

// The engine imports no platform C library, so that it reads the same on each; these are the only two of its string functions that it needs.

/// Copies a string that ends in a zero to memory of its own; NULL when there is none left.
char *_Nullable cffi_copy_string(const char *_Nonnull string);

/// Frees what cffi_copy_string made.
void cffi_free_string(void *_Nonnull string);

#endif
