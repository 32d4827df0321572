#include "peer.h"

#include <stdio.h>
#include <stdlib.h>

// A library, because LuaJIT and Python load it. The other peers link it.

enum { most_rows = 32, most_rounds = 21 };

typedef struct {
  workload_suite suite;
  const char *phase;
  peer_loop loop;  // null if the peer itself reports that the row is wrong
  bool is_right;
  size_t count, direct_count;                        // operations per round
  double times[most_rounds], direct[most_rounds];    // nanoseconds per operation, for each round
} peer_row;

static const char *const suites[] = {"W0", "W2", "W4", "WR"};
static peer_row rows[most_rows];
static size_t row_count;

// Linked into the peers whose heap is malloc's. It is absent from the others, whose rows report null.
uint64_t allocation_count(void) __attribute__((weak));

void peer_add(workload_suite suite, const char *phase, peer_loop loop) {
  if (row_count == most_rows) abort();
  rows[row_count] = (peer_row){.suite = suite, .phase = phase, .loop = loop};
  row_count += 1;
}

void peer_add_wrong(workload_suite suite, const char *phase) { peer_add(suite, phase, NULL); }

// Makes many calls as well as two: errors of a run-time compiler, or of a pointer to a dead stack frame, only occur in
// later calls.
static bool is_right(const peer_row *row) {
  if (!row->loop) return false;
  const size_t counts[] = {2, 1000};
  for (size_t each = 0; each < sizeof counts / sizeof *counts; each += 1) {
    const double expected = workload_run_direct(row->suite, counts[each]);
    const uint64_t before = workload_w0_count();
    if (row->loop(row->suite, counts[each]) != expected) return false;
    if (row->suite == workload_suite_w0 && workload_w0_count() != before + counts[each]) return false;
  }
  return true;
}

static double seconds_of(peer_loop loop, workload_suite suite, size_t count) {
  const double start = workload_cpu_seconds();
  loop(suite, count);
  return workload_cpu_seconds() - start;
}

// Returns the number of operations that take the given number of seconds.
static size_t calibrated(peer_loop loop, workload_suite suite, double seconds) {
  for (size_t count = 64;; count *= 4) {
    const double elapsed = seconds_of(loop, suite, count);
    if (elapsed < seconds / 4 && count < (size_t)1 << 30) continue;
    const double wanted = (double)count * seconds / (elapsed > 1e-9 ? elapsed : 1e-9);
    return wanted > 64 ? (size_t)wanted : 64;
  }
}

// Times the rows of a suite in alternation, each with a direct call, so that a change of the machine's speed affects
// both.
static void measure(peer_row *first, size_t count, int rounds, double seconds) {
  for (size_t each = 0; each < count; each += 1) {
    peer_row *row = &first[each];
    if (!row->is_right) continue;
    row->direct_count = calibrated(workload_run_direct, row->suite, seconds);
    row->count = calibrated(row->loop, row->suite, seconds);
  }
  for (int round = 0; round < rounds; round += 1) {
    for (size_t each = 0; each < count; each += 1) {
      // Alternate the direction, so that a steady drift favors neither the first row nor the last.
      peer_row *row = &first[round % 2 == 0 ? each : count - 1 - each];
      if (!row->is_right) continue;
      row->direct[round] = seconds_of(workload_run_direct, row->suite, row->direct_count) * 1e9 / (double)row->direct_count;
      row->times[round] = seconds_of(row->loop, row->suite, row->count) * 1e9 / (double)row->count;
    }
  }
}

static int by_size(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

// Returns the value below which a fraction of the sorted numbers is, interpolated between its neighbors.
static double quantile(const double *sorted, int count, double share) {
  const double position = share * (count - 1);
  const int below = (int)position;
  const int above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

static void print_result(
    const char *engine, const peer_row *row, const double *times, int rounds, const char *allocations, const char *separator) {
  double sorted[most_rounds], ratios[most_rounds];
  for (int round = 0; round < rounds; round += 1) {
    sorted[round] = times[round];
    ratios[round] = times[round] / row->direct[round];
  }
  qsort(sorted, rounds, sizeof *sorted, by_size);
  qsort(ratios, rounds, sizeof *ratios, by_size);
  const double ratio = quantile(ratios, rounds, 0.5);
  const double spread = (quantile(ratios, rounds, 0.75) - quantile(ratios, rounds, 0.25)) / ratio;
  printf(
      "%s\n  {\"suite\": \"%s\", \"phase\": \"%s\", \"engine\": \"%s\", \"ns\": %.4f, \"ratio\": %.4f, \"allocations\": %s, "
      "\"spread\": %.4f, \"minimum\": %.4f, \"maximum\": %.4f}",
      separator, suites[row->suite], row->phase, engine, quantile(sorted, rounds, 0.5), ratio, allocations, spread, sorted[0],
      sorted[rounds - 1]);
}

// Computes the difference of a long and a short loop, so that allocations of the loop itself are not counted.
static void print_allocations(const peer_row *row, char *text, size_t size) {
  if (!allocation_count) {
    snprintf(text, size, "null");
    return;
  }
  const uint64_t start = allocation_count();
  row->loop(row->suite, 100);
  const uint64_t middle = allocation_count();
  row->loop(row->suite, 1100);
  const uint64_t end = allocation_count();
  snprintf(text, size, "%.3f", ((double)(end - middle) - (double)(middle - start)) / 1000);
}

int peer_report(const char *engine) {
  const bool quick = getenv("PEER_QUICK");
  const int rounds = quick ? 3 : most_rounds;
  for (size_t each = 0; each < row_count; each += 1) rows[each].is_right = is_right(&rows[each]);
  for (size_t first = 0, next; first < row_count; first = next) {
    for (next = first + 1; next < row_count && rows[next].suite == rows[first].suite;) next += 1;
    measure(&rows[first], next - first, rounds, quick ? 0.001 : 0.01);
  }

  const char *separator = "";
  printf("{\"results\": [");
  for (size_t each = 0; each < row_count; each += 1) {
    const peer_row *row = &rows[each];
    if (!row->is_right) continue;
    char allocations[32];
    print_allocations(row, allocations, sizeof allocations);
    print_result("direct", row, row->direct, rounds, "0", separator);
    print_result(engine, row, row->times, rounds, allocations, ",");
    separator = ",";
  }
  printf("\n],\n\"wrong\": [");
  separator = "";
  for (size_t each = 0; each < row_count; each += 1) {
    if (rows[each].is_right) continue;
    printf("%s\"%s/%s/%s\"", separator, suites[rows[each].suite], rows[each].phase, engine);
    separator = ", ";
  }
  printf("]}\n");
  return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
