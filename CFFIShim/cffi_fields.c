// Functions of the Swift runtime, which Mirror calls. The standard library's function for them, _forEachField, is SPI,
// which Apple's SDK does not have.

#include "cffi_fields.h"

#include <stdbool.h>

#if __has_attribute(swiftcall)
#define SWIFT_CALL __attribute__((swiftcall))
#else
#define SWIFT_CALL  // words are passed alike
#endif

// stdlib/public/runtime/ReflectionMirror.cpp and stdlib/public/core/ReflectionMirror.swift of Swift.
struct field_metadata {
  const char *name;
  void (*release)(const char *name);
  bool is_strong;
  bool is_variable;
};

extern SWIFT_CALL intptr_t swift_reflectionMirror_recursiveCount(const void *type);
extern SWIFT_CALL intptr_t swift_reflectionMirror_recursiveChildOffset(const void *type, intptr_t index);
extern SWIFT_CALL const void *swift_reflectionMirror_recursiveChildMetadata(const void *type, intptr_t index, struct field_metadata *field);

intptr_t cffi_field_count(const void *type) { return swift_reflectionMirror_recursiveCount(type); }

cffi_field cffi_field_at(const void *type, intptr_t index) {
  struct field_metadata field = {0};
  const intptr_t offset = swift_reflectionMirror_recursiveChildOffset(type, index);
  const void *field_type = swift_reflectionMirror_recursiveChildMetadata(type, index, &field);
  return (cffi_field){field.name, field.release, offset, field_type};
}
