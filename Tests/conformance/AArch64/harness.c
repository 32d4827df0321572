// Runs on AArch64: calls callees by the kernels, with frames that another machine planned and filled, and has C call closures of the
// same types.
//
//   harness CALLS ANSWERS
//
// CALLS holds for each call what struct call says, then the words of the kernel's context, the frame, the bytes of the
// result, the image of the result registers, the references of an incoming call, the image of registers and stack words
// to load with the location of the address of each reference, and for each argument its size, its bytes and the mask of
// those that count. ANSWERS gets for each what a kernel put in registers and stack words, the first wrong argument of two
// calls with the same frame, or -1, and the frame after them; then, unless the function is variadic, what a caller with
// the same arguments put in registers and stack words, the frame that a closure got from that caller, and the result that
// came back to it; then the frame that a closure got from the loaded image, the registers of its result, and its result
// in memory. The status is 0 when all calls came back, whatever they found.

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include "cffi_closure.h"
#include "swift.h"

// Of the callees' source.
void set_expected(const unsigned char *const *values, const unsigned char *const *masks, const void *result);
int first_wrong(void);
extern const void *const callees[];
extern void (*const callers[])(const void *code, void *result);
void capture(void);
void set_capture(size_t stack);
const unsigned char *captured(void);
int load_registers(const unsigned char *image, size_t stack, const void *code, unsigned char *results, int x87);

struct call {
  char kernel[24];
  uint32_t callee, frame_size, frame_alignment;
  int32_t result_address;
  uint32_t result_offset, result_size, context_words, arguments;
  uint32_t image_size, register_size, stack_size, caller_stack, result_registers, references;
};

struct reference {
  uint32_t address, copy, size;
};

// The location of an argument's address in an image to load.
struct loaded_address {
  uint32_t location, argument;
};

static const struct {
  const char *name;
  cffi_kernel kernel;
} kernels[] = {
#define ROW(name, entry) {#name, cffi_kernel_##name},
    CFFI_AAPCS64_KERNELS(ROW)
#undef ROW
};
enum { KERNELS = sizeof kernels / sizeof *kernels, MOST_ARGUMENTS = 64, GUARD = 64, CAPTURED_REGISTERS = 208, CAPTURED_X8 = 64, RESULT_REGISTERS = 80, MOST_STACK = 16384 };

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

// What a closure is to do, and what it found.
struct callback {
  const struct call *call;
  const unsigned char *registers, *references;
  const void *result;
  unsigned char *image;
  int calls;
};

// Of registers.S: calls closure_body with the register of a Swift function's context as a fourth argument.
void closure_function(void);

// What the function of Swift does.
void closure_body(unsigned char *frame, unsigned zero, struct callback *callback, const void *context) {
  const struct call *call = callback->call;
  if (zero != 0) fail("a frame counts as checked in the entry for", call->kernel);
  if (context != &callback->calls) fail("the context is lost in the entry for", call->kernel);
  if ((uintptr_t)frame % 16 != 0) fail("a frame is not aligned in the entry for", call->kernel);
  callback->calls += 1;
  memcpy(callback->image, frame, call->register_size);
  memcpy(callback->image + call->register_size, frame + call->caller_stack, call->stack_size);
  for (uint32_t i = 0; i < call->references; i += 1) {
    struct reference reference;
    memcpy(&reference, callback->references + i * sizeof reference, sizeof reference);
    const void *value;
    memcpy(&value, callback->image + reference.address, sizeof value);
    memcpy(callback->image + reference.copy, value, reference.size);
  }
  if (call->result_address < 0) {
    memcpy(frame, callback->registers, call->result_registers);
  } else {
    void *memory;
    memcpy(&memory, frame + call->result_address, sizeof memory);
    memcpy(memory, callback->result, call->result_size);
  }
}

// A slot of the bank that is part of the program, and one of a bank mapped later, in turn.
static cffi_closure_slot *next_slot(void) {
  static cffi_closure_slot *banks[2];
  static unsigned turn;
  if (!banks[0]) {
    banks[0] = cffi_closure_first_bank();
    banks[1] = cffi_closure_map_bank();
    if (!banks[1]) fail("no bank could be mapped", "closures");
  }
  turn += 1;
  return &banks[turn % 2][turn / 2 % CFFI_CLOSURE_BANK_SIZE];
}

