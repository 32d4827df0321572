#ifndef PEER_H
#define PEER_H

#include "workloads.h"

// What every peer shares: it says which rows it has, and these functions check, time and print them.

#ifdef __cplusplus
extern "C" {
#endif

/// Makes `count` calls of a suite's callee, with the arguments of `workload_run_direct`; gives the last result as that does.
typedef double (*peer_loop)(workload_suite suite, size_t count);

/// Adds a row: what `phase` ("invoke", "set" or "create", as in invocation-bench) of a suite costs. Rows of one suite follow each other.
void peer_add(workload_suite suite, const char *phase, peer_loop loop);

/// Adds a row that is wrong by a check of the peer's own: it is reported, and never timed.
void peer_add_wrong(workload_suite suite, const char *phase);

/// Checks every row against the direct call, times those that are right in turns with it, and prints the report as JSON.
///
/// Gives the status for `main`. Rounds are few and short where PEER_QUICK is set, which shows that all runs, and measures nothing.
int peer_report(const char *engine);

#ifdef __cplusplus
}
#endif

#endif
