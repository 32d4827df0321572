#ifndef WORKLOADS_H
#define WORKLOADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The callees of each suite, and the loops that time C's own mechanisms to call them. They are in C so that a direct
// call is a C call. The package compiles them with clang. The peers (Benchmarks/Peers) are C, C++ and Objective-C
// programs compiled with gcc and use the same callees.

#ifdef __clang__
#define WORKLOAD_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#define WORKLOAD_SWIFT_NAME(name) __attribute__((swift_name(name)))
#else
#define WORKLOAD_CLOSED_ENUM
#define WORKLOAD_SWIFT_NAME(name)
#define _Nullable
#define _Nonnull
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  double x, y;
} workload_point;

typedef struct {
  double x, y, width, height;
} workload_rect;

typedef struct {
  uint64_t location, length;
} workload_range;

typedef struct {
  int32_t a, b;
} workload_pair;

/// W0 `v@:`: increments a counter in memory, as a proof of the call.
void workload_w0(void *_Nullable target, const void *_Nullable selector);
/// Returns the counter of W0.
uint64_t workload_w0_count(void);
/// W2 `q@:qq`.
int64_t workload_w2(void *_Nullable target, const void *_Nullable selector, int64_t a, int64_t b);
/// W4 `d@:idfc^vs{II=ii}d`.
double workload_w4(
    void *_Nullable target, const void *_Nullable selector, int32_t a, double b, float c, signed char d, void *_Nullable e,
    int16_t f, workload_pair g, double h);
/// WR: a rectangle moved by a point and grown by a range.
workload_rect workload_wr(
    void *_Nullable target, const void *_Nullable selector, workload_rect rect, workload_point point, workload_range range);

/// WE `v@:@@q{Rect={Point=dd}{Size=dd}}@`: the handler of an event. Adds the tags of the events that arrive as they
/// were sent.
void workload_we(
    void *_Nullable target, const void *_Nullable selector, void *_Nullable source, void *_Nullable button, int64_t tag,
    workload_rect rect, void *_Nullable other);
/// Returns the sum of WE.
double workload_we_sum(void);

/// The number of a suite. WE has only the direct call: events exist only in Swift.
typedef enum WORKLOAD_CLOSED_ENUM {
  workload_suite_w0 WORKLOAD_SWIFT_NAME("w0") = 0,
  workload_suite_w2 WORKLOAD_SWIFT_NAME("w2") = 1,
  workload_suite_w4 WORKLOAD_SWIFT_NAME("w4") = 2,
  workload_suite_wr WORKLOAD_SWIFT_NAME("wr") = 3,
  workload_suite_we WORKLOAD_SWIFT_NAME("we") = 4,
} workload_suite;

/// Returns the callee of a suite as a pointer that is opaque to the optimizer.
const void *_Nonnull workload_callee(workload_suite suite);

/// Calls the callee `count` times directly, through a volatile pointer, with changing arguments. Returns the sum of the
/// results.
double workload_run_direct(workload_suite suite, size_t count);
/// Calls code with the suite's types in the same manner as `workload_run_direct` calls the callee.
double workload_run_callback(workload_suite suite, const void *_Nonnull code, size_t count);
/// Calls code with the types of WE and these objects. Returns what the calls added to the sum.
double workload_run_handler(
    const void *_Nonnull code, void *_Nonnull target, void *_Nonnull source, void *_Nonnull button, size_t count);
/// Calls a libffi closure that calls the callee. Returns NaN if libffi cannot create a closure.
double workload_run_ffi_closure(workload_suite suite, size_t count);
/// Calls the callee with `ffi_call` and a prepared interface. `sets` writes the changing argument before each call.
double workload_run_ffi(workload_suite suite, size_t count, bool sets);
/// Prepares the interface before each call with `ffi_call`.
double workload_run_ffi_create(workload_suite suite, size_t count);

/// Returns the seconds of processor time that this process has used.
double workload_cpu_seconds(void);

// The callees of the curves that `invocation-bench growth` measures.

/// Returns the C function that adds up a number of `int64_t` arguments, or null if there is none: the numbers are 0 and
/// the powers of two up to 32.
const void *_Nullable workload_sum_callee(size_t arguments);
/// Returns the C function that takes a struct of `int64_t` by value and adds up the first and the last of them, or null
/// if there is none: the sizes are the powers of two from 8 to 4,096 bytes.
const void *_Nullable workload_block_callee(size_t size);

#ifdef __cplusplus
}
#endif

#endif
