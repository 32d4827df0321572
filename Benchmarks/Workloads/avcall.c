#include "workloads.h"

// In C because avcall's interface consists of macros. The library is opened at run time and never linked: without it
// the benchmark builds and runs with one row less.

#if __has_include(<avcall.h>)
#include <avcall.h>
#include <dlfcn.h>
#include <math.h>

static struct {
  __typeof__(&avcall_start) start;
  __typeof__(&avcall_start_struct) start_struct;
  __typeof__(&avcall_arg_int) arg_int;
  __typeof__(&avcall_arg_longlong) arg_longlong;
  __typeof__(&avcall_arg_ptr) arg_ptr;
  __typeof__(&avcall_arg_float) arg_float;
  __typeof__(&avcall_arg_double) arg_double;
  __typeof__(&avcall_arg_struct) arg_struct;
  __typeof__(&avcall_call) call;
} library;

// From here on the macros of the header use the table.
#define avcall_start library.start
#define avcall_start_struct library.start_struct
#define avcall_arg_int library.arg_int
#define avcall_arg_longlong library.arg_longlong
#define avcall_arg_ptr library.arg_ptr
#define avcall_arg_float library.arg_float
#define avcall_arg_double library.arg_double
#define avcall_arg_struct library.arg_struct
#define avcall_call library.call

bool workload_has_avcall(void) {
  if (library.call) return true;
  void *handle = dlopen("libavcall.so.1", RTLD_NOW);
  if (!handle) handle = dlopen("libavcall.so", RTLD_NOW);
  if (!handle) handle = dlopen("libavcall.dylib", RTLD_NOW);
  if (!handle) return false;
  library.start = (__typeof__(library.start))dlsym(handle, "avcall_start");
  library.start_struct = (__typeof__(library.start_struct))dlsym(handle, "avcall_start_struct");
  library.arg_int = (__typeof__(library.arg_int))dlsym(handle, "avcall_arg_int");
  library.arg_longlong = (__typeof__(library.arg_longlong))dlsym(handle, "avcall_arg_longlong");
  library.arg_ptr = (__typeof__(library.arg_ptr))dlsym(handle, "avcall_arg_ptr");
  library.arg_float = (__typeof__(library.arg_float))dlsym(handle, "avcall_arg_float");
  library.arg_double = (__typeof__(library.arg_double))dlsym(handle, "avcall_arg_double");
  library.arg_struct = (__typeof__(library.arg_struct))dlsym(handle, "avcall_arg_struct");
  if (!library.start || !library.start_struct || !library.arg_int || !library.arg_longlong || !library.arg_ptr
      || !library.arg_float || !library.arg_double || !library.arg_struct) {
    return false;
  }
  library.call = (__typeof__(library.call))dlsym(handle, "avcall_call");
  return library.call;
}

// The memory to which the list writes the result.
typedef union {
  long long q;
  double d;
  workload_rect rect;
} result_storage;

static void fill(av_alist *list, workload_suite suite, size_t index, result_storage *result) {
  switch (suite) {
  case workload_suite_w0:
    av_start_void(*list, workload_w0);
    av_ptr(*list, void *, 0);
    av_ptr(*list, void *, 0);
    break;
  case workload_suite_w2:
    av_start_longlong(*list, workload_w2, &result->q);
    av_ptr(*list, void *, 0);
    av_ptr(*list, void *, 0);
    av_longlong(*list, (long long)index);
    av_longlong(*list, 2);
    break;
  case workload_suite_w4: {
    workload_pair pair = {3, 4};
    av_start_double(*list, workload_w4, &result->d);
    av_ptr(*list, void *, 0);
    av_ptr(*list, void *, 0);
    av_int(*list, index);
    av_double(*list, 2);
    av_float(*list, 3);
    av_schar(*list, 4);
    av_ptr(*list, void *, 0);
    av_short(*list, 5);
    av_struct(*list, workload_pair, pair);
    av_double(*list, 6);
    break;
  }
  case workload_suite_wr: {
    workload_rect rect = {(double)index, 2, 3, 4};
    workload_point point = {1, 2};
    workload_range range = {1, 2};
    av_start_struct(*list, workload_wr, workload_rect, 0, &result->rect);
    av_ptr(*list, void *, 0);
    av_ptr(*list, void *, 0);
    av_struct(*list, workload_rect, rect);
    av_struct(*list, workload_point, point);
    av_struct(*list, workload_range, range);
    break;
  }
  case workload_suite_we: break;
  }
}

static double result_of(workload_suite suite, const result_storage *result) {
  switch (suite) {
  case workload_suite_w0: return 0;
  case workload_suite_w2: return (double)result->q;
  case workload_suite_w4: return result->d;
  case workload_suite_wr: return result->rect.x;
  case workload_suite_we: break;
  }
  return 0;
}

double workload_run_avcall(workload_suite suite, size_t count, bool sets) {
  if (!workload_has_avcall()) return NAN;
  av_alist list;
  result_storage result;
  volatile double last = 0;
  // The arguments of the last direct call, so that the results are comparable.
  if (!sets) fill(&list, suite, count - 1, &result);
  for (size_t index = 0; index < count; index += 1) {
    if (sets) fill(&list, suite, index, &result);
    av_call(list);
    last = result_of(suite, &result);
  }
  return last;
}
#else
bool workload_has_avcall(void) { return false; }

double workload_run_avcall(workload_suite suite, size_t count, bool sets) { return 0; }
#endif
