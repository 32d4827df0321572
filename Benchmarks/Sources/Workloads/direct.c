#include "workloads.h"

#include "alignment.h"

#include <time.h>

// A function for each suite, which is not inlined, so that its loop is the same code in every build.
#define LOOP_FUNCTION static WORKLOAD_ALIGNED __attribute__((noinline))

LOOP_FUNCTION double run_w0(const void *code, size_t count) {
  void (*volatile callee)(void *, const void *) = code;
  WORKLOAD_ALIGNED_LOOP for (size_t index = 0; index < count; index += 1) callee(0, 0);
  return 0;
}

LOOP_FUNCTION double run_w2(const void *code, size_t count) {
  int64_t (*volatile callee)(void *, const void *, int64_t, int64_t) = code;
  volatile int64_t result = 0;
  WORKLOAD_ALIGNED_LOOP for (size_t index = 0; index < count; index += 1) result = callee(0, 0, (int64_t)index, 2);
  return (double)result;
}

LOOP_FUNCTION double run_w4(const void *code, size_t count) {
  double (*volatile callee)(
      void *, const void *, int32_t, double, float, signed char, void *, int16_t, workload_pair, double) = code;
  const workload_pair pair = {3, 4};
  volatile double result = 0;
  WORKLOAD_ALIGNED_LOOP for (size_t index = 0; index < count; index += 1) {
    result = callee(0, 0, (int32_t)index, 2, 3, 4, 0, 5, pair, 6);
  }
  return result;
}

LOOP_FUNCTION double run_wr(const void *code, size_t count) {
  workload_rect (*volatile callee)(void *, const void *, workload_rect, workload_point, workload_range) = code;
  workload_rect rect = {1, 2, 3, 4};
  const workload_point point = {1, 2};
  const workload_range range = {1, 2};
  volatile double result = 0;
  WORKLOAD_ALIGNED_LOOP for (size_t index = 0; index < count; index += 1) {
    rect.x = (double)index;
    const workload_rect moved = callee(0, 0, rect, point, range);
    result = moved.x;
  }
  return result;
}

WORKLOAD_ALIGNED __attribute__((noinline)) double workload_run_handler(
    const void *code, void *target, void *source, void *button, size_t count) {
  void (*volatile callee)(void *, const void *, void *, void *, int64_t, workload_rect, void *) = code;
  const workload_rect rect = {1, 2, 3, 4};
  const double before = workload_we_sum();
  WORKLOAD_ALIGNED_LOOP for (size_t index = 0; index < count; index += 1) callee(target, target, source, button, 7, rect, 0);
  return workload_we_sum() - before;
}

double workload_run_direct(workload_suite suite, size_t count) {
  return workload_run_callback(suite, workload_callee(suite), count);
}

double workload_run_callback(workload_suite suite, const void *code, size_t count) {
  switch (suite) {
  case workload_suite_w0: return run_w0(code, count);
  case workload_suite_w2: return run_w2(code, count);
  case workload_suite_w4: return run_w4(code, count);
  case workload_suite_wr: return run_wr(code, count);
  case workload_suite_we: {
    int object;
    return workload_run_handler(code, &object, &object, &object, count);
  }
  }
  return 0;
}

double workload_cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
