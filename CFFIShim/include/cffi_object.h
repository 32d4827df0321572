#ifndef CFFI_OBJECT_H
#define CFFI_OBJECT_H

#if !defined(__APPLE__)

// Exported by the Swift runtime; not in any header of its own.
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Retains a native Swift object unless its end has begun; returns whether it did.
///
/// Somebody must hold an unowned reference to the object, which keeps its memory.
static inline _Bool cffi_try_retain(const void *_Nonnull object) {
  return swift_tryRetain((void *)object) != (void *)0;
}

#endif

#endif
