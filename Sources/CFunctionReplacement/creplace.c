#if defined(__linux__)
#define _GNU_SOURCE
#include <pthread.h>
#endif

#include "CFunctionReplacement.h"

#include <stddef.h>

void creplace_store(void *variable, const void *word) { __atomic_store_n((const void **)variable, word, __ATOMIC_SEQ_CST); }

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))

// Functions of Swift's runtime. The first one sets a mark of the thread; the function that is entered next clears the mark.
extern void *swift_getOrigOfReplaceable(void **variable);
extern const void *swift_getFunctionTypeMetadata(
    size_t flags, const void *parameters, const uint32_t *parameter_flags, const void *result);
extern void swift_deallocPartialClassInstance(void *object, const void *metadata, size_t size, size_t alignment_mask);

void creplace_enter_original(void *variable) { (void)swift_getOrigOfReplaceable((void **)variable); }

const void *creplace_function_type(uintptr_t flags, const void *parameters, const uint32_t *parameter_flags, const void *result) {
  return swift_getFunctionTypeMetadata(flags, parameters, parameter_flags, result);
}

void creplace_free_object(void *object, const void *metadata, uintptr_t size, uintptr_t alignment_mask) {
  swift_deallocPartialClassInstance(object, metadata, size, alignment_mask);
}

extern const unsigned char creplace_enter[] __attribute__((visibility("hidden")));
const void *creplace_entry(void) { return creplace_enter; }

#else

void creplace_enter_original(void *variable) {}
const void *creplace_function_type(uintptr_t flags, const void *parameters, const uint32_t *parameter_flags, const void *result) {
  return result;
}
void creplace_free_object(void *object, const void *metadata, uintptr_t size, uintptr_t alignment_mask) {}
const void *creplace_entry(void) { return NULL; }

#endif

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))

#if defined(__aarch64__)
_Static_assert(CREPLACE_ASYNC_CALL == CFFI_SWIFT_AAPCS64_WIDE_STACK, "the words are behind the register image");
#else
_Static_assert(CREPLACE_ASYNC_CALL == CFFI_SWIFT_SYSV_WIDE_STACK, "the words are behind the register image");
#endif
_Static_assert(CREPLACE_FRAME + CREPLACE_ASYNC_TARGET + 8 == CREPLACE_ASYNC_SIZE, "the frame is the end of the context");

extern const unsigned char creplace_enter_async[] __attribute__((visibility("hidden")));
extern const unsigned char creplace_enter_async_imported[] __attribute__((visibility("hidden")));
const void *creplace_async_entry(bool is_imported) { return is_imported ? creplace_enter_async_imported : creplace_enter_async; }

#else

const void *creplace_async_entry(bool is_imported) { return NULL; }

#endif

uintptr_t creplace_stack_left(void) {
#if defined(__linux__)
  // The stack of a thread, found once. The result is unknown in code that runs on another stack, as a coroutine does.
  static _Thread_local uintptr_t lowest = 0, highest = 0;
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (highest == 0) {
    pthread_attr_t attributes;
    void *address = NULL;
    size_t size = 0, guard = 0;
    highest = 1;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      if (pthread_attr_getstack(&attributes, &address, &size) == 0 && pthread_attr_getguardsize(&attributes, &guard) == 0) {
        lowest = (uintptr_t)address + guard;
        highest = (uintptr_t)address + size;
      }
      pthread_attr_destroy(&attributes);
    }
  }
  return here >= lowest && here < highest ? here - lowest : UINTPTR_MAX;
#else
  return UINTPTR_MAX;
#endif
}
