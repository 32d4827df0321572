// Delays tasks and threads at random, so that tests run in orders that are rare otherwise. Loaded before a test program by Scripts/perturb.sh.
//
//   PERTURB_SEED      the seed of the random numbers
//   PERTURB_PERCENT   of a hundred jobs of tasks and starts of threads, how many are delayed
//   PERTURB_MICROS    the longest delay
//
// Swift's concurrency runtime has hooks for the jobs of the global executor, which also runs actors without an executor of their own, and of the main
// executor. In a program without that runtime, which a test may start, only threads are delayed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

typedef __attribute__((swiftcall)) void (*Enqueue)(void *job);
typedef __attribute__((swiftcall)) void (*Hook)(void *job, Enqueue original);
typedef int (*CreateThread)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static _Atomic uint64_t random_state;
static uint64_t percent, longest;

// Functions of libdispatch: a time, a queue, and work that a queue runs at a time.
static uint64_t (*dispatch_time)(uint64_t base, int64_t nanoseconds);
static void *(*dispatch_queue)(long priority, unsigned long flags);
static void (*dispatch_after)(uint64_t when, void *queue, void *context, void (*work)(void *));

// SplitMix64, which any thread may step.
static uint64_t next_random(void) {
  uint64_t z = atomic_fetch_add(&random_state, 0x9E3779B97F4A7C15u) + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// A delay in microseconds, or 0 for none.
static uint64_t next_delay(void) {
  uint64_t r = next_random();
  return r % 100 < percent ? 1 + (r >> 20) % longest : 0;
}

struct DelayedJob {
  void *job;
  Enqueue enqueue;
};

static void enqueue_now(void *context) {
  struct DelayedJob delayed = *(struct DelayedJob *)context;
  free(context);
  delayed.enqueue(delayed.job);
}

static __attribute__((swiftcall)) void enqueue_later(void *job, Enqueue original) {
  uint64_t delay = next_delay();
  struct DelayedJob *delayed = delay == 0 ? NULL : malloc(sizeof *delayed);
  if (delayed == NULL) {
    original(job);
    return;
  }
  *delayed = (struct DelayedJob){job, original};
  dispatch_after(dispatch_time(0, (int64_t)delay * 1000), dispatch_queue(0, 0), delayed, enqueue_now);
}

struct DelayedThread {
  void *(*start)(void *);
  void *argument;
  useconds_t delay;
};

static void *start_later(void *context) {
  struct DelayedThread thread = *(struct DelayedThread *)context;
  free(context);
  usleep(thread.delay);
  return thread.start(thread.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  CreateThread original = (CreateThread)dlsym(RTLD_NEXT, "pthread_create");
  uint64_t delay = next_delay();
  struct DelayedThread *delayed = delay == 0 ? NULL : malloc(sizeof *delayed);
  if (delayed == NULL) return original(thread, attributes, start, argument);
  *delayed = (struct DelayedThread){start, argument, (useconds_t)delay};
  int status = original(thread, attributes, start_later, delayed);
  if (status != 0) free(delayed);
  return status;
}

static uint64_t number(const char *name, uint64_t standard) {
  const char *text = getenv(name);
  return text == NULL ? standard : strtoull(text, NULL, 10);
}

__attribute__((constructor)) static void install(void) {
  // Processes of one run get different numbers.
  random_state = number("PERTURB_SEED", 1) * 0xD1B54A32D192ED03u + (uint64_t)getpid();
  longest = number("PERTURB_MICROS", 3000);
  if (longest == 0) longest = 1;
  percent = number("PERTURB_PERCENT", 10);
  Hook *global = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  Hook *main = dlsym(RTLD_DEFAULT, "swift_task_enqueueMainExecutor_hook");
  dispatch_time = dlsym(RTLD_DEFAULT, "dispatch_time");
  dispatch_queue = dlsym(RTLD_DEFAULT, "dispatch_get_global_queue");
  dispatch_after = dlsym(RTLD_DEFAULT, "dispatch_after_f");
  if (!global || !main || !dispatch_time || !dispatch_queue || !dispatch_after) return;
  *global = enqueue_later;
  *main = enqueue_later;
}
