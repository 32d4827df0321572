#include "cffi_rows.h"

#include "cffi_error.h"

#include <string.h>

// The general loop: a frame, and the kernel of the plan.

static uint64_t load_word(cffi_move_kind kind, const char *bytes, size_t size) {
  switch (kind) {
  case CFFI_MOVE_UNSIGNED_1: return *(const uint8_t *)bytes;
  case CFFI_MOVE_SIGNED_1: return (uint64_t)(int64_t) * (const int8_t *)bytes;
#define LOAD(kind, type, word) \
  case kind: { \
    type value; \
    memcpy(&value, bytes, sizeof value); \
    return (uint64_t)(word)value; \
  }
    LOAD(CFFI_MOVE_UNSIGNED_2, uint16_t, uint64_t)
    LOAD(CFFI_MOVE_UNSIGNED_4, uint32_t, uint64_t)
    LOAD(CFFI_MOVE_SIGNED_2, int16_t, int64_t)
    LOAD(CFFI_MOVE_SIGNED_4, int32_t, int64_t)
    LOAD(CFFI_MOVE_WORD, uint64_t, uint64_t)
#undef LOAD
  case CFFI_MOVE_PART:
  case CFFI_MOVE_BYTES: break;
  }
  uint64_t word = 0;
  memcpy(&word, bytes, size);
  return word;
}

static void store_argument(const cffi_move *move, char *target, const char *bytes) {
  if (move->kind == CFFI_MOVE_BYTES) {
    memcpy(target, bytes, move->size);
  } else {
    const uint64_t word = load_word(move->kind, bytes, move->size);
    memcpy(target, &word, sizeof word);
  }
}

// Stores the first bytes of a word, which are its low bytes: the processors are little-endian.
static void store_result(size_t size, char *target, const char *bytes) {
  switch (size) {
  case 1: memcpy(target, bytes, 1); break;
  case 2: memcpy(target, bytes, 2); break;
  case 4: memcpy(target, bytes, 4); break;
  case 8: memcpy(target, bytes, 8); break;
  default: memcpy(target, bytes, size); break;
  }
}

static bool is_null(const cffi_batch *batch, const char *frame) {
  for (size_t each = 0; each < batch->result_count; each += 1) {
    const cffi_move *move = &batch->results[each];
    for (uint32_t byte = 0; byte < move->size; byte += 1) {
      if (frame[move->offset + byte]) return false;
    }
  }
  return true;
}

static size_t run_in_frame(const cffi_batch *batch, char *frame, size_t first, size_t count) {
  for (size_t row = first; row < first + count; row += 1) {
    for (size_t each = 0; each < batch->argument_count; each += 1) {
      const cffi_move *move = &batch->arguments[each];
      store_argument(move, frame + move->offset, move->address + (ptrdiff_t)row * move->stride);
    }
    if (batch->error) cffi_set_error_place(batch->error);
    batch->kernel(frame, batch->implementation, batch->context);
    if (batch->error && *batch->error) return row - first;
    if (batch->stops_at_null && is_null(batch, frame)) return row - first;
    for (size_t each = 0; each < batch->result_count; each += 1) {
      const cffi_move *move = &batch->results[each];
      store_result(move->size, move->address + (ptrdiff_t)row * move->stride, frame + move->offset);
    }
  }
  return count;
}

#if defined(__x86_64__)

// The loops in assembly. They read columns of words. A column of the rows that has another form is converted in blocks.

enum { BLOCK = 128, LARGEST_STACK = 128, GENERAL = 6, VECTOR = 8, RESULTS = 4 };

extern const int32_t cffi_row_loops[] __attribute__((visibility("hidden")));

typedef void (*row_loop)(cffi_row_registers *columns, const void *implementation, size_t rows);