static void open_slot(cffi_closure_slot *slot, struct callback *callback) {
  const struct call *call = callback->call;
  const void *entry = cffi_closure_entry(kernel_named(call->kernel), 8);
  if (!entry) fail("no entry for", call->kernel);
  cffi_closure_open(slot, entry, closure_function, &callback->calls, callback);
}

// What a caller is to do, on the thread that takes it.
struct errand {
  const struct call *call;
  const unsigned char *const *values, *const *masks;
  const void *code;
  void *result;
};

static void *carry_out(void *words) {
  const struct errand *errand = words;
  set_expected(errand->values, errand->masks, NULL);
  callers[errand->call->callee](errand->code, errand->result);
  return NULL;
}

static void call_back(struct callback *callback, struct errand errand) {
  const struct call *call = callback->call;
  cffi_closure_slot *slot = next_slot();
  open_slot(slot, callback);
  errand.code = slot->stub;
  carry_out(&errand);
  int expected = 1;
  if (call->callee % 16 == 0) {
    // This thread has called first, so the other thread takes the longer way.
    pthread_t thread;
    if (pthread_create(&thread, NULL, carry_out, &errand) != 0 || pthread_join(thread, NULL) != 0) fail("no thread", call->kernel);
    expected = 2;
  }
  if (callback->calls != expected) fail("a closure was not called as often as its pointer in", call->kernel);
  if (!cffi_closure_close(slot)) fail("a call is still counted in", call->kernel);
}

// Calls a closure with the registers and stack words of an image, and stores the registers of the result.
static void load_and_call(struct callback *callback, const unsigned char *image, size_t stack, unsigned char *results) {
  const char *kernel = callback->call->kernel;
  cffi_closure_slot *slot = next_slot();
  open_slot(slot, callback);
  callback->calls = 0;
  if (!load_registers(image, stack, slot->stub, results, 0)) fail("a closure changed a register that it must keep, by", kernel);
  if (callback->calls != 1) fail("a closure was not called once with loaded registers in", kernel);
  if (!cffi_closure_close(slot)) fail("a call is still counted in", kernel);
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
  const unsigned char *registers = take(call.result_registers);
  const unsigned char *references = take(call.references * sizeof(struct reference));
  if (call.stack_size > MOST_STACK) fail("too many stack words", call.kernel);
  const size_t capture_size = CAPTURED_REGISTERS + (call.stack_size + 7) / 8 * 8;
  unsigned char *loaded = allocate(16, capture_size);
  memcpy(loaded, take(capture_size), capture_size);
  const unsigned char *addresses = take(call.references * sizeof(struct loaded_address));
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
  set_capture(capture_size - CAPTURED_REGISTERS);
  kernel_named(call.kernel)(frame, capture, context);
  fwrite(captured(), 1, capture_size, answers);
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
  if (callers[call.callee]) {
    struct callback callback = {
        .call = &call, .registers = registers, .references = references, .result = result, .image = allocate(64, call.image_size)};
    unsigned char *came_back = allocate(64, call.result_size + GUARD);
    set_expected(values, masks, NULL);
    set_capture(capture_size - CAPTURED_REGISTERS);
    callers[call.callee](capture, came_back);
    fwrite(captured(), 1, capture_size, answers);
    memset(came_back, 0x5A, call.result_size + GUARD);
    call_back(&callback, (struct errand){.call = &call, .values = values, .masks = masks, .result = came_back});
    for (int i = 0; i < GUARD; i += 1)
      if (came_back[call.result_size + i] != 0x5A) fail("a result longer than its type", call.kernel);
    fwrite(callback.image, 1, call.image_size, answers);
    fwrite(came_back, 1, call.result_size, answers);
    for (uint32_t i = 0; i < call.references; i += 1) {
      struct loaded_address address;
      memcpy(&address, addresses + i * sizeof address, sizeof address);
      memcpy(loaded + address.location, &values[address.argument], sizeof values[0]);
    }
    if (call.result_address >= 0) memcpy(loaded + CAPTURED_X8, &came_back, sizeof came_back);
    memset(came_back, 0x5A, call.result_size + GUARD);
    unsigned char results[RESULT_REGISTERS];
    load_and_call(&callback, loaded, capture_size - CAPTURED_REGISTERS, results);
    for (int i = 0; i < GUARD; i += 1)
      if (came_back[call.result_size + i] != 0x5A) fail("a result longer than its type", call.kernel);
    fwrite(callback.image, 1, call.image_size, answers);
    fwrite(results, 1, sizeof results, answers);
    fwrite(came_back, 1, call.result_size, answers);
    free(callback.image);
    free(came_back);
  }
  // The first call without an answer is the one that crashed.
  fflush(answers);
  free(context);
  free(loaded);
  free(frame);
  free(result);
}

