#ifndef CFFI_PROCESS_H
#define CFFI_PROCESS_H

#include <errno.h>
#include <stddef.h>

// The output of a command, for the headers that are read at run time.

// The bytes that were read; `bytes` is allocated with malloc, and null when nothing was.
struct cffi_bytes {
  unsigned char *_Nullable bytes;
  size_t size;
};

// Error numbers of cffi_run_command: the command is not found; there is no memory.
enum { CFFI_NOT_FOUND = ENOENT, CFFI_NO_MEMORY = ENOMEM };

// Runs a command, found in PATH, without input, and reads its standard output and standard error. Returns 0 and the status
// that waitpid gives, or an error number when the command could not be started or read. The caller frees both outputs.
int cffi_run_command(const char *_Nonnull const *_Nonnull arguments, int count, struct cffi_bytes *_Nonnull output,
                     struct cffi_bytes *_Nonnull errors, int *_Nonnull status);

// Frees bytes.
void cffi_free_bytes(struct cffi_bytes bytes);

// The system's message for the number of an error.
const char *_Nonnull cffi_error_message(int number);

// The value of an environment variable, or null.
const char *_Nullable cffi_environment(const char *_Nonnull name);

#endif
