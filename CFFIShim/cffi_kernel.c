#include "cffi_kernel.h"

#include <errno.h>

void cffi_call_capturing_errno(
    cffi_kernel kernel, void *frame, const void *implementation, const void *context, int *captured_errno) {
  errno = 0;
  kernel(frame, implementation, context);
  *captured_errno = errno;
}
