#ifndef CFFI_OBJECT_H
#define CFFI_OBJECT_H

// What is declared here is exported by the Swift runtime; not in any header of its own.

extern const void *_Nullable swift_dynamicCastClass(const void *_Nonnull object, const void *_Nonnull metadata);

/// Whether an object is an instance of a class or of a subclass. Nothing is retained.
static inline _Bool cffi_is_instance(const void *_Nonnull object, const void *_Nonnull metadata) {
  return swift_dynamicCastClass(object, metadata) != (void *)0;
}

#if !defined(__APPLE__)

extern void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Retains a native Swift object unless its end has begun; returns whether it did.
///
/// Somebody must hold an unowned reference to the object, which keeps its memory.
static inline _Bool cffi_try_retain(const void *_Nonnull object) {
  return swift_tryRetain((void *)object) != (void *)0;
}

#endif

#endif
