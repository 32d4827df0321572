#ifndef ALIGNMENT_H
#define ALIGNMENT_H

// Where a function and a loop begin within a cache line affects how fast a processor fetches them: without alignment, a
// direct call of WE took 1.4 to 1.9 ns, depending on the code before it. Every callee and every loop that makes direct
// calls therefore begins at a multiple of 64 bytes. gcc, which compiles the peers, has no attribute for loops;
// Scripts/bench-peers.sh passes -falign-loops=64.

#define WORKLOAD_ALIGNED __attribute__((aligned(64)))

#if defined(__clang__) && defined(__has_c_attribute)
#if __has_c_attribute(clang::code_align)
#define WORKLOAD_ALIGNED_LOOP [[clang::code_align(64)]]
#endif
#endif
#ifndef WORKLOAD_ALIGNED_LOOP
#define WORKLOAD_ALIGNED_LOOP
#endif

#endif
