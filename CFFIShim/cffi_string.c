#include "cffi_string.h"

#include <stdlib.h>
#include <string.h>

char *cffi_copy_string(const char *string) { return strdup(string); }

void cffi_free_string(void *string) { free(string); }