// Returns a loop that loads at least these registers. The table has the loops of 0, 1, 2, 3, 4 and 6 general registers
// for each of 0, 1, 2, 3, 4 and 8 vector registers for each result, then those with all general registers.
static row_loop find_loop(unsigned general, unsigned vector, unsigned results, bool stack) {
  static const uint8_t general_index[] = {0, 1, 2, 3, 4, 5, 5};
  static const uint8_t vector_index[] = {0, 1, 2, 3, 4, 5, 5, 5, 5};
  static const uint8_t stack_index[] = {0, 1, 1, 2, 2, 3, 3, 3, 3};
  const unsigned all = 3 * 6 * 6;
  unsigned index;
  if (results == 3) {
    index = stack ? all + 13 : all;
  } else if (stack) {
    index = all + 1 + results * 4 + stack_index[vector];
  } else {
    index = (results * 6 + vector_index[vector]) * 6 + general_index[general];
  }
  return (row_loop)(void *)((char *)(uintptr_t)cffi_row_loops + cffi_row_loops[index]);
}

bool cffi_batch_has_loop(cffi_kernel kernel, const void *context, uint32_t stack_size) {
  if (stack_size > LARGEST_STACK) return false;
  if (kernel == cffi_kernel_sysv_stack) return (uintptr_t)context >> 32 <= 16;
  return kernel == cffi_kernel_sysv_general || kernel == cffi_kernel_sysv_vector || kernel == cffi_kernel_sysv_stack_2 ||
         kernel == cffi_kernel_sysv_stack_4;
}

// Converts the values of rows to words.
static void gather(const cffi_move *move, size_t row, size_t count, uint64_t *words) {
  const ptrdiff_t stride = move->stride;
  const char *bytes = move->address + (ptrdiff_t)row * stride;
  switch (move->kind) {
#define GATHER(kind, type, word) \
  case kind: \
    if (stride == sizeof(type)) { \
      for (size_t each = 0; each < count; each += 1) { \
        type value; \
        memcpy(&value, bytes + each * sizeof(type), sizeof value); \
        words[each] = (uint64_t)(word)value; \
      } \
    } else { \
      for (size_t each = 0; each < count; each += 1, bytes += stride) { \
        type value; \
        memcpy(&value, bytes, sizeof value); \
        words[each] = (uint64_t)(word)value; \
      } \
    } \
    break;
    GATHER(CFFI_MOVE_UNSIGNED_1, uint8_t, uint64_t)
    GATHER(CFFI_MOVE_UNSIGNED_2, uint16_t, uint64_t)
    GATHER(CFFI_MOVE_UNSIGNED_4, uint32_t, uint64_t)
    GATHER(CFFI_MOVE_SIGNED_1, int8_t, int64_t)
    GATHER(CFFI_MOVE_SIGNED_2, int16_t, int64_t)
    GATHER(CFFI_MOVE_SIGNED_4, int32_t, int64_t)
    GATHER(CFFI_MOVE_WORD, uint64_t, uint64_t)
#undef GATHER
  case CFFI_MOVE_PART:
  case CFFI_MOVE_BYTES:
    for (size_t each = 0; each < count; each += 1, bytes += stride) words[each] = load_word(move->kind, bytes, move->size);
    break;
  }
}

// Stores the words of a result in the rows.
static void scatter(const cffi_move *move, size_t row, size_t count, const uint64_t *words) {
  char *bytes = move->address + (ptrdiff_t)row * move->stride;
  switch (move->size) {
#define SCATTER(type) \
  case sizeof(type): \
    for (size_t each = 0; each < count; each += 1, bytes += move->stride) { \
      const type value = (type)words[each]; \
      memcpy(bytes, &value, sizeof value); \
    } \
    break;
    SCATTER(uint8_t)
    SCATTER(uint16_t)
    SCATTER(uint32_t)
    SCATTER(uint64_t)
#undef SCATTER
  default:
    for (size_t each = 0; each < count; each += 1, bytes += move->stride) memcpy(bytes, &words[each], move->size);
  }
}

// The memory of converted columns.
typedef struct {
  uint64_t arguments[GENERAL + VECTOR][BLOCK];
  uint64_t results[RESULTS][BLOCK];
  char stack[BLOCK * LARGEST_STACK] __attribute__((aligned(16)));
} blocks;

// A column that is read where it is: words at their own distance.
static bool is_column_of_words(const cffi_move *move) { return move->kind == CFFI_MOVE_WORD && move->stride == 8; }

// The index of an argument's register: the general registers, then the vector registers, then the stack.
static size_t register_index(const cffi_move *move) { return (move->offset - CFFI_SYSV_GENERAL) / 8; }

