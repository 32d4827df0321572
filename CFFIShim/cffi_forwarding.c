#include "cffi_forwarding.h"

#include <stddef.h>

static _Thread_local void *innermost_forwarding = NULL;

void *cffi_innermost_forwarding(void) { return innermost_forwarding; }

void cffi_set_innermost_forwarding(void *forwarding) { innermost_forwarding = forwarding; }
