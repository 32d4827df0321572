#include "cffi_thread.h"

#include "cffi_error.h"

#include <stddef.h>
#include <stdint.h>

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
