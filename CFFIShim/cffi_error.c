#include "cffi_error.h"

#include <stddef.h>

static _Thread_local void *error_place = NULL;

void cffi_set_error_place(void *place) { error_place = place; }

void *cffi_take_error_place(void) {
  void *place = error_place;
  error_place = NULL;
  return place;
}
