// GNU libffcall's avcall, whose interface consists of macros.
#include "peer.h"

#include <avcall.h>

// The memory to which the list writes the result.
typedef union {
  long long q;
  double d;
  workload_rect rect;
} result_storage;

static void fill(av_alist *list, workload_suite suite, size_t index, result_storage *result) {
  const workload_pair pair = {3, 4};
  const workload_rect rect = {(double)index, 2, 3, 4};
  const workload_point point = {1, 2};
  const workload_range range = {1, 2};
  switch (suite) {
  case workload_suite_w0: av_start_void(*list, workload_w0); break;
  case workload_suite_w2: av_start_longlong(*list, workload_w2, &result->q); break;
  case workload_suite_w4: av_start_double(*list, workload_w4, &result->d); break;
  default: av_start_struct(*list, workload_wr, workload_rect, 0, &result->rect);
  }
  av_ptr(*list, void *, 0);
  av_ptr(*list, void *, 0);
  switch (suite) {
  case workload_suite_w0: break;
  case workload_suite_w2:
    av_longlong(*list, (long long)index);
    av_longlong(*list, 2);
    break;
  case workload_suite_w4:
    av_int(*list, (int)index);
    av_double(*list, 2);
    av_float(*list, 3);
    av_schar(*list, 4);
    av_ptr(*list, void *, 0);
    av_short(*list, 5);
    av_struct(*list, workload_pair, pair);
    av_double(*list, 6);
    break;
  default:
    av_struct(*list, workload_rect, rect);
    av_struct(*list, workload_point, point);
    av_struct(*list, workload_range, range);
  }
}

static double result_of(workload_suite suite, const result_storage *result) {
  switch (suite) {
  case workload_suite_w0: return 0;
  case workload_suite_w2: return (double)result->q;
  case workload_suite_w4: return result->d;
  default: return result->rect.x;
  }
}

static double run(workload_suite suite, size_t count, bool sets) {
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

// A filled list can be called repeatedly.
static double invoke(workload_suite suite, size_t count) { return run(suite, count, false); }

static double set(workload_suite suite, size_t count) { return run(suite, count, true); }

int main(void) {
  const workload_suite suites[] = {workload_suite_w0, workload_suite_w2, workload_suite_w4, workload_suite_wr};
  for (size_t each = 0; each < sizeof suites / sizeof *suites; each += 1) {
    peer_add(suites[each], "invoke", invoke);
    peer_add(suites[each], "set", set);
  }
  return peer_report("avcall");
}
