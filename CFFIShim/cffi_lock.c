#include "cffi_lock.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(cffi_lock), "size");
_Static_assert(_Alignof(pthread_mutex_t) <= _Alignof(cffi_lock), "alignment");

static void require(int code, const char *what) {
  if (code == 0) return;
  fprintf(stderr, "Fatal error: a lock cannot be %s: error %d\n", what, code);
  abort();
}

static pthread_mutex_t *mutex(cffi_lock *lock) { return (pthread_mutex_t *)lock->storage; }

void cffi_lock_make(cffi_lock *lock) { require(pthread_mutex_init(mutex(lock), NULL), "made"); }
void cffi_lock_end(cffi_lock *lock) { pthread_mutex_destroy(mutex(lock)); }
void cffi_lock_take(cffi_lock *lock) { require(pthread_mutex_lock(mutex(lock)), "taken"); }
void cffi_lock_give_back(cffi_lock *lock) { require(pthread_mutex_unlock(mutex(lock)), "given back"); }

// The locks that a fork acquires, in ascending order of their numbers.
enum { MOST = 32 };
static struct {
  cffi_lock *lock;
  int order;
} taken[MOST];
static int count = 0;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void) {
  pthread_mutex_lock(&list);
  for (int index = 0; index < count; index += 1) cffi_lock_take(taken[index].lock);
}

static void after_fork(void) {
  for (int index = count - 1; index >= 0; index -= 1) cffi_lock_give_back(taken[index].lock);
  pthread_mutex_unlock(&list);
}

void cffi_lock_take_at_fork(cffi_lock *lock, int order) {
  static bool is_registered = false;
  pthread_mutex_lock(&list);
  if (!is_registered) {
    require(pthread_atfork(before_fork, after_fork, after_fork), "taken at a fork");
    is_registered = true;
  }
  require(count < MOST ? 0 : -1, "one more that a fork takes");
  int place = count;
  while (place > 0 && taken[place - 1].order > order) {
    taken[place] = taken[place - 1];
    place -= 1;
  }
  taken[place].lock = lock;
  taken[place].order = order;
  count += 1;
  pthread_mutex_unlock(&list);
}
