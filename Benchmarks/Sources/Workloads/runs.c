#include "workloads.h"

#include <ffi.h>
#include <math.h>

// One call interface per suite, with the descriptors that it refers to.
typedef struct {
  ffi_cif cif;
  ffi_type types[3];
  ffi_type *members[3][5];
  ffi_type *arguments[10];
} prepared;

static void make_struct(prepared *call, int index, int count, ffi_type *member) {
  for (int each = 0; each < count; each += 1) call->members[index][each] = member;
  call->members[index][count] = 0;
  call->types[index] = (ffi_type){.type = FFI_TYPE_STRUCT, .elements = call->members[index]};
}

static void prepare(prepared *call, workload_suite suite) {
  ffi_type **arguments = call->arguments;
  arguments[0] = arguments[1] = &ffi_type_pointer;
  switch (suite) {
  case workload_suite_w0:
    ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, 2, &ffi_type_void, arguments);
    break;
  case workload_suite_w2:
    arguments[2] = arguments[3] = &ffi_type_sint64;
    ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, 4, &ffi_type_sint64, arguments);
    break;
  case workload_suite_w4:
    make_struct(call, 0, 2, &ffi_type_sint32);
    arguments[2] = &ffi_type_sint32;
    arguments[3] = &ffi_type_double;
    arguments[4] = &ffi_type_float;
    arguments[5] = &ffi_type_sint8;
    arguments[6] = &ffi_type_pointer;
    arguments[7] = &ffi_type_sint16;
    arguments[8] = &call->types[0];
    arguments[9] = &ffi_type_double;
    ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, 10, &ffi_type_double, arguments);
    break;
  case workload_suite_wr:
    make_struct(call, 0, 4, &ffi_type_double);
    make_struct(call, 1, 2, &ffi_type_double);
    make_struct(call, 2, 2, &ffi_type_uint64);
    arguments[2] = &call->types[0];
    arguments[3] = &call->types[1];
    arguments[4] = &call->types[2];
    ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, 5, &call->types[0], arguments);
    break;
  case workload_suite_we: break;
  }
}

// The arguments of all suites.
typedef struct {
  void *null;
  int64_t a64, b64;
  int32_t a;
  double b, h;
  float c;
  signed char d;
  int16_t f;
  workload_pair g;
  workload_rect rect;
  workload_point point;
  workload_range range;
} values;

static double call_prepared(prepared *call, workload_suite suite, values *v, size_t index, bool sets) {
  void (*function)(void) = (void (*)(void))workload_callee(suite);
  switch (suite) {
  case workload_suite_w0: {
    void *vector[] = {&v->null, &v->null};
    ffi_call(&call->cif, function, 0, vector);
    return 0;
  }
  case workload_suite_w2: {
    ffi_arg result;
    if (sets) v->a64 = (int64_t)index;
    void *vector[] = {&v->null, &v->null, &v->a64, &v->b64};
    ffi_call(&call->cif, function, &result, vector);
    return (double)(int64_t)result;
  }
  case workload_suite_w4: {
    double result;
    if (sets) v->a = (int32_t)index;
    void *vector[] = {&v->null, &v->null, &v->a, &v->b, &v->c, &v->d, &v->null, &v->f, &v->g, &v->h};
    ffi_call(&call->cif, function, &result, vector);
    return result;
  }
  case workload_suite_wr: {
    workload_rect result;
    if (sets) v->rect.x = (double)index;
    // Filled before each call: libffi 3.4.3 to 3.6 leave pointers to a dead stack frame in it.
    void *vector[] = {&v->null, &v->null, &v->rect, &v->point, &v->range};
    ffi_call(&call->cif, function, &result, vector);
    return result.x;
  }
  case workload_suite_we: break;
  }
  return 0;
}

static values initial(void) {
  return (values){0, 1, 2, 1, 2, 6, 3, 4, 5, {3, 4}, {1, 2, 3, 4}, {1, 2}, {1, 2}};
}

double workload_run_ffi(workload_suite suite, size_t count, bool sets) {
  prepared call;
  prepare(&call, suite);
  values v = initial();
  volatile double result = 0;
  for (size_t index = 0; index < count; index += 1) result = call_prepared(&call, suite, &v, index, sets);
  return result;
}

double workload_run_ffi_create(workload_suite suite, size_t count) {
  values v = initial();
  volatile double result = 0;
  for (size_t index = 0; index < count; index += 1) {
    prepared call;
    prepare(&call, suite);
    result = call_prepared(&call, suite, &v, index, true);
  }
  return result;
}

// The function of a libffi closure, which calls a C function of the suite's types with the arguments that it receives.
static void answer(ffi_cif *cif, void *result, void **arguments, void *suite) {
  switch ((workload_suite)(uintptr_t)suite) {
  case workload_suite_w0: workload_w0(0, 0); break;
  case workload_suite_w2:
    *(ffi_sarg *)result = workload_w2(0, 0, *(int64_t *)arguments[2], *(int64_t *)arguments[3]);
    break;
  case workload_suite_w4:
    *(double *)result = workload_w4(
        0, 0, *(int32_t *)arguments[2], *(double *)arguments[3], *(float *)arguments[4], *(signed char *)arguments[5],
        *(void **)arguments[6], *(int16_t *)arguments[7], *(workload_pair *)arguments[8], *(double *)arguments[9]);
    break;
  case workload_suite_wr:
    *(workload_rect *)result = workload_wr(
        0, 0, *(workload_rect *)arguments[2], *(workload_point *)arguments[3], *(workload_range *)arguments[4]);
    break;
  case workload_suite_we: break;
  }
}

double workload_run_ffi_closure(workload_suite suite, size_t count) {
  prepared call;
  prepare(&call, suite);
  void *code;
  ffi_closure *closure = ffi_closure_alloc(sizeof(ffi_closure), &code);
  if (!closure) return NAN;
  const bool is_made = ffi_prep_closure_loc(closure, &call.cif, answer, (void *)(uintptr_t)suite, code) == FFI_OK;
  const double result = is_made ? workload_run_callback(suite, code, count) : NAN;
  ffi_closure_free(closure);
  return result;
}