// Of registers.S, which says what they do.
void call_with_mark(cffi_kernel kernel, void *frame, const void *implementation, const void *context);
int keeps_registers(cffi_kernel kernel, void *frame, const void *context);
void spoil(void);

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

static void check_kernel(const char *name, cffi_kernel kernel, const void *context) {
  uint64_t frame[64] __attribute__((aligned(16))) = {0};
  sees_mark = sees_main = 0;
  call_with_mark(kernel, frame, look_back, context);
  if (!sees_main) fail("no backtrace through the kernel", name);
  if (!sees_mark) fail("x19 is lost in a backtrace through the kernel", name);
  if (__builtin_setjmp(landing) == 0) {
    kernel(frame, throw_out, context);
    fail("no unwinding through the kernel", name);
  }
  if (!keeps_registers(kernel, frame, context)) fail("a register changed in the kernel", name);
}

// Every kernel, with a stack that it must align and an address to place, and the kernels of the Swift convention with stack words.
static void check_kernels(void) {
  static const uint32_t context[] = {5, 128, 1, CFFI_AAPCS64_GENERAL, 8, 1, CFFI_AAPCS64_STACK + 64, CFFI_AAPCS64_STACK + 1, 2};
  for (int i = 0; i < KERNELS; i += 1) check_kernel(kernels[i].name, kernels[i].kernel, context);
  for (int i = 0; swift_kernel_at(i); i += 1) {
    const struct swift_kernel *kernel = swift_kernel_at(i);
    check_kernel(kernel->name, kernel->kernel, kernel->is_wide ? (const void *)5 : NULL);
  }
  check_swift_calls();
}

// Calls of a closure's code as of a kernel: that is the context, all else is left alone.
static void through_closure(void *frame, const void *implementation, const void *code) {
  (void)frame, (void)implementation;
  ((void (*)(void))code)();
}

static void last_exit(cffi_closure_slot *slot) {
  if (cffi_closure_is_free(slot)) sees_mark += 1;
}

static cffi_closure_slot *closing;
static void close_within(void) {
  if (cffi_closure_close(closing)) fail("a closure is free while it runs", "closures");
}

// Every entry, with a function of Swift that looks back, unwinds, changes registers or closes the closure that runs it.
static void check_entries(void) {
  cffi_closure_on_last_exit(last_exit);
  for (int i = 0; i < KERNELS; i += 1) {
    const void *entry = cffi_closure_entry(kernels[i].kernel, 8);
    if (!entry) fail("no entry for", kernels[i].name);
    cffi_closure_slot *slot = next_slot();
    sees_mark = sees_main = 0;
    cffi_closure_open(slot, entry, look_back, NULL, slot);
    call_with_mark(through_closure, NULL, NULL, slot->stub);
    if (!sees_main) fail("no backtrace through the entry for", kernels[i].name);
    if (!sees_mark) fail("x19 is lost in a backtrace through the entry for", kernels[i].name);
    if (!cffi_closure_close(slot)) fail("a call is still counted by the entry for", kernels[i].name);

    slot = next_slot();
    cffi_closure_open(slot, entry, spoil, NULL, slot);
    if (!keeps_registers(through_closure, NULL, slot->stub)) fail("a register changed in the entry for", kernels[i].name);
    if (!cffi_closure_close(slot)) fail("a call is still counted by the entry for", kernels[i].name);

    closing = slot = next_slot();
    sees_mark = 0;
    cffi_closure_open(slot, entry, close_within, NULL, slot);
    ((void (*)(void))slot->stub)();
    if (sees_mark != 1) fail("the last call did not end a closed closure of the entry for", kernels[i].name);

    // The last: its call is never counted as ended.
    slot = next_slot();
    cffi_closure_open(slot, entry, throw_out, NULL, slot);
    if (__builtin_setjmp(landing) == 0) {
      ((void (*)(void))slot->stub)();
      fail("no unwinding through the entry for", kernels[i].name);
    }
  }
  // Calling a closed closure ends the process with a message.
  fflush(NULL);
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    fclose(stderr);
    ((void (*)(void))closing->stub)();
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) fail("a closed closure was called", "closures");
}

int main(int count, char **words) {
  if (count != 3) fail("usage", "harness CALLS ANSWERS");
  check_kernels();
  check_entries();
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
