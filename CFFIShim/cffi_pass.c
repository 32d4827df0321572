#include "cffi_pass.h"

#include <stddef.h>

_Thread_local CFFI_PASS_PLACE_MODEL void *cffi_innermost_pass_place = NULL;
