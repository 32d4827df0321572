// Calls by the kernels of the Swift convention on AArch64, of a callee in assembly that stores what it receives.

#include "swift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cffi_frame.h"

// Of swift.S.
void swift_callee(void);
int swift_keeps_registers(cffi_kernel kernel, void *frame, const void *words);

enum { MOST_WORDS = 17 };

struct {
  uint64_t general[8], indirect_result, self, error, padding;
  uint64_t vector[8][2];
  uint64_t stack[MOST_WORDS];
} swift_received __attribute__((aligned(16)));

struct {
  uint64_t general[4], error, padding;
  uint64_t vector[4][2];
} swift_returned __attribute__((aligned(16)));

uint64_t swift_stack_words;

static const struct swift_kernel kernels[] = {
    {"swift_aapcs64_general", cffi_kernel_swift_aapcs64_general, 0},
    {"swift_aapcs64_vector", cffi_kernel_swift_aapcs64_vector, 0},
    {"swift_aapcs64_wide", cffi_kernel_swift_aapcs64_wide, 1},
};

const struct swift_kernel *swift_kernel_at(int index) {
  return index < (int)(sizeof kernels / sizeof *kernels) ? &kernels[index] : NULL;
}

static void check(int is_same, const char *what, const char *kernel) {
  if (is_same) return;
  fprintf(stderr, "%s differs in the kernel %s\n", what, kernel);
  exit(2);
}

static uint64_t next(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ state >> 29;
}

static void randomize(void *memory, size_t words) {
  for (size_t i = 0; i < words; i += 1) ((uint64_t *)memory)[i] = next();
}

// The parts of a frame that a kernel of 8 or 16 bytes for each vector register has.
static void check_call(const struct swift_kernel *kernel, int has_vectors, uint64_t words) {
  static uint64_t frame[CFFI_SWIFT_AAPCS64_WIDE_STACK / 8 + MOST_WORDS], before[sizeof frame / 8];
  const size_t vector_size = kernel->is_wide ? 16 : 8;
  uint64_t *general = frame + (kernel->is_wide ? CFFI_SWIFT_WIDE_GENERAL : CFFI_SWIFT_GENERAL) / 8;
  uint64_t *vector = frame + (kernel->is_wide ? CFFI_SWIFT_AAPCS64_WIDE_VECTOR : CFFI_SWIFT_AAPCS64_VECTOR) / 8;
  randomize(frame, sizeof frame / 8);
  randomize(&swift_returned, sizeof swift_returned / 8);
  memset(&swift_received, 0xA5, sizeof swift_received);
  memcpy(before, frame, sizeof frame);
  swift_stack_words = words;
  kernel->kernel(frame, swift_callee, (const void *)words);

  check(memcmp(swift_received.general, general, 64) == 0, "x0 to x7", kernel->name);
  check(swift_received.indirect_result == before[CFFI_SWIFT_INDIRECT_RESULT / 8], "x8", kernel->name);
  check(swift_received.self == before[CFFI_SWIFT_SELF / 8], "x20", kernel->name);
  check(swift_received.error == 0, "x21", kernel->name);
  for (int i = 0; i < 8 && has_vectors; i += 1) {
    check(memcmp(swift_received.vector[i], (char *)vector + vector_size * i, vector_size) == 0, "v0 to v7", kernel->name);
  }
  check(memcmp(swift_received.stack, frame + CFFI_SWIFT_AAPCS64_WIDE_STACK / 8, 8 * words) == 0, "the stack", kernel->name);

  check(memcmp(frame + CFFI_SWIFT_RESULT_GENERAL / 8, swift_returned.general, 32) == 0, "the result in x0 to x3", kernel->name);
  check(frame[CFFI_SWIFT_ERROR / 8] == swift_returned.error, "the error", kernel->name);
  uint64_t *results = frame + CFFI_SWIFT_RESULT_VECTOR / 8;
  for (int i = 0; i < 4 && has_vectors; i += 1) {
    check(memcmp((char *)results + vector_size * i, swift_returned.vector[i], vector_size) == 0, "the result in v0 to v3", kernel->name);
  }
  // The rest of the frame is as it was.
  memcpy(before + CFFI_SWIFT_RESULT_GENERAL / 8, frame + CFFI_SWIFT_RESULT_GENERAL / 8, 32);
  before[CFFI_SWIFT_ERROR / 8] = frame[CFFI_SWIFT_ERROR / 8];
  if (has_vectors) memcpy(before + CFFI_SWIFT_RESULT_VECTOR / 8, results, 4 * vector_size);
  check(memcmp(before, frame, sizeof frame) == 0, "the rest of the frame", kernel->name);
  check(swift_keeps_registers(kernel->kernel, frame, (const void *)words), "a register of the caller", kernel->name);
}

void check_swift_calls(void) {
  for (int turn = 0; turn < 100; turn += 1) {
    check_call(&kernels[0], 0, 0);
    check_call(&kernels[1], 1, 0);
    for (uint64_t words = 0; words <= MOST_WORDS; words += 1) check_call(&kernels[2], 1, words);
  }
}
