#ifndef CFFI_ROWS_H
#define CFFI_ROWS_H

// The number of rows of a block.

#define CFFI_ROWS_BLOCK 128

// Offsets in a `cffi_row_registers`, for the loops in assembly.

#define CFFI_ROWS_RESULTS 0
#define CFFI_ROWS_STACK 32
#define CFFI_ROWS_STACK_STRIDE 40
#define CFFI_ROWS_STACK_SIZE 48
#define CFFI_ROWS_WORDS 64

#ifndef __ASSEMBLER__

#include "cffi_kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How the bytes of a row become the bytes of a frame.
typedef enum cffi_move_kind {
  /// A number of one, two or four bytes, zero-extended to a word.
  CFFI_MOVE_UNSIGNED_1,
  CFFI_MOVE_UNSIGNED_2,
  CFFI_MOVE_UNSIGNED_4,
  /// A number of one, two or four bytes, sign-extended to a word.
  CFFI_MOVE_SIGNED_1,
  CFFI_MOVE_SIGNED_2,
  CFFI_MOVE_SIGNED_4,
  /// A whole word.
  CFFI_MOVE_WORD,
  /// Fewer than eight bytes, padded with zeros to a word.
  CFFI_MOVE_PART,
  /// Any number of bytes, unchanged.
  CFFI_MOVE_BYTES,
} cffi_move_kind;

/// A copy of bytes between the memory of a row and a frame, planned once for all rows.
typedef struct cffi_move {
  /// The address in the first row.
  char *_Nonnull address;
  /// The distance in bytes between two rows; 0 if all rows have the same value.
  ptrdiff_t stride;
  /// The offset in the frame.
  uint32_t offset;
  /// The number of bytes in the row.
  uint32_t size;
  cffi_move_kind kind;
} cffi_move;

/// The calls of a batch.
typedef struct cffi_batch {
  cffi_kernel _Nonnull kernel;
  const void *_Nonnull implementation;
  const void *_Nullable context;
  /// From the rows to the frame, before a call.
  const cffi_move *_Nonnull arguments;
  size_t argument_count;
  /// From the frame to the rows, after a call.
  const cffi_move *_Nonnull results;
  size_t result_count;
  /// For a result in memory, the address of the results and the distance between two of them; otherwise NULL.
  char *_Nullable result_memory;
  ptrdiff_t result_stride;
  /// The size of the arguments on the stack.
  uint32_t stack_size;
  /// Whether the registers of the plan are those of the loops in assembly; see `cffi_batch_has_loop`.
  bool uses_registers;
  /// Whether a result of which all bytes are zero ends the batch.
  bool stops_at_null;
  /// The memory for the error of a method that may throw, one word that is 0 before the first call; or NULL.
  void *_Nullable *_Nullable error;
} cffi_batch;

/// Returns whether calls with this kernel and context can be made by a loop that loads registers from the rows.
bool cffi_batch_has_loop(cffi_kernel _Nonnull kernel, const void *_Nullable context, uint32_t stack_size);

/// Calls the implementation for rows in order.
///
/// `frame` is prepared memory for a call of the plan. The arguments of a row are read at any time before the call, up
/// to 128 rows ahead, and its result is stored before the function returns.
///
/// - Returns: The number of rows whose call has returned with a result: `count`, or less if `stops_at_null` or `error`
///   ended the batch. The result that ended it is in the frame.
size_t cffi_batch_run(const cffi_batch *_Nonnull batch, void *_Nonnull frame, size_t first, size_t count);

/// What a loop in assembly loads registers from, a word for each row, and where it stores them.
typedef struct cffi_row_registers {
  /// The ends of the columns of rax, xmm0, rdx and xmm1 after the calls: a loop counts from the negative number of rows
  /// to 0.
  void *_Nullable results[4];
  /// The stack arguments of the first row, and afterwards of the row after the last one; their distance between two rows,
  /// and their size, a multiple of 16.
  const char *_Nullable stack;
  ptrdiff_t stack_stride;
  size_t stack_size;
  /// The words of each general and each vector register. Those of the last row are the last.
  uint64_t words[14][CFFI_ROWS_BLOCK] __attribute__((aligned(16)));
} cffi_row_registers;

_Static_assert(offsetof(cffi_row_registers, results) == CFFI_ROWS_RESULTS, "CFFI_ROWS_RESULTS");
_Static_assert(offsetof(cffi_row_registers, stack) == CFFI_ROWS_STACK, "CFFI_ROWS_STACK");
_Static_assert(offsetof(cffi_row_registers, stack_stride) == CFFI_ROWS_STACK_STRIDE, "CFFI_ROWS_STACK_STRIDE");
_Static_assert(offsetof(cffi_row_registers, stack_size) == CFFI_ROWS_STACK_SIZE, "CFFI_ROWS_STACK_SIZE");
_Static_assert(offsetof(cffi_row_registers, words) == CFFI_ROWS_WORDS, "CFFI_ROWS_WORDS");

#endif

#endif
