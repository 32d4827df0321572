#define _GNU_SOURCE 1
#include "cffi_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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

// Opens a regular file of at most so many bytes.
static int open_file(const char *path, size_t limit, int *descriptor, size_t *size) {
  *descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (*descriptor < 0) return errno;
  struct stat about;
  int error = fstat(*descriptor, &about) != 0 ? errno : 0;
  if (!error && (!S_ISREG(about.st_mode) || about.st_size < 0 || (uint64_t)about.st_size > limit)) error = EFBIG;
  if (error) close(*descriptor);
  else *size = (size_t)about.st_size;
  return error;
}

int cffi_read_file(const char *path, size_t limit, struct cffi_bytes *result) {
  *result = (struct cffi_bytes){0};
  int descriptor;
  size_t size;
  int error = open_file(path, limit, &descriptor, &size);
  if (error) return error;
  if (size > 0) {
    result->bytes = malloc(size);
    if (!result->bytes) error = ENOMEM;
    while (!error && result->size < size) {
      ssize_t count = read(descriptor, result->bytes + result->size, size - result->size);
      if (count > 0) result->size += (size_t)count;
      if (count == 0) break;
      if (count < 0 && errno != EINTR) error = errno;
    }
  }
  close(descriptor);
  if (error) {
    free(result->bytes);
    *result = (struct cffi_bytes){0};
  }
  return error;
}

int cffi_write_file(const char *path, const unsigned char *bytes, size_t size) {
  size_t length = strlen(path);
  char *name = malloc(length + 8);
  if (!name) return ENOMEM;
  memcpy(name, path, length + 1);
  for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    int failed = mkdir(name, 0700) != 0 && errno != EEXIST && errno != EISDIR;
    *slash = '/';
    if (failed) break;
  }
  memcpy(name + length, ".XXXXXX", 8);
  int descriptor = mkostemp(name, O_CLOEXEC);
  int error = descriptor < 0 ? errno : 0;
  size_t written = 0;
  while (!error && written < size) {
    ssize_t count = write(descriptor, bytes + written, size - written);
    if (count >= 0) written += (size_t)count;
    else if (errno != EINTR) error = errno;
  }
  if (descriptor >= 0) {
    if (close(descriptor) != 0 && !error) error = errno;
    if (!error && rename(name, path) != 0) error = errno;
    if (error) unlink(name);
  }
  free(name);
  return error;
}

#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#define st_atim st_atimespec
#endif

static uint64_t nanoseconds(struct timespec time) { return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec; }

static void put_stamp(const struct stat *about, uint64_t stamp[4]) {
  stamp[0] = (uint64_t)about->st_size;
  stamp[1] = nanoseconds(about->st_mtim);
  stamp[2] = nanoseconds(about->st_ctim);
  stamp[3] = (uint64_t)about->st_ino;
}

int cffi_file_stamp(const char *path, uint64_t stamp[4]) {
  struct stat about;
  if (stat(path, &about) != 0) return errno;
  put_stamp(&about, stamp);
  return 0;
}

void cffi_close_folder(struct cffi_folder *folder) {
  if (folder->path && folder->descriptor >= 0) close(folder->descriptor);
  *folder = (struct cffi_folder){0};
}

// Opens the folder of a file. One that cannot be opened, for example as its path is too long, has the descriptor -1.
static void open_folder(struct cffi_folder *folder, const char *path, size_t length) {
  char name[1024];
  cffi_close_folder(folder);
  *folder = (struct cffi_folder){.path = path, .length = length, .descriptor = -1};
  if (length >= sizeof name) return;
  memcpy(name, path, length);
  name[length] = 0;
#ifdef O_PATH
  folder->descriptor = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
#else
  folder->descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#endif
}

int cffi_file_stamp_in(struct cffi_folder *folder, const char *path, uint64_t stamp[4]) {
  const char *slash = strrchr(path, '/');
  if (!slash || !slash[1]) return cffi_file_stamp(path, stamp);
  size_t length = (size_t)(slash + 1 - path);
  if (length != folder->length || memcmp(path, folder->path, length) != 0) open_folder(folder, path, length);
  if (folder->descriptor < 0) return cffi_file_stamp(path, stamp);
  struct stat about;
  if (fstatat(folder->descriptor, slash + 1, &about, 0) != 0) return errno;
  put_stamp(&about, stamp);
  return 0;
}

uint64_t cffi_file_time(void) {
  struct timespec now;
#ifdef CLOCK_REALTIME_COARSE
  // The clock that file systems use.
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
#else
  clock_gettime(CLOCK_REALTIME, &now);
#endif
  return nanoseconds(now);
}

struct entry {
  char name[256];
  uint64_t used;
  uint64_t size;
};

static int older(const void *left, const void *right) {
  uint64_t one = ((const struct entry *)left)->used, other = ((const struct entry *)right)->used;
  return one < other ? -1 : one > other;
}

void cffi_trim_folder(const char *path, size_t count, uint64_t size) {
  DIR *folder = opendir(path);
  if (!folder) return;
  struct entry *entries = NULL;
  size_t found = 0, capacity = 0;
  uint64_t total = 0;
  for (struct dirent *next = readdir(folder); next; next = readdir(folder)) {
    struct stat about;
    if (fstatat(dirfd(folder), next->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode)) continue;
    if (found == capacity) {
      capacity = capacity ? 2 * capacity : 64;
      struct entry *larger = realloc(entries, capacity * sizeof *entries);
      if (!larger) break;
      entries = larger;
    }
    struct entry *entry = &entries[found++];
    snprintf(entry->name, sizeof entry->name, "%s", next->d_name);
    entry->used = nanoseconds(about.st_mtim);
    entry->size = (uint64_t)about.st_size;
    total += entry->size;
  }
  if (found > count || total > size) {
    qsort(entries, found, sizeof *entries, older);
    size_t left = found;
    for (size_t i = 0; i < found && (left > count || total > size); i++) {
      if (unlinkat(dirfd(folder), entries[i].name, 0) != 0) continue;
      left--;
      total -= entries[i].size;
    }
  }
  free(entries);
  closedir(folder);
}

const char *cffi_error_message(int number) { return strerror(number); }

const char *cffi_environment(const char *name) { return getenv(name); }
