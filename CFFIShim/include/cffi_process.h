#ifndef CFFI_PROCESS_H
#define CFFI_PROCESS_H

#include <stddef.h>
#include <stdint.h>

// The output of a command, and files, for the headers that are read at run time.

// The bytes that were read; `bytes` is allocated with malloc, and null when nothing was.
struct cffi_bytes {
  unsigned char *_Nullable bytes;
  size_t size;
};

// Runs a command, found in PATH, without input, and reads its standard output and standard error. Returns 0 and the status
// that waitpid gives, or an error number when the command could not be started or read. The caller frees both outputs.
int cffi_run_command(const char *_Nonnull const *_Nonnull arguments, int count, struct cffi_bytes *_Nonnull output,
                     struct cffi_bytes *_Nonnull errors, int *_Nonnull status);

// Frees bytes.
void cffi_free_bytes(struct cffi_bytes bytes);

// Reads a whole file of at most `limit` bytes. Returns 0 or an error number.
int cffi_read_file(const char *_Nonnull path, size_t limit, struct cffi_bytes *_Nonnull bytes);

// Writes a file under another name and renames it, so that a reader sees all of it or none. Creates the folders of the path,
// which only the user may read. Returns 0 or an error number.
int cffi_write_file(const char *_Nonnull path, const unsigned char *_Nonnull bytes, size_t size);

// What tells a changed file from an unchanged one: its size, its times of modification and of change in nanoseconds, its
// inode. Returns 0 or an error number.
int cffi_file_stamp(const char *_Nonnull path, uint64_t stamp[_Nonnull 4]);

// A folder that stays open, so that the system does not look up its path for each of its files.
struct cffi_folder {
  // The path of a file in it, which must stay valid, and the length of the folder's part.
  const char *_Nullable path;
  size_t length;
  int descriptor;
};

// As cffi_file_stamp, by the folder of the last call if the file is in it too. A folder starts as zeros.
int cffi_file_stamp_in(struct cffi_folder *_Nonnull folder, const char *_Nonnull path, uint64_t stamp[_Nonnull 4]);
void cffi_close_folder(struct cffi_folder *_Nonnull folder);

// Removes the files of a folder that were not used for the longest time, until at most `count` files of at most `size` bytes
// in total are left.
void cffi_trim_folder(const char *_Nonnull path, size_t count, uint64_t size);

// The time now, in nanoseconds of the clock of cffi_file_stamp.
uint64_t cffi_file_time(void);

// The system's message for the number of an error.
const char *_Nonnull cffi_error_message(int number);

// The value of an environment variable, or null.
const char *_Nullable cffi_environment(const char *_Nonnull name);

#endif
