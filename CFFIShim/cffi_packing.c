#include "cffi_kernel.h"

#include <string.h>

#if defined(__aarch64__)

// Copies each narrow argument from its own word of the frame to its bytes in the stack words.
static void pack(unsigned char *frame, const cffi_aapcs64_stack *context) {
  const cffi_aapcs64_packing *packing = (const cffi_aapcs64_packing *)&context->addresses[context->count];
  for (uint32_t index = 0; index < packing->count; index += 1) {
    memcpy(frame + packing->moves[index].packed, frame + packing->moves[index].word, packing->moves[index].size);
  }
}

void cffi_kernel_aapcs64_packed_stack(void *frame, const void *implementation, const void *context) {
  pack(frame, context);
  cffi_kernel_aapcs64_stack(frame, implementation, context);
}

void cffi_kernel_aapcs64_packed_wide(void *frame, const void *implementation, const void *context) {
  pack(frame, context);
  cffi_kernel_aapcs64_wide(frame, implementation, context);
}

#endif
