// GNU libffcall's avcall: an argument list filled by macros, then called.
#include <avcall.h>

#include "peer.h"

// Where the list writes the result.
typedef union {
  long long q;
  double d;
  workload_rect rect;
} result_storage;

static void fill(av_alist *list, workload_suite suite, size_t index, result_storage *result) {
  switch (suite) {
  case workload_suite_w0:
    av_start_void(*list, workload_w0);
    av_ptr(*list, void *, NULL);
    av_ptr(*list, void *, NULL);
    break;
  case workload_suite_w2:
    av_start_longlong(*list, workload_w2, &result->q);
    av_ptr(*list, void *, NULL);
    av_ptr(*list, void *, NULL);
    av_longlong(*list, (long long)index);
    av_longlong(*list, 2);
    break;
  case workload_suite_w4: {
    const workload_pair pair = {3, 4};
    av_start_double(*list, workload_w4, &result->d);
    av_ptr(*list, void *, NULL);
    av_ptr(*list, void *, NULL);
    av_int(*list, (int)index);
    av_double(*list, 2);
    av_float(*list, 3);
    av_schar(*list, 4);
    av_ptr(*list, void *, NULL);
    av_short(*list, 5);
    av_struct(*list, workload_pair, pair);
    av_double(*list, 6);
    break;
  }
  case workload_suite_wr: {
    const workload_rect rect = {(double)index, 2, 3, 4};
    const workload_point point = {1, 2};
    const workload_range range = {1, 2};
    av_start_struct(*list, workload_wr, workload_rect, 0, &result->rect);
    av_ptr(*list, void *, NULL);
    av_ptr(*list, void *, NULL);
    av_struct(*list, workload_rect, rect);
    av_struct(*list, workload_point, point);
    av_struct(*list, workload_range, range);
    break;
  }
  }
}

static double result_of(workload_suite suite, const result_storage *result) {
  switch (suite) {
  case workload_suite_w0: return 0;
  case workload_suite_w2: return (double)result->q;
  case workload_suite_w4: return result->d;
  case workload_suite_wr: return result->rect.x;
  }
  return 0;
}

// A filled list can be called again.
static double invoke(workload_suite suite, size_t count) {
  av_alist list;
  result_storage result;
  fill(&list, suite, count - 1, &result);
  for (size_t index = 0; index < count; index += 1) av_call(list);
  return result_of(suite, &result);
}

static double set(workload_suite suite, size_t count) {
  volatile double last = 0;
  for (size_t index = 0; index < count; index += 1) {
    av_alist list;
    result_storage result;
    fill(&list, suite, index, &result);
    av_call(list);
    last = result_of(suite, &result);
  }
  return last;
}

int main(void) {
  const workload_suite suites[] = {workload_suite_w0, workload_suite_w2, workload_suite_w4, workload_suite_wr};
  for (size_t each = 0; each < sizeof suites / sizeof *suites; each += 1) {
    peer_add(suites[each], "invoke", invoke);
    peer_add(suites[each], "set", set);
  }
  return peer_report("avcall");
}
