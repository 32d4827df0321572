#include "workloads.h"

#include <math.h>

// The columns of a batch: WORKLOAD_ROWS values for each argument that changes.
static double numbers[WORKLOAD_ROWS], powers[WORKLOAD_ROWS];
static int64_t integers[WORKLOAD_ROWS];
static int32_t narrow[WORKLOAD_ROWS];
static float singles[WORKLOAD_ROWS];
static signed char bytes[WORKLOAD_ROWS];
static int16_t shorts[WORKLOAD_ROWS];
static workload_pair pairs[WORKLOAD_ROWS];
static workload_rect rects[WORKLOAD_ROWS];
static workload_point points[WORKLOAD_ROWS];
static workload_range ranges[WORKLOAD_ROWS];
static double results[WORKLOAD_ROWS];
static int64_t sums[WORKLOAD_ROWS];
static workload_rect moved[WORKLOAD_ROWS];

workload_columns workload_prepare_rows(void) {
  for (int row = 0; row < WORKLOAD_ROWS; row += 1) {
    numbers[row] = row / 64.0;
    powers[row] = 2;
    integers[row] = row;
    narrow[row] = row;
    singles[row] = 3;
    bytes[row] = 4;
    shorts[row] = 5;
    pairs[row] = (workload_pair){3, 4};
    rects[row] = (workload_rect){row, 2, 3, 4};
    points[row] = (workload_point){1, 2};
    ranges[row] = (workload_range){1, 2};
  }
  return (workload_columns){numbers, powers, integers, narrow, singles, bytes, shorts, pairs, rects, points, ranges, results, sums, moved};
}

double workload_next(double value) { return value + 1; }

const void *workload_row_callee(workload_rows rows) {
  switch (rows) {
  case workload_rows_dd: return (const void *)workload_next;
  case workload_rows_w0: return (const void *)workload_w0;
  case workload_rows_w2: return (const void *)workload_w2;
  case workload_rows_w4: return (const void *)workload_w4;
  case workload_rows_wr: return (const void *)workload_wr;
  case workload_rows_exp: return (const void *)(double (*)(double))exp;
  case workload_rows_sin: return (const void *)(double (*)(double))sin;
  case workload_rows_cos: return (const void *)(double (*)(double))cos;
  }
  return (const void *)workload_next;
}

double workload_run_rows(workload_rows rows, size_t count) {
  const void *code = workload_row_callee(rows);
  switch (rows) {
  case workload_rows_w0: {
    void (*volatile callee)(void *, const void *) = code;
    for (size_t row = 0; row < count; row += 1) callee(0, 0);
    return 0;
  }
  case workload_rows_w2: {
    int64_t (*volatile callee)(void *, const void *, int64_t, int64_t) = code;
    for (size_t row = 0; row < count; row += 1) sums[row] = callee(0, 0, integers[row], integers[row]);
    return (double)sums[count - 1];
  }
  case workload_rows_w4: {
    double (*volatile callee)(
        void *, const void *, int32_t, double, float, signed char, void *, int16_t, workload_pair, double) = code;
    for (size_t row = 0; row < count; row += 1) {
      results[row] = callee(0, 0, narrow[row], numbers[row], singles[row], bytes[row], 0, shorts[row], pairs[row], powers[row]);
    }
    return results[count - 1];
  }
  case workload_rows_wr: {
    workload_rect (*volatile callee)(void *, const void *, workload_rect, workload_point, workload_range) = code;
    for (size_t row = 0; row < count; row += 1) moved[row] = callee(0, 0, rects[row], points[row], ranges[row]);
    return moved[count - 1].x;
  }
  case workload_rows_dd:
  case workload_rows_exp:
  case workload_rows_sin:
  case workload_rows_cos: {
    double (*volatile callee)(double) = code;
    for (size_t row = 0; row < count; row += 1) results[row] = callee(numbers[row]);
    return results[count - 1];
  }
  }
  return 0;
}
