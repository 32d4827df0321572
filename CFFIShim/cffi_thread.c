#include "cffi_thread.h"

#include "cffi_error.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

_Thread_local CFFI_ERROR_PLACE_MODEL void *cffi_error_place = NULL;

_Thread_local CFFI_PASS_PLACE_MODEL void *cffi_innermost_pass_place = NULL;

static _Thread_local void *innermost_forwarding = NULL;

void *cffi_innermost_forwarding(void) { return innermost_forwarding; }

void cffi_set_innermost_forwarding(void *forwarding) { innermost_forwarding = forwarding; }

static _Thread_local unsigned signature_depth = 0;

unsigned cffi_signature_depth(void) { return signature_depth; }

void cffi_set_signature_depth(unsigned depth) { signature_depth = depth; }

static _Thread_local void *starting_pass = NULL;

void *cffi_starting_pass(void) { return starting_pass; }

void cffi_set_starting_pass(void *pass) { starting_pass = pass; }

// A function of Swift's runtime, which compiled code calls too. It has no parameters, so both conventions call it alike.
extern const void *swift_task_getCurrent(void) __attribute__((weak));

const void *cffi_current_task(void) { return swift_task_getCurrent ? swift_task_getCurrent() : NULL; }

// Two words are returned in the same two registers by both conventions.
struct executor {
  const void *identity;
  uintptr_t implementation;
};

extern struct executor swift_task_getCurrentExecutor(void) __attribute__((weak));

const void *cffi_current_executor(void) { return swift_task_getCurrentExecutor ? swift_task_getCurrentExecutor().identity : NULL; }

bool cffi_is_main_thread(void) {
#if defined(__linux__)
  // 0: not known yet, 1: it is not, 2: it is. The thread that forks becomes the main one of the child, and is not asked again.
  static _Thread_local unsigned char answer = 0;
  if (answer == 0) answer = syscall(SYS_gettid) == getpid() ? 2 : 1;
  return answer == 2;
#elif defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return false;
#endif
}
