#ifndef WORKLOADS_H
#define WORKLOADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The callees of each suite, and the loops that time C's own ways to call them. They are C so that a direct call is one.
// The package compiles them with clang; the peers (Benchmarks/Peers) are C, C++ and Objective-C of gcc, on the same callees.

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

/// W0 `v@:`: counts in memory, as a proof of the call.
void workload_w0(void *_Nullable target, const void *_Nullable selector);
/// The count of W0.
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

/// WE `v@:@@q{Rect={Point=dd}{Size=dd}}@`: an event's handler, which adds the tags of those that came as they were sent.
void workload_we(
    void *_Nullable target, const void *_Nullable selector, void *_Nullable source, void *_Nullable button, int64_t tag,
    workload_rect rect, void *_Nullable other);
/// The sum of WE.
double workload_we_sum(void);

/// A suite, by its number. Of WE there is the direct call alone: events are Swift's.
typedef enum WORKLOAD_CLOSED_ENUM {
  workload_suite_w0 WORKLOAD_SWIFT_NAME("w0") = 0,
  workload_suite_w2 WORKLOAD_SWIFT_NAME("w2") = 1,
  workload_suite_w4 WORKLOAD_SWIFT_NAME("w4") = 2,
  workload_suite_wr WORKLOAD_SWIFT_NAME("wr") = 3,
  workload_suite_we WORKLOAD_SWIFT_NAME("we") = 4,
} workload_suite;

/// The callee of a suite, as a pointer no optimizer sees through.
const void *_Nonnull workload_callee(workload_suite suite);

/// Calls the callee `count` times directly, through a volatile pointer, with changing arguments. Returns the sum of the results.
double workload_run_direct(workload_suite suite, size_t count);
/// Calls code of the suite's types as `workload_run_direct` calls the callee.
double workload_run_callback(workload_suite suite, const void *_Nonnull code, size_t count);
/// Calls code of the types of WE with these objects; returns what that added to the sum.
double workload_run_handler(
    const void *_Nonnull code, void *_Nonnull target, void *_Nonnull source, void *_Nonnull button, size_t count);
/// Calls a closure of libffi that calls the callee; not a number where libffi cannot make one.
double workload_run_ffi_closure(workload_suite suite, size_t count);
/// Calls it by `ffi_call` with a prepared interface; `sets` writes the changing argument each time.
double workload_run_ffi(workload_suite suite, size_t count, bool sets);
/// Prepares the interface anew for each call by `ffi_call`.
double workload_run_ffi_create(workload_suite suite, size_t count);

/// Whether the rival avcall (GNU libffcall) was there at build time, and is now.
bool workload_has_avcall(void);
/// Calls it by avcall; `sets` fills the argument list each time. Only where `workload_has_avcall` says true.
double workload_run_avcall(workload_suite suite, size_t count, bool sets);

/// Seconds of processor time that this process has used.
double workload_cpu_seconds(void);

#ifdef __cplusplus
}
#endif

#endif
