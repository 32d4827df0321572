#ifndef SWIFT_H
#define SWIFT_H

#include "cffi_kernel.h"

// A kernel of the Swift convention, and whether its frame has all 16 bytes of the vector registers.
struct swift_kernel {
  const char *name;
  cffi_kernel kernel;
  int is_wide;
};

// The kernels by number, then null.
const struct swift_kernel *swift_kernel_at(int index);

// Calls by each kernel; ends the process if a register, a stack word or a part of the frame is wrong.
void check_swift_calls(void);

#endif
