#include "workloads.h"

#include "alignment.h"

static volatile uint64_t counter;

WORKLOAD_ALIGNED void workload_w0(void *target, const void *selector) { counter += 1; }

uint64_t workload_w0_count(void) { return counter; }

WORKLOAD_ALIGNED int64_t workload_w2(void *target, const void *selector, int64_t a, int64_t b) { return a + b; }

WORKLOAD_ALIGNED double workload_w4(
    void *target, const void *selector, int32_t a, double b, float c, signed char d, void *e, int16_t f, workload_pair g,
    double h) {
  return a + b + c + d + f + g.a + g.b + h;
}

WORKLOAD_ALIGNED workload_rect workload_wr(
    void *target, const void *selector, workload_rect rect, workload_point point, workload_range range) {
  rect.x += point.x;
  rect.y += point.y;
  rect.width += (double)range.location;
  rect.height += (double)range.length;
  return rect;
}

static volatile int64_t event_sum;

WORKLOAD_ALIGNED void workload_we(
    void *target, const void *selector, void *source, void *button, int64_t tag, workload_rect rect, void *other) {
  // Only events with correct arguments are counted.
  event_sum += other || !source || !button || rect.width != 3 ? 0 : tag;
}

double workload_we_sum(void) { return (double)event_sum; }

const void *workload_callee(workload_suite suite) {
  switch (suite) {
  case workload_suite_w0: return (const void *)workload_w0;
  case workload_suite_w2: return (const void *)workload_w2;
  case workload_suite_w4: return (const void *)workload_w4;
  case workload_suite_wr: return (const void *)workload_wr;
  case workload_suite_we: return (const void *)workload_we;
  }
  return (const void *)workload_w0;
}
