// GNU libffcall's avcall: the loops are those of invocation-bench.
#include "peer.h"

// A filled list can be called repeatedly.
static double invoke(workload_suite suite, size_t count) { return workload_run_avcall(suite, count, false); }

static double set(workload_suite suite, size_t count) { return workload_run_avcall(suite, count, true); }

int main(void) {
  const workload_suite suites[] = {workload_suite_w0, workload_suite_w2, workload_suite_w4, workload_suite_wr};
  for (size_t each = 0; each < sizeof suites / sizeof *suites; each += 1) {
    peer_add(suites[each], "invoke", invoke);
    peer_add(suites[each], "set", set);
  }
  return peer_report("avcall");
}
