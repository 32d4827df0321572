#ifndef CALLGRIND_REQUESTS_H
#define CALLGRIND_REQUESTS_H

// Requests from a program to callgrind while it runs under callgrind, so that one run counts many loops. Otherwise each
// of these functions does nothing, in a few instructions. In C because a request is an instruction sequence that
// valgrind recognizes. It is written out here so that the build does not depend on valgrind's headers.

/// Starts counting, if callgrind was started with `--instr-atstart=no`.
void callgrind_start_counting(void);

/// Stops counting, until it is started again: what follows takes about a tenth of the time.
void callgrind_stop_counting(void);

/// Resets the counts.
void callgrind_forget_counts(void);

/// Writes the counts since the last such request to a separate file that contains the name.
void callgrind_write_counts(const char *_Nonnull name);

/// Returns the name, version and commit of the C compiler, which is part of the Swift toolchain.
const char *_Nonnull callgrind_requests_compiler(void);

#endif