_Static_assert(CFFI_SYSV_VECTOR == CFFI_SYSV_GENERAL + 8 * GENERAL, "the vector registers follow the general ones");
_Static_assert(CFFI_SYSV_STACK == CFFI_SYSV_VECTOR + 8 * VECTOR, "the stack words follow the vector registers");

// The plan of a run: which columns are converted for each block.
typedef struct {
  const cffi_batch *batch;
  blocks *blocks;
  cffi_row_registers columns;
  row_loop loop;
  // What a loop stores: 0: nothing, 1: rax, 2: xmm0, 3: all four registers.
  unsigned stored;
  bool converts_arguments, converts_results, converts_stack;
  // Whether the loop loads registers that have no column, and reads zeros instead.
  bool reads_zeros;
} run;

// The column of a register in the order of `register_index`. `vector` follows `general`.
static const void **column(run *run, size_t index) {
  return index < GENERAL ? &run->columns.general[index] : &run->columns.vector[index - GENERAL];
}

static void convert_arguments(run *run, size_t row, size_t count, bool constants) {
  const cffi_batch *batch = run->batch;
  for (size_t each = 0; each < batch->argument_count; each += 1) {
    const cffi_move *move = &batch->arguments[each];
    const size_t index = register_index(move);
    if (index < GENERAL + VECTOR) {
      if (is_column_of_words(move) || (move->stride == 0) != constants) continue;
      gather(move, row, count, run->blocks->arguments[index]);
    } else if (run->converts_stack && move->offset < CFFI_SYSV_STACK + batch->stack_size && (move->stride == 0) == constants) {
      char *target = run->blocks->stack + (move->offset - CFFI_SYSV_STACK);
      const char *bytes = move->address + (ptrdiff_t)row * move->stride;
      for (size_t line = 0; line < count; line += 1, target += run->columns.stack_size, bytes += move->stride) {
        store_argument(move, target, bytes);
      }
    }
  }
  if (batch->result_memory && (batch->result_stride == 0) == constants) {
    for (size_t line = 0; line < count; line += 1) {
      run->blocks->arguments[0][line] = (uint64_t)(uintptr_t)(batch->result_memory + (ptrdiff_t)(row + line) * batch->result_stride);
    }
  }
}

// Chooses the loop and the columns that need no conversion.
static void plan(run *run) {
  const cffi_batch *batch = run->batch;
  static const uint64_t zeros[BLOCK];
  unsigned general = batch->result_memory ? 1 : 0, vector = 0, stack_moves = 0;
  const cffi_move *stack = NULL;
  for (size_t index = 0; index < GENERAL + VECTOR; index += 1) *column(run, index) = &zeros[BLOCK];
  run->converts_arguments = batch->result_memory != NULL;
  for (size_t each = 0; each < batch->argument_count; each += 1) {
    const cffi_move *move = &batch->arguments[each];
    const size_t index = register_index(move);
    if (index < GENERAL) {
      if (index >= general) general = (unsigned)index + 1;
    } else if (index < GENERAL + VECTOR) {
      if (index - GENERAL >= vector) vector = (unsigned)(index - GENERAL) + 1;
    } else {
      stack_moves += move->offset < CFFI_SYSV_STACK + batch->stack_size;
      stack = move;
      continue;
    }
    if (!is_column_of_words(move)) {
      run->converts_arguments = true;
      *column(run, index) = &run->blocks->arguments[index][BLOCK];
    }
  }
  if (batch->result_memory) run->columns.general[0] = &run->blocks->arguments[0][BLOCK];
  run->columns.stack_size = (batch->stack_size + 15) / 16 * 16;
  // One struct that fills the stack words is copied from where it is.
  const bool is_whole = stack_moves == 1 && stack->kind == CFFI_MOVE_BYTES && stack->size == run->columns.stack_size;
  if (is_whole) {
    run->columns.stack = stack->address;
    run->columns.stack_stride = stack->stride;
  } else if (batch->stack_size > 0) {
    run->converts_arguments = run->converts_stack = true;
    run->columns.stack_stride = (ptrdiff_t)run->columns.stack_size;
    // The padding between arguments.
    memset(run->blocks->stack, 0, BLOCK * run->columns.stack_size);
  }
  if (batch->result_count == 1 && batch->results[0].offset == CFFI_SYSV_RESULT_GENERAL) {
    run->stored = 1;
  } else if (batch->result_count == 1 && batch->results[0].offset == CFFI_SYSV_RESULT_VECTOR) {
    run->stored = 2;
  } else {
    run->stored = batch->result_count == 0 ? 0 : 3;
  }
  run->converts_results = run->stored == 3 || (run->stored != 0 && (batch->results[0].size != 8 || batch->results[0].stride != 8));
  // Registers are assigned in order, so the loop reads zeros only if it loads more than the call has.
  const bool is_exact = batch->stack_size == 0 && run->stored != 3 && general != 5 && (vector <= 4 || vector == 8);
  run->reads_zeros = !is_exact;
  run->loop = find_loop(general, vector, run->stored, batch->stack_size > 0);
}

