#ifndef CALLGRIND_REQUESTS_H
#define CALLGRIND_REQUESTS_H

// What a program tells callgrind while it runs under it, so that one run gives the counts of many loops. Elsewhere each of
// these does nothing, in a few instructions. C because a request is a sequence of instructions that valgrind looks for;
// it is written out here, so that the build does not depend on whether valgrind's headers are there.

/// Begins to count, where callgrind was started with `--instr-atstart=no`.
void callgrind_start_counting(void);

/// Forgets what was counted so far.
void callgrind_forget_counts(void);

/// Writes what was counted since the last such request to a file of its own, with the name in it.
void callgrind_write_counts(const char *_Nonnull name);

/// The compiler of the C sources, which comes with the Swift compiler: its name, version and commit.
const char *_Nonnull callgrind_requests_compiler(void);

#endif
