// Runs on AArch64: calls callees by the kernels, with frames that another machine planned and filled.
//
//   harness CALLS ANSWERS
//
// CALLS holds for each call what struct call says, then the words of the kernel's context, the frame, the bytes of the
// result, and for each argument its size, its bytes and the mask of those that count. ANSWERS gets for each the first
// wrong argument of two calls with the same frame, or -1, and the frame after them. The status is 0 when all calls came
// back, whatever they found.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "cffi_kernel.h"

// Of the callees' source.
void set_expected(const unsigned char *const *values, const unsigned char *const *masks, const void *result);
int first_wrong(void);
extern const void *const callees[];

struct call {
  char kernel[24];
  uint32_t callee, frame_size, frame_alignment;
  int32_t result_address;
  uint32_t result_offset, result_size, context_words, arguments;
};

static const struct {
  const char *name;
  cffi_kernel kernel;
} kernels[] = {
    {"aapcs64-general", cffi_kernel_aapcs64_general},
    {"aapcs64-vector", cffi_kernel_aapcs64_vector},
    {"aapcs64-stack", cffi_kernel_aapcs64_stack},
    {"aapcs64-wide", cffi_kernel_aapcs64_wide},
};
enum { KERNELS = sizeof kernels / sizeof *kernels, MOST_ARGUMENTS = 64, GUARD = 64 };

static void fail(const char *why, const char *what) {
  fprintf(stderr, "%s: %s\n", why, what);
  exit(2);
}

static cffi_kernel kernel_named(const char *name) {
  for (int i = 0; i < KERNELS; i += 1)
    if (strcmp(kernels[i].name, name) == 0) return kernels[i].kernel;
  fail("no such kernel", name);
  return NULL;
}

static const unsigned char *cursor, *limit;

static const unsigned char *take(size_t size) {
  if ((size_t)(limit - cursor) < size) fail("the file ends too early", "CALLS");
  const unsigned char *start = cursor;
  cursor += size;
  return start;
}

static void *allocate(size_t alignment, size_t size) {
  void *memory = NULL;
  if (posix_memalign(&memory, alignment, size ? size : 1) != 0) fail("out of memory", "harness");
  return memory;
}

static void run(FILE *answers) {
  struct call call;
  memcpy(&call, take(sizeof call), sizeof call);
  if (call.arguments > MOST_ARGUMENTS) fail("too many arguments", call.kernel);
  uint32_t *context = NULL;
  if (call.context_words) {
    context = allocate(16, 4 * call.context_words);
    memcpy(context, take(4 * call.context_words), 4 * call.context_words);
  }
  size_t alignment = call.frame_alignment < 64 ? 64 : call.frame_alignment;
  unsigned char *frame = allocate(alignment, call.frame_size + GUARD);
  memcpy(frame, take(call.frame_size), call.frame_size);
  memset(frame + call.frame_size, 0x5A, GUARD);
  void *result = allocate(64, call.result_size);
  memcpy(result, take(call.result_size), call.result_size);
  const unsigned char *values[MOST_ARGUMENTS], *masks[MOST_ARGUMENTS];
  for (uint32_t i = 0; i < call.arguments; i += 1) {
    uint32_t size;
    memcpy(&size, take(sizeof size), sizeof size);
    values[i] = take(size);
    masks[i] = take(size);
  }
  if (call.result_address >= 0) {
    void *address = frame + call.result_offset;
    memcpy(frame + call.result_address, &address, sizeof address);
  }
  int32_t wrong[2];
  for (int round = 0; round < 2; round += 1) {
    set_expected(values, masks, result);
    kernel_named(call.kernel)(frame, callees[call.callee], context);
    wrong[round] = first_wrong();
  }
  for (int i = 0; i < GUARD; i += 1)
    if (frame[call.frame_size + i] != 0x5A) fail("a write past the frame", call.kernel);
  fwrite(wrong, sizeof wrong, 1, answers);
  fwrite(frame, 1, call.frame_size, answers);
  // The first call without an answer is the one that crashed.
  fflush(answers);
  free(context);
  free(frame);
  free(result);
}

// Of registers.S, which says what they do.
void call_with_mark(cffi_kernel kernel, void *frame, const void *implementation, const void *context);
int keeps_registers(cffi_kernel kernel, void *frame, const void *context);

int main(int count, char **words);
static int sees_mark, sees_main;

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *unused) {
  (void)unused;
  void *function = _Unwind_FindEnclosingFunction((void *)_Unwind_GetIP(context));
  if (function == (void *)call_with_mark) sees_mark = _Unwind_GetGR(context, 19) == 1919;
  if (function == (void *)main) sees_main = 1;
  return _URC_NO_REASON;
}

static void look_back(void) { _Unwind_Backtrace(visit, NULL); }

static _Unwind_Reason_Code no_landing(
    int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
    struct _Unwind_Context *context, void *stop) {
  (void)version, (void)actions, (void)class, (void)exception, (void)context;
  if (_Unwind_FindEnclosingFunction((void *)_Unwind_GetIP(context)) == (void *)main) __builtin_longjmp(stop, 1);
  return _URC_NO_REASON;
}

static void *landing[5];
static struct _Unwind_Exception exception;
static void throw_out(void) { _Unwind_ForcedUnwind(&exception, no_landing, landing); }

// Every kernel, with a stack that it must align and an address to place.
static void check_kernels(void) {
  static const uint32_t context[] = {5, 128, 1, CFFI_AAPCS64_GENERAL, 8};
  for (int i = 0; i < KERNELS; i += 1) {
    uint64_t frame[64] __attribute__((aligned(16))) = {0};
    sees_mark = sees_main = 0;
    call_with_mark(kernels[i].kernel, frame, look_back, context);
    if (!sees_main) fail("no backtrace through the kernel", kernels[i].name);
    if (!sees_mark) fail("x19 is lost in a backtrace through the kernel", kernels[i].name);
    if (__builtin_setjmp(landing) == 0) {
      kernels[i].kernel(frame, throw_out, context);
      fail("no unwinding through the kernel", kernels[i].name);
    }
    if (!keeps_registers(kernels[i].kernel, frame, context)) fail("a register changed in the kernel", kernels[i].name);
  }
}

int main(int count, char **words) {
  if (count != 3) fail("usage", "harness CALLS ANSWERS");
  check_kernels();
  FILE *calls = fopen(words[1], "rb"), *answers = fopen(words[2], "wb");
  if (!calls || !answers) fail("cannot open", calls ? words[2] : words[1]);
  fseek(calls, 0, SEEK_END);
  long size = ftell(calls);
  rewind(calls);
  unsigned char *bytes = allocate(16, (size_t)size);
  if (fread(bytes, 1, (size_t)size, calls) != (size_t)size) fail("cannot read", words[1]);
  cursor = bytes;
  limit = bytes + size;
  while (cursor < limit) run(answers);
  if (fclose(answers) != 0) fail("cannot write", words[2]);
  return 0;
}
