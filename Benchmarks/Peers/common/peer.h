#ifndef PEER_H
#define PEER_H

#include "workloads.h"

// The functions that all peers share. A peer adds its rows, and these functions check, time and print them.

#ifdef __cplusplus
extern "C" {
#endif

/// Makes `count` calls of a suite's callee with the arguments of `workload_run_direct`, and returns the last result as
/// that function does.
typedef double (*peer_loop)(workload_suite suite, size_t count);

/// Adds a row: the cost of `phase` ("invoke", "set" or "create", as in invocation-bench) of a suite. Rows of one suite
/// must be adjacent.
void peer_add(workload_suite suite, const char *phase, peer_loop loop);

/// Adds a row that is wrong according to a check of the peer itself: it is reported, but never timed.
void peer_add_wrong(workload_suite suite, const char *phase);

/// Checks every row against the direct call, times the right ones in alternation with it, and prints the report as
/// JSON.
///
/// Returns the status for `main`. If PEER_QUICK is set, rounds are few and short: that shows that everything runs, but
/// measures nothing.
int peer_report(const char *engine);

#ifdef __cplusplus
}
#endif

#endif
