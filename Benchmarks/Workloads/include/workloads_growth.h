#ifndef WORKLOADS_GROWTH_H
#define WORKLOADS_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The callees of the curves that `invocation-bench growth` measures, and libffi's calls of them.

/// The largest number of arguments of `workload_sum_callee`.
enum { workload_most_arguments = 32 };
/// The largest size of `workload_block_callee`, in bytes.
enum { workload_largest_block = 4096 };

/// Returns the C function that adds up a number of `int64_t` arguments, or null if there is none: the numbers are 0 and
/// the powers of two up to `workload_most_arguments`.
const void *_Nullable workload_sum_callee(size_t arguments);

/// Returns the C function that takes a struct of `int64_t` by value and adds up the first and the last of them, or null
/// if there is none: the sizes are the powers of two from 8 bytes to `workload_largest_block`.
const void *_Nullable workload_block_callee(size_t size);

/// Calls `workload_sum_callee` with `ffi_call` and a prepared interface. The arguments are 1, 2, 3 and so on, and are
/// stored before each call. Returns the sum of the results.
double workload_run_ffi_sum(size_t arguments, size_t count);

/// Calls `workload_block_callee` with `ffi_call` and a prepared interface. The struct contains 1, 2, 3 and so on.
/// Returns the sum of the results.
double workload_run_ffi_block(size_t size, size_t count);

#endif
