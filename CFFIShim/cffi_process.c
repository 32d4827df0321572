#define _GNU_SOURCE 1
#include "cffi_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if TARGET_OS_TV || TARGET_OS_WATCH

// An application there cannot start a process.
int cffi_run_command(const char *const *arguments, int count, struct cffi_bytes *output, struct cffi_bytes *errors, int *status) {
  (void)arguments, (void)count, (void)status;
  *output = *errors = (struct cffi_bytes){0};
  return ENOSYS;
}

#else

#include <spawn.h>

extern char **environ;

// The longest output of a command that is read.
enum { longest_output = 1 << 27 };

static int append(struct cffi_bytes *to, size_t *capacity, int descriptor) {
  if (to->size == *capacity) {
    size_t wanted = *capacity ? 2 * *capacity : 1 << 16;
    unsigned char *bytes = realloc(to->bytes, wanted);
    if (!bytes) return -1;
    to->bytes = bytes;
    *capacity = wanted;
  }
  ssize_t count;
  do count = read(descriptor, to->bytes + to->size, *capacity - to->size);
  while (count < 0 && errno == EINTR);
  if (count > 0) to->size += (size_t)count;
  if (to->size > longest_output) {
    errno = EFBIG;
    return -1;
  }
  return count < 0 ? -1 : count > 0;
}

static int open_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

int cffi_run_command(const char *const *arguments, int count, struct cffi_bytes *output, struct cffi_bytes *errors, int *status) {
  *output = *errors = (struct cffi_bytes){0};
  int out[2], err[2];
  if (open_pipe(out) != 0) return errno;
  if (open_pipe(err) != 0) {
    int error = errno;
    close(out[0]);
    close(out[1]);
    return error;
  }
  char **copy = calloc((size_t)count + 1, sizeof *copy);
  pid_t child = 0;
  int error = copy ? 0 : ENOMEM;
  if (!error) {
    for (int i = 0; i < count; i++) copy[i] = (char *)arguments[i];
    posix_spawn_file_actions_t actions;
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
      posix_spawn_file_actions_adddup2(&actions, out[1], 1);
      posix_spawn_file_actions_adddup2(&actions, err[1], 2);
      error = posix_spawnp(&child, copy[0], &actions, NULL, copy, environ);
      posix_spawn_file_actions_destroy(&actions);
    }
  }
  free(copy);
  close(out[1]);
  close(err[1]);
  struct pollfd ends[2] = {{.fd = out[0], .events = POLLIN}, {.fd = err[0], .events = POLLIN}};
  size_t capacities[2] = {0, 0};
  struct cffi_bytes *results[2] = {output, errors};
  while (!error && (ends[0].fd >= 0 || ends[1].fd >= 0)) {
    if (poll(ends, 2, -1) < 0) {
      if (errno != EINTR) error = errno;
      continue;
    }
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd < 0 || !ends[i].revents) continue;
      int more = append(results[i], &capacities[i], ends[i].fd);
      if (more < 0) error = errno ? errno : ENOMEM;
      if (more <= 0) ends[i].fd = -1;
    }
  }
  // A child that still writes ends, as nobody reads.
  close(out[0]);
  close(err[0]);
  if (child > 0) {
    pid_t ended;
    do ended = waitpid(child, status, 0);
    while (ended < 0 && errno == EINTR);
    // A program that ignores SIGCHLD has no status to wait for.
    if (ended < 0 && errno == ECHILD) *status = 0;
    else if (ended < 0 && !error) error = errno;
  }
  return error;
}

#endif

void cffi_free_bytes(struct cffi_bytes bytes) { free(bytes.bytes); }

const char *cffi_error_message(int number) { return strerror(number); }

const char *cffi_environment(const char *name) { return getenv(name); }