// The column of a result register in a `cffi_row_registers`.
static size_t result_index(const cffi_move *move) {
  switch (move->offset) {
  case CFFI_SYSV_RESULT_GENERAL: return 0;
  case CFFI_SYSV_RESULT_VECTOR: return 1;
  case CFFI_SYSV_RESULT_GENERAL + 8: return 2;
  default: return 3;
  }
}

// Points the columns that are read and written where they are to the end of a block.
static void place(run *run, size_t end, size_t count) {
  const cffi_batch *batch = run->batch;
  for (size_t each = 0; each < batch->argument_count; each += 1) {
    const cffi_move *move = &batch->arguments[each];
    if (register_index(move) < GENERAL + VECTOR && is_column_of_words(move)) {
      *column(run, register_index(move)) = move->address + (ptrdiff_t)end * 8;
    }
  }
  if (run->converts_results) {
    for (size_t each = 0; each < RESULTS; each += 1) run->columns.results[each] = &run->blocks->results[each][count];
  } else if (run->stored != 0) {
    run->columns.results[run->stored - 1] = batch->results[0].address + (ptrdiff_t)end * 8;
  }
  if (run->converts_stack) run->columns.stack = run->blocks->stack;
}

static size_t run_with_registers(const cffi_batch *batch, size_t first, size_t count) {
  blocks blocks;
  run run = {.batch = batch, .blocks = &blocks};
  plan(&run);
  if (run.columns.stack) run.columns.stack += (ptrdiff_t)first * run.columns.stack_stride;
  const bool converts = run.converts_arguments || run.converts_results || run.reads_zeros;
  if (run.converts_arguments) convert_arguments(&run, first, BLOCK, true);
  const size_t end = first + count;
  for (size_t row = first; row < end;) {
    const size_t rows = converts && end - row > BLOCK ? BLOCK : end - row;
    // The last block may be shorter: its columns end where the others do.
    if (run.converts_arguments) convert_arguments(&run, row, rows, false);
    place(&run, row + rows, rows);
    cffi_row_registers columns = run.columns;
    if (rows < BLOCK && converts) {
      for (size_t index = 0; index < GENERAL + VECTOR; index += 1) {
        const void **own = index < GENERAL ? &columns.general[index] : &columns.vector[index - GENERAL];
        if (*own == &blocks.arguments[index][BLOCK]) *own = &blocks.arguments[index][rows];
      }
    }
    run.loop(&columns, batch->implementation, rows);
    run.columns.stack = columns.stack;
    if (run.converts_results) {
      for (size_t each = 0; each < batch->result_count; each += 1) {
        scatter(&batch->results[each], row, rows, blocks.results[result_index(&batch->results[each])]);
      }
    }
    row += rows;
  }
  return count;
}

#else

bool cffi_batch_has_loop(cffi_kernel kernel, const void *context, uint32_t stack_size) {
  (void)kernel, (void)context, (void)stack_size;
  return false;
}

#endif

size_t cffi_batch_run(const cffi_batch *batch, void *frame, size_t first, size_t count) {
  if (count == 0) return 0;
#if defined(__x86_64__)
  if (batch->uses_registers) return run_with_registers(batch, first, count);
#endif
  return run_in_frame(batch, frame, first, count);
}
