// The stored properties of Swift types, by the functions of the runtime that Mirror uses.

#ifndef CFFI_FIELDS_H
#define CFFI_FIELDS_H

#include <stddef.h>
#include <stdint.h>

/// A field: a stored property of a struct, or an element of a tuple.
typedef struct {
  /// Its offset in the value.
  intptr_t offset;
  /// The metadata of its type.
  const void *_Nonnull type;
} cffi_field;

/// A function that receives the name of a field, which is valid for the duration of the call; it is empty for an element of a tuple without one.
typedef void (*cffi_field_visitor)(const char *_Nonnull name, void *_Nullable context);

/// Returns the number of fields of a struct or a tuple; 0 for a type that states none.
///
/// - Parameter type: The metadata of the type. It is no class.
intptr_t cffi_field_count(const void *_Nonnull type);

/// Returns a field, and calls the visitor with its name.
///
/// - Parameter index: The position of the field, less than the count.
cffi_field cffi_field_at(const void *_Nonnull type, intptr_t index, cffi_field_visitor _Nonnull visitor, void *_Nullable context);

#endif
