// The stored properties of Swift types, by the functions of the runtime that Mirror uses.

#ifndef CFFI_FIELDS_H
#define CFFI_FIELDS_H

#include <stdint.h>

/// A field: a stored property of a struct, or an element of a tuple.
typedef struct {
  /// The name; null for an element of a tuple without a label.
  const char *_Nullable name;
  /// Frees the name, if it must be freed.
  void (*_Nullable release)(const char *_Nullable name);
  /// Its offset in the value.
  intptr_t offset;
  /// The metadata of its type.
  const void *_Nonnull type;
} cffi_field;

/// Returns the number of fields of a struct or a tuple; 0 for a type that states none.
///
/// - Parameter type: The metadata of the type. It is no class.
intptr_t cffi_field_count(const void *_Nonnull type);

/// Returns a field.
///
/// - Parameter index: The position of the field, less than the count.
cffi_field cffi_field_at(const void *_Nonnull type, intptr_t index);

#endif
