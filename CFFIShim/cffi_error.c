#include "cffi_error.h"

_Thread_local CFFI_ERROR_PLACE_MODEL void *cffi_error_place = NULL;
